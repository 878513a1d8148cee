"""Three in a row: two seats place their marks on a board of three by three."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from grandstand.games.base import Action, GameEvent, Json, Outcome, SeatId
from grandstand.games.choices import Chosen, Option, Pick, Slot
from grandstand.games.picture import Picture, Pictures, Thing, grid
from grandstand.games.simple import SimpleGame
from grandstand.games.spec import Bots, GameSpec, Rules

SEATS = ("crosses", "noughts")
MARKS = {"crosses": "×", "noughts": "○"}
SQUARES = [place.id for place in grid(3, 3)]
LINES = [*(SQUARES[n : n + 3] for n in (0, 3, 6)), *(SQUARES[n::3] for n in range(3)), SQUARES[::4], SQUARES[2:8:2]]


@dataclass(frozen=True)
class GridOptions:
    """The options of a match."""

    free: bool = field(default=True, metadata={"help": "whether the first mark may be in the middle"})


@dataclass(frozen=True, slots=True)
class MarkPlaced(GameEvent):
    """A seat placed its mark."""

    seat: SeatId
    square: str


class GridGame(SimpleGame):
    """A match. Its attributes are its position: JSON as they are."""

    def __init__(self, options: GridOptions, seed: int) -> None:
        self.free = options.free
        self.marks: dict[str, SeatId] = {}

    @property
    def turn(self) -> str:
        return f"mark {len(self.marks) + 1}"

    @property
    def outcome(self) -> Outcome | None:
        for line in LINES:
            owner = self.marks.get(line[0])
            if owner and all(self.marks.get(square) == owner for square in line):
                return Outcome("line", [owner], {seat: float(seat == owner) for seat in SEATS}, f"{owner} have a line")
        full = len(self.marks) == len(SQUARES)
        return Outcome("full", [], dict.fromkeys(SEATS, 0.5), "the board is full") if full else None

    def to_act(self) -> tuple[SeatId, ...]:
        return () if self.outcome else (SEATS[len(self.marks) % 2],)

    def empty(self) -> list[str]:
        """Return the squares that may be chosen."""
        return [
            square for square in SQUARES if square not in self.marks and (self.marks or self.free or square != "b2")
        ]

    def opening(self) -> list[GameEvent]:
        return []

    def choices(self, seat: SeatId, chosen: Chosen) -> Sequence[Slot]:
        if chosen or seat not in self.to_act():
            return ()
        return [
            Pick("square", [Option(square, target=square) for square in self.empty()], "Where do you place your mark?")
        ]

    def play(self, seat: SeatId, chosen: Chosen) -> list[GameEvent]:
        square = str(chosen["square"])
        self.marks[square] = seat
        return [MarkPlaced(seat, square)]

    def observation(self, seat: SeatId) -> Json:
        return {"board": [self.marks.get(square, "empty") for square in SQUARES], "turn": self.turn}

    def text(self, seat: SeatId) -> str:
        taken = ", ".join(f"{square} {owner}" for square, owner in self.marks.items()) or "none"
        return f"You place {seat}. Three of yours in a row, column or diagonal win. Squares taken: {taken}."

    def scores(self) -> dict[SeatId, float]:
        return self.outcome.scores if self.outcome else dict.fromkeys(SEATS, 0.5)


def draw(game: GridGame, seat: SeatId | None) -> Picture:
    """Return the board, which is the same for everybody."""
    marks = [
        Thing(f"mark {square}", "piece", square, label=MARKS[owner], owner=owner)
        for square, owner in game.marks.items()
    ]
    moment = game.outcome.text if game.outcome else f"{game.to_act()[0]} to move"
    return Picture(grid(3, 3, size=30), marks, f"{len(marks)} marks, {moment}.", width=90, height=90)


def thoughtful(game: GridGame, seat: SeatId, rng: Random) -> Action:
    """Complete a line of two, its own before the other's; else place a mark at random."""
    for owner in sorted(SEATS, key=lambda other: other != seat):
        for line in LINES:
            rest = [square for square in line if game.marks.get(square) != owner]
            if len(rest) == 1 and rest[0] in game.empty():
                return {"square": rest[0]}
    return {"square": rng.choice(game.empty())}


GAME = GameSpec(
    name="template",
    rules=Rules("Three in a row", SEATS, GridOptions, GridGame, GridGame.load, events=(MarkPlaced,)),
    bots=Bots({"thoughtful": thoughtful, "random": GridGame.random_action}, lambda rng: ("thoughtful", "random")),
    picture=Pictures(draw),
)
