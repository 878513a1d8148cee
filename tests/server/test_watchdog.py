"""The watchdog: a long turn of the loop is on /metrics with its cause."""

from __future__ import annotations

import asyncio
import time

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from grandstand.server import watchdog as module
from grandstand.server.watchdog import Watchdog
from tests.support.server.match_services import until


def holds_the_loop(dog: Watchdog) -> None:
    while not dog.cause:
        time.sleep(0.01)


def test_a_long_turn_is_measured_and_its_cause_named(caplog: pytest.LogCaptureFixture) -> None:
    registry = CollectorRegistry()

    async def served() -> str:
        dog = Watchdog()
        registry.register(dog)
        dog.begin()
        await asyncio.sleep(0)
        holds_the_loop(dog)
        await until(lambda: not dog.cause)
        dog.close()
        return generate_latest(registry).decode()

    text = asyncio.run(served())
    name = f"{__name__}.holds_the_loop"
    (line,) = (line for line in text.splitlines() if f'turn_seconds{{cause="{name}"}}' in line)
    assert float(line.split()[-1]) > module.LONG
    assert 'loop_lag_seconds_bucket{le="+Inf"} ' in text


def test_the_causes_are_few_and_only_their_longest_turns_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    dog = Watchdog()
    for number in range(2 * module.CAUSES):
        dog._note(f"cause {number}", 0.1)
    for seconds in (2.0, 1.5, 3.0):
        dog._note("cause 0", seconds)
    longest = next(metric for metric in dog.collect() if metric.name.endswith("turn_seconds"))
    assert len(longest.samples) == module.CAUSES + 1
    assert len(caplog.records) == 2
