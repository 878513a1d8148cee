"""The result of a recorded match: the record of every seat, and the game's measures of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from grandstand.events import EpisodeCreated, SeedSet
from grandstand.games.base import SeatId
from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.models import Event, flat
from grandstand.play.ratings.option_sets import OptionSet
from grandstand.play.ratings.seat_records import COUNTED, Identity, SeatRecord, seat_records
from grandstand.play.ratings.table import ScoredMatch

Conditions: TypeAlias = Hashable
"""The options of a match, its seed and the player of each seat, as a value to compare."""

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """The players, scores, usage and measures of a recorded match."""

    options: OptionSet
    seats: Sequence[SeatRecord]
    measures: Mapping[SeatId, Mapping[str, float]] = field(default_factory=dict)
    """The game's measures of every seat; empty if the match was not played to its end."""
    seed: int | None = None
    """None if the record does not have it, as in a spectator's download."""
    hidden: bool = False
    """True if some of the game's events are private, so that the measures may depend on them."""

    @property
    def scores(self) -> dict[SeatId, float]:
        """Return the scores of the seats that count."""
        return {record.seat: record.score for record in self.seats if record.scored and record.score is not None}

    @property
    def scored(self) -> ScoredMatch:
        """Return the players, and the scores of the seats that count."""
        return ScoredMatch({record.seat: record.player for record in self.seats}, self.scores)

    @property
    def conditions(self) -> Conditions | None:
        """Return the conditions of the match; None if no seat counts."""
        players = {record.seat: (record.player, record.prompt) for record in self.seats}
        return conditions_of(self.options, self.seed, players) if self.scores else None


def conditions_of(
    options: OptionSet | tuple[str, str], seed: int | None, players: Mapping[SeatId, Identity]
) -> Conditions | None:
    """Return the options, the seed and the player of each seat of a match; None if its seed is unknown."""
    return None if seed is None else (options, seed, tuple(sorted(players.items())))


def first_of_each(
    matches: Sequence[M], conditions: Callable[[M], Conditions | None], before: Iterable[Conditions] = ()
) -> tuple[list[M], list[M]]:
    """Return `matches` without repeats, and the repeats: matches under the conditions of an earlier one.

    `before` are the conditions of matches before them.

    A built-in player plays the same match again under the same conditions, so a repeat adds no information, and
    whoever chooses the seed could choose the result. A match whose conditions are None never counts as a repeat.
    """
    earlier = set(before)
    first: list[M] = []
    repeats: list[M] = []
    for match in matches:
        its = conditions(match)
        (repeats if its is not None and its in earlier else first).append(match)
        if its is not None:
            earlier.add(its)
    return first, repeats


def event_types() -> tuple[str, ...]:
    """Return the types of events from which a match is read, of every game."""
    games = [kind.__name__ for name in GAMES for kind in game_spec(name).events]
    return tuple(dict.fromkeys((*COUNTED, *games)))


def game_events(spec: GameSpec, events: Iterable[Event]) -> list[Event]:
    """Return the events of the game itself, the private ones one by one."""
    kinds = {kind.__name__ for kind in spec.events}
    return [event for event in flat(events) if event.type in kinds]


def recorded_match(events: Sequence[Event]) -> RecordedMatch:
    """Return a match from its events of `event_types`."""
    created = EpisodeCreated.model_validate(events[0].data)
    seats = seat_records(events)
    options = OptionSet.of(created.game, created.options, created.rules)
    seed = seed_of(events)
    ended = any(record.score is not None for record in seats)
    spec = game_spec(created.game) if ended and created.game in GAMES else None
    if spec is None or spec.learning.comparison is None:
        return RecordedMatch(options, seats, seed=seed)
    own = game_events(spec, events)
    if not own:
        return RecordedMatch(options, seats, seed=seed)
    measure = spec.learning.comparison.measures
    data = [(event.type, event.data) for event in own]
    measures = {record.seat: measure(data, record.seat) for record in seats}
    hidden = any(event.audience != "public" for event in own)
    return RecordedMatch(options, seats, measures, seed, hidden)


def roles_of(game: str, events: Iterable[Event]) -> Mapping[SeatId, str]:
    """Return the role of each seat of a finished match; empty in a game without roles."""
    comparison = game_spec(game).learning.comparison if game in GAMES else None
    if comparison is None or comparison.roles is None:
        return {}
    return comparison.roles([(event.type, event.data) for event in game_events(game_spec(game), events)])


def seed_of(events: Iterable[Event]) -> int | None:
    """Return the seed of a match; None if its record does not have it."""
    return next((SeedSet.model_validate(event.data).seed for event in events if event.type == SeedSet.__name__), None)
