"""Nothing that anybody sends holds the event loop for long: the worst requests, each measured in CPU time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.loop_time import CASES, MeasuredServer
from tests.support.requirements import installed

BOUND = 0.15
"""CPU seconds of one turn of the loop: three times the goal, as a processor may be slower or shared."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MeasuredServer]:
    installed("openenv")
    with MeasuredServer(tmp_path_factory.mktemp("loop-time")) as measured:
        measured.get("/schema")
        yield measured


@pytest.mark.long
def test_no_request_holds_the_loop_for_long(server: MeasuredServer) -> None:
    turns = {name: server.longest_turn(call) for name, call in CASES.items()}
    assert {name: seconds for name, seconds in turns.items() if seconds > BOUND} == {}


def test_a_turn_that_takes_long_is_measured(server: MeasuredServer) -> None:
    def work(_: MeasuredServer) -> None:
        server.call_in_loop(lambda: sum(range(20_000_000)))

    assert server.longest_turn(work) > BOUND
