"""The package's own source, for tests of its imports and its language."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
FOLDERS = ("games", "grandstand", "play", "players", "server", "spectator", "trainer")
"""Folders of the checkout that make up the package, beside the modules at its root."""
MODULES = ("client.py", "models.py")


def sources(*folders: str) -> list[Path]:
    """Return every Python file of the package, or of `folders` of it."""
    paths = [path for folder in folders or FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    return paths if folders else [ROOT / name for name in MODULES] + paths


def module_name(path: Path) -> str:
    """Return the name by which the file at `path` is imported."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    if parts[0] == "grandstand":
        parts = parts[1:]
    if parts and parts[-1] == "__init__":
        parts = parts[:-1]
    return ".".join(["grandstand", *parts])


def imports(tree: ast.AST, modules: Collection[str] = ()) -> Iterator[str]:
    """Yield what a module imports, wherever it does: in functions and under TYPE_CHECKING too.

    `from a import b` imports `a.b` if that is one of `modules`, and `a` otherwise.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # Ruff forbids relative imports but in client.py, which is at the root and also a distribution of its own.
            module = f"grandstand.{node.module}" if node.level else str(node.module)
            for alias in node.names:
                name = f"{module}.{alias.name}"
                yield name if name in modules else module


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))
