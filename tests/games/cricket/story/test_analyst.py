"""The analyst of cricket: an insight an over, each supported by a computation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from grandstand.games.cricket.laws.duckworth_lewis import resources
from grandstand.games.story import Comment, StoryEvent
from tests.support.cricket.telling import comments, record, tell

SEEDS = (1, 2, 3)


def analysed(events: Sequence[StoryEvent]) -> list[Comment]:
    return [line for line in comments(tell(events)) if line.speaker == "analyst"]


def test_every_over_has_an_insight_that_rests_on_its_end() -> None:
    for seed in SEEDS:
        events = record(seed)
        spoken = {line.rests_on[-1] for line in analysed(events)}
        overs = {event.seq for event in events if event.type == "OverEnded" and event.data["innings"] <= 2}
        assert overs <= spoken
        assert all(line.kind for line in analysed(events))


@pytest.mark.long
def test_no_kind_but_a_captain_s_calls_comes_twice_within_three_while_another_is_known() -> None:
    kinds = [line.kind for line in analysed(record(1, overs=20)) if not line.kind.startswith("calls")]
    assert len(set(kinds)) >= 5


@pytest.mark.long
def test_a_par_score_is_of_the_resources_that_are_used() -> None:
    events = record(2, overs=20)
    lines = [line for line in analysed(events) if line.kind in ("ahead", "behind")]
    assert lines
    target = next(event.data["target"] for event in events if event.type == "InningsStarted" and event.data["target"])
    for line in lines:
        runs, wickets, balls = events[line.rests_on[-1]].data["score"]
        par = int((target - 1) * (1 - resources(120 - balls, wickets) / resources(120, 0)))
        assert (runs > par) is (line.kind == "ahead")
        assert str(par) in line.text or str(abs(runs - par)) in line.text


def test_luck_and_calls_are_those_of_the_over_alone() -> None:
    """Without the estimates of the chance there is neither."""
    events = [
        replace(event, data={**event.data, "decisions": [], "luck": None}) if event.type == "ChanceChanged" else event
        for event in record(1, overs=20)
    ]
    assert not {line.kind for line in analysed(events)} & {"luck", "calls_gained", "calls_cost"}
    assert {line.kind for line in analysed(record(1, overs=20))} & {"luck", "calls_gained", "calls_cost"}
