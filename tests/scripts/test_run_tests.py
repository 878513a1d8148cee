"""The script that runs the tests, in a checkout of its own: which failures it forgives."""

from __future__ import annotations

import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from grandstand.games.catalog import GAMES
from tests.support.source import ROOT

pytestmark = pytest.mark.long

FLAKY = """
from pathlib import Path

def test_flaky():
    tried = Path("tried")
    first = not tried.exists()
    tried.touch()
    assert not first

def test_broken():
    assert Path("sound").exists()
"""

CONFTEST = """
def pytest_addoption(parser):
    parser.addoption("--all", action="store_true")
"""

UNSTABLE = "# a comment\ntests/test_some.py::test_flaky  2026-01-01  it reads a file too early\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/run-tests", tmp_path / "scripts")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_some.py").write_text(FLAKY)
    (tmp_path / "tests/conftest.py").write_text(
        'def pytest_addoption(parser):\n    parser.addoption("--all", action="store_true")\n'
    )
    (tmp_path / "tests/unstable.txt").write_text(UNSTABLE)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    long\n    vllm\n")
    (tmp_path / ".venv/bin").mkdir(parents=True)
    python = tmp_path / ".venv/bin/python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return tmp_path


def run(checkout: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([checkout / "scripts/run-tests", "-n", "0"], capture_output=True, text=True, check=False)


def test_a_failure_that_is_not_listed_fails_the_run(checkout: Path) -> None:
    done = run(checkout)
    assert done.returncode == 1
    assert "does not name these tests.\ntests/test_some.py::test_broken\n" in done.stdout
    assert "once more" not in done.stdout


def test_a_listed_test_is_run_once_more_and_named(checkout: Path) -> None:
    (checkout / "sound").touch()
    done = run(checkout)
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("Mend them.\ntests/test_some.py::test_flaky\n")


def test_a_listed_test_that_fails_again_fails_the_run(checkout: Path) -> None:
    (checkout / "sound").touch()
    (checkout / "tests/test_some.py").write_text(FLAKY.replace("not first", "False"))
    assert run(checkout).returncode == 1


def test_the_quick_cases_of_a_test_marked_few_are_evenly_spaced() -> None:
    pytest_ = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-k", "played_by_choices"]
    command = [*pytest_, "-m", "not long", "tests/games/test_registry.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    cases = {line.partition("[")[2] for line in done.stdout.splitlines() if "::" in line}
    assert cases == {f"{game}-0]" for game in GAMES}


def test_the_list_gives_a_date_and_a_reason_for_each_test() -> None:
    lines = (ROOT / "tests/unstable.txt").read_text().splitlines()
    for line in lines:
        if not line.startswith("#"):
            name, day, reason = line.split("  ", 2)
            assert "::" in name
            assert reason
            date.fromisoformat(day)
