"""PostgreSQL as the record of several servers: who may write, and what is known after a call without an answer."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Iterator, Sequence

import pytest

from grandstand.models import Event
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import Fenced, RecordError, StorageError, UnknownOutcome
from grandstand.spectator.store.interface import OwningServer
from grandstand.spectator.store.postgres import PostgresStore
from tests.support.server.postgres import Postgres, postgres_server
from tests.support.server.stream_server import board, ending, opening
from tests.support.spectator.logs import EPISODE, short_log, stamp
from tests.support.spectator.stores import new_postgres_store, postgres_store

ONE, TWO = OwningServer("one", "http://one"), OwningServer("two", "http://two")


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.database()


@pytest.fixture
def frozen() -> Iterator[Postgres]:
    """Return a server of this test alone, which may be stopped."""
    with postgres_server() as server:
        yield server


class Shown:
    """An observer that keeps what it is told."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def on_events(self, events: Sequence[Event]) -> None:
        self.events += events

    def on_released(self, episode_id: str) -> None: ...


def test_an_earlier_owner_writes_nothing(url: str) -> None:
    """Also before the new owner has written: its claim has raised the epoch."""
    one, two = postgres_store(url, ONE), postgres_store(url, TWO)
    one.on_events(short_log())
    with_psycopg(url, "UPDATE episodes SET epoch = 5, owner = 'two'")
    with pytest.raises(Fenced, match="another server owns it"):
        one.on_events(stamp([board(2)], first=7))
    assert one.held == {}
    two.on_events(stamp([board(3)], first=7, epoch=5))
    with pytest.raises(Fenced):
        one.on_events(stamp([board(4)], first=7))
    with pytest.raises(Fenced):
        one.on_events(stamp([board(4)], first=8))
    assert list(two.events(EPISODE)) == [*short_log(), *stamp([board(3)], first=7, epoch=5)]
    assert two.summary(EPISODE).epoch == 5


