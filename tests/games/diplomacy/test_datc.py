"""The Diplomacy Adjudicator Test Cases, version 3.0."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.diplomacy.datc import CASES, DECLARED, case_name, surprises


@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_case(case: dict[str, Any]) -> None:
    """Every case comes out as expected, and every declared one does not."""
    name = case_name(case)
    result = surprises(case)
    if name in DECLARED:
        assert result, f"{name} comes out as expected now: take it off the list"
    else:
        assert not result


def test_every_declared_case_exists() -> None:
    names = [case_name(case) for case in CASES]
    assert len(names) == 171
    assert set(DECLARED) <= set(names)


def test_the_rules_page_declares_the_same_cases() -> None:
    page = (Path(__file__).parents[3] / "docs" / "diplomacy-rules.md").read_text(encoding="utf-8")
    listed = page.partition("## Conformance")[2].partition("Twenty recorded")[0]
    cells = [line.split("|")[1] for line in listed.splitlines() if line.startswith("| 6.")]
    assert {name.strip() for cell in cells for name in cell.split(",")} == set(DECLARED)
