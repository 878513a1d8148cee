"""Numbers come from one place; nothing is shown that is not recorded; a failing listener costs nobody else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

import pytest

from grandstand.models import Draft, Event
from grandstand.spectator import bus as bus_module
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import Fenced, RecordError, StorageError, UnknownOutcome
from grandstand.spectator.history import History
from grandstand.spectator.record_rows import Request
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.store import batches
from grandstand.spectator.store.interface import EpisodeStore
from tests.support.server.match_services import until
from tests.support.server.stream_server import board, ending, opening


class SequenceObserver:
    def __init__(self, broken: bool = False) -> None:
        self.seqs: list[int] = []
        self._broken = broken

    def on_events(self, events: Sequence[Event]) -> None:
        if self._broken:
            raise RuntimeError("the observer is broken")
        self.seqs += [event.seq for event in events]

    def on_released(self, episode_id: str) -> None: ...


def test_each_episode_is_numbered_from_nought_without_gaps(recorder: EpisodeStore) -> None:
    bus = Bus(recorder, clock=lambda: 12.34567)
    for episode_id in ("a", "b"):
        bus.open(episode_id, epoch=3)
    for _ in range(2):
        for episode_id in ("a", "b"):
            bus.publish(episode_id, opening() if not list(recorder.events(episode_id)) else [board(1), board(2)])
    for episode_id in ("a", "b"):
        events = list(recorder.events(episode_id))
        assert [event.seq for event in events] == [0, 1, 2, 3, 4]
        assert {(event.epoch, event.at) for event in events} == {(3, 12.346)}


def test_an_episode_goes_on_where_its_record_ends(recorder: EpisodeStore) -> None:
    bus = Bus(recorder)
    bus.open("a", epoch=1)
    bus.publish("a", opening())
    again = Bus(recorder)
    again.open("a", epoch=2, next_seq=3)
    (event,) = again.publish("a", [board(1)])
    assert (event.epoch, event.seq) == (2, 3)


def test_observers_hear_in_order_after_the_record(recorder: EpisodeStore) -> None:
    bus = Bus(recorder)
    calls: list[tuple[str, int]] = []

    class Named:
        def __init__(self, name: str) -> None:
            self.name = name

        def on_events(self, events: Sequence[Event]) -> None:
            calls.append((self.name, len(list(recorder.events("a")))))

        def on_released(self, episode_id: str) -> None: ...

    bus.add(Named("first"))
    bus.add(Named("second"))
    bus.open("a", epoch=1)
    bus.publish("a", opening())
    assert calls == [("first", 3), ("second", 3)]


def test_a_failing_observer_is_removed_and_the_match_goes_on(
    recorder: EpisodeStore, caplog: pytest.LogCaptureFixture
) -> None:
    bus = Bus(recorder)
    before, broken, behind = SequenceObserver(), SequenceObserver(broken=True), SequenceObserver()
    for observer in (before, broken, behind):
        bus.add(observer)
    bus.open("a", epoch=1)
    with caplog.at_level(logging.ERROR):
        bus.publish("a", opening())
        bus.publish("a", [board(1)])
    assert before.seqs == behind.seqs == [0, 1, 2, 3]
    assert len(caplog.records) == 1
    assert "SequenceObserver" in caplog.text


def test_what_is_not_recorded_is_not_shown_and_takes_no_number(recorder: EpisodeStore) -> None:
    bus = Bus(recorder)
    observer = SequenceObserver()
    bus.add(observer)
    bus.open("a", epoch=1)
    bus.publish("a", opening())
    with pytest.raises(RecordError, match="episode a: events 3 to 4 not recorded"):
        bus.publish("a", [board(1), Draft("Said", {"what": object()})])
    assert observer.seqs == [0, 1, 2]
    assert [event.seq for event in recorder.events("a")] == [0, 1, 2]
    (event,) = bus.publish("a", [board(1)])
    assert event.seq == 3


def test_a_closed_record_stops_the_episode_not_the_process(recorder: EpisodeStore) -> None:
    bus = Bus(recorder)
    observer = SequenceObserver()
    bus.add(observer)
    bus.open("a", epoch=1)
    recorder.close()
    with pytest.raises(RecordError):
        bus.publish("a", opening())
    assert observer.seqs == []


def test_a_delay_is_told_when_it_has_passed(recorder: EpisodeStore) -> None:
    received: list[tuple[str, int]] = []

    class Clock(SequenceObserver):
        def on_events(self, events: Sequence[Event]) -> None:
            received.append(("committed", events[-1].seq))

        def on_released(self, episode_id: str) -> None:
            received.append(("released", -1))

    async def play() -> None:
        bus = Bus(recorder)
        bus.add(Clock())
        bus.open("a", epoch=1, delay=0.03)
        bus.publish("a", opening())
        bus.publish("a", [ending()])
        assert received == [("committed", 2), ("committed", 3)]
        await until(lambda: len(received) == 4)
        assert received[2:] == [("released", -1)] * 2

    asyncio.run(play())


def test_nothing_published_is_nothing_told(recorder: EpisodeStore) -> None:
    bus = Bus(recorder)
    observer = SequenceObserver()
    bus.add(observer)
    bus.open("a", epoch=1)
    assert bus.publish("a", []) == []
    assert observer.seqs == []


def test_an_ended_episode_takes_no_more(recorder: EpisodeStore) -> None:
    bus = Bus(recorder)
    bus.open("a", epoch=1)
    bus.publish("a", [*opening(), ending()])
    with pytest.raises(Fenced):
        bus.publish("a", [board(1)])


def test_whoever_publishes_after_the_loss_of_an_episode_hears_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat's progress may be the first to meet the fence; the turn that follows must not take it for a bug."""
    recorder = Recorder(":memory:")
    bus = Bus(recorder)
    bus.open("a", epoch=1)
    bus.publish("a", opening())

    def fenced(events: Sequence[Event]) -> None:
        raise Fenced("another server owns it")

    monkeypatch.setattr(recorder, "on_events", fenced)
    for _ in range(2):
        with pytest.raises(Fenced):
            bus.publish("a", [board(1)])
    with pytest.raises(Fenced):
        asyncio.run(bus.record("a", [board(2)]))


