"""The log is the truth: recorded choices, played again through the rules, must give the recorded events."""

from __future__ import annotations

from collections.abc import Sequence

from games.match import Match, event_data
from models import ActionChosen, EpisodeCreated, Event, SeedSet


class ReplayMismatch(Exception):
    """The rules, played from the log, do not say what the log says."""


def verify(events: Sequence[Event]) -> Match:
    """Play `events` again; answers the match as they leave it.

    Raises ReplayMismatch naming the first event that differs, or what the record lacks.
    """
    if not events or events[0].type != "EpisodeCreated":
        raise ReplayMismatch("the record does not start with EpisodeCreated")
    created = EpisodeCreated.model_validate(events[0].data)
    seeds = [SeedSet.model_validate(event.data).seed for event in events if event.type == "SeedSet"]
    if not seeds:
        raise ReplayMismatch("the record has no seed: it was made for a viewer who may not know it")
    choices = [ActionChosen.model_validate(event.data) for event in events if event.type == "ActionChosen"]
    match, played = Match.replay(created.game, created.options, seeds[0], ((c.seat, c.action) for c in choices))
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
