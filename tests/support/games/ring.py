"""A game for the tests of what every game has: a ring of two to four seats, each of which writes a secret number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from grandstand.games.base import GameEvent, Json, Outcome, SeatId
from grandstand.games.choices import Chosen, Number, Slot
from grandstand.games.picture import Picture, Pictures, Thing, ring
from grandstand.games.simple import SimpleGame
from grandstand.games.spec import Bots, GameSpec, Rules

SIDES = ("north", "east", "south", "west")


@dataclass(frozen=True)
class RingOptions:
    """The size of the ring."""

    size: int = field(default=2, metadata={"help": "the number of seats", "choices": (2, 3, 4)})


@dataclass(frozen=True, slots=True)
class NumberWritten(GameEvent):
    """A seat wrote its number, which it alone knows."""

    seat: SeatId
    number: int

    def seats(self) -> frozenset[SeatId] | None:
        return frozenset((self.seat,))


@dataclass(frozen=True, slots=True)
class NumbersShown(GameEvent):
    """All have written."""

    numbers: dict[str, int]


class Ring(SimpleGame):
    """The highest number wins."""

    def __init__(self, options: RingOptions, seed: int) -> None:
        self.seats = list(SIDES[: options.size])
        self.numbers: dict[str, int] = {}

    @property
    def turn(self) -> str:
        return f"number {len(self.numbers) + 1}"

    @property
    def outcome(self) -> Outcome | None:
        if len(self.numbers) < len(self.seats):
            return None
        winner = max(self.seats, key=lambda seat: self.numbers[seat])
        return Outcome("highest", [winner], {seat: float(seat == winner) for seat in self.seats}, f"{winner} wins")

    def to_act(self) -> Sequence[SeatId]:
        return () if self.outcome else (self.seats[len(self.numbers)],)

    def opening(self) -> list[GameEvent]:
        return []

    def choices(self, seat: SeatId, chosen: Chosen) -> Sequence[Slot]:
        return () if chosen or seat not in self.to_act() else [Number("number", 1, 9)]

    def play(self, seat: SeatId, chosen: Chosen) -> list[GameEvent]:
        self.numbers[seat] = int(str(chosen["number"]))
        written = NumberWritten(seat, self.numbers[seat])
        return [written, NumbersShown(dict(self.numbers))] if self.outcome else [written]

    def observation(self, seat: SeatId) -> Json:
        return {"numbers": self.known(seat)}

    def text(self, seat: SeatId) -> str:
        return f"You are {seat}. The highest number wins. So far: {self.known(seat)}."

    def known(self, seat: SeatId | None) -> dict[str, int]:
        """Return the numbers that a seat, or everybody, may know."""
        return {each: number for each, number in self.numbers.items() if self.outcome or each == seat}

    def scores(self) -> dict[SeatId, float]:
        return self.outcome.scores if self.outcome else dict.fromkeys(self.seats, 0.0)


def draw(game: Ring, seat: SeatId | None) -> Picture:
    """Return the ring with the numbers that `seat` may know."""
    known = game.known(seat)
    things = [
        Thing(f"number {each}", "token", each, label=str(known.get(each, "")), state="" if each in known else "hidden")
        for each in game.numbers
    ]
    return Picture(ring(game.seats), things, f"{len(game.numbers)} of {len(game.seats)} have written.")


GAME: GameSpec[Ring] = GameSpec(
    name="ring",
    rules=Rules(
        "Ring",
        lambda options: SIDES[: options.size],
        RingOptions,
        Ring,
        Ring.load,
        events=(NumberWritten, NumbersShown),
    ),
    bots=Bots({"random": Ring.random_action}, lambda rng: ("random", "random")),
    picture=Pictures(draw),
)
