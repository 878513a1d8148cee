"""Work that takes about a CPU second, done one piece at a time; the visitor who has spent least comes first."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from types import TracebackType

from grandstand.server.purse import CPU_SECOND, EVENT, MEBIBYTE, Purse


class Busy(Exception):
    """Too much work of a kind is waiting."""


@dataclass(frozen=True, slots=True)
class WorkKind:
    """A kind of work. Its `name` is in the plural; a lower `rank` comes first."""

    name: str
    cost: float
    """Credits that a piece takes when it is asked for; when it is done, it has cost what it used."""
    rank: int = 0
    most: int = 8
    """Pieces of all callers that may be in progress or waiting."""


class WorkTurn:
    """A piece of work of one caller: an async context that waits for its turn."""

    def __init__(self, turns: Turns, visitor: str, kind: WorkKind, order: tuple[int, float, int]) -> None:
        self.visitor = visitor
        self.kind = kind
        self.order = order
        self.cost = kind.cost
        """The credits that it costs in the end; unless `used` is called, those that it took."""
        self.begins: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._turns = turns

    def used(self, seconds: float, size: int = 0, events: int = 0) -> None:
        """Note the CPU seconds that the work has taken, and the bytes of files and the events that are kept."""
        self.cost = CPU_SECOND * seconds + MEBIBYTE * size / 2**20 + EVENT * events

    async def __aenter__(self) -> WorkTurn:
        try:
            await self.begins
        except BaseException:
            self._turns.leave(self)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._turns.leave(self)


class Turns:
    """The work that is in progress or waiting."""

    def __init__(self, purse: Purse) -> None:
        self._purse = purse
        self._waiting: list[WorkTurn] = []
        self._working: WorkTurn | None = None
        self._arrivals = 0

    def enter(self, visitor: str, kind: WorkKind) -> WorkTurn:
        """Return the turn of a new piece of work of `visitor`, which is empty for an operator.

        If there are too many pieces, the last one in the order gives way. Raise Busy if that is the new one, and
        CannotAfford if the visitor has too few credits.
        """
        self._purse.check(visitor, kind.cost, kind.name)
        self._arrivals += 1
        turn = WorkTurn(self, visitor, kind, (kind.rank, self._purse.full_at(visitor), self._arrivals))
        alike = [other for other in (*self._waiting, turn) if other.kind == kind]
        if len(alike) + (self._working is not None and self._working.kind == kind) > kind.most:
            last = max(alike, key=lambda each: each.order)
            busy = Busy(f"{kind.most} {kind.name} are being made; ask again in a few seconds")
            if last is turn:
                raise busy
            if not last.begins.done():  # its caller may have gone
                last.begins.set_exception(busy)
            self.leave(last)
        self._purse.charge(visitor, kind.cost)
        self._waiting.append(turn)
        self._next()
        return turn

    def leave(self, turn: WorkTurn) -> None:
        """End the work of `turn`, and settle its cost; or stop its wait, and give back what it took."""
        if turn is self._working:
            self._working = None
            self._purse.charge(turn.visitor, turn.cost - turn.kind.cost)
        elif turn in self._waiting:
            self._waiting.remove(turn)
            self._purse.charge(turn.visitor, -turn.kind.cost)
        self._next()

    def _next(self) -> None:
        if self._working is None and self._waiting:
            self._working = min(self._waiting, key=lambda turn: turn.order)
            self._waiting.remove(self._working)
            if not self._working.begins.done():
                self._working.begins.set_result(None)