def test_two_buses_cannot_write_one_number_twice(recorder: EpisodeStore) -> None:
    """A second driver of the same episode is refused by the record, and nothing of it is shown."""
    first, two, observer = Bus(recorder), Bus(recorder), SequenceObserver()
    two.add(observer)
    first.open("a", epoch=1)
    first.publish("a", opening())
    two.open("a", epoch=2, next_seq=2)
    with pytest.raises(RecordError):
        two.publish("a", [board(7)])
    assert observer.seqs == []
    assert len(list(recorder.events("a"))) == 3


def test_history_is_one_of_the_observers(recorder: EpisodeStore) -> None:
    bus, history = Bus(recorder), History(recorder)
    bus.add(history)
    bus.open("a", epoch=1)
    published = bus.publish("a", opening())
    assert list(history.events("a")) == list(published)


class EchoNarrator:
    """A narrator that adds a draft after each part that it is told of."""

    def __init__(self) -> None:
        self.received: list[list[tuple[int, str]]] = []

    def after(self, events: Sequence[Event]) -> Sequence[Draft]:
        self.received.append([(event.seq, event.type) for event in events])
        return [Draft("Echo", {})]


def test_events_with_a_narrator_are_numbered_in_one_place(
    recorder: EpisodeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[int] = []

    def counted(**fields: object) -> Event:
        event = Event.model_validate(fields)
        built.append(event.seq)
        return event

    monkeypatch.setattr(bus_module, "Event", counted)
    bus, narrator = Bus(recorder), EchoNarrator()
    bus.open("a", epoch=1, narrator=narrator)
    events = [*bus.publish("a", opening()), *bus.publish("a", [board(1), *opening()[-1:]])]
    assert built == [event.seq for event in events] == list(range(len(events)))
    assert [kind for part in narrator.received for _, kind in part] == [e.type for e in events if e.type != "Echo"]


def test_a_narrator_is_told_of_the_end_by_the_number_before_it_and_adds_to_it(recorder: EpisodeStore) -> None:
    for alone in (True, False):
        bus, narrator = Bus(recorder), EchoNarrator()
        episode_id = f"alone {alone}"
        bus.open(episode_id, epoch=1, narrator=narrator)
        bus.publish(episode_id, opening())
        last = list(recorder.events(episode_id))[-1].seq
        events = bus.publish(episode_id, [ending()] if alone else [board(1), ending()])
        assert [event.type for event in events][-2:] == ["Echo", "EpisodeEnded"]
        assert narrator.received[-1][-1] == (last if alone else last + 1, "EpisodeEnded")


def test_a_narrator_is_asked_once_and_its_events_have_the_time_of_their_record() -> None:
    now = [10.0]
    bus, narrator = Bus(Recorder(":memory:"), clock=lambda: now[0]), EchoNarrator()
    bus.open("a", epoch=1, narrator=narrator)
    drafts = opening()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grandstand.spectator.recorder.transaction", _full)
        with pytest.raises(StorageError):
            bus.publish("a", drafts)
    now[0] = 20.0
    events = bus.publish("a", drafts)
    assert len(narrator.received) == 1
    assert {event.at for event in events} == {20.0}


def _full(_: object) -> None:
    raise StorageError("disk full")


def test_what_another_server_has_committed_is_told_to_those_who_follow(recorder: EpisodeStore) -> None:
    """It is not committed again, and costs those nothing who act on what is played here."""
    bus, all_told, only_here = Bus(recorder), SequenceObserver(), SequenceObserver()
    bus.add(all_told, follows=True)
    bus.add(only_here)
    bus.open("a", epoch=1)
    events = list(bus.publish("a", opening()))
    bus.forget("a")
    bus.follow([event.model_copy(update={"episode_id": "b"}) for event in events])
    assert all_told.seqs == [0, 1, 2, 0, 1, 2]
    assert only_here.seqs == [0, 1, 2]
    assert recorder.episode_ids() == ["a"]


class AnsweringStore:
    """A store that is in another process: each commit waits for the next of `answers`, an error or None."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.answers: asyncio.Queue[Exception | None] = asyncio.Queue()

    def on_events(self, events: Sequence[Event]) -> None:
        self.events += [event for event in events if event not in self.events]

    async def commit(self, events: Sequence[Event], request: Request | None = None) -> None:
        """Commit a batch, also if the answer is not known, or raise the answer."""
        answer = await self.answers.get()
        if answer is None or isinstance(answer, UnknownOutcome):
            self.on_events(events)
        if answer is not None:
            raise answer


def _opened() -> tuple[AnsweringStore, Bus, SequenceObserver]:
    store = AnsweringStore()
    bus, observer = Bus(store), SequenceObserver()
    bus.add(observer)
    bus.open("a", epoch=1)
    bus.publish("a", opening())
    return store, bus, observer


def test_what_is_recorded_to_one_episode_keeps_its_order() -> None:
    """However long a commit takes, and whether a turn, a command or the progress of an answer is first."""
    store, bus, observer = _opened()

    async def play() -> None:
        tasks = [asyncio.create_task(bus.record("a", [board(1)]))]
        await asyncio.sleep(0)
        bus.publish_soon("a", [board(2)])
        await asyncio.sleep(0)
        tasks += [
            asyncio.create_task(bus.record_now("a", [board(3)])),
            asyncio.create_task(bus.record("a", [board(4)])),
        ]
        await asyncio.sleep(0)
        assert observer.seqs == [0, 1, 2]
        for _ in range(4):
            store.answers.put_nowait(None)
        await asyncio.gather(*tasks)

    asyncio.run(play())
    assert [event.data["number"] for event in store.events if event.type == "Moved"] == [0, 1, 2, 3, 4]
    assert observer.seqs == [event.seq for event in store.events] == list(range(7))


def test_what_is_refused_for_now_is_never_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """While earlier events are being recorded, while the record cannot be written, or when it says that it was not."""
    monkeypatch.setattr(batches, "TURN", 0.01)
    store, bus, _ = _opened()

    async def play() -> None:
        store.answers.put_nowait(StorageError("full"))
        with pytest.raises(StorageError, match="full"):
            await bus.record_now("a", [board(1)])
        turn = asyncio.create_task(bus.record("a", [board(2)]))
        await asyncio.sleep(0)
        with pytest.raises(StorageError, match="not recorded yet"):
            await bus.record_now("a", [board(3)])
        store.answers.put_nowait(StorageError("full"))
        await until(lambda: bus.waiting)
        with pytest.raises(StorageError, match="earlier events are not recorded"):
            await bus.record_now("a", [board(4)])
        bus.publish_soon("a", [board(5)])
        store.answers.put_nowait(None)
        await turn
        store.answers.put_nowait(None)
        await bus.record_now("a", [board(6)])

    asyncio.run(play())
    assert [event.data["number"] for event in store.events if event.type == "Moved"] == [0, 2, 6]


def test_what_may_be_recorded_is_waited_for() -> None:
    store, bus, observer = _opened()

    async def play() -> None:
        for answer in (UnknownOutcome("no answer"), StorageError("no connection"), None):
            store.answers.put_nowait(answer)
        (event,) = await bus.record_now("a", [board(1)])
        assert event.seq == 3

    asyncio.run(play())
    assert observer.seqs == [event.seq for event in store.events] == [0, 1, 2, 3]


def test_an_episode_that_cannot_begin_is_not_numbered() -> None:
    store = AnsweringStore()
    bus = Bus(store)

    async def play() -> None:
        store.answers.put_nowait(StorageError("full"))
        with pytest.raises(StorageError):
            await bus.begin("a", opening(), None)
        assert not bus.numbers("a")

    asyncio.run(play())
