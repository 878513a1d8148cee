"""The part of a match of another library's game that does not depend on the library."""

from __future__ import annotations

import hashlib
import json
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

from grandstand.games.base import GameEvent, IllegalAction, Json, Outcome, SeatId
from grandstand.games.choices import Chosen, Slot
from grandstand.games.picture import Picture, Place, Thing
from grandstand.games.simple import SimpleGame

Drawn: TypeAlias = tuple[list[Place], list[Thing]]
"""The places and the things of a part of a picture."""
MOVE = "move"
"""The name of the one slot."""
TOLD = 8
"""Number of last moves that a position keeps for its picture and its prompt."""


@dataclass(frozen=True, slots=True)
class MoveMade(GameEvent):
    """A seat moved. Others know of it only if the move is `public` by the rules of the game."""

    seat: SeatId
    move: str
    public: bool = True

    def seats(self) -> frozenset[SeatId] | None:
        return None if self.public else frozenset((self.seat,))


@dataclass(frozen=True, slots=True)
class ChanceDrawn(GameEvent):
    """A public draw of chance: a roll of dice, the next card."""

    drawn: str


class ForeignGame(SimpleGame):
    """A match of another library's game. Moves that are made at the same time are kept until all have moved."""

    name: str
    """The library's name of the game, without parameters."""
    title: str
    secrets: bool
    """Whether a seat knows what others do not."""
    seats: tuple[SeatId, ...]
    open_moves: bool
    """Whether moves are public."""
    count: int
    """Moves so far."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.count = 0
        self.sealed: dict[SeatId, str] = {}
        """Simultaneous moves so far, while other seats have not moved."""
        self.opened: list[str] = []
        """The public draws of chance before the first move."""
        self.told: list[str] = []
        """The last public moves."""
        self._slots: dict[SeatId, Slot] = {}
        self.picture: Picture | None = None
        """The picture of this position, if it was drawn and everybody sees the same."""

    @abstractmethod
    def movers(self) -> Sequence[SeatId]:
        """Return the seats that move next; none at the end."""

    @abstractmethod
    def offered(self, seat: SeatId) -> Slot:
        """Return the slot MOVE of a seat that moves next: its legal moves, each with a word of its own, or a text."""

    @abstractmethod
    def move(self, moves: Mapping[SeatId, str]) -> list[GameEvent]:
        """Make the moves of all seats that move next, and return the events: the moves, and what the library shows."""

    @abstractmethod
    def seen(self, seat: SeatId) -> str:
        """Return the position in the library's words, as known to the seat."""

    @abstractmethod
    def common(self) -> str:
        """Return the public position in the library's words; empty if there is none."""

    def known(self, seat: SeatId) -> str:
        """Return everything that a seat knows, in the library's words."""
        return self.seen(seat)

    def truth(self) -> str:
        """Return the whole position in the library's words, secrets included."""
        return self.common()

    def folded(self) -> frozenset[SeatId]:
        """Return the seats that folded, in games of cards."""
        return frozenset()

    def board(self) -> tuple[Drawn, tuple[float, float]] | None:
        """Return the places and things of a board that is drawn from more than its text, and its size."""
        return None

    @abstractmethod
    def returns(self) -> Sequence[float]:
        """Return the points of each seat, as if play stopped here."""

    @abstractmethod
    def share(self, returns: Sequence[float]) -> list[float]:
        """Return points scaled to 0..1; in constant-sum games the sum is 1."""

    @abstractmethod
    def about(self, seat: SeatId) -> str:
        """Return one or two sentences on the game and its scoring, for a player."""

    @property
    def apart(self) -> bool:
        """Whether seats are shown texts of their own, as everybody knows."""
        return self.secrets

    @property
    def turn(self) -> str:
        return f"move {self.count + 1}"

    @property
    def outcome(self) -> Outcome | None:
        if self.movers():
            return None
        points = dict(zip(self.seats, self.returns(), strict=True))
        best = max(points.values())
        winners = [seat for seat, each in points.items() if each == best]
        if len(winners) == len(self.seats):
            winners = [seat for seat in self.seats if len(self.seats) == 1 and best > 0]
        scores = dict(zip(self.seats, self.share([*points.values()]), strict=True))
        return Outcome("end", winners, scores, _result(winners, points))

    def to_act(self) -> tuple[SeatId, ...]:
        return tuple(seat for seat in self.movers() if seat not in self.sealed)

    def opening(self) -> list[GameEvent]:
        return [ChanceDrawn(each) for each in self.opened]

    def choices(self, seat: SeatId, chosen: Chosen) -> Sequence[Slot]:
        if chosen or seat not in self.to_act():
            return ()
        if seat not in self._slots:
            self._slots[seat] = self.offered(seat)
        return [self._slots[seat]]

    def play(self, seat: SeatId, chosen: Chosen) -> list[GameEvent]:
        self.sealed[seat], self.picture = str(chosen[MOVE]), None
        if self.to_act():
            return []
        moves = {each: self.sealed[each] for each in self.movers()}
        try:
            events = self.move(moves)
        except Exception as error:  # a library of others may fail in any way
            self.sealed.pop(seat, None)
            raise IllegalAction(MOVE, f"{self.title} cannot play {moves[seat][:60]!r}: {error}") from error
        self.sealed, self._slots, self.picture = {}, {}, None
        self.count += 1
        return events

    def made(self, moves: Mapping[SeatId, str], drawn: Sequence[str]) -> list[GameEvent]:
        """Return the events of moves and of the public draws of chance after them."""
        if self.open_moves:
            self.told = [*self.told, ", ".join(moves.values()), *drawn][-TOLD:]
        return [*(MoveMade(each, move, self.open_moves) for each, move in moves.items()), *map(ChanceDrawn, drawn)]

    def observation(self, seat: SeatId) -> dict[str, Json]:
        return {"scoring": self.about(seat), "position": self.seen(seat), "moves": self.count, "last": list(self.told)}

    def text(self, seat: SeatId) -> str:
        last = f" The last moves: {'; '.join(self.told)}." if self.told else ""
        return f"{self.about(seat)} You are {seat.replace('_', ' ')}.{last} What you see:\n\n{self.seen(seat)}"

    def scores(self) -> dict[SeatId, float]:
        """Return the share of each seat; during play with hidden moves, all are level."""
        if self.open_moves or not self.movers():
            return dict(zip(self.seats, self.share(self.returns()), strict=True))
        return dict.fromkeys(self.seats, round(1 / len(self.seats), 6))

    def digest(self) -> str:
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()[:32]

    def clone(self) -> Self:
        return self.load(self.to_json())

    def reseed(self, seed: int) -> None:
        self.seed = seed

    def __getstate__(self) -> Json:
        return self.to_json()

    def __setstate__(self, data: Json) -> None:
        vars(self).update(vars(self.load(data)))


