"""The clock of a request: it runs out once, and stands still while stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from grandstand.players.clock import TurnClock
from tests.support.server.match_services import until


def run(scene: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(scene(), 10))


def test_it_runs_out_once() -> None:
    async def scene() -> None:
        expired: list[bool] = []
        clock = TurnClock(0.01, lambda: expired.append(True))
        clock.start()
        clock.start()
        await until(lambda: expired)
        assert (expired, clock.left) == ([True], 0.0)

    run(scene)


def test_it_stands_still_while_stopped_and_goes_on_with_what_is_left() -> None:
    async def scene() -> None:
        expired: list[bool] = []
        clock = TurnClock(100.0, lambda: expired.append(True))
        assert (clock.left, clock.deadline) == (100.0, None)
        clock.start()
        assert isinstance(clock.deadline, float)
        clock.stop()
        left = clock.left
        assert left is not None
        assert 99 < left <= 100
        await asyncio.sleep(0.01)
        stopped = [clock.left, clock.deadline]
        assert stopped == [left, None]
        clock.start()
        assert clock.deadline is not None
        clock.stop()
        assert expired == []

    run(scene)


def test_without_a_limit_it_never_runs_out() -> None:
    clock = TurnClock(None, lambda: None)
    clock.start()
    clock.stop()
    assert (clock.left, clock.deadline) == (None, None)
