"""The log is the truth: recorded choices, played again through the rules, must give the recorded events."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from games.base import GameEvent
from games.match import Match, event_data
from models import ActionChosen, EpisodeCreated, Event, SeedSet


class ReplayMismatch(Exception):
    """The rules, played from the log, do not say what the log says."""


def replayed(events: Sequence[Event]) -> tuple[Match, list[GameEvent]]:
    """The match that `events` leave, and every game event that its recorded choices give.

    Raises ReplayMismatch where the record does not say how to begin.
    """
    played: list[GameEvent] = []
    steps = replay_steps(events)
    while True:
        try:
            played += next(steps)
        except StopIteration as end:
            match: Match = end.value
            return match, played


def replay_steps(events: Sequence[Event]) -> Generator[list[GameEvent], None, Match]:
    """Play the recorded choices one by one: yield the game events of each, return the match that `events` leave.

    Raises ReplayMismatch where the record does not say how to begin.
    """
    if not events or events[0].type != "EpisodeCreated":
        raise ReplayMismatch("the record does not start with EpisodeCreated")
    created = EpisodeCreated.model_validate(events[0].data)
    match: Match | None = None
    for event in events:
        if event.type == "SeedSet":
            seed = SeedSet.model_validate(event.data).seed
            if match is None:
                match = Match.create(created.game, created.options, seed)
                yield match.game.opening()
            else:
                match.reseed(seed)
        elif event.type == "ActionChosen" and match is not None:
            chosen = ActionChosen.model_validate(event.data)
            yield match.apply(chosen.seat, chosen.action)
    if match is None:
        raise ReplayMismatch("the record has no seed: it was made for a viewer who may not know it")
    return match


def verify(events: Sequence[Event]) -> Match:
    """Play `events` again; answers the match as they leave it.

    Raises ReplayMismatch naming the first event that differs, or what the record lacks.
    """
    match, played = replayed(events)
    kinds = {kind.__name__ for kind in match.spec.events}
    recorded = [event for event in events if event.type in kinds]
    for event, again in zip(recorded, played, strict=False):
        if (event.type, event.data) != (type(again).__name__, event_data(again)):
            raise ReplayMismatch(f"event {event.seq} ({event.type}) differs: the rules give {type(again).__name__}")
    if len(recorded) > len(played):
        raise ReplayMismatch(f"event {recorded[len(played)].seq} does not follow from the recorded choices")
    if len(played) > len(recorded) and events[-1].type == "EpisodeEnded":
        raise ReplayMismatch(f"the rules give {len(played) - len(recorded)} events that the record lacks")
    return match
