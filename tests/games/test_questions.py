"""The questions of each game: closed before they are decided, answered by what happened, with whole chances."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grandstand.games.cricket.questions import MANY, CricketAsker
from grandstand.games.diplomacy.questions import DiplomacyAsker
from grandstand.games.questions import (
    NO,
    YES,
    Answered,
    Asker,
    Asking,
    Closed,
    ViewerQuestion,
    brier,
    general_asker,
)
from grandstand.games.registry import game_spec
from grandstand.games.story import StoryEvent
from grandstand.games.werewolf.questions import WerewolfAsker
from grandstand.play.headless import MatchPlan, play_match
from grandstand.spectator.replay import from_lines

MATCHES: dict[str, tuple[str, dict[str, Any]]] = {
    "werewolf": ("", {}),
    "cricket": ("cricsheet", {"overs": 3}),
    "diplomacy": ("dumbbot", {"last_year": 1903}),
}
"""Game -> who plays every seat, or the showcase's players; and the options of a short match."""


def play(game: str, seed: int, folder: Path) -> list[StoryEvent]:
    """Return the public events of a match."""
    player, options = MATCHES[game]
    spec = game_spec(game)
    players = (player,) * len(spec.seats(options)) if player else tuple(spec.bots.showcase(Random(seed)))
    plan = MatchPlan("a", game, players, options, seed, folder=folder)
    asyncio.run(play_match(plan))
    assert plan.file is not None
    with plan.file.open(encoding="utf-8") as file:
        events = from_lines(file).events
    return [StoryEvent(event.seq, event.type, event.data) for event in events if event.audience == "public"]


def read(asker: Asker, *events: tuple[str, dict[str, Any]]) -> list[Asking]:
    return list(asker.read([StoryEvent(seq, kind, data) for seq, (kind, data) in enumerate(events)]))


def questions(asking: Sequence[Asking], kind: str) -> list[ViewerQuestion]:
    return [each for each in asking if isinstance(each, ViewerQuestion) and each.kind == kind]


@pytest.mark.parametrize("game", MATCHES)
def test_every_question_is_closed_and_answered_once(game: str, tmp_path: Path) -> None:
    asker = game_spec(game).story.questions()
    asked: dict[str, ViewerQuestion] = {}
    closed: set[str] = set()
    done: set[str] = set()
    for event in play(game, 3, tmp_path):
        for asking in asker.read([event]):
            assert asking.key not in done
            if isinstance(asking, ViewerQuestion):
                assert asking.key not in closed
                assert sum(asking.chances.values()) == pytest.approx(1, abs=0.001)
                assert all(chance >= 0 for chance in asking.chances.values())
                asked[asking.key] = asking
            elif isinstance(asking, Closed):
                closed.add(asking.key)
            else:
                assert asking.key in closed or asked[asking.key].kind == "winner"
                done.add(asking.key)
                assert set(asking.shares) <= set(asked[asking.key].chances)
                assert not asking.shares or sum(asking.shares.values()) == pytest.approx(1)
    assert done == set(asked)
    assert {question.kind for question in asked.values()} >= {"winner"}
    assert len({question.kind for question in asked.values()}) >= 2


@pytest.mark.parametrize("game", MATCHES)
def test_questions_rest_on_public_events_alone(game: str, tmp_path: Path) -> None:
    """A match that is read in one batch and one that is read event by event ask the same."""
    events = play(game, 4, tmp_path)
    whole = game_spec(game).story.questions().read(events)
    one_by_one = game_spec(game).story.questions()
    assert list(whole) == [asking for event in events for asking in one_by_one.read([event])]


def test_an_over_is_asked_about_while_the_one_before_is_bowled() -> None:
    asker = CricketAsker()
    sides = {"teams": {"home": {"name": "Owls"}, "away": {"name": "Tigers"}}}
    started: list[tuple[str, dict[str, Any]]] = [
        ("EpisodeCreated", {"seats": [{"seat": "home"}, {"seat": "away"}]}),
        ("MatchStarted", {"state": sides}),
    ]
    innings = ("InningsStarted", {"innings": 1, "overs": 20})
    first = read(asker, *started, innings, ("BowlerChosen", {"innings": 1, "over": 0, "replaces": None}))
    assert [question.text for question in questions(first, "wicket")] == ["A wicket in over 2?"]
    assert [option.text for option in questions(first, "winner")[0].options] == ["Owls", "Tigers"]
    second = read(asker, ("BowlerChosen", {"innings": 1, "over": 1, "replaces": None}))
    assert Closed("wicket-1.1") in second
    assert Closed("runs-1.1") in second
    balls = [("BallBowled", {"innings": 1, "ball": f"1.{n}", "total": 2, "wicket": None}) for n in range(1, 6)]
    out = ("BallBowled", {"innings": 1, "ball": "1.6", "total": 0, "wicket": {"kind": "bowled"}})
    answers = read(asker, *balls, out, ("OverEnded", {"over": 1}))
    assert MANY == 10
    assert answers == [Answered("wicket-1.1", {YES: 1.0}), Answered("runs-1.1", {YES: 1.0})]
    assert Answered("wicket-1.2", {}) in read(asker, ("InningsEnded", {"innings": 1}))


