"""The package's own source, for tests of its imports and layout, and for the budget of concepts."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "grandstand"
FOLDERS = tuple(sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()))
"""Folders of the package, beside the modules at its root."""


def sources(*folders: str) -> list[Path]:
    """Return every Python file of the package, or of `folders` of it."""
    if not folders:
        return sorted(PACKAGE.rglob("*.py"))
    return [path for folder in folders for path in sorted(_folder(folder).rglob("*.py"))]


def _folder(name: str) -> Path:
    return PACKAGE / name if name in FOLDERS else ROOT / name


def module_name(path: Path) -> str:
    """Return the name by which the file at `path` is imported."""
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts = parts[:-1]
    return ".".join(parts)


def imports(tree: ast.AST, modules: Collection[str] = ()) -> Iterator[str]:
    """Yield the imports of a module, including those in functions and under TYPE_CHECKING.

    `from a import b` imports `a.b` if that is one of `modules`, and `a` otherwise.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # Ruff forbids relative imports but in client.py, which is also a distribution of its own.
            module = f"grandstand.{node.module}" if node.level else str(node.module)
            for alias in node.names:
                name = f"{module}.{alias.name}"
                yield name if name in modules else module


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def graph() -> dict[str, set[str]]:
    """Return what each module of the package imports of the package."""
    trees = {module_name(path): parse(path) for path in sources()}
    return {name: set(imports(tree, trees)) & trees.keys() - {name} for name, tree in trees.items()}
