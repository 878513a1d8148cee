"""Full garbage collections: in idle moments, put off for a while in a burst of work, and seen in the metrics."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmarks.loop_time import record_file
from grandstand.server import garbage
from grandstand.server.garbage import (
    EVERY,
    GIVE_BACK_EVERY,
    LONGEST_WAIT,
    OVERDUE,
    WANTED,
    WHOLE_EVERY,
    GarbageCollector,
)
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.server.metrics import samples
from tests.support.waiting import until


class Process:
    """Stands for the process: its clocks, and what is asked of Python's collector."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = self.cpu = 1000.0
        self.pending = 0
        self.calls: list[str] = []
        monkeypatch.setattr(gc, "get_count", lambda: (0, 0, self.pending))
        monkeypatch.setattr(gc, "collect", self._collect)
        for name in ("freeze", "unfreeze"):
            monkeypatch.setattr(gc, name, lambda name=name: self.calls.append(name))
        monkeypatch.setattr(GarbageCollector, "_look_soon", lambda _: None)
        self.trims = 0
        self.dropped: list[float] = []
        """The times at which what is unused was dropped."""
        self.collector = GarbageCollector(lambda: self.dropped.append(self.now), lambda: self.now, lambda: self.cpu)
        monkeypatch.setattr(self.collector, "_trim", self._trim)
        self.collector.begin()
        self.calls.clear()

    def _collect(self) -> int:
        self.calls.append("collect")
        self.pending = 0
        return 0

    def _trim(self, _kept: int) -> int:
        self.trims += 1
        return 1

    def look(self, *, work: float, pending: int | None = None) -> list[str]:
        """Let a second pass, `work` of which the loop's thread works; return what was done at its end."""
        self.now += 1.0
        self.cpu += work
        self.pending = self.pending if pending is None else pending
        self.calls.clear()
        self.collector.look()
        return list(self.calls)


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> Iterator[Process]:
    process = Process(monkeypatch)
    yield process
    callbacks, thresholds = gc.callbacks, process.collector._thresholds
    callbacks.remove(process.collector._observe)
    gc.set_threshold(*thresholds)


def test_a_full_collection_is_made_in_an_idle_moment_and_not_in_a_burst(process: Process) -> None:
    assert process.look(work=0.0, pending=WANTED - 1) == []
    assert [process.look(work=0.5, pending=count) for count in range(WANTED, WANTED + 20)] == [[]] * 20
    assert process.look(work=0.05) == ["collect", "freeze"]
    assert process.look(work=0.0) == []


def test_it_is_put_off_for_a_while_only(process: Process) -> None:
    burst = [process.look(work=0.9, pending=WANTED) for _ in range(int(LONGEST_WAIT) + 1)]
    assert burst[:-1] == [[]] * (len(burst) - 1)
    assert burst[-1] == ["collect", "freeze"]
    assert process.look(work=0.9, pending=OVERDUE - 1) == []
    assert process.look(work=0.9, pending=OVERDUE) == ["collect", "freeze"], "the process has grown by much"


def test_survivors_are_looked_at_again_after_some_minutes_in_an_idle_moment(process: Process) -> None:
    process.now += WHOLE_EVERY
    assert process.look(work=600.0, pending=OVERDUE) == ["collect", "freeze"]
    assert process.look(work=0.0, pending=WANTED) == ["unfreeze", "collect", "freeze"]
    assert process.look(work=0.0, pending=WANTED) == ["collect", "freeze"]


def test_one_that_is_wanted_is_made_in_the_next_idle_moment(process: Process) -> None:
    process.collector.want()
    assert process.look(work=0.9) == []
    assert process.look(work=0.0) == ["collect", "freeze"]


def test_free_memory_is_given_back_in_idle_moments(process: Process) -> None:
    """Also if nothing is collected: requests leave free memory, and few containers."""
    for _ in range(2 * int(GIVE_BACK_EVERY)):
        process.look(work=0.9)
    assert process.trims == 0
    for _ in range(2 * int(GIVE_BACK_EVERY) + 1):
        process.look(work=0.0)
    assert process.trims == 3
    assert process.look(work=0.0, pending=WANTED) == ["collect", "freeze"]
    assert process.trims == 4


def test_what_is_unused_is_dropped_in_idle_moments(process: Process) -> None:
    process.look(work=0.9)
    assert process.dropped == []
    process.look(work=0.0)
    process.look(work=0.0, pending=WANTED)
    assert process.dropped == [process.now - 1, process.now]


def test_python_makes_none_by_itself_meanwhile(process: Process) -> None:
    assert gc.get_threshold() == (*process.collector._thresholds[:2], garbage.NEVER)


def count(server: LiveServer) -> float:
    return samples(server)["grandstand_collections_total[('generation', '2')]"]


def frozen(server: LiveServer) -> float:
    return samples(server)["grandstand_frozen_containers[]"]


def later(what: Callable[[LiveServer], float], server: LiveServer) -> float:
    """Return a count after a while without requests: under constant ones, the loop is never idle."""
    time.sleep(2 * EVERY)
    return what(server)


@pytest.mark.long
def test_the_metrics_of_a_server(tmp_path: Path) -> None:
    """A burst of requests has no full collection; once it is over, an import has one, and what it left is exempt."""
    with live_server(tmp_path) as server:
        assert until(lambda: http.get(server.url + "/api/games").status_code == 200)
        before, collections = frozen(server), samples(server)["grandstand_collections_total[('generation', '0')]"]
        assert before > 0, "what the start made is exempt"
        answer = http.post(server.url + "/api/imports", content=record_file(3000)).json()
        path = f"{server.url}/api/episodes/{answer['episode']['episode_id']}/snapshot"
        http.get(path).raise_for_status()
        full = count(server)
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: http.get(server.url + "/api/games"), range(200)))
        assert count(server) <= full + 1, "at most one: before the burst was one"
        assert until(lambda: later(frozen, server) > before + 3000)
        assert count(server) > 0
        values = samples(server)
        assert values["grandstand_collections_total[('generation', '0')]"] > collections
        assert values["grandstand_collection_longest_seconds[('generation', '2')]"] > 0


def test_memory_is_given_back_beside_the_loop() -> None:
    threads: list[tuple[int, int]] = []
    garbage._in_thread(lambda kept: threads.append((kept, threading.get_ident())))(7)
    assert until(lambda: bool(threads))
    assert threads[0][0] == 7
    assert threads[0][1] != threading.get_ident()
