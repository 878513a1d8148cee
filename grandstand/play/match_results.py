"""The result of a recorded match: the record of every seat, and the game's measures of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from grandstand.games.base import SeatId
from grandstand.games.registry import GAMES, game_spec
from grandstand.games.spec import GameSpec
from grandstand.models import EpisodeCreated, Event, flat
from grandstand.play.option_sets import OptionSet
from grandstand.play.rating_table import ScoredMatch
from grandstand.play.statistics import COUNTED, SeatRecord, seat_records


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """A match as statistics need it."""

    options: OptionSet
    seats: Sequence[SeatRecord]
    measures: Mapping[SeatId, Mapping[str, float]] = field(default_factory=dict)
    """The game's measures of every seat; empty if the match was not played to its end."""
    hidden: bool = False
    """True if some of the game's events are not public, so that the measures may rest on them."""

    @property
    def scores(self) -> dict[SeatId, float]:
        """Return the scores of the seats that count."""
        return {record.seat: record.score for record in self.seats if record.scored and record.score is not None}

    @property
    def scored(self) -> ScoredMatch:
        """Return the players, and the scores of the seats that count."""
        return ScoredMatch({record.seat: record.player for record in self.seats}, self.scores)


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
    ended = any(record.score is not None for record in seats)
    if not ended or created.game not in GAMES:
        return RecordedMatch(options, seats)
    spec = game_spec(created.game)
    if spec.comparison is None:
        return RecordedMatch(options, seats)
    own = game_events(spec, events)
    if not own:
        return RecordedMatch(options, seats)
    measure = spec.comparison.measures
    data = [(event.type, event.data) for event in own]
    measures = {record.seat: measure(data, record.seat) for record in seats}
    hidden = any(event.audience != "public" for event in own)
    return RecordedMatch(options, seats, measures, hidden)
