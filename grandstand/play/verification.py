"""Verification: an episode's recorded choices, played again, must produce exactly its recorded game events."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from grandstand.events import ActionChosen, EpisodeCreated, EpisodeEnded, SeedSet, TurnStarted
from grandstand.games.base import GameEvent, IllegalAction, OptionError
from grandstand.games.match import Match, event_data
from grandstand.games.picture import PictureSeen
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.models import Event, OutcomeData, PrivateBatch, flat

SHOWN = 120
"""Characters of each side of a difference that a message quotes."""

NO_SEED: Final = "the record has no seed: it was made for a viewer who may not know it"

ABSENT: Final = object()
"""The value of a field that one side lacks."""


class ReplayMismatch(Exception):
    """The recorded choices produce other events. The message names the event and the difference."""


class OtherRules(ReplayMismatch):
    """The record was made under another version of the rules, under which its choices produce other events."""

    def __init__(self, game: str, recorded: int, now: int) -> None:
        super().__init__(
            f"recorded under version {recorded} of the rules of {game}; this is version {now}, under which the same "
            "choices give other events: the record can be watched, but not played again"
        )


class Step(NamedTuple):
    """One event of a record, the match after it (None before the seed), and the game events that it produces."""

    event: Event
    match: Match | None
    played: list[GameEvent]


def replay_steps(events: Sequence[Event]) -> Iterator[Step]:
    """Play the recorded choices one by one. The last step's match is the match at the end of `events`.

    Raises ReplayMismatch if the record lacks its start or seed, or has a choice that the rules refuse.
    """
    if not events or events[0].type != "EpisodeCreated":
        raise ReplayMismatch("the record does not start with EpisodeCreated")
    match: Match | None = None
    for event in _parts(events):
        try:
            match, played = _step(events[0], event, match)
        except IllegalAction as error:
            seat = event.data.get("seat")
            raise ReplayMismatch(f"event {event.seq} ({event.type} of {seat}): the rules refuse it: {error}") from error
        except ValidationError as error:
            raise _invalid(event, error) from error
        yield Step(event, match, played)
    if match is None:
        raise ReplayMismatch(NO_SEED)


def unplayed(events: Sequence[Event]) -> Match:
    """Return the match of a record before its opening. Raises ReplayMismatch if the record has no seed."""
    for event in _parts(events):
        if event.type == "SeedSet":
            try:
                return _new(events[0], SeedSet.model_validate(event.data).seed)
            except ValidationError as error:
                raise _invalid(event, error) from error
    raise ReplayMismatch(NO_SEED)


def _parts(events: Sequence[Event]) -> Iterator[Event]:
    """Yield the events with private batches replaced by their parts. Raises ReplayMismatch for an invalid batch."""
    for event in events:
        if event.type == PrivateBatch.__name__:
            try:
                PrivateBatch.model_validate(event.data)
            except ValidationError as error:
                raise _invalid(event, error) from error
        yield from flat([event])


def replayed(events: Sequence[Event]) -> tuple[Match, list[GameEvent]]:
    """Return the match at the end of `events`, and every game event that its recorded choices produce.

    Raises ReplayMismatch as `replay_steps` does.
    """
    last: Match | None = None
    played: list[GameEvent] = []
    for step in replay_steps(events):
        last = step.match
        played += step.played
    assert last is not None
    return last, played


def taken_up(events: Sequence[Event]) -> Match:
    """Return the match at the end of `events`, ready to continue.

    Raises OtherRules if the rules have changed since and the choices now produce other events; else as `replayed`.
    """
    if same_rules(events):
        return replayed(events)[0]
    return verify(events)


def same_rules(events: Sequence[Event]) -> bool:
    """Return whether the record was made under the current version of the rules."""
    created = EpisodeCreated.model_validate(events[0].data)
    return created.rules == game_spec(created.game).rules.version


def verify(events: Sequence[Event]) -> Match:
    """Play `events` again, compare, and return the match at their end.

    The game's events, the turns and the outcome are compared. Raises ReplayMismatch naming the first event that
    differs or is missing; OtherRules if the reason is that the record was made under another version of the rules.
    """
    try:
        return _verified(events)
    except ReplayMismatch as error:
        if not _readable(events) or same_rules(events):
            raise
        created = EpisodeCreated.model_validate(events[0].data)
        if game_spec(created.game).rules.as_of is not None:
            raise  # the difference is in parts that the change of the rules does not affect
        raise OtherRules(created.game, created.rules, game_spec(created.game).rules.version) from error


def _verified(events: Sequence[Event]) -> Match:
    # Private events are recorded in batches, and what seats see in pictures in others: each has an order of its own.
    due: dict[tuple[bool, bool], deque[GameEvent]] = defaultdict(deque)
    last: Match | None = None
    created: EpisodeCreated | None = None
    turn = begun = -1
    for event, match, played in replay_steps(events):
        created = created or EpisodeCreated.model_validate(event.data)
        for emitted in played:
            due[emitted.seats() is None, isinstance(emitted, PictureSeen)].append(emitted)
        if match is None:
            continue
        last = match
        if event.type == "ActionChosen" and begun != turn:
            raise ReplayMismatch(f"event {event.seq} (ActionChosen): no TurnStarted begins turn {turn} before it")
        turn = match.index
        if event.type in {kind.__name__ for kind in match.spec.events}:
            queue = due[event.audience == "public", event.type == PictureSeen.__name__]
            _compare_game(event, queue, match, created.rules)
        elif event.type == "TurnStarted":
            _compare(event, event.type, event.data, _turn(match))
            begun = turn
        elif event.type == "EpisodeEnded" and _status(event) == "finished":
            _compare(event, event.type, event.data, _end(match))
    assert last is not None
    assert created is not None
    lacking = [
        kind
        for queue in due.values()
        for kind, data in map(_recorded, queue)
        if _comparable(last.spec, created.rules, kind, data) is not None
    ]
    if lacking and events[-1].type == "EpisodeEnded":
        raise ReplayMismatch(f"the rules give {len(lacking)} events that the record lacks, {lacking[0]} first")
    return last


def _compare_game(event: Event, due: deque[GameEvent], match: Match, rules: int) -> None:
    """Compare a game event with the next one due, in the parts that are the same under both versions of the rules."""
    recorded = _comparable(match.spec, rules, event.type, event.data)
    if recorded is None:
        return
    while due:
        kind, data = _recorded(due.popleft())
        again = _comparable(match.spec, rules, kind, data)
        if again is not None:
            _compare(event, kind, recorded, again)
            return
    raise ReplayMismatch(f"event {event.seq} ({event.type}) does not follow from the recorded choices")


def _comparable(spec: GameSpec, rules: int, kind: str, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the part of an event that must be the same under both versions of the rules; None if there is none."""
    return data if spec.rules.as_of is None else spec.rules.as_of(rules, kind, data)


