"""The names of types: each stands for one thing in the core, and for one in a game."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

from tests.support.source import ROOT, parse, sources

SHARED = {
    "SeatId": "`models.py` is also a distribution of its own, without the games",
    "MatchState": "OpenEnv's name for the state of a session; cricket has two types of the name",
    "Outlook": "cricket: what the model foresees, and the same as players receive it",
    "Policy": "diplomacy: the searching bots' choice of orders; trainer: the model that learns",
}
"""Names that stand for more than one type, and why."""


def types(tree: ast.Module) -> Iterator[str]:
    """Yield the classes and the aliases of types that a module defines."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = (target.id for target in targets if isinstance(target, ast.Name))
            yield from (name for name in names if name[0].isupper() and not name.isupper())


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
        for name in types(tree):
            places[name][where].append(file)
    return {
        name: sorted(chain.from_iterable(by_place.values()))
        for name, by_place in places.items()
        if any(len(files) > 1 for files in by_place.values()) or ("core" in by_place and len(by_place) > 1)
    }


def test_a_name_stands_for_one_type() -> None:
    modules = ((place(path), str(path.relative_to(ROOT)), parse(path)) for path in sources())
    again = repeated(modules)
    unexpected = {name: files for name, files in again.items() if name not in SHARED}
    assert not unexpected
    assert SHARED.keys() <= again.keys(), f"take them out of SHARED: {SHARED.keys() - again.keys()}"


def test_repeated_names_are_noticed() -> None:
    legal, alias, plain = ast.parse("class Legal: ..."), ast.parse("Legal: TypeAlias = int"), ast.parse("LEGAL = 1")
    assert not repeated([("cricket", "a.py", legal), ("diplomacy", "b.py", alias), ("core", "c.py", plain)])
    assert repeated([("cricket", "a.py", legal), ("cricket", "b.py", alias)]) == {"Legal": ["a.py", "b.py"]}
    assert repeated([("core", "b.py", alias), ("cricket", "a.py", legal)]) == {"Legal": ["a.py", "b.py"]}
