"""The protocol of every game.

A game is one folder under `games/` that builds a `GameSpec` (`games/spec.py`), and one line in `games/catalog.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self

from typing_extensions import TypeVar

from grandstand.games.base import Action, GameEvent, Json, Outcome, SeatId
from grandstand.games.choices import Chosen, Slot


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
