"""The log is the truth: recorded choices, played again through the rules, must give the recorded events."""

from __future__ import annotations

from collections.abc import Sequence

from games.base import GameEvent, IllegalAction
from games.match import Match, event_data
from games.registry import game_spec
from models import ActionChosen, EpisodeCreated, Event, SeedSet


class ReplayMismatch(Exception):
    """The rules, played from the log, do not say what the log says."""


class OtherRules(ReplayMismatch):
    """The record was made under another version of the rules, under which its choices give other events."""

    def __init__(self, game: str, recorded: int, now: int) -> None:
        super().__init__(
            f"recorded under version {recorded} of the rules of {game}; this is version {now}, under which the same "
            "choices give other events: the record can be watched, but not played again"
        )


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


def taken_up(events: Sequence[Event]) -> Match:
    """Return the match that `events` leave, to be played on.

    Raises OtherRules where the rules have changed since and the choices now give other events; else as `replayed`.
    """
    created = EpisodeCreated.model_validate(events[0].data)
    if created.rules == game_spec(created.game).rules:
        return replayed(events)[0]
    return verify(events)


def verify(events: Sequence[Event]) -> Match:
    """Play `events` again and return the match as they leave it.

    Raises ReplayMismatch naming the first event that differs, or what the record lacks; OtherRules where that is
    because the record was made under another version of the rules.
    """
    try:
        return _verified(events)
    except (ReplayMismatch, IllegalAction) as error:
        if events and events[0].type == "EpisodeCreated":
            created = EpisodeCreated.model_validate(events[0].data)
            spec = game_spec(created.game)
            if created.rules != spec.rules:
                raise OtherRules(spec.name, created.rules, spec.rules) from error
        raise


def _verified(events: Sequence[Event]) -> Match:
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
