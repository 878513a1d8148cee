"""`grandstand report --league`: tables for people, JSON for programs, and errors that name the remedy."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grandstand.main import app
from tests.support.modules import modules_after
from tests.support.trainer.league_folder import league_folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return league_folder(tmp_path_factory.mktemp("league"))


def test_the_report_is_printed_as_tables_that_fit_a_terminal(folder: Path) -> None:
    result = CliRunner().invoke(app, ["report", "--league", str(folder)], env={"COLUMNS": "80"})
    assert result.exit_code == 0, result.output
    assert 'diplomacy {"last_year":1903,"press":"none"}  1,201 matches' in result.output
    first, _ = result.output.split("diplomacy {")[1:]
    rows = [re.split(r"\s{2,}", line.strip()) for line in first.splitlines()]
    players = {row[0]: row[1:] for row in rows if len(row) == 7}
    assert players["a v10"][-1].startswith("main, landmark,")
    assert (players["a v0"][1], players["a v0"][-1]) == ("1500", "main, base")
    assert players["x v5"][-1].startswith("main exploiter,")
    assert "hold" not in players
    assert "Without results: hold." in " ".join(first.split())
    assert "Opponents of a at step 11" in first
    assert "Of 4 of 4 players" in " ".join(first.split())
    assert ["a v10", "1", "0.700"] in rows
    matrix = {row[0]: row[1:] for row in rows if re.match(r"[1-4] ", row[0])}
    assert len(matrix) == 4
    assert matrix["4 random"][3] == "–"
    assert all(2 < int(score.removesuffix(" %")) < 20 for score in matrix["4 random"][:3])


def test_the_report_is_printed_as_json(folder: Path) -> None:
    result = CliRunner().invoke(app, ["report", "--league", str(folder), "--json", "--game", "diplomacy"])
    first, second = json.loads(result.stdout)
    assert first["options"] == {"press": "none", "last_year": 1903}
    assert second["matches"] == 1
    assert {player["name"] for player in first["players"]} >= {"a@v000010", "hold"}
    assert sum(player["nash"] or 0.0 for player in first["players"]) == pytest.approx(1)
    (pair,) = [row for row in first["payoffs"] if (row["player"], row["opponent"]) == ("random", "a@v000000")]
    assert pair["score"] == pytest.approx(pair["wins"] / 200)
    assert first["opponents"][0] == {
        "run": "a", "step": 11, "chances": {"a@v000000": 0.25, "self": 0.75}, "expected": {"a@v000000": 0.8},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere"], "nowhere: there is no league in it (league.db); name the folder of a run or of a league"),
        (
            ["{folder}", "--game", "chess"],
            "--game: the league in {folder} has no match of chess; it has some of diplomacy",
        ),
        (["{folder}", "--claims"], "--league: name one folder, without --tracker and --claims"),
    ],
)
def test_what_cannot_be_reported_is_refused_by_name(folder: Path, arguments: list[str], complaint: str) -> None:
    result = CliRunner().invoke(app, ["report", "--league", *(word.format(folder=folder) for word in arguments)])
    assert result.exit_code == 2
    assert result.stderr.strip() == f"grandstand report: {complaint.format(folder=folder)}"


def test_a_report_needs_no_torch(folder: Path) -> None:
    modules = modules_after("report", "--league", str(folder), "--json")
    assert "grandstand.trainer.league.report" in modules
    assert not {"torch", "transformers"} & modules
