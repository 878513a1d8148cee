"""The modules of cricket import each other in one direction only, imports for type checking included."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3] / "grandstand" / "games" / "cricket"
PACKAGE = "grandstand.games.cricket"


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join((PACKAGE, *(part for part in parts if part != "__init__")))


def imported(tree: ast.Module, modules: set[str]) -> set[str]:
    """Return the modules among `modules` that `tree` imports anywhere, under TYPE_CHECKING or inside a function too."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                names.add(submodule if submodule in modules else str(node.module))
    return names & modules


def import_graph(sources: dict[str, str]) -> dict[str, set[str]]:
    modules = set(sources)
    return {name: imported(ast.parse(source), modules) for name, source in sources.items()}


def test_no_circular_import_even_for_type_checking() -> None:
    graph = import_graph({module_name(path): path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py")})
    assert f"{PACKAGE}.match.state" in graph[f"{PACKAGE}.match.contest"]
    list(TopologicalSorter(graph).static_order())


def test_a_circle_closed_by_type_checking_is_detected() -> None:
    sources = {
        "a": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from b import B\n",
        "b": "from a import A\n",
    }
    with pytest.raises(CycleError):
        list(TopologicalSorter(import_graph(sources)).static_order())
