"""The story of a match with what its players did to each other in earlier matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grandstand.games.story import Comment, Fact, Names, StoryEvent, Telling
from grandstand.play.past import KIND, Past, RememberedStory

PLAYERS = {"GERMANY": "Bismarck", "AUSTRIA": "Andrassy", "ITALY": "Cavour"}
PAST: Past = {("Bismarck", "Andrassy", "stab"): 9, ("Cavour", "Andrassy", "stab"): 2}


class StabStory:
    """Notes two facts of each stab, as a war and a broken promise may."""

    def tell(self, events: Sequence[StoryEvent]) -> Sequence[Telling]:
        stabs = [event for event in events if event.type == "Stabbed"]
        seats = ("GERMANY", "AUSTRIA")
        return [Fact("stab", "A stab.", 0.8, (event.seq,), seats, audience=event.audience) for event in stabs] * 2

    def names(self) -> Names:
        return Names({})


class Told:
    """A story with a past, and the lines that it adds."""

    def __init__(self, past: Past = PAST) -> None:
        self.past = past
        self._story = RememberedStory(StabStory(), {"stab": "stabbed"}, lambda: self.past)
        self._seq = 0
        seats = [{"seat": seat, "player": player} for seat, player in PLAYERS.items()]
        self.after("EpisodeCreated", {"seats": seats})

    def after(self, kind: str, data: dict[str, Any] | None = None, audience: frozenset[str] | None = None) -> list[str]:
        self._seq += 1
        told = self._story.tell([StoryEvent(self._seq, kind, data or {}, audience)])
        return [line.text for line in told if isinstance(line, Comment) and line.kind == KIND]

    def turn(self, index: int) -> list[str]:
        return self.after("TurnStarted", {"index": index})


def test_a_match_begins_with_its_worst_rivalry_once() -> None:
    told = Told()
    assert told.turn(0) == ["Bismarck has stabbed Andrassy nine times before; today they play Germany and Austria."]
    assert told.turn(1) == []


def test_a_past_that_is_read_late_is_told_within_the_first_turns_alone() -> None:
    early, late = Told({}), Told({})
    for told, turns in ((early, 1), (late, 3)):
        assert [told.turn(index) for index in range(turns)] == [[]] * turns
        told.past = PAST
    assert early.turn(1) != []
    assert late.turn(3) == []


def test_each_deed_is_counted_once_over_all_matches() -> None:
    told = Told()
    told.turn(0)
    assert told.after("Stabbed") == ["Bismarck has now stabbed Andrassy ten times over all their matches."]
    assert told.after("Stabbed") == ["Bismarck has now stabbed Andrassy eleven times over all their matches."]


def test_nothing_is_said_of_a_secret_deed_or_of_players_without_a_past() -> None:
    told = Told()
    told.turn(0)
    assert told.after("Stabbed", audience=frozenset({"GERMANY"})) == []
    strangers = Told({("Cavour", "Bismarck", "stab"): 1})
    assert strangers.turn(0) == []
    assert strangers.after("Stabbed") == []


def test_a_person_has_not_the_past_of_the_player_whose_seat_it_took() -> None:
    told = Told()
    told.after("ControlChanged", {"command": "take_over", "value": "GERMANY"})
    assert told.turn(0) == ["Cavour has stabbed Andrassy twice before; today they play Italy and Austria."]
    assert told.after("Stabbed") == []
