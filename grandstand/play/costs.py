"""Costs and tokens of recorded matches: per decision, match, player, day or model. A fold over events, without I/O.

Every answer for which a provider was asked, or tokens were counted, is one charge, whether or not it could be used. It
is read from the report that follows the answer, so a match in progress is charged as it is played. An answer whose
price is unknown has no cost, and is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, get_args

from grandstand.events import CommentatorReported, EpisodeCreated, PlayerReported, SeatInfo, Usage
from grandstand.games.base import SeatId
from grandstand.models import Event, PrivateBatch, flat
from grandstand.play.ratings.seat_records import Identity
from grandstand.players.usage import UsageSums

By = Literal["decision", "match", "player", "day", "model"]
GROUPINGS: tuple[By, ...] = get_args(By)

CHARGED = ("EpisodeCreated", "PlayerReported", "CommentatorReported", PrivateBatch.__name__)
"""Event types from which charges are read; others may be left out."""

COMMENTATOR: SeatId = ""
"""The seat of a charge for wording the commentary."""


@dataclass(frozen=True, slots=True)
class Charge:
    """The usage of one answer, with its match, seat, player and model.

    `day` is a date in UTC, `decision` the number of its event.
    """

    match: str
    decision: int
    day: str
    game: str
    seat: SeatId
    player: str
    prompt: str
    model: str
    task: Literal["choose", "negotiate", "comment"]
    usage: Usage

    @property
    def tokens(self) -> int:
        """Return the tokens read and written."""
        return self.usage.tokens_in + self.usage.tokens_out

    @property
    def unpriced(self) -> bool:
        """Return whether the provider was asked and the price is unknown."""
        return self.usage.calls > 0 and self.usage.dollars is None


@dataclass(slots=True)
class Cost(UsageSums):
    """Usage summed over charges. `dollars` is the sum of the known costs, and None if none is known."""

    answers: int = 0
    unpriced: int = 0
    """Answers whose cost is unknown."""
    estimated: int = 0
    """Answers whose tokens the endpoint did not count."""
    seconds: float = 0.0
    """Seconds from request to answer, summed over answers."""
    matches: set[str] = field(default_factory=set)

    @property
    def tokens(self) -> int:
        """Return the tokens read and written."""
        return self.tokens_in + self.tokens_out

    def add(self, charge: Charge) -> None:
        self.add_sums(charge.usage)
        self.answers += 1
        self.unpriced += charge.unpriced
        self.estimated += charge.usage.estimated
        self.seconds += charge.usage.seconds
        self.matches.add(charge.match)


class ChargeReader:
    """Reads the charges of any number of matches from their events, in the order in which they are published."""

    def __init__(self) -> None:
        self._games: dict[str, str] = {}
        self._seats: dict[str, Mapping[SeatId, SeatInfo]] = {}

    def read(self, event: Event) -> Iterator[Charge]:
        """Yield the charges in an event; a private batch may have several."""
        return (charge for charge in self._all(event) if charge.usage.calls or charge.tokens)

    def _all(self, event: Event) -> Iterator[Charge]:
        for part in flat([event]):
            match part.type:
                case "EpisodeCreated":
                    created = EpisodeCreated.model_validate(part.data)
                    self._games[part.episode_id] = created.game
                    self._seats[part.episode_id] = {info.seat: info for info in created.seats}
                case "PlayerReported":
                    yield self._of_seat(part, PlayerReported.model_validate(part.data))
                case "CommentatorReported":
                    yield self._of_commentator(part, CommentatorReported.model_validate(part.data))
                case "EpisodeEnded":
                    self._games.pop(part.episode_id, None)
                    self._seats.pop(part.episode_id, None)

    def _of_seat(self, event: Event, reported: PlayerReported) -> Charge:
        info = self._seats.get(event.episode_id, {}).get(reported.seat)
        return Charge(
            match=event.episode_id,
            decision=event.seq,
            day=_day(event.at),
            game=self._games.get(event.episode_id, ""),
            seat=reported.seat,
            player=info.player if info else "",
            prompt=reported.report.prompt or (info.prompt if info else ""),
            model=reported.report.model,
            task=reported.task,
            usage=reported.report.usage,
        )

    def _of_commentator(self, event: Event, reported: CommentatorReported) -> Charge:
        return Charge(
            match=event.episode_id,
            decision=event.seq,
            day=_day(event.at),
            game=self._games.get(event.episode_id, ""),
            seat=COMMENTATOR,
            player=reported.commentator,
            prompt="",
            model=reported.report.model,
            task="comment",
            usage=reported.report.usage,
        )


def charges(events: Iterable[Event]) -> Iterator[Charge]:
    """Yield the charges of the matches that `events` belong to."""
    reader = ChargeReader()
    for event in events:
        yield from reader.read(event)


def costs(charged: Iterable[Charge], by: By, names: Mapping[Identity, str] | None = None) -> dict[str, Cost]:
    """Return the costs of `charged` by decision, match, player, day or model, in the order of their first charge.

    `names` are the names of players, as of `player_names`; by default each player has its own.
    """
    sums: dict[str, Cost] = {}
    for charge in charged:
        sums.setdefault(_key(charge, by, names or {}), Cost()).add(charge)
    return sums


def total(charged: Iterable[Charge]) -> Cost:
    """Return the cost of all charges together."""
    cost = Cost()
    for charge in charged:
        cost.add(charge)
    return cost


def _key(charge: Charge, by: By, names: Mapping[Identity, str]) -> str:
    match by:
        case "decision":
            return f"{charge.match}/{charge.decision} {charge.seat or 'commentator'}"
        case "match":
            return charge.match
        case "player":
            return names.get((charge.player, charge.prompt), charge.player)
        case "day":
            return charge.day
        case "model":
            return charge.model


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()