def _recorded(event: GameEvent) -> tuple[str, dict[str, Any]]:
    return type(event).__name__, event_data(event)


def _readable(events: Sequence[Event]) -> bool:
    """Return whether the record begins as a record of a known game."""
    try:
        return bool(events) and bool(game_spec(EpisodeCreated.model_validate(events[0].data).game))
    except (ValidationError, OptionError):
        return False


def _step(first: Event, event: Event, match: Match | None) -> tuple[Match | None, list[GameEvent]]:
    if event.type == "SeedSet":
        seed = SeedSet.model_validate(event.data).seed
        if match is not None:
            match.reseed(seed)
            return match, []
        match = _new(first, seed)
        return match, match.opening()
    if event.type == "ActionChosen" and match is not None:
        chosen = ActionChosen.model_validate(event.data)
        return match, match.apply(chosen.seat, chosen.action)
    if event.type == "NegotiationHeld" and match is not None:
        match.rounds += 1
    return match, []


def _new(event: Event, seed: int) -> Match:
    try:
        created = EpisodeCreated.model_validate(event.data)
        return Match(game_spec(created.game), created.options, seed)
    except OptionError as error:
        raise ReplayMismatch(f"event {event.seq} ({event.type}): {error}") from error
    except ValidationError as error:
        raise _invalid(event, error) from error


def _invalid(event: Event, error: ValidationError) -> ReplayMismatch:
    first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(map(str, ("data", *first["loc"])))
    return ReplayMismatch(f"event {event.seq} ({event.type}): {field}: {first['msg']}")


def _status(event: Event) -> str:
    try:
        return EpisodeEnded.model_validate(event.data).status
    except ValidationError as error:
        raise _invalid(event, error) from error


def _turn(match: Match) -> dict[str, Any]:
    turn = TurnStarted(index=match.index, turn=match.game.turn, to_act=list(match.asked), scores=match.game.scores())
    return turn.model_dump(mode="json")


def _end(match: Match) -> dict[str, Any]:
    outcome = match.game.outcome
    data = OutcomeData.model_validate(asdict(outcome)) if outcome else None
    return EpisodeEnded(status="finished", outcome=data).model_dump(mode="json")


def _compare(event: Event, kind: str, recorded: Mapping[str, Any], again: Mapping[str, Any]) -> None:
    if event.type != kind:
        raise ReplayMismatch(f"event {event.seq} ({event.type}) differs: the rules give {kind}")
    if recorded != again:
        path, before, now = _difference(recorded, again)
        raise ReplayMismatch(
            f"event {event.seq} ({event.type}) differs: {path}: the record has {before}, the rules give {now}"
        )


def _difference(recorded: object, again: object, path: str = "") -> tuple[str, str, str]:
    """Return the path of the first difference, and the values of both sides there."""
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
