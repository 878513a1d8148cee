"""The machine and the versions of a run."""

from __future__ import annotations

import json
import platform
from pathlib import Path

import pytest

from grandstand.trainer import machine


def test_each_start_of_a_run_is_a_line(tmp_path: Path) -> None:
    machine.note_machine(tmp_path / "run")
    machine.note_machine(tmp_path / "run")
    first, second = (json.loads(line) for line in (tmp_path / "run" / machine.MACHINES).read_text().splitlines())
    assert first == second
    assert first["python"] == platform.python_version()
    assert first["packages"]["torch"]


def test_what_a_machine_lacks_is_left_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(machine, "PACKAGES", ("no-such-package",))
    noted = machine.machine()
    assert (noted["gpus"], noted["commit"], noted["packages"]) == ([], "", {})
