"""One piece of work at a time: urgent ones first, then those of who has spent least."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from grandstand.server.purse import CPU_SECOND, MEBIBYTE, CannotAfford, Purse
from grandstand.server.turns import Busy, Turns, WorkKind, WorkTurn

QUICK = WorkKind("cards", cost=1.0, rank=0, most=4)
SLOW = WorkKind("clips", cost=1.0, rank=1, most=3)


def run(scene: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(scene())  # type: ignore[arg-type]


def purse() -> Purse:
    return Purse(10.0, 600.0, clock=lambda: 0.0)


async def done(turn: WorkTurn, name: str, order: list[str]) -> None:
    async with turn:
        order.append(name)
        await asyncio.sleep(0)


def test_the_urgent_come_first_and_then_who_has_spent_least() -> None:
    async def scene() -> None:
        turns, order = Turns(purse()), list[str]()
        asked = [("a1", SLOW), ("a2", SLOW), ("b1", SLOW), ("a3", QUICK), ("a4", QUICK), ("c1", QUICK)]
        entered = [(turns.enter(name[0], kind), name) for name, kind in asked]
        await asyncio.gather(*(done(turn, name, order) for turn, name in entered))
        assert order == ["a1", "c1", "a3", "a4", "b1", "a2"]  # the first had begun before the others came

    run(scene)


def test_who_has_spent_most_gives_way_when_too_many_wait() -> None:
    async def scene() -> None:
        purses = purse()
        turns, order = Turns(purses), list[str]()
        entered = [turns.enter("a", SLOW) for _ in range(3)]
        with pytest.raises(Busy, match="3 clips are being made"):
            turns.enter("a", SLOW)
        entered.append(turns.enter("b", SLOW))
        results = await asyncio.gather(*(done(turn, turn.visitor, order) for turn in entered), return_exceptions=True)
        assert [type(result) for result in results] == [type(None), type(None), Busy, type(None)]
        assert (order, purses.balance("a")) == (["a", "b", "a"], 8.0)

    run(scene)


def test_work_costs_what_it_used_and_an_empty_purse_begins_none() -> None:
    async def scene() -> None:
        purses = purse()
        turns = Turns(purses)
        async with turns.enter("a", SLOW) as turn:
            assert purses.balance("a") == 9.0
            turn.used(30.0, size=2**20)
        assert purses.balance("a") == pytest.approx(10 - 30 * CPU_SECOND - MEBIBYTE)
        purses.charge("a", 7.9)
        with pytest.raises(CannotAfford, match=r"not enough credits for clips: it takes 1, and 0\.0 of 10"):
            turns.enter("a", SLOW)
        async with turns.enter("", SLOW):
            pass

    run(scene)


def test_who_no_longer_waits_gives_the_turn_up_and_pays_nothing() -> None:
    async def scene() -> None:
        purses = purse()
        turns, order = Turns(purses), list[str]()
        first = turns.enter("a", SLOW)
        waiting = asyncio.create_task(done(turns.enter("a", SLOW), "gone", order))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await done(first, "first", order)
        await done(turns.enter("a", SLOW), "next", order)
        assert (order, purses.balance("a")) == (["first", "next"], 8.0)

    run(scene)
