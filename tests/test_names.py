"""The names of classes: each stands for one thing in the core, and for one in a game."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

from tests.support.source import ROOT, parse, sources

"""Names that stand for more than one class, and why."""


def classes(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the classes that a module defines."""
    return (node.name for node in tree.body if isinstance(node, ast.ClassDef))


def place(path: Path) -> str:
    """Return the game that the file at `path` belongs to, or `core`."""
    parts = path.relative_to(ROOT).parts
    return parts[1] if parts[0] == "games" and len(parts) > 2 else "core"


def repeated(modules: Iterable[tuple[str, str, ast.Module]]) -> Mapping[str, list[str]]:
    """Return the names that stand twice in one place, or in the core and in a game, and where.

    Two games may use one name: each has a view of its own, `Legal` and `Observation`.
    """
    places: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for where, file, tree in modules:
        for name in classes(tree):
            places[name][where].append(file)
    return {
        name: sorted(chain.from_iterable(by_place.values()))
        for name, by_place in places.items()
        if any(len(files) > 1 for files in by_place.values()) or ("core" in by_place and len(by_place) > 1)
    }


def test_a_name_stands_for_one_class() -> None:
    modules = ((place(path), str(path.relative_to(ROOT)), parse(path)) for path in sources())
    again = repeated(modules)
    assert not again


def test_repeated_names_are_noticed() -> None:
    legal, other = ast.parse("class Legal: ..."), ast.parse("class Other: ...\nlegal = Legal = 1")
    assert not repeated([("cricket", "a.py", legal), ("diplomacy", "b.py", legal), ("core", "c.py", other)])
    assert repeated([("cricket", "a.py", legal), ("cricket", "b.py", legal)]) == {"Legal": ["a.py", "b.py"]}
    assert repeated([("core", "b.py", legal), ("cricket", "a.py", legal)]) == {"Legal": ["a.py", "b.py"]}
