"""The log is the truth: recorded choices, played again through the rules, must give the recorded events."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from pydantic import ValidationError

from games.base import GameEvent, IllegalAction, OptionError
from games.match import Match, event_data
from models import ActionChosen, EpisodeCreated, EpisodeEnded, Event, OutcomeData, SeedSet, TurnStarted

SHOWN = 120
"""Characters of each side of a difference that a message quotes."""


ABSENT: Final = object()
"""Stands for a field that one side lacks."""


class ReplayMismatch(Exception):
    """The rules, played from the log, do not say what the log says. The message names the event and what differs."""


def replayed(events: Sequence[Event]) -> tuple[Match, list[GameEvent]]:
    """The match that `events` leave, and every game event that its recorded choices give.

    Raises ReplayMismatch where the record does not say how to begin, or has a choice that the rules refuse.
    """
    last: Match | None = None
    played: list[GameEvent] = []
    for _, match, given in _steps(events):
        last = match
        played += given
    return _begun(last), played


def verify(events: Sequence[Event]) -> Match:
    """Play `events` again; answers the match as they leave it.

    The game's events, the turns and the outcome are compared. Raises ReplayMismatch naming the first event that
    differs, or what the record lacks.
    """
    last: Match | None = None
    due: deque[GameEvent] = deque()
    for event, match, given in _steps(events):
        last = match
        due += given
        if match is None:
            continue
        if event.type in {kind.__name__ for kind in match.spec.events}:
            if not due:
                raise ReplayMismatch(f"event {event.seq} ({event.type}) does not follow from the recorded choices")
            again = due.popleft()
            _compare(event, type(again).__name__, event_data(again))
        elif event.type == "TurnStarted":
            _compare(event, event.type, _turn(match))
        elif event.type == "EpisodeEnded" and _status(event) == "finished":
            _compare(event, event.type, _end(match))
    if due and events[-1].type == "EpisodeEnded":
        raise ReplayMismatch(f"the rules give {len(due)} events that the record lacks, {type(due[0]).__name__} first")
    return _begun(last)


def _steps(events: Sequence[Event]) -> Iterator[tuple[Event, Match | None, list[GameEvent]]]:
    """Each event, the match after it, and the game events that it gives. Raises ReplayMismatch."""
    if not events or events[0].type != "EpisodeCreated":
        raise ReplayMismatch("the record does not start with EpisodeCreated")
    match: Match | None = None
    for event in events:
        try:
            match, given = _step(events[0], event, match)
        except IllegalAction as error:
            seat = event.data.get("seat")
            raise ReplayMismatch(f"event {event.seq} ({event.type} of {seat}): the rules refuse it: {error}") from error
        except ValidationError as error:
            raise _invalid(event, error) from error
        yield event, match, given


def _step(first: Event, event: Event, match: Match | None) -> tuple[Match | None, list[GameEvent]]:
    if event.type == "SeedSet":
        seed = SeedSet.model_validate(event.data).seed
        if match is not None:
            match.reseed(seed)
            return match, []
        match = _new(first, seed)
        return match, match.game.opening()
    if event.type == "ActionChosen" and match is not None:
        chosen = ActionChosen.model_validate(event.data)
        return match, match.apply(chosen.seat, chosen.action)
    return match, []


def _new(event: Event, seed: int) -> Match:
    try:
        created = EpisodeCreated.model_validate(event.data)
        return Match.create(created.game, created.options, seed)
    except OptionError as error:
        raise ReplayMismatch(f"event {event.seq} ({event.type}): {error}") from error
    except ValidationError as error:
        raise _invalid(event, error) from error


def _invalid(event: Event, error: ValidationError) -> ReplayMismatch:
    first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(map(str, ("data", *first["loc"])))
    return ReplayMismatch(f"event {event.seq} ({event.type}): {field}: {first['msg']}")


def _begun(match: Match | None) -> Match:
    if match is None:
        raise ReplayMismatch("the record has no seed: it was made for a viewer who may not know it")
    return match


def _status(event: Event) -> str:
    try:
        return EpisodeEnded.model_validate(event.data).status
    except ValidationError as error:
        raise _invalid(event, error) from error


def _turn(match: Match) -> dict[str, Any]:
    turn = TurnStarted(index=match.index, turn=match.game.turn, to_act=list(match.waiting), scores=match.game.scores())
    return turn.model_dump(mode="json")


def _end(match: Match) -> dict[str, Any]:
    outcome = match.game.outcome
    data = OutcomeData.model_validate(asdict(outcome)) if outcome else None
    return EpisodeEnded(status="finished", outcome=data).model_dump(mode="json")


def _compare(event: Event, kind: str, data: Mapping[str, Any]) -> None:
    if event.type != kind:
        raise ReplayMismatch(f"event {event.seq} ({event.type}) differs: the rules give {kind}")
    if event.data != data:
        path, recorded, again = _difference(event.data, data)
        raise ReplayMismatch(
            f"event {event.seq} ({event.type}) differs: {path}: the record has {recorded}, the rules give {again}"
        )


def _difference(recorded: object, again: object, path: str = "") -> tuple[str, str, str]:
    """Return the place of the first difference, and what either side has there."""
    if isinstance(recorded, Mapping) and isinstance(again, Mapping):
        for key in dict.fromkeys([*again, *recorded]):
            if key not in recorded or key not in again or recorded[key] != again[key]:
                return _difference(recorded.get(key, ABSENT), again.get(key, ABSENT), f"{path}.{key}" if path else key)
    if isinstance(recorded, list) and isinstance(again, list) and len(recorded) == len(again):
        for index, pair in enumerate(zip(recorded, again, strict=True)):
            if pair[0] != pair[1]:
                return _difference(*pair, f"{path}[{index}]")
    return path, _quoted(recorded), _quoted(again)


def _quoted(value: object) -> str:
    if value is ABSENT:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
