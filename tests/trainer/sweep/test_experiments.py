"""The experiments of experiments/: each is planned in full at both scales."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grandstand.trainer.sweep.expansion import load_sweep
from tests.support.live_server import ROOT

FILES = sorted(path for path in (ROOT / "experiments").glob("*.yaml") if path.name != "common.yaml")
ARMS = (2, 3, 2, 3, 2, 2, 2, 4, 8, 2, 4, 2, 4)


def test_there_are_thirteen() -> None:
    assert [path.stem[:2] for path in FILES] == [f"{number:02d}" for number in range(1, 14)]


@pytest.mark.few(13)
@pytest.mark.parametrize("scale", ["nano", "micro", "gpu"])
@pytest.mark.parametrize(("path", "arms"), list(zip(FILES, ARMS, strict=True)), ids=lambda value: str(value))
def test_each_is_planned_with_complete_settings(path: Path, arms: int, scale: str, tmp_path: Path) -> None:
    sweep = load_sweep(path, tmp_path, scale)
    looks = (3,) if scale == "micro" else (3, 6)
    assert len(sweep.runs) == arms * looks[-1]
    assert sweep.file.all_looks == looks
    assert {run.config.policy.model for run in sweep.runs} == {"Qwen/Qwen2.5-7B-Instruct" if scale == "gpu" else "nano"}
    assert len({run.key for run in sweep.runs}) == len(sweep.runs)
    if scale != "micro":
        assert all("best" in sweep.file.measure.versions and run.config.league.keep for run in sweep.runs)
    assert list(tmp_path.iterdir()) == []


def test_arms_of_different_experiments_are_the_same_runs(tmp_path: Path) -> None:
    """40 arms of 13 experiments are 34, and all of a seed begin with one base."""
    sweeps = [load_sweep(path, tmp_path / path.stem, "micro") for path in FILES]
    arms = {(sweep.path.stem[:2] + run.arm): run.key for sweep in sweeps for run in sweep.runs if run.seed == 1}
    assert (len(arms), len(set(arms.values()))) == (40, 34)
    for same in (("06A", "07A", "08A"), ("06B", "08B"), ("07B", "08C"), ("02A", "10B", "11C")):
        assert len({arms[arm] for arm in same}) == 1, same
    assert len({base.folder for sweep in sweeps for base in sweep.bases}) == 3


def test_the_file_of_the_page_is_one(tmp_path: Path) -> None:
    page = (ROOT / "docs/experiments.md").read_text()
    first, *templates = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    file = tmp_path / "page.yaml"
    file.write_text(first)
    assert len(load_sweep(file, tmp_path / "out").runs) == 12
    for template in templates[0].splitlines():
        file.write_text(first + template)
        runner = load_sweep(file, tmp_path / "out").file.runner
        assert runner.engine == "ray" or "grandstand {arguments}" in runner.command
