"""The picture of a run's curves."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from grandstand.trainer.metrics import LINES
from scripts.run_report import PANELS, main

SVG = "{http://www.w3.org/2000/svg}"


def test_a_run_is_drawn_without_what_it_did_not_measure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"step": step, "benchmark/reward_mean": step / 10, "kl/max": 3.0 - step} for step in (1, 2, 3)]
    rows[1] |= {"eval/vs_base/gain": 0.02, "eval/vs_base/ci95": 0.05}
    (tmp_path / LINES).write_text("".join(json.dumps(row) + "\n" for row in rows))
    main([tmp_path], tmp_path / "out.svg")
    picture = ElementTree.parse(tmp_path / "out.svg").getroot()
    words = [text.text for text in picture.iter(f"{SVG}text")]
    measured = [panel.title for panel in PANELS if any(panel.metric in row for row in rows)]
    assert [panel.title for panel in PANELS if panel.title in words] == measured
    assert words.count("step 3") == 3
    curves = [line.get("points", "").split() for line in picture.iter(f"{SVG}polyline")]
    assert sum(len(points) == len(rows) for points in curves) == 2, "the reward and the largest KL"
    assert len(list(picture.iter(f"{SVG}circle"))) == 1, "the one evaluation"
    assert capsys.readouterr().out == f"{tmp_path.name}: 3 steps, kl/max at most 2\n"


def test_several_runs_are_drawn_in_their_own_colours(tmp_path: Path) -> None:
    runs = [tmp_path / name for name in ("seed1", "seed2")]
    for number, run in enumerate(runs):
        run.mkdir()
        rows = [{"step": step, "kl/mean": step * (number + 1)} for step in range(1, 4 + number)]
        (run / LINES).write_text("".join(json.dumps(row) + "\n" for row in rows))
    main(runs, tmp_path / "out.svg")
    picture = ElementTree.parse(tmp_path / "out.svg").getroot()
    curves = {line.get("stroke"): len(line.get("points", "").split()) for line in picture.iter(f"{SVG}polyline")}
    assert list(curves.values()) == [3, 4]
    assert [text.text for text in picture.iter(f"{SVG}text")].count("step 4") == 1
