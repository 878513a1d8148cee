"""The house's floors, as a test: import-linter holds the packages, this file holds `models.py`, which it cannot see."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = ("openenv", "torch", "vllm", "ray", "peft", "transformers", "gradio", "openai")


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add((node.module or "").partition(".")[0])
    return names


def test_models_imports_pydantic_only() -> None:
    own = imported(ROOT / "models.py") - set(sys.stdlib_module_names)
    assert own <= {"pydantic"}


@pytest.mark.parametrize("package", ["games", "players", "spectator", "server"])
def test_training_libraries_stay_in_the_trainer(package: str) -> None:
    for path in (ROOT / package).rglob("*.py"):
        assert not imported(path) & {"torch", "vllm", "ray", "peft", "transformers"}, path


def test_no_file_swallows_a_failed_import() -> None:
    for package in ("games", "players", "spectator", "server", "trainer", "grandstand"):
        for path in (ROOT / package).rglob("*.py"):
            assert "except ImportError" not in path.read_text(encoding="utf-8"), path


def test_games_do_not_import_each_other() -> None:
    games = [folder for folder in (ROOT / "games").iterdir() if (folder / "__init__.py").is_file()]
    for folder in games:
        for path in folder.rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for other in games:
                assert other == folder or f"games.{other.name}" not in text, path


def test_the_server_starts_without_heavy_imports() -> None:
    code = (
        "import sys, grandstand.server.main; from grandstand.main import VERBS, load; [load(verb) for verb in VERBS];"
        f"print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
