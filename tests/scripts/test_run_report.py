"""The picture of a run's curves."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from grandstand.trainer.metrics import LINES
from tests.support.requirements import installed

installed("vl_convert")

from scripts.run_report import PANELS, chart, main  # noqa: E402

pytestmark = pytest.mark.long

SVG = "{http://www.w3.org/2000/svg}"


def test_a_run_is_drawn_without_what_it_did_not_measure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"step": step, "benchmark/reward_mean": step / 10, "kl/max": 3.0 - step} for step in (1, 2, 3)]
    rows[1] |= {"eval/vs_base/gain": 0.02, "eval/vs_base/ci95": 0.05}
    (tmp_path / LINES).write_text("".join(json.dumps(row) + "\n" for row in rows))
    main([tmp_path], tmp_path / "out.svg")
    words = [text.text for text in ElementTree.parse(tmp_path / "out.svg").getroot().iter(f"{SVG}text")]
    measured = [panel.title for panel in PANELS if any(panel.metric in row for row in rows)]
    assert [panel.title for panel in PANELS if panel.title in words] == measured
    assert capsys.readouterr().out == f"{tmp_path.name}: 3 steps, kl/max at most 2\n"


def test_an_evaluation_is_a_dot_with_its_interval() -> None:
    rows = [{"step": step, "eval/vs_base/gain": 0.02, "eval/vs_base/ci95": 0.05} for step in (1, 2)]
    panel = next(panel for panel in PANELS if panel.metric == "eval/vs_base/gain")
    [mark] = chart(panel, ["run"], [rows]).marks
    assert mark.kind == "dots"
    assert [(point.x, point.y) for point in mark.points] == [(1, 0.02), (2, 0.02)]
    assert [(point.low, point.high) for point in mark.points] == [pytest.approx((-0.03, 0.07))] * 2


def test_several_runs_are_drawn_in_their_own_colours(tmp_path: Path) -> None:
    runs = [tmp_path / name for name in ("seed1", "seed2")]
    for number, run in enumerate(runs):
        run.mkdir()
        rows = [{"step": step, "kl/mean": step * (number + 1)} for step in range(1, 4 + number)]
        (run / LINES).write_text("".join(json.dumps(row) + "\n" for row in rows))
    main(runs, tmp_path / "out.svg")
    lines = ElementTree.parse(tmp_path / "out.svg").getroot().iter(f"{SVG}path")
    colours = {line.get("stroke") for line in lines if line.get("aria-roledescription") == "line mark"}
    assert len(colours) == 2
