"""Reports as Markdown with charts as files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from grandstand.campaigns.markdown import markdown
from grandstand.campaigns.vega import specification
from grandstand.report import Column, Mark, Point, Report, Row, Section, Table, Value
from tests.support.campaigns.reports import CLAIM, CURVE, REPORT, REWARD
from tests.support.requirements import installed


def test_a_report_is_told_in_markdown_with_its_charts(tmp_path: Path) -> None:
    installed("vl_convert")
    text = markdown(REPORT, tmp_path, "A cup")
    assert text.startswith("# A cup\n\n**Undecided** heron leads.\n\n- First: **heron**, not separated from kite\n")
    assert "- Played: **12** of 30\n" in text
    assert "## Table\n\n### Standings\n\nBold: separated.\n\n| Player | Score |\n| --- | --- |\n" in text
    assert "| heron | 0.500<br>0.300 to 0.700 |\n| kite \\| 2 | 0.250<br>n too small |\n" in text
    assert "The reward grows from 0 to 0.7.\n\n![Reward](reward.svg)\n" in text
    assert "![A claim](claim-1.svg)\n\n- Verdict: **supported**\n" in text
    assert text.endswith("- **Seeds.** Every arm has the same.\n")
    for name in ("reward", "claim-1"):
        assert "<svg" in (tmp_path / f"{name}.svg").read_text("utf-8")


def test_without_vl_convert_the_specification_stands_for_the_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    text = markdown(REPORT, tmp_path, "A cup")
    assert "[reward.vl.json](reward.vl.json) is the chart in Vega-Lite." in text
    written = json.loads((tmp_path / "reward.vl.json").read_text("utf-8"))
    assert written == specification(REWARD, "Reward", ("heron", "kite"))


def test_a_specification_has_every_point_and_interval() -> None:
    band, line, rule = specification(REWARD)["layer"]
    assert [row["x"] for row in line["data"]["values"]] == [point.x for point in CURVE]
    assert [row["low"] for row in band["data"]["values"]] == [point.low for point in CURVE]
    assert rule["encoding"]["y"]["scale"] == {"zero": False, "domainMin": 0}
    assert "x" not in rule["encoding"]


def test_a_chart_without_a_y_axis_is_one_line() -> None:
    zero, interval, mean = specification(CLAIM)["layer"]
    assert zero["encoding"].keys() == mean["encoding"].keys() == {"x"}
    assert interval["encoding"]["x"]["field"] == "low"
    assert interval["encoding"]["x2"] == {"field": "high"}


def test_marks_with_names_are_in_the_legend_with_their_colours() -> None:
    band, line, rule = specification(REWARD, owners=("kite", "heron"))["layer"]
    colour = line["encoding"]["color"]
    assert (colour["datum"], colour["scale"]) == ("mean", {"domain": ["mean"], "range": [line["mark"]["color"]]})
    assert "color" not in band["encoding"]
    assert "color" not in rule["encoding"]


def test_a_region_of_a_chart_without_a_y_axis_is_filled() -> None:
    region = Mark(id="region", kind="band", points=[Point(x=0.5, low=0, high=1)])
    [layer] = specification(CLAIM.model_copy(update={"marks": [region]}))["layer"]
    assert layer["mark"]["type"] == "rect"
    assert (layer["encoding"]["x"]["field"], layer["encoding"]["x2"]) == ("low", {"field": "high"})


def test_single_values_are_written_below_their_mean(tmp_path: Path) -> None:
    mean = Value(value=0.5, dots=[0.4, 0.6])
    table = Table(columns=[Column(id="mean", title="Mean")], rows=[Row(id="a", cells=[mean])])
    text = markdown(Report(headline="", sections=[Section(id="table", body=table)]), tmp_path, "Means")
    assert "| 0.500<br>0.400, 0.600 |" in text
