"""The lines on the captains: what they did and how it worked, told where it is news."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import pytest

from grandstand.games.cricket.story.captain_forms import CAPTAINS
from grandstand.games.cricket.story.captaincy import captains_compared
from grandstand.games.cricket.story.habits import Captaincy, Habit
from grandstand.games.cricket.story.memory import Memory
from grandstand.games.cricket.story.teller import CricketStory
from grandstand.games.cricket.story.wording import Wording
from grandstand.games.story import Comment, StoryEvent
from tests.support.cricket.story_checker import Played, comments, play

PLAN = {"theme": "short", "zone": "stumps"}
DEEP = ("long-on", "long-off", "deep cover", "deep square leg", "fine leg")
SPREAD = (*DEEP, "point", "mid-off", "mid-on", "short third")


@lru_cache
def match() -> Played:
    """A match of random captains against cricsheet ones, by plans for overs."""
    return play(2, 20, "over")


def said(lines: Sequence[Comment], *kinds: str) -> list[Comment]:
    return [line for line in lines if line.kind in (kinds or CAPTAINS)]


def first(kind: str) -> StoryEvent:
    return next(event for event in match().events if event.type == kind)


def told(*overs: Sequence[tuple[str, Mapping[str, Any]]], nameless: bool = False) -> list[Comment]:
    """Return the lines on a first innings with these events in each over, before its six dot balls."""
    start, ball, ended = first("MatchStarted"), first("BallBowled"), first("OverEnded")
    teams = {seat: {**team, "captain": None} for seat, team in start.data["state"]["teams"].items()}
    state = {**start.data["state"], "teams": teams}
    events: list[tuple[str, Mapping[str, Any]]] = [
        ("MatchStarted", {**start.data, "state": state} if nameless else start.data)
    ]
    events.append(("InningsStarted", first("InningsStarted").data))
    for over, before in enumerate(overs):
        events += [each for each in before if each[0] == "FieldSet"]
        for number in range(1, 7):
            score = {"ball": f"{over}.{number}", "runs": 0, "total": 0, "score": [0, 0, 6 * over + number]}
            events.append(("BallBowled", {**ball.data, "wicket": None, "extras": None, "intent": "normal", **score}))
        events += [each for each in before if each[0] != "FieldSet"]
        events.append(("OverEnded", {**ended.data, "over": over, "runs": 0, "wickets": 0, "maiden": False}))
    story = CricketStory("x").tell([StoryEvent(seq, kind, data) for seq, (kind, data) in enumerate(events)])
    return said([item for item in story if isinstance(item, Comment)])


def judged(delta: float | None, plan: Mapping[str, Any] = PLAN) -> tuple[str, Mapping[str, Any]]:
    seat = first("InningsStarted").data["bowling"]
    return "PlanJudged", {"seat": seat, "innings": 1, "over": 0, "plan": plan, "delta": delta}


def field(*places: str) -> tuple[str, Mapping[str, Any]]:
    outside = 1 if places else len(DEEP)
    return "FieldSet", {"innings": 1, "preset": None, "places": dict.fromkeys(places or SPREAD, ""), "outside": outside}


@pytest.mark.long
@pytest.mark.parametrize(
    ("worths", "kind", "words"),
    [
        ([0.01, 0.01, 0.01, -0.01, 0.01, 0.01, 0.0], "plans_good", ("five", "six|one")),
        ([-0.01, -0.01, 0.01, -0.01, 0.0, -0.01, 0.0], "plans_poor", ("four", "five|one")),
        ([0.01, -0.01, 0.01, -0.01, 0.01, -0.01, 0.0], None, ()),
        ([0.01, 0.01, 0.01, 0.0, 0.0, 0.0, 0.0], None, ()),
        ([None] * 7, None, ()),
    ],
)
def test_the_record_of_plans_is_told_once_after_the_powerplay_where_it_is_lopsided(
    worths: list[float | None], kind: str | None, words: tuple[str, ...]
) -> None:
    lines = said(told(*([judged(worth)] for worth in worths), [], []), "plans_good", "plans_poor")
    assert [line.kind for line in lines] == [kind] * (kind is not None)
    for line in lines:
        assert all(any(word in line.text.lower() for word in each.split("|")) for each in words), line.text
        assert len(line.rests_on) == 1 + sum(abs(worth or 0) >= 0.002 for worth in worths[:6])


def test_a_natural_plan_is_not_counted() -> None:
    natural = {"theme": "natural", "zone": "natural"}
    assert not said(told(*[[judged(0.01, natural)]] * 8), "plans_good")


def test_a_captain_who_is_not_known_has_no_line() -> None:
    overs = [[field("first slip"), judged(0.01)]] * 8
    assert said(told(*overs))
    assert not said(told(*overs, nameless=True))


def test_a_slip_in_many_overs_is_a_habit_and_its_end_is_told() -> None:
    kept = told([field("first slip")], *[[]] * 7)
    assert [line.kind for line in said(kept, "habit_slip")] == ["habit_slip"]
    (gone,) = said(told([field("first slip")], *[[]] * 4, [field()]), "no_slip")
    assert "5 overs" in gone.text
    assert not said(told([field("first slip")], [], [field()], *[[]] * 5), "no_slip", "habit_slip")


def test_a_first_slip_and_a_first_defensive_field_are_told_after_overs_without() -> None:
    (slip,) = said(told([field()], *[[]] * 6, [field("first slip")]), "first_slip")
    assert "7 overs" in slip.text
    assert not said(told([field()], [], [field("first slip")]), "first_slip")
    (rope,) = said(told([field("first slip")], *[[]] * 9, [field()]), "first_rope", "no_slip")[:1]
    assert rope.kind == "no_slip", "one line for a field"
    (rope,) = said(told([field("point")], *[[]] * 9, [field()]), "first_rope")
    assert "five" in rope.text


def test_a_habit_is_what_differs_from_the_usual_share() -> None:
    often, seldom = Habit("attack"), Habit("attack")
    for seq in range(100):
        often.note("middle", seq % 3 == 0, seq)
        seldom.note("middle", False, seq)
    assert often.apart > 3
    assert seldom.apart < -2
    assert (often.times, often.chances) == (34, 100)


def test_the_innings_and_the_match_are_summed_up() -> None:
    lines = comments(match())
    events = match().events
    ends = [events[line.rests_on[-1]].type for line in said(lines, *[k for k in CAPTAINS if k.startswith("innings_")])]
    assert set(ends) == {"InningsEnded"}
    (compared,) = said(lines, "captains_apart", "captains_gained", "captains_lost")
    assert events[compared.rests_on[-1]].type == "MatchDecided"
    assert {events[seq].type for seq in compared.rests_on[:-1]} == {"PlanJudged"}


@pytest.mark.parametrize(
    ("worths", "kind"),
    [((0.2, -0.1), "captains_apart"), ((0.2, 0.1), "captains_gained"), ((-0.1, -0.2), "captains_lost")],
)
def test_two_captains_are_compared_by_whether_each_gained_or_lost(worths: tuple[float, float], kind: str) -> None:
    memory = Memory(names={"home": "Hawks", "away": "Lynxes"}, captains={"home": "Ada Low", "away": "Ben High"})
    for seat, worth, seqs in zip(memory.names, worths, ([1, 2, 3], [4, 5, 6]), strict=True):
        memory.captaincies[seat] = Captaincy(worth=worth, worked=seqs)
    (line,) = captains_compared(memory, Wording("x"), 9)
    assert (line.kind, line.rests_on, line.seats) == (kind, [1, 2, 3, 4, 5, 6, 9], ["home", "away"])
    assert all(f"{abs(worth):.1%}" in line.text for worth in worths)


@pytest.mark.long
def test_no_construction_comes_twice_in_an_innings() -> None:
    for seed in (2, 4, 5):
        lines = said(comments(play(seed, 20, "over")))
        keys = [(line.kind, *line.seats) for line in lines]
        assert all(keys.count(key) <= 2 for key in keys), "once in each innings"
