"""The report of an evaluation, and its own episode."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grandstand.campaigns.evaluation.report import report
from grandstand.report import Figures, Notes, Report, Table
from grandstand.spectator.record_file import read_episode
from tests.support.campaigns.published import last_report
from tests.support.command import grandstand

EVAL = ("eval", "cricket", "--player", "random", "--pack", "five-over", "--limit", "6", "--jobs", "1")


def known(mean: float | None, low: float | None = None, high: float | None = None, n: int = 6) -> dict[str, Any]:
    return {"mean": mean, "ci95": None if low is None else [low, high], "n": n}


def side(**changes: Any) -> dict[str, Any]:
    usual = {"matches": 6, "scored": 6, "fallbacks": 0, "decisions": 60, "faults": 0, "forfeits": 0, "calls": 0}
    return usual | changes


def made(difference: dict[str, Any], **changes: Any) -> Report:
    row = {"player": known(0.7, 0.6, 0.8), "reference": known(0.5, 0.4, 0.6), "difference": difference}
    document: dict[str, Any] = {
        "game": "cricket",
        "player": "heron",
        "reference": "neutral",
        "against": "random",
        "pack": {"name": "five-over"},
        "complete": True,
        "stopped": "",
        "units": 6,
        "matches": 6,
        "measures": {"score": row},
        "played": {"player": side(), "reference": side()},
        "models": {},
        "spent": {"tokens": 0, "dollars": 0.0},
        "trials": [],
    }
    return report(document | changes)


@pytest.mark.parametrize(
    ("difference", "headline"),
    [
        (known(0.2, 0.1, 0.3), "heron scores more than neutral"),
        (known(-0.2, -0.3, -0.1), "heron scores less than neutral"),
        (known(0.2, -0.1, 0.5), "No difference shown between heron and neutral"),
        (known(0.2, n=2), "Too few matches for an interval"),
        (known(None, n=0), "No match counts for both"),
    ],
)
def test_the_headline_says_no_more_than_the_interval(difference: dict[str, Any], headline: str) -> None:
    assert made(difference).headline == headline


def test_an_evaluation_that_stopped_says_why() -> None:
    stopped = made(known(0.2, 0.1, 0.3), complete=False, stopped="the budget is spent")
    assert (stopped.headline, stopped.tone) == ("Not finished: the budget is spent", "warning")


def test_costs_are_shown_of_players_that_have_any() -> None:
    cost = {"tokens_per_match": 1200.0, "dollars_per_match": None, "seconds_per_answer": 2.5, "seconds_per_match": 90.0}
    paid = made(known(0.2, 0.1, 0.3), played={"player": side(calls=9, **cost), "reference": side(**cost)})
    free = made(known(0.2, 0.1, 0.3))
    tables = [section.body for made_of in (paid, free) for section in made_of.sections if section.id == "seats"]
    first, second = (table for table in tables if isinstance(table, Table))
    assert [row.cells[1].value for row in first.rows][3:] == ["1,200", "–", "2.5 s", "2 min"]
    assert len(second.rows) == 3


def test_matches_that_do_not_count_are_named() -> None:
    report = made(known(0.2, 0.1, 0.3), played={"player": side(scored=4, fallbacks=9, faults=9), "reference": side()})
    (notes,) = (section.body for section in report.sections if section.id == "notes")
    assert isinstance(notes, Notes)
    assert notes.notes[0].text == (
        "heron (player): its fallback made 9 of 60 decisions; 2 matches are not counted for it, 0 are forfeited."
    )


@pytest.mark.long
def test_the_own_episode_ends_with_the_report_that_is_printed(tmp_path: Path) -> None:
    records, out = tmp_path / "records", tmp_path / "report.json"
    printed = grandstand(*EVAL, "--records", str(records), "--out", str(out)).stdout
    whole = json.loads(out.read_text())
    events = read_episode(records / "evaluation.jsonl").events
    assert events[0].data["game"] == "evaluation"
    assert "seed" not in json.dumps(events[0].data["options"])
    told = json.dumps([event.data for event in events])
    assert not [trial["seed"] for trial in whole["trials"] if str(trial["seed"]) in told], "a seed is computable luck"
    assert (events[-1].type, events[-1].data["status"]) == ("EpisodeEnded", "finished")
    shown = last_report(events)
    assert shown == report(whole)
    assert shown.headline in printed
    (figures,) = (section.body for section in shown.sections if section.id == "figures")
    assert isinstance(figures, Figures)
    assert figures.figures[0].value.value == whole["measures"]["score"]["difference"]["mean"]
    turns = [event.data["turn"] for event in events if event.type == "TurnStarted"]
    assert (turns[0], turns[-1]) == ("1 of 24", "24 of 24")
    again = grandstand(*EVAL, "--records", str(records), "--resume").stdout
    assert shown.headline in again