def _result(winners: Sequence[SeatId], points: Mapping[SeatId, float]) -> str:
    """Return the end in words: `player 0 wins, 1 to -1`."""
    names = {seat: seat.replace("_", " ") for seat in points}
    order = sorted(points, key=lambda seat: -points[seat])
    if len(points) == 1 or not winners:
        level = len({*points.values()}) == 1 and len(points) > 1
        return f"{'all end' if level else f'{names[order[0]]} ends'} with {points[order[0]]:g}"
    verb = f"{' and '.join(names[seat] for seat in winners)} {'win' if len(winners) > 1 else 'wins'}"
    if len(points) == 2:
        return f"{verb}, {points[order[0]]:g} to {points[order[1]]:g}"
    others = [seat for seat in order if seat not in winners]
    behind = ", ".join(f"{names[seat]} with {points[seat]:g}" for seat in others)
    return f"{verb} with {points[order[0]]:g}, before {behind}"


def unique(words: Sequence[str]) -> list[str]:
    """Return the words on one line each, numbered if the tolerant reader of answers would confuse two."""
    plain = [" ".join(word.split()) or "-" for word in words]
    seen: dict[str, int] = {}
    for word in plain:
        seen[word] = seen.get(word, 0) + 1
    counted: dict[str, int] = {}
    named: list[str] = []
    for word in plain:
        counted[word] = counted.get(word, 0) + 1
        named.append(f"{word} #{counted[word]}" if seen[word] > 1 else word)
    return named


def shared(returns: Sequence[float], low: float, high: float, total: float | None) -> list[float]:
    """Return points between `low` and `high`, scaled to 0..1; the scaled sum is 1 if they always sum to
    `total`."""
    span = high - low if total is None or len(returns) == 1 else total - len(returns) * low
    return [min(1.0, max(0.0, (each - low) / span)) if span else 0.5 for each in returns]
