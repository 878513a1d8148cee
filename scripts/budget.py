"""Counts the concepts of the project and holds each count to its limit. `make lint` runs it.

A number has a bound, which the project aims at, and a limit: the count reached last, or the bound where that is met. A
number over its limit fails. A change that lowers a number lowers its limit as well.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from pydantic import BaseModel

from grandstand.events import CORE_EVENTS
from grandstand.games.spec import GameSpec
from grandstand.main import VERBS
from grandstand.server.settings import Settings
from grandstand.trainer.config.settings import TrainConfig
from tests.support.source import PACKAGE, ROOT, graph, parse, sources

FRONTEND = ROOT / "frontend/src"
MEMBER = re.compile(r"^  (?:readonly )?(\w+)\??[(:<]", re.MULTILINE)
CITED = re.compile(r"`([\w./]+\.(?:py|ts|svelte))`")
FILES, LINES, BODY = 20, 400, 40
"""Bounds of the files in a folder, the lines of a file and the lines of a function's body."""


def settings(model: type[BaseModel]) -> int:
    """Count the settings of `model` and of the sections in it."""
    kinds = [field.annotation for field in model.model_fields.values()]
    return sum(settings(kind) if isinstance(kind, type) and issubclass(kind, BaseModel) else 1 for kind in kinds)


def members(interface: str, script: str) -> int:
    """Count the members of a TypeScript interface."""
    body = re.search(rf"^export interface {interface}\b.*?^}}", script, re.MULTILINE | re.DOTALL)
    if body is None:
        raise ValueError(f"there is no interface {interface}")
    return len(MEMBER.findall(body[0]))


def page_members(interface: str) -> int:
    """Count the members that the page's interface `interface` of games adds to those that it extends."""
    return members(interface, (FRONTEND / f"boards/{interface.lower()}.ts").read_text(encoding="utf-8"))


def floors(imports: Mapping[str, set[str]]) -> int:
    """Count the modules of the longest chain of imports, those for types and those within functions included."""

    @cache
    def height(module: str) -> int:
        return 1 + max((height(name) for name in imports[module]), default=0)

    return max(map(height, imports))


def files_of_walk(walk: str) -> int:
    """Count the files that the first walk of docs/walk.md names."""
    return len(set(CITED.findall(walk.split("\n## ")[1])))


def page_files() -> list[Path]:
    """Return the page's own modules and components, without tests and generated types."""
    paths = (path for kind in ("*.ts", "*.svelte") for path in FRONTEND.rglob(kind))
    return [path for path in paths if not path.name.endswith((".test.ts", ".gen.ts"))]


def folder_sizes(files: Iterable[Path]) -> list[int]:
    return list(Counter(path.parent for path in files).values())


def file_lengths(files: Iterable[Path]) -> list[int]:
    return [len(path.read_text(encoding="utf-8").splitlines()) for path in files]


def function_lengths(trees: Iterable[ast.Module]) -> list[int]:
    """Return the lines of each function's body, without the signature, which declares the options of a command."""
    nodes = (node for tree in trees for node in ast.walk(tree))
    functions = (node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return [(node.end_lineno or node.lineno) - node.body[0].lineno + 1 for node in functions]


def repeated_classes(modules: Iterable[tuple[Path, ast.Module]]) -> int:
    """Count the class names that have two classes within the core or a game, or one in the core and one in a game.

    Two games may use one name: each has a view of its own, `Legal` and `Observation`.
    """
    names = {"": Counter[str]()}
    for path, tree in modules:
        parts = path.relative_to(PACKAGE).parts
        game = parts[1] if parts[0] == "games" and len(parts) > 2 else ""
        names.setdefault(game, Counter()).update(node.name for node in tree.body if isinstance(node, ast.ClassDef))
    core = names.pop("")
    counts = [core, *(core + game for game in names.values())]
    return len({name for count in counts for name in count if count[name] > 1})


def above(sizes: Iterable[int], bound: int) -> int:
    return sum(size > bound for size in sizes)


@dataclass(frozen=True, slots=True)
class Row:
    """A number that is held to a limit."""

    name: str
    bound: int
    limit: int
    count: int


def rows() -> Iterator[Row]:
    """Yield every number with its bound and its limit."""
    trees = {path: parse(path) for path in sources()}
    files = [*trees, *page_files()]
    folders, lines, bodies = folder_sizes(files), file_lengths(files), function_lengths(trees.values())
    walk = (ROOT / "docs/walk.md").read_text(encoding="utf-8")
    yield Row("server settings", 35, 35, settings(Settings))
    yield Row("training settings", 130, 130, settings(TrainConfig))
    yield Row("parts of GameSpec", 8, 8, len(fields(GameSpec)))
    yield Row("members of Game", 10, 10, page_members("Game"))
    yield Row("members of Board", 8, 3, page_members("Board"))
    yield Row("core events", 24, 24, len(CORE_EVENTS))
    yield Row("verbs", 16, 16, len(VERBS))
    yield Row("floors of the import graph", 16, 16, floors(graph()))
    yield Row("files from a decision to the browser", 20, 20, files_of_walk(walk))
    yield Row("class names used twice", 0, 0, repeated_classes(trees.items()))
    yield Row("files in the fullest folder", FILES, FILES, max(folders))
    yield Row(f"folders of more than {FILES} files", 0, 0, above(folders, FILES))
    yield Row("lines of the longest file", LINES, LINES, max(lines))
    yield Row(f"files of more than {LINES} lines", 0, 0, above(lines, LINES))
    yield Row("lines of the longest function", BODY, BODY, max(bodies))
    yield Row(f"functions of more than {BODY} lines", 0, 0, above(bodies, BODY))


def report(table: Iterable[Row]) -> tuple[list[str], bool]:
    """Return a line on each number, and whether all keep their limits."""
    lines, kept = [f"{'':40}{'count':>7}{'limit':>7}{'bound':>7}"], True
    for row in table:
        remark = f"{row.count - row.bound} over its bound" if row.count > row.bound else ""
        if row.count > row.limit:
            remark, kept = "FAILED: over its limit; lower it, or another number with it", False
        elif row.count < row.limit and row.limit > row.bound:
            remark = f"lower its limit in {Path(__file__).name} to {max(row.count, row.bound)}"
        lines.append(f"{row.name:40}{row.count:7}{row.limit:7}{row.bound:7}  {remark}".rstrip())
    return lines, kept


def main() -> None:
    lines, kept = report(rows())
    print("\n".join(lines))
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
