"""Matches that follow a script of orders, with the story that is told of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grandstand.games.base import GameEvent, SeatId
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.story import DiplomacyStory
from grandstand.games.match import event_data
from grandstand.games.story import Comment, Fact, Outlook, StoryEvent, Telling


class Scripted:
    """A match from a position, or from the opening, and its story."""

    def __init__(
        self,
        units: Mapping[SeatId, Sequence[str]] | None = None,
        centers: Mapping[SeatId, Sequence[str]] | None = None,
        phase: str = "S1903M",
        last_year: int = 1920,
    ) -> None:
        state = None
        if units is not None:
            state = read_state({"phase": phase, "units": units, "centers": centers or {}, "retreats": {}})
        self.game = DiplomacyGame(DiplomacyOptions(last_year=last_year), state)
        self.story = DiplomacyStory("scripted")
        self.events: list[StoryEvent] = []
        self.telling: list[Telling] = []
        self._messages: list[GameEvent] = []
        self._add(StoryEvent(0, "EpisodeCreated", {"options": {"last_year": last_year}}))
        self.publish(self.game.opening())

    def promise(self, sender: SeatId, order: str, to: str | list[SeatId]) -> None:
        """Send a promise, which the next phase publishes."""
        message: dict[str, Any] = {"text": "My word.", "to": to, "promises": [order]}
        self._messages += self.game.apply(sender, {"message": message})

    def play(self, **orders: Sequence[str]) -> list[Telling]:
        """Play a phase with orders by power, none being given for the others. Return what is told.

        Retreats and builds before it are passed over without orders.
        """
        while not self.game.turn.endswith("M"):
            self.play_phase({})
        events, self._messages = self._messages, []
        return self.play_phase(orders, events)

    def play_phase(self, orders: Mapping[str, Sequence[str]], before: Sequence[GameEvent] = ()) -> list[Telling]:
        """Play a phase of any kind."""
        events = list(before)
        for seat in self.game.to_act():
            events += self.game.apply(seat, {"orders": list(orders.get(seat, ()))})
        return self.publish(events)

    def facts(self, kind: str) -> list[Fact]:
        """Return all facts of a kind so far."""
        return [item for item in self.telling if isinstance(item, Fact) and item.kind == kind]

    def comments(self) -> list[Comment]:
        """Return all comments so far."""
        return [item for item in self.telling if isinstance(item, Comment)]

    def outlook(self) -> Outlook:
        """Return the last outlook."""
        return [item for item in self.telling if isinstance(item, Outlook)][-1]

    def _add(self, event: StoryEvent) -> Sequence[Telling]:
        self.events.append(event)
        return self.story.tell([event])

    def publish(self, events: Sequence[GameEvent]) -> list[Telling]:
        """Tell the story of these events and of the turn that begins after them, or of the end."""
        telling: list[Telling] = []
        for event in events:
            seq = self.events[-1].seq + 1
            telling += self._add(StoryEvent(seq, type(event).__name__, event_data(event), event.seats()))
        if self.game.outcome is None:
            telling += self._add(StoryEvent(self.events[-1].seq + 1, "TurnStarted", {"turn": self.game.turn}))
        else:
            outcome = event_data(self.game.outcome)  # type: ignore[arg-type]
            telling += self._add(StoryEvent(self.events[-1].seq, "EpisodeEnded", {"outcome": outcome}))
        self.telling += telling
        return telling


def owning(**centers: Sequence[str]) -> dict[SeatId, list[str]]:
    """Return centres by power, none for those that are left out."""
    return {power: list(centers.get(power, ())) for power in POWERS}
