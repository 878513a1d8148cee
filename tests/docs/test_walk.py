"""docs/walk.md tells the truth: its files and symbols exist, and each step is a call or an import away from another."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.support.live_server import ROOT

PAGE = (ROOT / "docs/walk.md").read_text()
STEP = re.compile(r"^(\d+)\. (.+?)(?=^\d+\. |^## |\Z)", re.MULTILINE | re.DOTALL)
CITED = re.compile(r"`([\w./]+\.(?:py|ts|svelte))`(?: `([A-Za-z_.]+)`)?")


@dataclass(frozen=True)
class Citation:
    """A file, and the symbol in it that a step cites."""

    file: str
    symbol: str = ""

    @property
    def text(self) -> str:
        return path_of(self.file).read_text()

    @property
    def name(self) -> str:
        return self.symbol.rpartition(".")[2]


def path_of(file: str) -> Path:
    """Return the path of a file of the page, or of the package."""
    return ROOT / file if file.startswith("frontend/") else ROOT / "grandstand" / file


def walks() -> dict[str, list[list[Citation]]]:
    """Heading -> the places that each of its steps cites."""
    parts = PAGE.split("\n## ")[1:]
    return {
        part.partition("\n")[0]: [[Citation(*cited) for cited in CITED.findall(text)] for _, text in STEP.findall(part)]
        for part in parts
    }


WALKS = walks()
CITATIONS = sorted({citation for walk in WALKS.values() for step in walk for citation in step}, key=str)


def test_there_are_three_walks_and_every_step_cites_a_place() -> None:
    assert [len(walk) > 4 for walk in WALKS.values()] == [True] * 3
    assert all(step and step[0].symbol for walk in WALKS.values() for step in walk)


@cache
def symbols(file: str) -> frozenset[str]:
    """The classes, functions and methods that a file defines."""
    text = path_of(file).read_text()
    if not file.endswith(".py"):
        return frozenset(
            re.findall(r"^export (?:abstract )?(?:class|function|interface|type|const) (\w+)", text, re.MULTILINE)
        )
    names: set[str] = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            methods = (item for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef))
            names |= {f"{node.name}.{method.name}" for method in methods}
    return frozenset(names)


@pytest.mark.parametrize("citation", CITATIONS, ids=lambda citation: f"{citation.file} {citation.symbol}")
def test_the_cited_symbol_exists(citation: Citation) -> None:
    assert path_of(citation.file).is_file(), f"there is no {citation.file}"
    if citation.symbol:
        assert citation.symbol in symbols(citation.file), f"{citation.file} defines no {citation.symbol}"


def imports(importer: Citation, imported: Citation) -> bool:
    """Return whether the first file imports from the second."""
    if imported.file.endswith(".py"):
        module = "grandstand." + imported.file.removesuffix(".py").replace("/", ".")
        return re.search(rf"^\s*(?:from|import) {re.escape(module)}\b", importer.text, re.MULTILINE) is not None
    stem = Path(imported.file).name.removesuffix(".ts")
    return re.search(rf"^import .*from '[./\w]*/{re.escape(stem)}';", importer.text, re.MULTILINE) is not None


def calls(caller: Citation, callee: Citation) -> bool:
    """Return whether the first file calls a method or function of the second's name."""
    return bool(callee.name) and re.search(rf"\.{callee.name}\(", caller.text) is not None


def serves(server: Citation, page: Citation) -> bool:
    """Return whether a route of the first file is the one that the second, which is of the page, names."""
    if not server.file.startswith("server/") or not page.file.startswith("frontend/"):
        return False
    routes = re.findall(r'\.websocket\("/(\w+)"', server.text)
    return any(f"'{route}'" in page.text for route in routes)


def linked(first: Citation, second: Citation) -> bool:
    return imports(first, second) or imports(second, first) or calls(first, second) or serves(first, second)


@pytest.mark.parametrize("walk", WALKS)
def test_each_step_is_a_call_or_an_import_away_from_an_earlier_one(walk: str) -> None:
    earlier = list(WALKS[walk][0])
    for number, step in enumerate(WALKS[walk][1:], 2):
        for citation in step[:1]:
            assert any(linked(before, citation) for before in earlier), (
                f"step {number}: nothing before leads to {citation}"
            )
        earlier += step


def test_a_step_that_nothing_leads_to_is_noticed() -> None:
    assert not linked(Citation("play/runner.py", "MatchRunner"), Citation("trainer/learning/losses.py", "policy_loss"))
    assert not linked(Citation("spectator/bus.py", "Bus"), Citation("frontend/src/episode/record/store.ts", "reduce"))
    assert "Bus.nothing" not in symbols("spectator/bus.py")
