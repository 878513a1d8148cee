"""Work that takes about a CPU second, done one piece at a time, with visitors in turn."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from types import TracebackType

from grandstand.server.auth import TooMany

AGAIN = 5.0
"""Seconds after which a refused caller may ask again."""


class Busy(Exception):
    """Too much work of a kind is waiting."""


@dataclass(frozen=True, slots=True)
class WorkKind:
    """A kind of work. Its `name` is in the plural; a lower `rank` comes first."""

    name: str
    rank: int = 0
    each: int = 2
    """Pieces of one visitor that may be in progress or waiting; an operator has no such limit."""
    most: int = 8
    """Pieces of all callers that may be in progress or waiting."""


class WorkTurn:
    """A piece of work of one caller: an async context that waits for its turn."""

    def __init__(self, turns: Turns, visitor: str, kind: WorkKind, order: tuple[int, int, int]) -> None:
        self.visitor = visitor
        self.kind = kind
        self.order = order
        self.begins: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._turns = turns

    async def __aenter__(self) -> None:
        try:
            await self.begins
        except BaseException:
            self._turns.leave(self)
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._turns.leave(self)


class Turns:
    """The work that is in progress or waiting."""

    def __init__(self) -> None:
        self._waiting: list[WorkTurn] = []
        self._working: WorkTurn | None = None
        self._arrivals = 0

    def enter(self, visitor: str, kind: WorkKind) -> WorkTurn:
        """Return the turn of a new piece of work of `visitor`, which is empty for an operator.

        Raise TooMany if the visitor has too many pieces, Busy if all callers together have.
        """
        alike = [turn for turn in self._all if turn.kind == kind]
        own = sum(turn.visitor == visitor for turn in alike) if visitor else 0
        if visitor and own >= kind.each:
            raise TooMany(f"{own} {kind.name} asked for from here are being made", AGAIN)
        if len(alike) >= kind.most:
            raise Busy(f"{kind.most} {kind.name} are being made; ask again in a few seconds")
        self._arrivals += 1
        turn = WorkTurn(self, visitor, kind, (kind.rank, own, self._arrivals))
        self._waiting.append(turn)
        self._next()
        return turn

    def leave(self, turn: WorkTurn) -> None:
        """End the work of `turn`, or stop its wait."""
        if turn is self._working:
            self._working = None
        elif turn in self._waiting:
            self._waiting.remove(turn)
        self._next()

    @property
    def _all(self) -> list[WorkTurn]:
        return [*self._waiting, *([self._working] if self._working else [])]

    def _next(self) -> None:
        if self._working is None and self._waiting:
            self._working = min(self._waiting, key=lambda turn: turn.order)
            self._waiting.remove(self._working)
            if not self._working.begins.done():
                self._working.begins.set_result(None)
