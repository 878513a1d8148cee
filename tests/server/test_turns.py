"""One piece of work at a time: urgent ones first, visitors in turn, and nobody with more than a share."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from grandstand.server.auth import TooMany
from grandstand.server.turns import Busy, Turns, WorkKind, WorkTurn

QUICK = WorkKind("cards", rank=0, each=2, most=4)
SLOW = WorkKind("clips", rank=1, each=2, most=3)


def run(scene: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(scene())  # type: ignore[arg-type]


async def done(turn: WorkTurn, name: str, order: list[str]) -> None:
    async with turn:
        order.append(name)
        await asyncio.sleep(0)


def test_the_urgent_come_first_and_visitors_take_turns() -> None:
    async def scene() -> None:
        turns, order = Turns(), list[str]()
        asked = [("a1", SLOW), ("a2", SLOW), ("b1", SLOW), ("a3", QUICK), ("a4", QUICK), ("c1", QUICK)]
        entered = [(turns.enter(name[0], kind), name) for name, kind in asked]
        await asyncio.gather(*(done(turn, name, order) for turn, name in entered))
        assert order == ["a1", "a3", "c1", "a4", "b1", "a2"]  # the first had begun before the others came

    run(scene)


def test_only_the_visitor_who_asks_for_too_much_is_refused() -> None:
    async def scene() -> None:
        turns, order = Turns(), list[str]()
        entered = [turns.enter("a", SLOW), turns.enter("a", SLOW)]
        with pytest.raises(TooMany, match="2 clips asked for from here are being made; try again in 5 s"):
            turns.enter("a", SLOW)
        entered += [turns.enter("b", SLOW), turns.enter("a", QUICK)]
        with pytest.raises(Busy, match="3 clips are being made"):
            turns.enter("c", SLOW)
        await asyncio.gather(*(done(turn, "", order) for turn in entered))
        turns.enter("a", SLOW)

    run(scene)


def test_who_no_longer_waits_gives_the_turn_up() -> None:
    async def scene() -> None:
        turns, order = Turns(), list[str]()
        first = turns.enter("a", SLOW)
        waiting = asyncio.create_task(done(turns.enter("a", SLOW), "gone", order))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await done(first, "first", order)
        await done(turns.enter("a", SLOW), "next", order)
        assert order == ["first", "next"]

    run(scene)
