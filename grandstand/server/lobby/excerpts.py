"""Excerpts of a match, from which a board draws a moment: a whole state, and the game's events since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grandstand.models import CORE_EVENTS, EpisodeSummary, Event, FactNoted, TurnStarted
from grandstand.server.bodies.lobby import KeyMoment
from grandstand.server.bodies.matches import Excerpt
from grandstand.spectator.frames import EventFrame
from grandstand.spectator.snapshot import last_state
from grandstand.spectator.viewpoint import SPECTATOR, redact

KEY = 0.5
"""The importance from which a fact is a key moment."""

LONGEST = 400
"""Number of events that a moment has at most. A turn that is longer is shown from its middle."""

DRAWN = 200
"""The most game events in an excerpt: more would make a large answer."""


def game_events(events: Sequence[Event], first: int, stop: int) -> Iterator[Event]:
    """Yield the game's events with `first <= seq < stop` that spectators may know."""
    for event in events[first:stop]:
        if event.type not in CORE_EVENTS:
            frame = redact(event, SPECTATOR)
            if isinstance(frame, EventFrame):
                yield frame.event


def excerpt(summary: EpisodeSummary, events: Sequence[Event], first: int, last: int) -> Excerpt | None:
    """Return the events from which a board draws the moments `first` to `last`; None if they are too many."""
    base = last_state(events[: first + 1], SPECTATOR)
    drawn = list(game_events(events, base + 1, last + 1))
    if len(drawn) > DRAWN:
        return None
    return Excerpt(episode=summary, state=events[base].data["state"] if base >= 0 else None, events=drawn)


def key_moment(summary: EpisodeSummary, events: Sequence[Event], since: int) -> KeyMoment | None:
    """Return the last important public fact among the events from `since` on, or None."""
    for event in reversed(events[since:]):
        if event.type == FactNoted.__name__ and event.audience == "public":
            fact = FactNoted.model_validate(event.data)
            if fact.importance >= KEY:
                last = min(event.seq, max(fact.rests_on, default=0))
                first = max(_turn_start(events, last), last - LONGEST)
                drawn = excerpt(summary, events, first, last)
                return KeyMoment(seq=event.seq, first=first, last=last, text=fact.text, excerpt=drawn)
    return None


def _turn_start(events: Sequence[Event], seq: int) -> int:
    """Return the number of the event with which the turn of `seq` began, or 0."""
    return next((at for at in range(seq, 0, -1) if events[at].type == TurnStarted.__name__), 0)
