"""docs/glossary.md names what exists, and explains every core event."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from grandstand.campaign_events import CAMPAIGN_EVENTS
from grandstand.events import CORE_EVENTS
from tests.support.live_server import ROOT
from tests.support.source import sources

PAGE = (ROOT / "docs/glossary.md").read_text()
ROWS = re.findall(r"^\| (?!term |-)([^|]+) \| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE)


@cache
def defined() -> set[str]:
    """Every class, function and constant at the top of a module."""
    names: set[str] = set()
    for path in sources():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                names.add(node.name)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


@pytest.mark.parametrize("term", [term for term, _, _ in ROWS])
def test_what_a_term_is_in_code_exists(term: str) -> None:
    cited = [name for word, _, code in ROWS if word == term for name in re.findall(r"`(\w+)`", code)]
    assert cited
    assert [name for name in cited if name not in defined()] == []


def test_every_term_has_one_line() -> None:
    terms = [term for term, _, _ in ROWS]
    assert len(terms) > 50
    assert sorted(set(terms)) == sorted(terms)


def test_every_core_event_belongs_to_a_term() -> None:
    cited = {name for _, _, code in ROWS for name in re.findall(r"`(\w+)`", code)}
    assert (CORE_EVENTS.keys() | CAMPAIGN_EVENTS.keys()) - cited == set(), "add it to docs/glossary.md"
