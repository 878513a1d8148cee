"""The log is the truth: recorded choices, played again through the rules, must give the recorded events."""

from __future__ import annotations

from collections.abc import Sequence

from games.base import GameEvent
from games.match import Match, event_data
from models import ActionChosen, EpisodeCreated, Event, SeedSet


class ReplayMismatch(Exception):
    """The rules, played from the log, do not say what the log says."""


def replayed(events: Sequence[Event]) -> tuple[Match, list[GameEvent]]:
    """The match that `events` leave, and every game event that its recorded choices give.

    Raises ReplayMismatch where the record does not say how to begin.
    """
    if not events or events[0].type != "EpisodeCreated":
        raise ReplayMismatch("the record does not start with EpisodeCreated")
    created = EpisodeCreated.model_validate(events[0].data)
    match: Match | None = None
    played: list[GameEvent] = []
    for event in events:
        if event.type == "SeedSet":
            seed = SeedSet.model_validate(event.data).seed
            if match is None:
                match = Match.create(created.game, created.options, seed)
                played += match.game.opening()
            else:
                match.reseed(seed)
        elif event.type == "ActionChosen" and match is not None:
            chosen = ActionChosen.model_validate(event.data)
            played += match.apply(chosen.seat, chosen.action)
    if match is None:
        raise ReplayMismatch("the record has no seed: it was made for a viewer who may not know it")
    return match, played


def verify(events: Sequence[Event]) -> Match:
    """Play `events` again; answers the match as they leave it.

    Raises ReplayMismatch naming the first event that differs, or what the record lacks.
    """
    match, played = replayed(events)
    spec, rules = match.spec, EpisodeCreated.model_validate(events[0].data).rules
    kinds = {kind.__name__ for kind in spec.events}
    recorded = [
        (event.seq, event.type, data)
        for event in events
        if event.type in kinds and (data := spec.as_of(rules, event.type, event.data)) is not None
    ]
    expected = [
        (kind, data)
        for kind, whole in ((type(event).__name__, event_data(event)) for event in played)
        if (data := spec.as_of(rules, kind, whole)) is not None
    ]
    for (seq, kind, data), again in zip(recorded, expected, strict=False):
        if (kind, data) != again:
            raise ReplayMismatch(f"event {seq} ({kind}) differs: the rules give {again[0]}")
    if len(recorded) > len(expected):
        raise ReplayMismatch(f"event {recorded[len(expected)][0]} does not follow from the recorded choices")
    if len(expected) > len(recorded) and events[-1].type == "EpisodeEnded":
        raise ReplayMismatch(f"the rules give {len(expected) - len(recorded)} events that the record lacks")
    return match
