"""The folder of a sweep, from which it is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from grandstand.trainer.sweep.folder import PLAN, open_sweep_folder, read_plan
from grandstand.trainer.sweep.sweep_file import SweepError
from tests.support.trainer.fake_sweep import fake_sweep
from tests.support.trainer.tiny_sweep import TINY


def test_the_plan_reads_back_to_the_same_runs_without_the_file(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.2}, defaults={"extends": "nano-cricket"}, **AGAINST_BOTS)
    open_sweep_folder(sweep)
    sweep.path.unlink()
    again = read_plan(sweep.folder)
    assert [(run.key, run.folder) for run in again.runs] == [(run.key, run.folder) for run in sweep.runs]
    assert again.file.metadata == sweep.file.metadata


AGAINST_BOTS = {"measure": {"games": 20, "against": ["base"], "versions": ["last"]}}


def test_a_folder_holds_one_sweep(tmp_path: Path) -> None:
    open_sweep_folder(fake_sweep(tmp_path, {"A": 0.0, "B": 0.2}))
    open_sweep_folder(fake_sweep(tmp_path, {"A": 0.0, "B": 0.3}))
    other = fake_sweep(tmp_path, {"A": 0.0, "B": 0.2}, metadata={**TINY["metadata"], "name": "other"})
    with pytest.raises(SweepError, match="it has the results of 'tiny'; name another folder with --out"):
        open_sweep_folder(other)


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.2})
    sweep.folder.mkdir()
    (sweep.folder / "thesis.txt").touch()
    with pytest.raises(SweepError, match="it is not empty, and has no sweep; name another folder"):
        open_sweep_folder(sweep)


def test_a_damaged_plan_is_told_of(tmp_path: Path) -> None:
    (tmp_path / PLAN).write_text("{")
    with pytest.raises(SweepError, match=r"it is damaged: .*; run the sweep again"):
        read_plan(tmp_path)