def with_psycopg(url: str, sql: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as db:
        db.execute(sql)


def test_a_batch_that_is_sent_again_is_recorded_once(url: str) -> None:
    store = postgres_store(url)
    for _ in range(2):
        store.on_events(short_log())
    for _ in range(2):
        store.on_events(stamp([board(2)], first=7))
    assert list(store.events(EPISODE)) == [*short_log(), *stamp([board(2)], first=7)]
    assert store.summary(EPISODE).last_seq == 7
    with pytest.raises(RecordError, match="is not the next"):
        store.on_events(stamp([board(2)], first=9))


def test_of_two_writers_each_number_goes_to_one(url: str) -> None:
    """Two buses that own the same epoch race for 200 numbers."""
    stores = [postgres_store(url), postgres_store(url)]
    stores[0].on_events(short_log())
    accepted: list[list[int]] = [[], []]

    def write(number: int) -> None:
        for seq in range(7, 207):
            event = stamp([board(1000 * number + seq)], first=seq)
            try:
                stores[number].on_events(event)
                accepted[number].append(seq)
            except RecordError:
                pass

    threads = [threading.Thread(target=write, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted([*accepted[0], *accepted[1]]) == list(range(7, 207))
    events = list(stores[0].events(EPISODE))
    assert [event.seq for event in events] == list(range(207))
    for number in (0, 1):
        assert all(events[seq].data["number"] == 1000 * number + seq for seq in accepted[number])


def test_a_server_that_does_not_answer_costs_one_wait(frozen: Postgres) -> None:
    """What was sent before is recorded once, with the time that viewers see."""
    now = [10.0]
    store = PostgresStore(frozen.database(), ONE, seconds=0.3)
    bus, shown = Bus(store, clock=lambda: now[0]), Shown()
    bus.add(shown)
    bus.open("a", epoch=1)
    bus.publish("a", opening())
    drafts = [board(1)]
    frozen.signal(signal.SIGSTOP)
    began = time.monotonic()
    with pytest.raises(UnknownOutcome):
        bus.publish("a", drafts)
    assert 0.25 < time.monotonic() - began < 1.5
    began = time.monotonic()
    for _ in range(100):
        now[0] += 1.0
        with pytest.raises(StorageError):
            bus.publish("a", drafts)
    assert time.monotonic() - began < 0.2, "it waits for an answer once, not for each attempt"
    frozen.signal(signal.SIGCONT)
    _until_published(bus, drafts)
    bus.publish("a", [board(2)])
    assert shown.events == list(store.events("a"))
    assert [event.at for event in shown.events[-2:]] == [10.0, 110.0]
    store.close()


def _until_published(bus: Bus, drafts: Sequence[object]) -> None:
    for _ in range(100):
        try:
            bus.publish("a", drafts)  # type: ignore[arg-type]
            return
        except StorageError:
            time.sleep(0.05)
    raise AssertionError("it is not published")


def test_other_events_follow_those_of_unknown_outcome(frozen: Postgres) -> None:
    store = PostgresStore(frozen.database(), ONE, seconds=0.3)
    bus, shown = Bus(store), Shown()
    bus.add(shown)
    bus.open("a", epoch=1)
    bus.publish("a", opening())
    frozen.signal(signal.SIGSTOP)
    with pytest.raises(UnknownOutcome):
        bus.publish("a", [board(1)])
    frozen.signal(signal.SIGCONT)
    _until_published(bus, [board(2)])
    assert [event.data["number"] for event in shown.events if event.type == "Moved"] == [0, 1, 2]
    assert shown.events == list(store.events("a"))
    store.close()


def test_the_loop_goes_on_while_a_commit_is_not_answered(frozen: Postgres) -> None:
    """What a command records meanwhile is refused for now; what follows has the next numbers."""
    store = PostgresStore(frozen.database(), ONE, seconds=30.0)
    bus, shown = Bus(store), Shown()
    bus.add(shown)
    bus.open("a", epoch=1)
    bus.publish("a", opening())

    async def play() -> None:
        frozen.signal(signal.SIGSTOP)
        turn = asyncio.create_task(bus.record("a", [board(1)]))
        for _ in range(100):
            await asyncio.sleep(0.001)
        with pytest.raises(StorageError, match="not recorded yet"):
            await bus.record_now("a", [board(9)])
        assert not turn.done()
        frozen.signal(signal.SIGCONT)
        await turn
        await bus.record("a", [board(2)])

    asyncio.run(play())
    assert [event.data["number"] for event in shown.events if event.type == "Moved"] == [0, 1, 2]
    assert shown.events == list(store.events("a"))
    store.close()


def test_publishers_of_one_episode_meet_while_a_commit_is_under_way(url: str) -> None:
    """Also one that is cancelled: its events are recorded, and shown before the next."""
    store = postgres_store(url, ONE)
    bus, shown = Bus(store), Shown()
    bus.add(shown)
    bus.open("a", epoch=1)
    bus.publish("a", opening())

    async def play() -> None:
        turns = [asyncio.create_task(bus.record("a", [board(1)])), asyncio.create_task(bus.record("a", [board(2)]))]
        await asyncio.sleep(0)
        await bus.record_now("a", [board(3)])
        await asyncio.gather(*turns)
        cancelled = asyncio.create_task(bus.record("a", [board(4)]))
        await asyncio.sleep(0)
        cancelled.cancel()
        await asyncio.wait([cancelled])
        await bus.record_now("a", [board(5)])
        await bus.record("a", [ending()])

    asyncio.run(play())
    numbers = [event.data["number"] for event in shown.events if event.type == "Moved"]
    assert numbers == [0, 1, 2, 3, 4, 5]
    assert shown.events == list(store.events("a"))
    assert store.held == {}


def test_a_lost_connection_is_opened_again(url: str) -> None:
    store = postgres_store(url)
    store.on_events(short_log())
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name='grandstand' AND datname = "
    with_psycopg(url, end + "current_database() AND pid <> pg_backend_pid()")
    assert store.summary(EPISODE).last_seq == 6
    with_psycopg(url, end + "current_database() AND pid <> pg_backend_pid()")
    with pytest.raises(UnknownOutcome):
        store.on_events(stamp([board(2)], first=7))
    store.on_events(stamp([board(2)], first=7))
    assert len(list(store.events(EPISODE))) == 8


def test_a_store_that_cannot_be_used_is_named(postgres: Postgres) -> None:
    with pytest.raises(RecordError, match=r"store: cannot use it: PostgreSQL cannot be reached.*--store"):
        PostgresStore(postgres.url("nowhere"))
    store = new_postgres_store(postgres)
    with_psycopg(store.url, "UPDATE schema_version SET version = 99")
    with pytest.raises(RecordError, match="it has format 99"):
        PostgresStore(store.url)
