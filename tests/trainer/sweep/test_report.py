"""The report: what it says of a sweep, and of one that is not complete."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from grandstand.trainer.sweep.analysis import analyse
from grandstand.trainer.sweep.execution import Execution
from grandstand.trainer.sweep.expansion import Sweep
from grandstand.trainer.sweep.report import report_json, write_report
from tests.support.trainer.fake_sweep import fake_sweep
from tests.support.trainer.fake_training import BREAKS_OFF


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    sweep = fake_sweep(tmp_path_factory.mktemp("sweep"), {"A": 0.0, "B": 0.2, "C": BREAKS_OFF})
    Execution(sweep, 3).execute(sweep.runs)
    return sweep


@pytest.fixture(scope="module")
def text(sweep: Sweep) -> str:
    return write_report(sweep, analyse(sweep), sweep.folder / "report").read_text()


@pytest.mark.parametrize(
    "words",
    [
        "**Hypothesis.** A KL penalty of 0.5",
        "**Runs.** 6 completed, 3 failed. The sweep is not complete.",
        "**supported**: 0 is outside the interval",
        "**undecided**: C-s1 is failed",
        "| B | penalty 0.2 | `kl.beta`: `0.0` → `0.2` |",
        "| A-s1 | v2 | 4 | 0.2 |",
        "training: grandstand train: the run broke off: the loss is not finite",
        "Python 3.11, torch 2, commit abc",
        "grandstand sweep tiny.yaml --run",
        "## Fixed references",
        "| A | last | base | 0.5 (",
        "| A | 17 | 200 |",
    ],
)
def test_it_says(words: str, text: str) -> None:
    assert words in text


def test_its_plots_are_pictures_in_both_forms(text: str, sweep: Sweep) -> None:
    for name in ("effects", "arms", "curves"):
        assert f"]({name}.svg)" in text
        svg = (sweep.folder / "report" / f"{name}.svg").read_text()
        assert "aria-label" in svg
        with Image.open(sweep.folder / "report" / f"{name}.png") as image:
            assert f'viewBox="0 0 {image.width} {image.height}"' in svg
            assert len(image.getcolors(1_000_000) or []) > 20


def test_no_value_of_a_single_step_is_reported(sweep: Sweep) -> None:
    """Every metric of the report is a measurement or a statistic of many steps."""
    data = report_json(sweep, analyse(sweep))
    assert all(":" in metric or metric.startswith(("last/", "best/")) for metric in data["arms"]["A"])
    decided, undecided = data["criteria"]
    assert (decided["verdict"], undecided["verdict"]) == ("supported", "undecided")
    assert decided["interval"][0] < 0.1 < decided["interval"][1]
    assert set(decided["seeds"]) == {1, 2, 3}
    assert 0 < decided["power"] <= 1


def test_a_sweep_that_has_not_begun_is_reported_too(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})
    text = write_report(sweep, analyse(sweep), tmp_path / "report").read_text()
    assert "**Runs.** 6 planned. The sweep is not complete." in text
    assert "**undecided**: B-s1 is planned" in text
