"""A story with lines on what the players did to each other in earlier matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeAlias

from grandstand.events import ControlChanged, EpisodeCreated, TurnStarted
from grandstand.games.base import SeatId
from grandstand.games.story import Comment, Fact, Names, Story, StoryEvent, Telling, plain, times

Past: TypeAlias = Mapping[tuple[str, str, str], int]
"""(player, other player, kind of deed) -> how often the first did it to the second."""

KIND = "rivalry"
"""The kind of these lines."""

OPENING = 3
"""Number of turns within which a match is introduced by its worst rivalry."""

LEAST = 2
"""The least number of deeds that are told at the beginning."""


class RememberedStory:
    """The story of a match, with a line on the worst rivalry among its players and one after each deed of a rivalry."""

    def __init__(self, story: Story, deeds: Mapping[str, str], past: Callable[[], Past]) -> None:
        """`deeds` are those of `Storytelling`. `past` returns what is known now, nothing if it is not known yet."""
        self._story = story
        self._deeds = deeds
        self._ask = past
        self._past: Past = {}
        self._players: dict[SeatId, str] = {}
        """The players that have not been replaced."""
        self._own: Counter[tuple[SeatId, SeatId, str]] = Counter()
        """What was done in this match."""
        self._counted: set[tuple[str, SeatId, SeatId, int]] = set()
        self._opened = False

    def tell(self, events: Sequence[StoryEvent]) -> Sequence[Telling]:
        told = list(self._story.tell(events))
        opening = [line for event in events for line in self._read(event)]
        return [*told, *opening, *(line for item in told if isinstance(item, Fact) for line in self._after(item))]

    def names(self) -> Names:
        return self._story.names()

    def _read(self, event: StoryEvent) -> Collection[Comment]:
        """Follow who plays, and return the line that introduces the match."""
        if event.type == EpisodeCreated.__name__:
            self._players = {info["seat"]: info["player"] for info in event.data["seats"]}
        elif event.type == ControlChanged.__name__ and event.data["command"] == "take_over":
            self._players.pop(event.data["value"], None)
        elif event.type == TurnStarted.__name__ and not self._past:
            self._past = self._ask()
            if not self._opened and self._past and event.data["index"] < OPENING:
                self._opened = True
                return self._introduced(event.seq)
        return ()

    def _introduced(self, seq: int) -> Collection[Comment]:
        pairs = [(seat, other, kind) for seat in self._players for other in self._players for kind in self._deeds]
        worst = max(pairs, key=lambda pair: self._earlier(*pair), default=None)
        if worst is None or self._earlier(*worst) < LEAST:
            return ()
        seat, other, kind = worst
        done = f"has {self._deeds[kind]} {self._players[other]} {times(self._earlier(*worst))} before"
        text = f"{self._players[seat]} {done}; today they play {plain(seat)} and {plain(other)}."
        return [Comment(text, 0.45, (seq,), "summary", seats=(seat, other), kind=KIND)]

    def _after(self, fact: Fact) -> Collection[Comment]:
        """Return the line on how often it was done, over all matches, after a deed that everybody knows."""
        if fact.kind not in self._deeds or fact.audience is not None or len(fact.seats) != 2 or not fact.rests_on:
            return ()
        seat, other = fact.seats
        deed = (fact.kind, seat, other, max(fact.rests_on))  # two facts may rest on the same deed
        if deed in self._counted:
            return ()
        self._counted.add(deed)
        self._own[seat, other, fact.kind] += 1
        earlier = self._earlier(seat, other, fact.kind)
        if not earlier:
            return ()
        count = times(earlier + self._own[seat, other, fact.kind])
        done = f"has now {self._deeds[fact.kind]} {self._players[other]} {count}"
        text = f"{self._players[seat]} {done} over all their matches."
        return [Comment(text, 0.5, fact.rests_on, "summary", seats=fact.seats, kind=KIND)]

    def _earlier(self, seat: SeatId, other: SeatId, kind: str) -> int:
        by, to = self._players.get(seat, ""), self._players.get(other, "")
        return self._past.get((by, to, kind), 0) if by and to and by != to else 0
