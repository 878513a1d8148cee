"""Rules of imports: import-linter's contracts, no cycles, and rules that no contract can express."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.support.source import FOLDERS, ROOT, graph, imports, parse, sources

HEAVY = ("cartesia", "openenv", "torch", "vllm", "ray", "peft", "transformers", "gradio", "openai")
TRAINING = {"torch", "vllm", "ray", "peft", "transformers"}
CONTRACTS: list[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"][
    "contracts"
]
LINTER = "from importlinter.cli import lint_imports_command as command; command()"


def top_level(path: Path) -> set[str]:
    return {name.partition(".")[0] for name in imports(parse(path))}


# --- the contracts ----------------------------------------------------------------------------------------------------


def forbidden_imports(contract: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield every pair of a package and a module that `contract` forbids it to import."""
    if contract["type"] == "forbidden":
        for source in contract["source_modules"]:
            yield from ((source, module) for module in contract["forbidden_modules"])
        return
    assert contract["type"] == "layers", f"teach this test the contract type {contract['type']}"
    for container in contract["containers"]:
        layers = [[f"{container}.{name}" for name in layer.split(" | ")] for layer in contract["layers"]]
        for higher, lower in pairwise(layers):
            yield from ((source, module) for source in lower for module in higher)
        for siblings in layers:
            yield from ((source, module) for source in siblings for module in siblings if source != module)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package."""
    for path in sources():
        target = tmp_path / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return tmp_path


def lint(folder: Path) -> tuple[int, str]:
    """Run import-linter on the package in `folder`; return its exit status and its report."""
    done = subprocess.run(
        [sys.executable, "-c", LINTER, "--config", str(ROOT / "pyproject.toml"), "--no-cache"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "300"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_every_contract_is_kept_and_breaks_on_each_forbidden_import(package: Path) -> None:
    status, report = lint(package)
    assert status == 0, report
    assert report.count(" KEPT") == len(CONTRACTS), report

    planted: list[tuple[str, str]] = []
    for contract in CONTRACTS:
        for source, module in forbidden_imports(contract):
            name = f"planted_{len(planted)}"
            folder = package.joinpath(*source.split("."))
            if folder.is_dir():
                (folder / f"{name}.py").write_text(f"import {module}\n")
                planted.append((f"{source}.{name}", module))
            else:
                assert folder.with_suffix(".py").is_file(), f"the contract names {source}, which does not exist"
    status, report = lint(package)
    assert status == 1, report
    for contract in CONTRACTS:
        assert f"{contract['name']} BROKEN" in report, report
    missed = [(source, module) for source, module in planted if f"{source} -> {module} (l.1)" not in report]
    assert missed == [], report


# --- cycles -----------------------------------------------------------------------------------------------------------


def cycles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Return the sets of modules each of which reaches all others of its set."""
    reached = {name: _reachable(graph, name) for name in graph}
    groups = {frozenset({other for other in reached[name] if name in reached[other]} | {name}) for name in graph}
    return sorted((set(group) for group in groups if len(group) > 1), key=min)


def _reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    result: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph.get(waiting.pop(), set()) - result
        result |= new
        waiting += new
    return result


@pytest.mark.long
def test_no_modules_import_each_other() -> None:
    """Imports for types count: a cycle that only types close is still two modules that cannot be read apart."""
    assert cycles(graph()) == []


@pytest.mark.long
def test_a_cycle_is_noticed() -> None:
    tree = ast.parse("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from grandstand.games import base\n")
    assert "grandstand.games.base" in set(imports(tree, ["grandstand.games.base"]))
    planted = graph()
    planted["grandstand.spectator.bus"].add("grandstand.server.main")
    assert any({"grandstand.spectator.bus", "grandstand.server.main"} <= cycle for cycle in cycles(planted))
    with pytest.raises(CycleError):
        TopologicalSorter(planted).prepare()


# --- what no contract can express -------------------------------------------------------------------------------------


def test_models_imports_pydantic_only() -> None:
    assert top_level(ROOT / "grandstand/models.py") - set(sys.stdlib_module_names) <= {"pydantic"}


@pytest.mark.parametrize("package", [folder for folder in FOLDERS if folder != "trainer"])
def test_training_libraries_stay_in_the_trainer(package: str) -> None:
    for path in sources(package):
        assert not top_level(path) & TRAINING, path


def test_no_file_swallows_a_failed_import() -> None:
    assert not [path for path in sources() if "except ImportError" in path.read_text(encoding="utf-8")]


def test_games_do_not_import_each_other() -> None:
    games = [folder for folder in (ROOT / "grandstand" / "games").iterdir() if (folder / "__init__.py").is_file()]
    assert len(games) >= 2
    for folder in games:
        for path in folder.rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for other in games:
                assert other == folder or f"games.{other.name}" not in text, path


@pytest.mark.long
def test_the_checkout_has_one_package_and_the_files_that_openenv_looks_for() -> None:
    """The folders of the package are importable as parts of it alone."""
    code = (
        "import importlib.util as util, server.app, client, models, grandstand.models;"
        "assert models.MatchAction is grandstand.models.MatchAction;"
        "print([name for name in ('games', 'play', 'players', 'spectator', 'trainer') if util.find_spec(name)])"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_the_server_does_not_load_the_terminal() -> None:
    code = "import sys, grandstand.server.main; print('rich' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"


def test_the_server_starts_without_heavy_imports() -> None:
    code = (
        "import sys, grandstand.server.main; from grandstand.main import VERBS, load; [load(verb) for verb in VERBS];"
        f"print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


# --- the tests themselves ---------------------------------------------------------------------------------------------


def is_test(path: Path) -> bool:
    return path.name.startswith("test_") or path.name in ("conftest.py", "__init__.py")


def test_helpers_of_tests_stand_in_support() -> None:
    """A test module may then be read, moved and deleted by itself."""
    modules = [path for path in (ROOT / "tests").rglob("*.py") if ROOT / "tests/support" not in path.parents]
    assert [path for path in modules if not is_test(path)] == []
    for path in (*modules, *(ROOT / "tests/support").rglob("*.py")):
        if not re.search(r"\btests\.(?!support\b)", path.read_text(encoding="utf-8")):
            continue  # it names no other module of tests, so that it need not be parsed
        named = {name for name in imports(parse(path)) if name.startswith("tests.")}
        assert {name for name in named if not name.startswith("tests.support")} == set(), path