def position(phase: str, **centers: list[str]) -> dict[str, Any]:
    return {
        "phase": phase,
        "state": {"phase": phase, "units": {"FRANCE": ["A BEL"], "ITALY": ["A ROM"]}, "centers": centers},
    }


def test_who_gains_most_is_read_from_the_centres_after_the_fall() -> None:
    asker = DiplomacyAsker()
    outlook = ("OutlookUpdated", {"chances": {"FRANCE": 0.6, "ITALY": 0.4}})
    fall = read(asker, ("PhaseAdvanced", position("F1902M", FRANCE=["PAR"], ITALY=["ROM"])), outlook)
    (gain,) = questions(fall, "gain")
    assert gain.chances["FRANCE"] > gain.chances["ITALY"]
    assert gain.key in {
        each.key for each in read(asker, ("OrdersSubmitted", {"seat": "ITALY"})) if isinstance(each, Closed)
    }
    retreat = read(asker, ("PhaseAdvanced", position("F1902R", FRANCE=["PAR"], ITALY=["ROM"])), outlook)
    assert not [each for each in retreat if isinstance(each, Answered) and each.key == gain.key]
    winter = read(asker, ("PhaseAdvanced", position("W1902A", FRANCE=["PAR", "BEL"], ITALY=["ROM"])))
    assert winter == [Answered(gain.key, {"FRANCE": 1.0})]


def test_a_stab_is_answered_after_the_facts_of_the_phase() -> None:
    asker = DiplomacyAsker()
    outlook: tuple[str, dict[str, Any]] = ("OutlookUpdated", {"chances": {}})
    asked = read(asker, ("PhaseAdvanced", position("S1902M", FRANCE=["PAR"])), outlook)
    (stab,) = questions(asked, "stab")
    read(asker, ("OrdersSubmitted", {"seat": "ITALY"}))
    told = read(asker, ("PhaseAdvanced", position("F1902M", FRANCE=["PAR"])), ("FactNoted", {"kind": "stab"}), outlook)
    assert Answered(stab.key, {YES: 1.0}) in told
    assert questions(told, "stab")[0].key != stab.key


def test_exile_closes_with_the_last_speech_and_the_sides_win_together() -> None:
    asker = WerewolfAsker()
    seats = [{"seat": name} for name in ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")]
    table = {"wolf": 2, "seer": 1, "villager": 3}

    def turn(name: str) -> tuple[str, dict[str, Any]]:
        return ("TurnStarted", {"turn": name})

    speech = read(asker, ("EpisodeCreated", {"seats": seats}), ("TableSet", {"dealt": table}), turn("day 1 speech 1"))
    (exile,) = questions(speech, "exile")
    assert set(exile.chances) == {*(info["seat"] for info in seats), "nobody"}
    assert Closed(exile.key) in read(asker, turn("day 1 vote"))
    out = {"seat": "Dan", "role": "wolf", "day": 1, "how": "exile"}
    assert Answered(exile.key, {"Dan": 1.0}) in read(asker, ("SeatOut", out))
    roles = {"Dan": "wolf", "Eve": "wolf", "Ada": "seer"}
    ended = ("EpisodeEnded", {"outcome": {"winners": ["Dan", "Eve"]}})
    assert read(asker, ("GameDecided", {"roles": roles}), ended) == [Answered("winner-1", {"wolves": 1.0})]


def test_the_village_has_what_the_seats_chances_imply() -> None:
    asker = WerewolfAsker()
    seats = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")
    wolf = dict(zip(seats, (0.9, 0.7, 0.2, 0.1, 0.1, 0.0), strict=True))
    village = 0.7
    chances = {seat: (1 - share) * village + share * (1 - village) for seat, share in wolf.items()}
    created = ("EpisodeCreated", {"seats": [{"seat": seat} for seat in seats]})
    asked = read(asker, created, ("TurnStarted", {"turn": "day 1 speech 1"}), ("OutlookUpdated", {"chances": chances}))
    assert questions(asked, "winner")[-1].chances == {"village": 0.7, "wolves": 0.3}


def test_a_game_without_chances_asks_who_wins_among_equals() -> None:
    asker = general_asker()
    created = ("EpisodeCreated", {"seats": [{"seat": "NORTH"}, {"seat": "SOUTH"}]})
    asked = read(asker, created, ("TurnStarted", {"index": 0}), ("OutlookUpdated", {"chances": {}}))
    assert [(each.chances, each.basis) for each in questions(asked, "winner")] == [
        ({"NORTH": 0.5, "SOUTH": 0.5}, "measured")
    ]
    assert read(asker, ("TurnStarted", {"index": 1})) == []
    assert Closed("winner-1") in read(asker, ("TurnStarted", {"index": 10}))
    drawn = read(asker, ("EpisodeEnded", {"outcome": {"winners": ["NORTH", "SOUTH"]}}))
    assert drawn == [Answered(f"winner-{n}", {"NORTH": 0.5, "SOUTH": 0.5}) for n in (1, 2)]


def test_the_brier_score_is_the_squared_error() -> None:
    assert brier({YES: 0.8, NO: 0.2}, {YES: 1.0}) == pytest.approx(0.04)
    assert brier({YES: 0.8, NO: 0.2}, {NO: 1.0}) == pytest.approx(0.64)
    assert brier({"a": 1.0, "b": 0.0, "c": 0.0}, {"b": 1.0}) == 1.0
