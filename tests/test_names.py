"""Names: a class has one to itself, in the core or in a game; variables, functions and fields say what they hold."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

import pytest

from tests.support.source import PACKAGE, ROOT, parse, sources

PARTICIPLES = {"found", "given", "heard", "one", "said", "seen", "told"}
"""Names that say nothing of what they hold: a result, options, a message, an item."""


def classes(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the classes that a module defines."""
    return (node.name for node in tree.body if isinstance(node, ast.ClassDef))


def place(path: Path) -> str:
    """Return the game that the file at `path` belongs to, or `core`."""
    parts = path.relative_to(PACKAGE).parts
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


def uninformative(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the lines that define a variable, argument, function, class or field of such a name, and the names."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                pass
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                pass
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                pass
            case ast.MatchMapping(rest=str(name)):
                pass
            case _:
                continue
        if name in PARTICIPLES:
            yield node.lineno, name


def test_names_say_what_they_hold() -> None:
    paths = [*sources(), *sources("benchmarks", "examples", "frontend/map", "scripts", "tests")]
    assert [
        f"{path.relative_to(ROOT)}:{line}: {name}" for path in paths for line, name in uninformative(parse(path))
    ] == []


@pytest.mark.parametrize(
    "source",
    [
        "found = 1",
        "found: int",
        "for a, one in b: ...",
        "[one for one in a]",
        "if found := a: ...",
        "def f(given): ...",
        "def f(*, one=1): ...",
        "lambda **given: a",
        "def told(): ...",
        "async def said(): ...",
        "class seen: ...",
        "self.heard = 1",
        "with a as found: ...",
        "try: ...\nexcept E as told: ...",
        "match a:\n case [*seen]: ...",
        "match a:\n case {'b': c, **one}: ...",
        "match a:\n case one: ...",
    ],
)
def test_uninformative_names_are_noticed(source: str) -> None:
    assert len(list(uninformative(ast.parse(source)))) == 1


@pytest.mark.parametrize(
    "source", ["from hypothesis import given\n@given(a)\ndef f(founded): ...", "a.found(one='told')"]
)
def test_names_of_others_may_be_used(source: str) -> None:
    assert list(uninformative(ast.parse(source))) == []


def test_the_page_refuses_the_same_names() -> None:
    """ESLint holds the page's scripts and templates to them; `frontend/names.test.ts` shows that it sees both."""
    config = (ROOT / "frontend" / "eslint.config.js").read_text(encoding="utf-8")
    rule = re.search(r"'id-denylist': \['error', ([^]]+)\]", config)
    assert rule
    assert set(re.findall(r"'(\w+)'", rule[1])) == PARTICIPLES
