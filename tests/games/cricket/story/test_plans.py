"""The lines on a captain's plan for an over: what it was, and whether it worked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import pytest

from grandstand.games.cricket.story.plan_forms import PLANS
from grandstand.games.cricket.story.teller import CricketStory
from grandstand.games.story import Comment, StoryEvent
from tests.support.cricket.story_checker import Played, comments, play


@lru_cache
def planned() -> Played:
    """A match of a captain that plans against one that leaves all as it comes."""
    return play(1, 20, "over")


def said(played: Played) -> list[Comment]:
    return [line for line in comments(played) if line.kind in PLANS]


def test_the_plan_of_an_over_is_told_at_its_end_with_the_captain_and_rests_on_the_judgement() -> None:
    lines, events = said(planned()), planned().events
    assert len(lines) > 15
    captains = {team["captain"].rsplit(" ", 1)[-1] for team in events[0].data["state"]["teams"].values()}
    for line in lines:
        *_, judged, over = (events[seq] for seq in line.rests_on)
        assert (judged.type, over.type) == ("PlanJudged", "OverEnded")
        assert (judged.data["innings"], judged.data["over"]) == (over.data["innings"], over.data["over"])
        assert line.speaker == "analyst"
        assert any(name in line.text for name in captains)


def test_an_over_in_which_nobody_planned_anything_has_no_line_on_a_plan() -> None:
    plain = ({"theme": "natural", "zone": "natural"}, "normal")
    events = planned().events
    ends = {events[line.rests_on[-1]].seq for line in said(planned())}
    quiet = 0
    for event in events:
        if event.type != "OverEnded":
            continue
        plans = [
            each.data["plan"]
            for each in events
            if each.type == "PlanJudged"
            and (each.data["innings"], each.data["over"]) == (event.data["innings"], event.data["over"])
        ]
        natural = all(
            plan == plain[0] or ("shot" not in plan and set(plan.get("intents", {"": ""}).values()) == {plain[1]})
            for plan in plans
        )
        assert natural == (event.seq not in ends)
        quiet += natural
    assert quiet


def told(plan: Mapping[str, Any], delta: float | None, runs: int, bats: bool = False) -> Comment | None:
    """Return the line on a plan of an over of so many runs, the second of an innings; the first had eight."""
    events = [event for event in planned().events if event.type in ("MatchStarted", "InningsStarted")][:2]
    ball = next(event for event in planned().events if event.type == "BallBowled")
    over = next(event for event in planned().events if event.type == "OverEnded")
    seat = events[1].data["batting" if bats else "bowling"]
    judged = {"seat": seat, "innings": 1, "over": 1, "plan": plan, "delta": delta}
    batted = {**ball.data, "total": 8, "score": [8, 0, 6]}, {**ball.data, "total": runs, "score": [8 + runs, 0, 12]}
    ended = {**over.data, "over": 1, "runs": runs, "wickets": 0, "maiden": False, "score": [8 + runs, 0, 12]}
    rest = [("BallBowled", batted[0]), ("BallBowled", batted[1]), ("PlanJudged", judged), ("OverEnded", ended)]
    events += [StoryEvent(events[-1].seq + 1 + number, kind, data) for number, (kind, data) in enumerate(rest)]
    lines = [item for item in CricketStory("x").tell(events) if isinstance(item, Comment) and item.kind in PLANS]
    return lines[0] if lines else None


@pytest.mark.parametrize(
    ("delta", "runs", "kind"),
    [
        (0.02, 4, "plan_paid"),
        (0.02, 15, "plan_unrewarded"),
        (-0.02, 15, "plan_failed"),
        (-0.02, 4, "plan_forgiven"),
        (0.0001, 4, "plan_even"),
        (None, 4, "plan_made"),
    ],
)
def test_a_plan_is_judged_by_its_worth_and_the_over_by_its_runs(delta: float | None, runs: int, kind: str) -> None:
    line = told({"theme": "short", "zone": "stumps"}, delta, runs)
    assert line is not None
    assert line.kind == kind
    assert "short" in line.text
    assert "the stumps" in line.text
    if delta is not None and kind != "plan_even":
        assert "2.0%" in line.text


@pytest.mark.parametrize(
    ("intents", "words"),
    [
        ({"A One": "attack", "B Two": "normal"}, ("One", "attack")),
        ({"A One": "rotate", "B Two": "slog"}, ("One", "rotate the strike", "Two", "slog")),
        ({"A One": "build", "B Two": "build"}, ("both", "build")),
        ({"A One": "normal", "B Two": "normal"}, ()),
    ],
)
def test_the_orders_of_a_batting_captain_name_the_batters(intents: dict[str, str], words: tuple[str, ...]) -> None:
    line = told({"intents": intents}, 0.02, 12, bats=True)
    assert (line is None) == (not words)
    for word in words:
        assert line is not None
        assert word in line.text
