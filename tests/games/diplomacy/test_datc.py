"""The Diplomacy Adjudicator Test Cases, version 3.0."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.diplomacy.datc import CASES, DECLARED, case_name, surprises


@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_case(case: dict[str, Any]) -> None:
    """Every case comes out as expected, and every declared one does not."""
    name = case_name(case)
    found = surprises(case)
    if name in DECLARED:
        assert found, f"{name} comes out as expected now: take it off the list"
    else:
        assert not found


def test_every_declared_case_exists() -> None:
    names = [case_name(case) for case in CASES]
    assert len(names) == 171
    assert set(DECLARED) <= set(names)
