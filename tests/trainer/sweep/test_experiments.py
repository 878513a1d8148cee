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


@pytest.mark.parametrize("scale", ["nano", "gpu"])
@pytest.mark.parametrize(("path", "arms"), list(zip(FILES, ARMS, strict=True)), ids=lambda value: str(value))
def test_each_is_planned_with_complete_settings(path: Path, arms: int, scale: str, tmp_path: Path) -> None:
    sweep = load_sweep(path, tmp_path, scale)
    assert len(sweep.runs) == arms * 6
    assert sweep.file.all_looks == (3, 6)
    assert {run.config.policy.model for run in sweep.runs} == {
        "nano" if scale == "nano" else "Qwen/Qwen2.5-7B-Instruct"
    }
    assert len({run.key for run in sweep.runs}) == len(sweep.runs)
    assert all("best" in sweep.file.measure.versions and run.config.league.keep for run in sweep.runs)
    assert list(tmp_path.iterdir()) == []


def test_the_file_of_the_page_is_one(tmp_path: Path) -> None:
    page = (ROOT / "docs/experiments.md").read_text()
    first, *templates = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    file = tmp_path / "page.yaml"
    file.write_text(first)
    assert len(load_sweep(file, tmp_path / "out").runs) == 12
    for template in templates[0].splitlines():
        file.write_text(first + template)
        assert "grandstand {arguments}" in load_sweep(file, tmp_path / "out").file.runner.command
