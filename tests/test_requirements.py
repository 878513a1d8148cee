"""A test whose requirement is missing is skipped with the remedy; under `--all` it fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.requirements import MissingRequirementError, file, missing_requirement, program
from tests.support.source import ROOT


def run_without(package: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest where `package` cannot be imported."""
    (folder / "sitecustomize.py").write_text(f"import sys\nsys.modules[{package!r}] = None\n")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "300"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.long
@pytest.mark.parametrize("test", ["tests/trainer/config/test_files.py", "tests/deploy/test_compose.py"])
def test_without_an_extra_its_tests_are_skipped_with_the_remedy(test: str, tmp_path: Path) -> None:
    result = run_without("yaml", tmp_path, test)
    assert "needs the train extra (yaml is not installed): run `make .venv/.train`" in result.stdout
    assert "skipped" in result.stdout.splitlines()[-1]
    assert not {"error", "failed"} & set(result.stdout.splitlines()[-1].split())
    whole = run_without("yaml", tmp_path, "--all", test)
    assert whole.returncode not in (0, 5), whole.stdout
    assert "error" in whole.stdout.splitlines()[-1]


def test_a_missing_program_or_file_names_its_remedy(tmp_path: Path) -> None:
    with pytest.raises(MissingRequirementError, match="needs no-such-program: run scripts/setup"):
        program("no-such-program", remedy="run scripts/setup")
    with pytest.raises(MissingRequirementError, match=r"needs .*absent: run `make`"):
        file(tmp_path / "absent", remedy="run `make`")
    assert program("no-such-program", "sh", remedy="") is not None


def test_other_failed_imports_are_errors() -> None:
    assert missing_requirement(ModuleNotFoundError("no", name="grandstand.nowhere")) is None
    assert missing_requirement(ModuleNotFoundError("no", name="torch.nowhere")) in (
        None,
        "needs the train extra (torch is not installed): run `make .venv/.train`",
    )
    assert missing_requirement(AssertionError()) is None
