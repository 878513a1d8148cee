"""The protocol of every game: seats, actions, events, results. No clock, no I/O, no wire types.

A game is one folder under `games/` that builds a `GameSpec` (`games/spec.py`), and one line in `games/registry.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from typing_extensions import TypeVar

from grandstand.games.choices import Chosen, Slot

SeatId = str
"""A place in a game: `FRANCE`, `away`. Stable for the whole match."""

Action = Mapping[str, Any]
"""The decision of a seat on its turn, as JSON-ready data: `{"orders": ["A PAR - BUR"]}`."""

Json = Any
"""Data that `json.dumps` accepts."""


class Items:
    """In `Annotated[list[...], Items(...)]`, the type of each item in turn: data that the page reads as a tuple."""

    def __init__(self, *kinds: type[str | int | float]) -> None:
        self.kinds = kinds


class IllegalAction(Exception):
    """An action that the rules refuse: a fault of the seat, not of the program.

    `field` names the part of the action at fault (`orders[2]`), `reason` says what is wrong and what is allowed.
    """

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class OptionError(ValueError):
    """A match option that the game does not know or cannot take; the message names it and the remedy."""


@dataclass(frozen=True, slots=True)
class GameEvent:
    """An event that the rules emit: no number, no time. The class name is the event's type on the wire.

    Subclasses are frozen dataclasses with JSON-ready fields (str, int, float, bool, None, lists, dicts and
    dataclasses of them). A subclass with a field named `state` carries the whole position that its audience
    may see: a snapshot is the last such state and the events after it.
    """

    def seats(self) -> frozenset[SeatId] | None:
        """Return the seats that may know this event; None if everybody may."""
        return None


@dataclass(frozen=True, slots=True)
class MessageSent(GameEvent):
    """Press: `sender` wrote to `recipients` (every seat where `public`)."""

    turn: str
    sender: SeatId
    recipients: list[SeatId]
    text: str
    public: bool = False
    promises: list[str] = field(default_factory=list)

    def seats(self) -> frozenset[SeatId] | None:
        return None if self.public else frozenset((self.sender, *self.recipients))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a match. `scores` sum to 1 where the game shares one point; `winners` is empty for no result."""

    reason: str
    winners: list[SeatId]
    scores: dict[SeatId, float]
    text: str


class Game(Protocol):
    """The rules of one match in progress: mutable, cheap to clone, exact to and from JSON.

    The same seed, options and actions give the same events, always.
    """

    @property
    def turn(self) -> str:
        """The short public name of the moment: `S1901M`, `1st innings 4.3`."""

    @property
    def outcome(self) -> Outcome | None:
        """None while the match goes on."""

    def to_act(self) -> Sequence[SeatId]:
        """Return the seats that the match waits for, in a fixed order; several if they choose at the same time."""

    def opening(self) -> list[GameEvent]:
        """Return the events before the first action, which are emitted once; one of them carries a `state`."""

    def choices(self, seat: SeatId, chosen: Chosen) -> Sequence[Slot]:
        """Return the next slots for `seat`, after whole stages of choices in `chosen`; none if
        the answer is complete, or the match does not wait for the seat. A cheap call."""

    def action(self, seat: SeatId, chosen: Chosen) -> Action:
        """Return a complete answer as the action that `apply` takes."""

    def chosen(self, seat: SeatId, action: Action) -> Chosen | None:
        """Return the choices that `action` makes, defaults included; None if no choices make it."""

    def apply(self, seat: SeatId, action: Action) -> list[GameEvent]:
        """Play `action` for `seat`. Raises IllegalAction and then leaves the game as it was."""

    def default_action(self, seat: SeatId) -> Action:
        """Return the legal action of a seat that does nothing (civil disorder, a ball left alone)."""

    def observation(self, seat: SeatId) -> Mapping[str, Any]:
        """Return all that `seat` may know now, a TypedDict of the game: its own secrets, never another's."""

    def text(self, seat: SeatId) -> str:
        """Return the observation as one prompt for a language model, byte for byte the same in training and in play."""

    def scores(self) -> dict[SeatId, float]:
        """Return the score of each seat as if play stopped here."""

    def digest(self) -> str:
        """Return a stable hash of the whole position, secrets included. Equal hashes mean equal positions."""

    def clone(self) -> Self:
        """Return an independent copy."""

    def reseed(self, seed: int) -> None:
        """Use `seed` for all future random draws; past draws stay."""

    def to_json(self) -> Json:
        """Return the whole game as data, secrets included; `Rules.load` is the inverse."""


G = TypeVar("G", bound=Game, default=Game)
"""The rules of one game. A bare `GameSpec` or `Bot` is typed by the base class of all games."""
