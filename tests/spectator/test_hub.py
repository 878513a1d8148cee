"""Delivery: everybody gets everything that is theirs, once, in order; nobody can hurt anybody else."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.models import Draft, Event
from grandstand.spectator import channel as channel_module
from grandstand.spectator import hub as hub_module
from grandstand.spectator.bus import Bus
from grandstand.spectator.channel import CHUNK, Subscriber
from grandstand.spectator.errors import CloseCode, StorageError, UnknownEpisode
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.framing import Framing, StreamPosition
from grandstand.spectator.history import History
from grandstand.spectator.hub import Hub
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.viewpoint import OPERATOR, SPECTATOR, Viewpoint, redact
from tests.support.server.match_services import until
from tests.support.server.stream_server import board, ending, opening, press, turn
from tests.support.spectator.logs import VIEWPOINTS, drafts

MATCH = "m"


LINES = Framing(lambda json, _: json + b"\n")
JOINED = Framing(LINES.one, lambda jsons: b"\n".join(jsons) + b"\n")


class Seat(Subscriber):
    """A viewer in memory: takes `capacity` bytes, then is full until it is drained."""

    def __init__(self, hub: Hub, capacity: int = 1 << 60) -> None:
        super().__init__()
        self.hub = hub
        self.capacity = self.free = capacity
        self.taken: list[bytes] = []
        self.code: CloseCode | None = None
        self.cut = False
        self.broken = False
        self.pings = 0

    def write(self, data: bytes) -> None:
        assert self.channel is not None, "written to after it left"
        assert self.paused_at is None, "written to while paused"
        assert self.code is None, "written to after its close"
        if self.broken:
            raise ConnectionResetError("gone")
        self.taken.append(data)
        self.free -= len(data)
        if self.free < 0:
            self.hub.pause(self)

    def close(self, code: CloseCode) -> None:
        self.code = code
        if self.broken:
            raise ConnectionResetError("gone")

    def abort(self) -> None:
        self.cut = True

    def keep_alive(self, now: float) -> None:
        self.pings += 1
        if self.broken:
            raise ConnectionResetError("gone")

    def drain(self) -> None:
        self.free = self.capacity
        self.hub.resume(self)

    @property
    def frames(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in b"".join(self.taken).splitlines()]

    @property
    def numbers(self) -> list[int]:
        """Of the events, withheld ones included, since the last snapshot."""
        return [frame["event"]["seq"] if frame["frame"] == "event" else frame["seq"] for frame in self.tail]

    @property
    def tail(self) -> list[dict[str, Any]]:
        frames = self.frames
        starts = [number for number, frame in enumerate(frames, 1) if frame["frame"] == "snapshot"]
        return frames[starts[-1] :] if starts else frames


class MatchServices:
    """Bus, history and hub with one match, three events old."""

    def __init__(self) -> None:
        self.recorder = Recorder(":memory:")
        self.history = History(self.recorder)
        self.hub = Hub(self.history)
        self.bus = Bus(self.recorder)
        self.bus.add(self.history)
        self.bus.add(self.hub)
        self.bus.open(MATCH, epoch=1)
        self.publish(*opening())

    def publish(self, *drafts: Draft) -> None:
        self.bus.publish(MATCH, drafts)

    @property
    def events(self) -> list[Event]:
        return list(self.history.events(MATCH))

    def join(
        self,
        viewpoint: Viewpoint = SPECTATOR,
        after: StreamPosition | None = None,
        capacity: int = 1 << 60,
        match: str = MATCH,
        framing: Framing = LINES,
    ) -> Seat:
        seat = Seat(self.hub, capacity)
        self.hub.join(seat, match, viewpoint, framing, after)
        return seat


def scene(play: Callable[[MatchServices], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        services = MatchServices()
        await play(services)
        services.hub.close(CloseCode.STOPPING)

    asyncio.run(run())


async def settle() -> None:
    """Let the hub do all it has to."""
    for _ in range(3):
        await asyncio.sleep(0.001)


async def eventually(condition: Callable[[], bool]) -> None:
    """Let the hub work until `condition` is true."""
    for _ in range(10_000):
        if condition():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("the hub has nothing more to do")


def expected(events: list[Event], viewpoint: Viewpoint, first: int) -> list[dict[str, Any]]:
    return [json.loads(redact(event, viewpoint).model_dump_json()) for event in events[first:]]


# Joining and resuming.


def test_frames_that_were_published_together_are_one_message_for_who_reads_several() -> None:
    async def play(services: MatchServices) -> None:
        seat, other = services.join(framing=JOINED), services.join()
        services.publish(press("x"), board(9), press("y"))
        await settle()
        services.publish(board(10))
        await settle()
        assert [data.count(b"\n") for data in seat.taken[1:]] == [3, 1]
        assert seat.numbers == other.numbers == [3, 4, 5, 6]

    scene(play)


def test_a_late_joiner_gets_a_snapshot_and_then_the_next_number() -> None:
    async def play(services: MatchServices) -> None:
        for number in range(5):
            services.publish(board(number))
        seat = services.join()
        (frame,) = seat.frames
        assert (frame["frame"], frame["snapshot"]["seq"], frame["snapshot"]["state"]) == ("snapshot", 7, {"after": 4})
        services.publish(press("x"), board(9))
        await settle()
        assert seat.numbers == [8, 9]

    scene(play)


def test_who_resumes_needs_no_record_and_who_joins_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(services: MatchServices) -> None:
        def away(episode_id: str) -> EpisodeSummary:
            raise StorageError("the record does not answer")

        monkeypatch.setattr(services.recorder, "summary", away)
        resumed, joined = services.join(after=StreamPosition(1, 2)), services.join()
        assert (resumed.code, joined.code) == (None, CloseCode.STOPPING)

    scene(play)


def test_what_is_published_but_not_yet_sent_comes_once() -> None:
    async def play(services: MatchServices) -> None:
        early = services.join()
        services.publish(board(1))
        late = services.join()
        resumed = services.join(after=StreamPosition(1, 2))
        services.publish(board(2))
        await settle()
        assert (early.numbers, late.numbers, resumed.numbers) == ([3, 4], [4], [3, 4])

    scene(play)


@pytest.mark.parametrize("viewpoint", VIEWPOINTS, ids=str)
def test_who_resumes_gets_exactly_what_was_missed(viewpoint: Viewpoint) -> None:
    async def play(services: MatchServices) -> None:
        services.publish(press("one"), board(1), press("two", "SOUTH"), Draft("Tokens", {"ids": [1]}, "private"))
        for seq in range(7):
            seat = services.join(viewpoint, StreamPosition(1, seq))
            assert seat.frames == expected(services.events, viewpoint, seq + 1)

    scene(play)


def test_who_missed_nothing_gets_nothing_and_goes_on() -> None:
    async def play(services: MatchServices) -> None:
        seat = services.join(after=StreamPosition(1, 2))
        await settle()
        assert seat.taken == []
        services.publish(board(1))
        await settle()
        assert seat.numbers == [3]

    scene(play)


@pytest.mark.parametrize(
    "after", [StreamPosition(2, 1), StreamPosition(0, 0), StreamPosition(1, 3), StreamPosition(1, 10**12)]
)
def test_who_holds_something_else_is_told_and_starts_anew(after: StreamPosition) -> None:
    async def play(services: MatchServices) -> None:
        seat = services.join(after=after)
        assert [frame["frame"] for frame in seat.frames] == ["resync", "snapshot"]
        services.publish(board(1))
        await settle()
        assert seat.numbers == [3]

    scene(play)


def test_a_position_counts_only_in_the_epoch_of_its_event() -> None:
    """The log was cut short by a power failure and went on otherwise: 1.5 was lost, 2.3 to 2.5 took its place."""

    async def play(services: MatchServices) -> None:
        services.bus.open(MATCH, epoch=2, next_seq=3)
        services.publish(board(1), board(2), board(3))
        assert services.join(after=StreamPosition(1, 2)).numbers == [3, 4, 5]
        assert services.join(after=StreamPosition(2, 4)).numbers == [5]
        for lost in (StreamPosition(1, 5), StreamPosition(2, 2)):
            assert services.join(after=lost).frames[0]["frame"] == "resync"

    scene(play)


def test_unknown_episodes_are_refused() -> None:
    async def play(services: MatchServices) -> None:
        with pytest.raises(UnknownEpisode):
            services.join(match="nowhere")
        assert services.hub.viewers() == 0

    scene(play)


def test_an_ended_episode_is_sent_and_closed() -> None:
    async def play(services: MatchServices) -> None:
        watching, late = services.join(), services.join(after=StreamPosition(1, 0))
        services.publish(board(1), ending())
        await settle()
        assert (watching.numbers, watching.code) == ([3, 4], CloseCode.COMPLETE)
        assert (late.numbers, late.code) == ([1, 2, 3, 4], CloseCode.COMPLETE)
        afterwards = services.join()
        assert (afterwards.numbers, afterwards.code) == ([], CloseCode.COMPLETE)
        assert services.join(after=StreamPosition(1, 4)).taken == []
        assert services.join(after=StreamPosition(1, 1)).numbers == [2, 3, 4]
        assert services.hub.viewers() == 0

    scene(play)


def test_an_episode_from_the_record_alone_is_shown_and_can_go_on() -> None:
    async def run() -> None:
        before = MatchServices()
        hub = Hub(history := History(before.recorder))
        seat = Seat(hub)
        hub.join(seat, MATCH, SPECTATOR, LINES, StreamPosition(1, 0))
        assert seat.numbers == [1, 2]
        bus = Bus(before.recorder)
        bus.add(history)
        bus.add(hub)
        bus.open(MATCH, epoch=2, next_seq=3)
        bus.publish(MATCH, [board(1)])
        await settle()
        assert seat.numbers == [1, 2, 3]
        hub.close(CloseCode.STOPPING)

    asyncio.run(run())


# A delay.


def test_spectators_are_behind_on_every_path_and_operators_are_not() -> None:
    async def run() -> None:
        recorder = Recorder(":memory:")
        now = 1000.0
        history = History(recorder, clock=lambda: now)
        hub = Hub(history)
        bus = Bus(recorder, clock=lambda: now)
        bus.add(history)
        bus.add(hub)
        bus.open(MATCH, epoch=1, delay=0.01)
        first, *rest = opening()
        bus.publish(MATCH, [first._replace(data={**first.data, "delay": 60.0}), *rest])
        now = 1061.0
        seats = {viewpoint: Seat(hub) for viewpoint in (SPECTATOR, OPERATOR)}
        for viewpoint, seat in seats.items():
            hub.join(seat, MATCH, viewpoint, LINES, None)
            assert seat.frames[0]["snapshot"]["seq"] == 2
        bus.publish(MATCH, [turn(1), ending()])
        await asyncio.sleep(0.03)
        assert (seats[SPECTATOR].numbers, seats[SPECTATOR].code) == ([], None)
        assert (seats[OPERATOR].numbers, seats[OPERATOR].code) == ([3, 4], CloseCode.COMPLETE)
        hasty = Seat(hub)
        hub.join(hasty, MATCH, SPECTATOR, LINES, StreamPosition(1, 3))
        resync, snapshot = hasty.frames
        assert resync["reason"].endswith("which is at 1.2")
        assert (snapshot["snapshot"]["seq"], snapshot["snapshot"]["episode"]["last_seq"]) == (2, 2)
        assert (snapshot["snapshot"]["episode"]["status"], snapshot["snapshot"]["episode"]["turn"]) == ("live", "")
        now = 1121.0
        history.on_released(MATCH)
        hub.on_released(MATCH)
        await settle()
        for seat in (seats[SPECTATOR], hasty):
            assert (seat.numbers, seat.code) == ([3, 4], CloseCode.COMPLETE)

    asyncio.run(run())


# One encoding for all.


def test_each_event_is_encoded_once_and_the_same_bytes_go_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[tuple[str, int]] = []

    def counting(event: Event, viewpoint: Viewpoint) -> Any:
        encoded.append((str(viewpoint), event.seq))
        return redact(event, viewpoint)

    monkeypatch.setattr(channel_module, "redact", counting)

    async def play(services: MatchServices) -> None:
        seats = [services.join() for _ in range(20)] + [services.join(OPERATOR) for _ in range(20)]
        services.publish(press("secret"))
        await settle()
        services.publish(board(1))
        await settle()
        seats += [services.join(after=StreamPosition(1, 2)) for _ in range(20)]
        assert sorted(encoded) == [("operator", 3), ("operator", 4), ("spectator", 3), ("spectator", 4)]
        assert len({id(seat.taken[-1]) for seat in seats[:20]}) == 1

    scene(play)


def test_a_burst_leaves_as_one_write() -> None:
    async def play(services: MatchServices) -> None:
        seat = services.join()
        for number in range(50):
            services.publish(board(number))
        await settle()
        assert len(seat.taken) == 2
        assert seat.numbers == list(range(3, 53))

    scene(play)


def test_channels_go_with_their_last_viewer_and_frames_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel_module, "WINDOW", 2000)

    async def play(services: MatchServices) -> None:
        seat, other = services.join(), services.join(OPERATOR)
        channel = seat.channel
        assert channel is not None
        for number in range(200):
            services.publish(board(number))
        await settle()
        assert sum(map(len, channel._frames.values())) <= 2000
        assert services.join(after=StreamPosition(1, 2)).numbers == list(range(3, 203))
        assert (services.hub.viewers(), services.hub.viewers(MATCH), services.hub.viewers("other")) == (3, 3, 0)
        for viewer in (*channel.viewers, other):
            services.hub.leave(viewer)
            services.hub.leave(viewer)
        assert services.hub.viewers() == 0
        assert services.hub._episodes == {}

    scene(play)


# Slow, broken and leaving viewers.


def test_a_slow_viewer_holds_its_cursor_and_nothing_else() -> None:
    async def play(services: MatchServices) -> None:
        slow, quick = services.join(capacity=1000), services.join()
        for number in range(300):
            services.publish(Draft("Said", {"text": "x" * 1000, "number": number}))
            await asyncio.sleep(0)
        await settle()
        held = sum(map(len, slow.taken))
        assert slow.paused_at is not None
        assert held < 10_000
        assert quick.numbers == list(range(3, 303))
        for _ in range(100):
            slow.drain()
            await asyncio.sleep(0.001)
        assert slow.numbers == quick.numbers
        assert max(map(len, slow.taken)) <= CHUNK

    scene(play)


def test_who_is_paused_costs_no_work() -> None:
    async def play(services: MatchServices) -> None:
        services.publish(*[Draft("Said", {"text": "x" * 1000})] * 200)
        slow = services.join(after=StreamPosition(1, 0), capacity=CHUNK + CHUNK // 2)
        await settle()
        assert slow.paused_at is not None
        assert len(slow.taken) == 2
        assert services.hub._pumping is None

    scene(play)


def test_who_stays_slow_is_closed_and_the_others_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "SLOW_AFTER", 0.05)
    monkeypatch.setattr(hub_module, "SWEEP_EVERY", 0.01)

    async def play(services: MatchServices) -> None:
        slow, quick = services.join(capacity=10), services.join()
        services.publish(board(1))
        await until(lambda: slow.code is not None and quick.pings > 2)
        assert (slow.code, quick.code) == (CloseCode.SLOW, None)
        assert services.hub.viewers() == 1
        slow.drain()
        services.publish(board(2))
        await settle()
        assert quick.numbers == [3, 4]

    scene(play)


def test_pausing_and_resuming_twice_is_pausing_and_resuming_once() -> None:
    async def play(services: MatchServices) -> None:
        seat = services.join()
        for _ in range(2):
            services.hub.pause(seat)
        services.publish(board(1))
        await settle()
        assert seat.numbers == []
        for _ in range(3):
            services.hub.resume(seat)
        services.publish(board(2))
        await settle()
        services.hub.resume(seat)
        await settle()
        assert seat.numbers == [3, 4]

    scene(play)


def test_a_broken_connection_hurts_nobody(caplog: pytest.LogCaptureFixture) -> None:
    async def play(services: MatchServices) -> None:
        seats = [services.join() for _ in range(10)]
        seats[4].broken = True
        services.publish(board(1))
        services.publish(board(2))
        await settle()
        assert seats[4].cut
        assert services.hub.viewers() == 9
        assert all(seat.numbers == [3, 4] for number, seat in enumerate(seats) if number != 4)

    with caplog.at_level(logging.WARNING):
        scene(play)
    assert not caplog.records


def test_a_viewer_may_leave_while_others_are_written_to() -> None:
    async def play(services: MatchServices) -> None:
        seats = [services.join() for _ in range(10)]

        class Leaver(Seat):
            def write(self, data: bytes) -> None:
                super().write(data)
                for seat in seats[5:]:
                    services.hub.leave(seat)

        leaver = Leaver(services.hub)
        services.hub.join(leaver, MATCH, SPECTATOR, LINES, StreamPosition(1, 2))
        services.publish(board(1))
        await settle()
        assert leaver.numbers == [3]
        assert all(seat.numbers == [3] for seat in seats[:5])

    scene(play)


def test_what_cannot_be_encoded_ends_its_stream_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    async def play(services: MatchServices) -> None:
        seat, blind = services.join(OPERATOR), services.join()
        bad = services.events[-1].model_copy(update={"seq": 3, "data": {"x": object()}, "audience": "operator"})
        services.history.on_events([bad])
        services.hub.on_events([bad])
        await settle()
        assert (seat.code, blind.code) == (CloseCode.INTERNAL, None)
        assert blind.numbers == [3]
        assert services.join(OPERATOR, after=StreamPosition(1, 0)).code is CloseCode.INTERNAL
        assert services.join(OPERATOR).code is CloseCode.INTERNAL

    scene(play)
    assert "cannot be encoded" in caplog.text


def test_closing_sends_what_is_due_and_says_why() -> None:
    async def play(services: MatchServices) -> None:
        seat, slow = services.join(), services.join(capacity=10)
        services.publish(board(1))
        services.hub.close(CloseCode.STOPPING)
        assert (seat.numbers, seat.code, slow.code) == ([3], CloseCode.STOPPING, CloseCode.STOPPING)
        assert services.join().code is CloseCode.STOPPING
        assert services.hub.viewers() == 0

    scene(play)


# Everything at once.

steps = st.lists(
    st.one_of(
        st.tuples(st.just("publish"), st.lists(drafts, min_size=1, max_size=4)),
        st.tuples(
            st.just("join"), st.sampled_from(VIEWPOINTS), st.integers(-1, 40), st.sampled_from([50, 700, 1 << 60])
        ),
        st.tuples(st.sampled_from(["drain", "leave", "break"]), st.integers(0, 9)),
        st.tuples(st.just("wait")),
    ),
    max_size=40,
)


@pytest.mark.few(1)
@pytest.mark.parametrize("one_by_one", [False, True])
@given(story=steps)
def test_any_order_of_things_loses_and_doubles_nothing(story: list[tuple[Any, ...]], one_by_one: bool) -> None:
    """If `one_by_one`, the loop serves others after each viewer."""

    async def play(services: MatchServices) -> None:
        seats: list[tuple[Seat, Viewpoint, int]] = []
        for step in story:
            match step:
                case ("publish", some):
                    services.publish(*some)
                case ("join", viewpoint, after, capacity):
                    known = after < len(services.events) and after >= 0
                    position = StreamPosition(1, after) if after >= 0 else None
                    framing = JOINED if len(seats) % 2 else LINES
                    seat = services.join(viewpoint, position, capacity, framing=framing)
                    seats.append((seat, viewpoint, after + 1 if known else len(services.events)))
                case ("wait",):
                    await asyncio.sleep(0)
                case (what, number) if seats:
                    seat = seats[number % len(seats)][0]
                    if what == "drain":
                        seat.drain()
                    elif what == "leave":
                        services.hub.leave(seat)
                    else:
                        seat.broken = True
        for _ in range(2000):
            if not any(seat.paused_at and seat.channel for seat, _, _ in seats):
                break
            for seat, _, _ in seats:
                seat.drain()
            await asyncio.sleep(0)
        services.publish(board(0))
        for seat, _, _ in seats:
            seat.capacity = seat.free = 1 << 60
        last = len(services.events) - 1
        await eventually(lambda: all(seat.channel is None or seat.numbers[-1:] == [last] for seat, _, _ in seats))
        await settle()
        for seat, viewpoint, first in seats:
            got = seat.tail
            assert got == expected(services.events, viewpoint, first)[: len(got)]
            if seat.channel is not None:
                assert got == expected(services.events, viewpoint, first)

    with pytest.MonkeyPatch.context() as patch:
        if one_by_one:
            patch.setattr(hub_module, "SLICE", -1.0)
            patch.setattr(hub_module, "BATCH", 1)
            patch.setattr(hub_module, "BETWEEN", 1)
        scene(play)


@pytest.mark.long
def test_a_long_log_without_states_comes_as_a_small_snapshot_and_the_rest_as_frames() -> None:
    async def play(services: MatchServices) -> None:
        for number in range(0, 8000, 500):
            services.publish(*[press(f"{number + index} " + "x" * 100) for index in range(500)])
        late = services.join(OPERATOR)
        (snapshot,) = [frame["snapshot"] for frame in late.frames if frame["frame"] == "snapshot"]
        assert len(late.taken[0]) < channel_module.SNAPSHOT + 10_000
        await eventually(lambda: len(late.numbers) + snapshot["seq"] + 1 == len(services.events))
        shown = snapshot["recent"] + late.tail
        first = -1 if snapshot["state_seq"] is None else snapshot["state_seq"]
        assert shown == expected(services.events, OPERATOR, first + 1)
        assert snapshot["episode"]["last_seq"] == snapshot["seq"] < len(services.events) - 1

    scene(play)


def test_many_viewers_are_served_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "SLICE", 0.0)
    monkeypatch.setattr(hub_module, "BATCH", 3)
    monkeypatch.setattr(hub_module, "BETWEEN", 3)

    async def play(services: MatchServices) -> None:
        seats = [services.join() for _ in range(50)]
        services.publish(turn(1), press("to all"))
        services.publish(ending())
        last = len(services.events)
        await eventually(lambda: all(seat.code is not None for seat in seats))
        assert all(seat.numbers == list(range(3, last)) for seat in seats)
        assert {seat.code for seat in seats} == {CloseCode.COMPLETE}

    scene(play)
