"""The report of a series of matches, and its own episode."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from grandstand.campaigns.series.report import report
from grandstand.report import Notes, Table
from grandstand.spectator.record_file import read_episode
from tests.support.campaigns.published import last_report
from tests.support.command import grandstand

PLAY = ("play", "cricket", "--players", "heuristic,random", "--set", "overs=1", "--jobs", "1", "--matches", "5")


def row(**changes: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {"seats": 4, "scored": 4, "mean_score": 0.7, "ci95": [0.5, 0.9], "n": 4, "wins": 3}
    usual |= {"forfeits": 0, "decisions": 40, "fallbacks": 0, "faults": 0, "calls": 0, "measures": {}}
    return usual | changes


def made(players: dict[str, dict[str, Any]], **changes: Any) -> dict[str, Any]:
    document: dict[str, Any] = {"game": "cricket", "matches": 4, "planned": 4, "complete": True, "stopped": ""}
    return document | {"players": players, "results": []} | changes


def test_the_players_stand_in_the_order_of_their_scores_and_those_without_one_last() -> None:
    players = {"low": row(mean_score=0.2), "none": row(mean_score=None, ci95=None), "high": row()}
    shown = report(made(players))
    table = shown.sections[0].body
    assert isinstance(table, Table)
    assert [one.id for one in table.rows] == ["high", "low", "none"]
    assert shown.headline == "high has the highest mean score"
    assert report(made({"a": row()})).headline == "a against itself"
    assert report(made({"a": row(mean_score=None)})).headline == "No match counts"


def test_a_series_that_stopped_and_what_does_not_count_are_named() -> None:
    ended = {"status": "stopped", "message": "the budget is spent", "reason": "", "seats": []}
    players = {"a": row(scored=2, fallbacks=9, forfeits=1, calls=5, tokens_in=900, tokens_out=100)}
    players["a"] |= {"dollars": 0.5, "seconds_per_answer": 2.0}
    shown = report(made(players, complete=False, stopped="the time is spent", results=[ended]))
    assert (shown.headline, shown.tone) == ("Not finished: the time is spent", "warning")
    (notes,) = [section.body for section in shown.sections if isinstance(section.body, Notes)]
    assert [note.text for note in notes.notes] == [
        "a: its fallback made 9 of 40 decisions; 2 of 4 seats are not counted for it, 1 are forfeited.",
        "1 match was not played to the end.",
    ]
    table = shown.sections[0].body
    assert isinstance(table, Table)
    assert [cell.value for cell in table.rows[0].cells[-3:]] == [1000, 0.5, 2.0]


def test_its_episode_has_the_last_report_and_no_seed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    document = json.loads(grandstand(*PLAY, "--seed", "90210", "--out", str(out), "--json").stdout)
    events = read_episode(out / "series" / "series.jsonl").events
    assert last_report(events).headline == report(document).headline
    assert events[0].data["title"] == "5 matches of cricket: heuristic and random"
    assert events[-1].data["status"] == "finished"
    assert "90210" not in (out / "series" / "series.jsonl").read_text()
    assert grandstand("report", str(out)).stdout.startswith(report(document).headline)


def test_one_match_alone_is_no_series(tmp_path: Path) -> None:
    grandstand(*PLAY[:-1], "1", "--out", str(tmp_path))
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".jsonl"] == ["cricket-0.jsonl"]
