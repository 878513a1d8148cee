"""The stream over real WebSockets, with clients of another make: quiet, slow, broken, rude and killed ones."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import itertools
import json
import random
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import websockets.asyncio.client
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.sync.client import ClientConnection, connect

from grandstand.models import Draft, Event
from grandstand.server.transport import sockets
from grandstand.spectator import channel as channel_module
from grandstand.spectator import hub as hub_module
from grandstand.spectator.channel import Subscriber
from grandstand.spectator.errors import CloseCode
from grandstand.spectator.framing import StreamPosition
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.viewpoint import SPECTATOR, Viewpoint, redact
from tests.support.server.publisher import EPISODE as ENDLESS
from tests.support.server.stream_server import StreamServer, board, ending, press, turn
from tests.support.spectator.logs import VIEWPOINTS
from tests.support.waiting import PATIENCE

ROOT = Path(__file__).parents[3]
NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def shared() -> Iterator[StreamServer]:
    with StreamServer() as server:
        yield server


@pytest.fixture
def match(shared: StreamServer) -> str:
    """A match of this test's own on the shared server: three public events."""
    return shared.open(f"m{next(NUMBERS)}")


def read(client: ClientConnection, count: int) -> list[dict[str, Any]]:
    return [json.loads(client.recv(PATIENCE)) for _ in range(count)]


def read_to_end(client: ClientConnection) -> tuple[list[dict[str, Any]], int]:
    """All frames until the server closes, and its close code."""
    frames = []
    while True:
        try:
            frames.append(json.loads(client.recv(PATIENCE)))
        except ConnectionClosed as closed:
            return frames, closed.rcvd.code if closed.rcvd else 1006


def number(frame: dict[str, Any]) -> int:
    return int(frame["event"]["seq"] if frame["frame"] == "event" else frame["seq"])


def expected(events: list[Event], viewpoint: Viewpoint) -> list[dict[str, Any]]:
    return [json.loads(redact(event, viewpoint).model_dump_json()) for event in events]


def small_socket(port: int, receive: int = 4096) -> socket.socket:
    """A connection whose own side takes few bytes."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
    sock.connect(("127.0.0.1", port))
    return sock


def bare_watcher(server: StreamServer, episode_id: str) -> socket.socket:
    """A viewer that shakes hands and then does nothing by itself, not even answer a ping."""
    sock = small_socket(server.port)
    head = f"GET /api/episodes/{episode_id}/watch HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    sock.sendall(f"{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode())
    assert sock.recv(12) == b"HTTP/1.1 101"
    return sock


# Contents.


@pytest.mark.parametrize("viewpoint", VIEWPOINTS, ids=str)
def test_every_viewpoint_gets_every_number_and_its_own_content(
    shared: StreamServer, match: str, viewpoint: Viewpoint
) -> None:
    with connect(shared.url(match, str(viewpoint))) as client:
        (snapshot,) = read(client, 1)
        assert (snapshot["frame"], snapshot["snapshot"]["seq"]) == ("snapshot", 2)
        events = [
            *shared.publish(match, press("a")),
            *shared.publish(match, board(1), press("b", "SOUTH")),
            *shared.publish(match, Draft("Tokens", {"ids": [7]}, "private"), turn(2)),
        ]
        frames = read(client, 5)
    assert [number(frame) for frame in frames] == [3, 4, 5, 6, 7]
    assert frames == expected(events, viewpoint)


def test_a_spectator_cannot_tell_secrets_apart(shared: StreamServer, match: str) -> None:
    with connect(shared.url(match)) as client, connect(shared.url(match, "operator")) as operator:
        read(client, 1)
        read(operator, 1)
        secrets = ["no", "attack at dawn " * 2000, "\N{CROSSED SWORDS}"]
        shared.publish(match, *(press(secret) for secret in secrets))
        frames = [client.recv(PATIENCE, decode=False) for _ in secrets]
        assert frames == [b'{"frame":"withheld","seq":%d}' % seq for seq in (3, 4, 5)]
        assert [frame["event"]["data"]["text"] for frame in read(operator, 3)] == secrets
    with connect(shared.url(match)) as late:
        text = late.recv(PATIENCE)
        assert "dawn" not in text
        assert len(text) < 2000


def test_a_late_joiner_gets_the_moment_and_then_the_next_number(shared: StreamServer, match: str) -> None:
    shared.publish(match, *(board(number) for number in range(50)), press("x"), turn(4))
    with connect(shared.url(match)) as client:
        (frame,) = read(client, 1)
        snapshot = frame["snapshot"]
        assert (snapshot["seq"], snapshot["state_seq"], snapshot["state"]) == (54, 52, {"after": 49})
        assert [number(frame) for frame in snapshot["recent"]] == [53, 54]
        assert snapshot["episode"]["turn"] == "turn 4"
        shared.publish(match, board(99))
        assert number(read(client, 1)[0]) == 55


# Resuming.


def test_who_comes_back_gets_exactly_what_was_missed(shared: StreamServer, match: str) -> None:
    with connect(shared.url(match)) as client:
        read(client, 1)
    missed = [*shared.publish(match, press("x")), *shared.publish(match, *(board(n) for n in range(300)))]
    with connect(shared.url(match, after="1.2")) as client:
        assert read(client, 301) == expected(missed, SPECTATOR)
        shared.publish(match, turn(1))
        assert number(read(client, 1)[0]) == 304


def test_coming_back_with_nothing_missed_is_silent_until_something_happens(shared: StreamServer, match: str) -> None:
    """Also where the viewer has never received a single numbered event."""
    for seq in (2, 3, 4):
        with connect(shared.url(match, after=f"1.{seq}")) as client:
            with pytest.raises(TimeoutError):
                client.recv(0.05)
            shared.publish(match, press("x"))
            assert number(read(client, 1)[0]) == seq + 1
    with connect(shared.url(match, after="1.2")) as client:
        assert [number(frame) for frame in read(client, 3)] == [3, 4, 5]


@pytest.mark.parametrize("after", ["2.1", "0.0", "1.3", "1.999999"])
def test_a_place_that_is_not_in_the_stream_is_a_resync(shared: StreamServer, match: str, after: str) -> None:
    with connect(shared.url(match, after=after)) as client:
        resync, snapshot = read(client, 2)
        assert resync["frame"] == "resync"
        assert after in resync["reason"]
        assert snapshot["snapshot"]["seq"] == 2
        shared.publish(match, turn(1))
        assert number(read(client, 1)[0]) == 3


# Closing.


def test_an_ended_episode_is_sent_whole_and_closed_complete(shared: StreamServer, match: str) -> None:
    with connect(shared.url(match)) as client:
        read(client, 1)
        shared.publish(match, turn(1), ending())
        frames, code = read_to_end(client)
        assert ([number(frame) for frame in frames], code) == ([3, 4], CloseCode.COMPLETE)
    with connect(shared.url(match, after="1.0")) as client:
        frames, code = read_to_end(client)
        assert ([number(frame) for frame in frames], code) == ([1, 2, 3, 4], CloseCode.COMPLETE)
    with connect(shared.url(match)) as client:
        frames, code = read_to_end(client)
        assert ([frame["frame"] for frame in frames], code) == (["snapshot"], CloseCode.COMPLETE)


@pytest.mark.parametrize(
    ("change", "code", "reason"),
    [
        ({"episode_id": "nowhere"}, CloseCode.NOT_FOUND, "no episode 'nowhere'"),
        ({"viewpoint": "operator", "token": "wrong"}, CloseCode.FORBIDDEN, "needs a token"),
        ({"viewpoint": "everyone"}, CloseCode.BAD_REQUEST, "operator or seat:NAME"),
        ({"viewpoint": "x" * 500}, CloseCode.BAD_REQUEST, "viewpoint"),
        ({"after": "12"}, CloseCode.BAD_REQUEST, "it looks like 3.41"),
    ],
)
def test_refusals_say_why(
    shared: StreamServer, match: str, change: dict[str, str], code: CloseCode, reason: str
) -> None:
    with connect(shared.url(**{"episode_id": match, **change})) as client:
        with pytest.raises(ConnectionClosed) as refused:
            client.recv(PATIENCE)
        assert refused.value.rcvd is not None
        assert refused.value.rcvd.code == code
        assert reason in refused.value.rcvd.reason


def test_a_viewer_that_leaves_is_forgotten(shared: StreamServer, match: str) -> None:
    with connect(shared.url(match)) as client, connect(shared.url(match, "operator")):
        read(client, 1)
        shared.wait_for(lambda: shared.hub.viewers(match) == 2)
    shared.wait_for(lambda: shared.hub.viewers(match) == 0)
    assert shared.call(lambda: match in shared.hub._episodes) is False


@pytest.mark.parametrize(
    ("message", "code"), [("hello", 1003), (b"hello", 1003), ("x" * 5000, 1009)], ids=["a", "b", "c"]
)
def test_a_viewer_that_speaks_is_cut(shared: StreamServer, match: str, message: str | bytes, code: int) -> None:
    with connect(shared.url(match)) as client:
        read(client, 1)
        client.send(message)
        assert read_to_end(client) == ([], code)
    shared.wait_for(lambda: shared.hub.viewers(match) == 0)


def test_pings_of_a_viewer_are_answered(shared: StreamServer, match: str) -> None:
    with connect(shared.url(match)) as client:
        read(client, 1)
        assert client.ping().wait(PATIENCE)


def test_stopping_tells_every_viewer_and_does_not_hang() -> None:
    with StreamServer() as server:
        server.open("m")
        with contextlib.ExitStack() as stack:
            clients = [stack.enter_context(connect(server.url("m"))) for _ in range(5)]
            for client in clients:
                read(client, 1)
            server.publish("m", turn(1))
            server.uvicorn.should_exit = True
            for client in clients:
                frames, code = read_to_end(client)
                assert ([number(frame) for frame in frames], code) == ([3], CloseCode.STOPPING)


# The connection.


def test_no_compression_and_few_bytes_in_the_kernel(shared: StreamServer, match: str) -> None:
    with connect(shared.url(match), compression="deflate") as client:
        read(client, 1)
        assert client.response is not None
        assert "Sec-WebSocket-Extensions" not in client.response.headers

        def options() -> tuple[int, int]:
            ((viewer,),) = [channel.viewers for channel in shared.hub._channels(match)]
            assert isinstance(viewer, sockets.Viewer)
            sock = viewer._transport.get_extra_info("socket")
            return (
                sock.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF),
                sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT),
            )

        send_buffer, user_timeout = shared.call(options)
        assert send_buffer <= 2 * sockets.SEND_BUFFER
        assert user_timeout == sockets.STALLED * 1000


def test_ordinary_endpoints_still_work(shared: StreamServer) -> None:
    with connect(f"ws://127.0.0.1:{shared.port}/echo") as client:
        client.send("hello")
        assert client.recv(PATIENCE) == "hello"
        assert read_to_end(client) == ([], 1000)


def test_quiet_longer_than_the_ping_keeps_the_living_and_cuts_the_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "PING_EVERY", 0.1)
    monkeypatch.setattr(sockets, "PING_TIMEOUT", 2)
    monkeypatch.setattr(hub_module, "SWEEP_EVERY", 0.05)
    with StreamServer() as server:
        server.open("m")
        with connect(server.url("m"), ping_interval=None) as living, bare_watcher(server, "m"):
            read(living, 1)
            server.wait_for(lambda: server.hub.viewers() == 2)
            server.wait_for(lambda: server.hub.viewers() == 1)
            server.publish("m", turn(1))
            assert number(read(living, 1)[0]) == 3


# Slow and broken viewers.


def _no_ring(size: int) -> None:
    raise OSError(errno.EPERM, "not in this container")


@pytest.mark.parametrize("ring", [True, False])
def test_a_slow_viewer_is_bounded_and_closed_while_others_get_everything(
    monkeypatch: pytest.MonkeyPatch, ring: bool
) -> None:
    if not ring:
        monkeypatch.setattr(sockets, "SendRing", _no_ring)
    monkeypatch.setattr(hub_module, "SLOW_AFTER", 3600)
    monkeypatch.setattr(hub_module, "SWEEP_EVERY", 0.1)
    with StreamServer() as server:
        server.open("m")
        sock = small_socket(server.port)
        with (
            connect(server.url("m"), sock=sock, max_queue=1) as slow,
            connect(server.url("m"), max_queue=None) as quick,
        ):
            read(slow, 1)
            read(quick, 1)
            held = 0
            count = 4000

            def bytes_held() -> int:
                sizes = [0]
                for channel in server.hub._channels():
                    for viewer in channel.viewers:
                        assert isinstance(viewer, sockets.Viewer)
                        sizes.append(viewer._transport.get_write_buffer_size())
                return max(sizes)

            for _ in range(count // 10):
                server.publish("m", *[Draft("Said", {"text": "x" * 1000})] * 10)
                held = max(held, server.call(bytes_held))
            frames = read(quick, count)
            assert [number(frame) for frame in frames] == list(range(3, count + 3))
            assert held <= channel_module.CHUNK
            assert server.call(server.hub.viewers) == 2, "publishing waited for the slow viewer, who was cut meanwhile"
            monkeypatch.setattr(hub_module, "SLOW_AFTER", 0.1)
            server.wait_for(lambda: server.hub.viewers() == 1)
            frames, code = read_to_end(slow)
            assert code == CloseCode.SLOW
            assert [number(frame) for frame in frames] == list(range(3, len(frames) + 3))
            assert len(frames) < 1000
            last = number(frames[-1])
        with connect(server.url("m", after=f"1.{last}"), max_queue=None) as back:
            assert number(read(back, 1)[0]) == last + 1


def test_if_the_ring_fails_its_viewers_join_again_and_lose_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Fails:
        def __init__(self, size: int) -> None: ...

        def send(self, descriptors: Sequence[int], data: bytes) -> None:
            raise OSError(errno.ENOMEM, "Cannot allocate memory")

        def close(self) -> None: ...

    monkeypatch.setattr(sockets, "SendRing", Fails)
    with StreamServer() as server:
        server.open("m")
        with connect(server.url("m")) as one, connect(server.url("m")) as two:
            read(one, 1)
            read(two, 1)
            server.publish("m", board(1))
            assert [read_to_end(client) for client in (one, two)] == [([], 1006)] * 2
        assert "io_uring fails" in caplog.text
        with connect(server.url("m", after="1.2")) as one, connect(server.url("m", after="1.2")) as two:
            server.publish("m", board(2))
            assert [[number(frame) for frame in read(client, 2)] for client in (one, two)] == [[3, 4]] * 2


def test_a_pause_while_first_catching_up_loses_and_doubles_nothing(shared: StreamServer, match: str) -> None:
    for _ in range(20):
        shared.publish(match, *[Draft("Said", {"text": "x" * 1000})] * 100)
    sock = small_socket(shared.port)
    with connect(shared.url(match, after="1.0"), sock=sock, max_queue=1) as client:
        shared.wait_for(lambda: [v.paused_at for c in shared.hub._channels(match) for v in c.viewers] != [None])
        shared.publish(match, turn(1))
        assert [number(frame) for frame in read(client, 2003)] == list(range(1, 2004))


@pytest.mark.parametrize(
    ("offers", "compressed"),
    [
        (None, False),
        ([ClientPerMessageDeflateFactory()], True),
        ([ClientPerMessageDeflateFactory(client_max_window_bits=True)], True),
        ([ClientPerMessageDeflateFactory(server_max_window_bits=10)], False),
    ],
)
def test_who_reads_several_frames_a_message_gets_them_compressed(
    shared: StreamServer, match: str, offers: list[ClientPerMessageDeflateFactory] | None, compressed: bool
) -> None:
    url = shared.url(match) + "&lines=true"
    with connect(url, compression=None, extensions=offers) as client:
        assert bool(client.response and client.response.headers.get("Sec-WebSocket-Extensions")) is compressed
        read(client, 1)
        shared.publish(match, *[board(n) for n in range(5)])
        frames: list[dict[str, Any]] = []
        messages = 0
        while len(frames) < 5:
            frames += [json.loads(line) for line in str(client.recv(timeout=PATIENCE)).splitlines()]
            messages += 1
        assert [number(frame) for frame in frames] == list(range(3, 8))
        assert messages == (1 if compressed else 5)


def test_resets_in_the_middle_of_a_match_hurt_nobody(shared: StreamServer, match: str) -> None:
    with connect(shared.url(match), max_queue=None) as watching:
        read(watching, 1)
        for round_ in range(20):
            for _ in range(3):
                with bare_watcher(shared, match) as leaver:
                    leaver.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            shared.publish(match, *[board(round_)] * 5)
        assert [number(frame) for frame in read(watching, 100)] == list(range(3, 103))
        shared.wait_for(lambda: shared.hub.viewers(match) == 1)


@pytest.mark.long
def test_chaos_loses_nothing_and_doubles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of random disconnects at random places, with buffers so small that everybody is paused all the time."""
    monkeypatch.setattr(sockets, "SEND_BUFFER", 2048)
    monkeypatch.setattr(channel_module, "CHUNK", 8192)
    dice = random.Random(11)
    count = 1000
    with StreamServer() as server:
        server.open("m")
        pauses: list[Subscriber] = []
        pause = server.hub.pause

        def counting(viewer: Subscriber) -> None:
            pauses.append(viewer)
            pause(viewer)

        monkeypatch.setattr(server.hub, "pause", counting)
        clients = [UnsteadyViewer(server, VIEWPOINTS[n % len(VIEWPOINTS)], random.Random(n)) for n in range(12)]

        def publish() -> None:
            sent = 0
            while sent < count:
                some = [_any_draft(dice) for _ in range(dice.randrange(1, 9))]
                sent += len(server.publish("m", *some))
                time.sleep(0.002)
            server.publish("m", ending())

        async def watch() -> None:
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*(client.run() for client in clients))

        publisher = threading.Thread(target=publish)
        publisher.start()
        asyncio.run(watch())
        publisher.join()
        events = server.call(lambda: list(server.history.events("m")))
        for client in clients:
            assert client.received == expected(events, client.viewpoint)[3:]
        assert sum(client.drops for client in clients) >= 300
        assert sum(client.resyncs for client in clients) >= 5
        assert len(pauses) >= 100


def _any_draft(dice: random.Random) -> Draft:
    audience: Any = dice.choice(["public", "public", ["NORTH"], ["SOUTH"], "operator", "private"])
    return Draft("Said", {"text": "x" * dice.choice([0, 50, 500, 3000])}, audience)


class UnsteadyViewer:
    """Reads a little, stalls, hangs up somehow, comes back with what it has; lies about it now and then."""

    def __init__(self, server: StreamServer, viewpoint: Viewpoint, dice: random.Random) -> None:
        self.viewpoint = viewpoint
        self.received: list[dict[str, Any]] = []
        self.drops = 0
        self.resyncs = 0
        self._server = server
        self._dice = dice
        self._done = False

    async def run(self) -> None:
        await self._lie()
        while not self._done:
            await self._session(StreamPosition(1, 2 + len(self.received)))

    async def _lie(self) -> None:
        async with self._client(StreamPosition(self._dice.choice([1, 7]), 10_000)) as client:
            assert json.loads(await client.recv())["frame"] == "resync"
            assert json.loads(await client.recv())["frame"] == "snapshot"
            self.resyncs += 1

    async def _session(self, after: StreamPosition) -> None:
        client = await self._client(after)
        try:
            for _ in range(self._dice.randrange(60)):
                self.received.append(json.loads(await client.recv()))
                if self._dice.random() < 0.03:
                    await asyncio.sleep(self._dice.random() * 0.03)
            self.drops += 1
            if self._dice.random() < 0.5:
                client.transport.abort()
        except ConnectionClosed as closed:
            self._done = closed.rcvd is not None and closed.rcvd.code == CloseCode.COMPLETE
        finally:
            await client.close()

    def _client(self, after: StreamPosition) -> websockets.asyncio.client.connect:
        return websockets.asyncio.client.connect(
            self._server.url("m", str(self.viewpoint), str(after)),
            sock=small_socket(self._server.port, 2048),
            max_queue=1,
            compression=None,
            close_timeout=0.2,
        )


# A killed server.


@pytest.mark.long
def test_what_anybody_was_shown_survives_kill_minus_nine(tmp_path: Path) -> None:
    record = tmp_path / "grandstand.db"
    observed: list[dict[str, Any]] = []
    for life in range(3):
        with _publishing(record) as (process, port):
            after = f"{observed[-1]['event']['epoch']}.{number(observed[-1])}" if observed else None
            before = len(observed)
            query = f"as=operator&token=sesame&after={after or '0.0'}"
            with connect(f"ws://127.0.0.1:{port}/api/episodes/{ENDLESS}/watch?{query}", max_queue=None) as client:
                if life == 0:
                    assert [frame["frame"] for frame in read(client, 2)] == ["resync", "snapshot"]
                observed += read(client, 300)
                process.send_signal(signal.SIGKILL)
                frames, code = read_to_end(client)
                observed += frames
                assert code == 1006
            assert len(observed) >= before + 300
    recorder = Recorder(record)
    kept = {event.seq: event for event in recorder.events(ENDLESS)}
    recorder.close()
    assert [number(frame) for frame in observed] == list(
        range(number(observed[0]), number(observed[0]) + len(observed))
    )
    assert len({frame["event"]["epoch"] for frame in observed}) == 3
    for frame in observed:
        assert Event.model_validate(frame["event"]) == kept[number(frame)]


@contextlib.contextmanager
def _publishing(record: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    command = [sys.executable, "-m", "tests.support.server.publisher", str(record)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, int(process.stdout.readline())
        finally:
            process.kill()


# What a connection may cost.


def test_answers_and_frames_leave_at_once(match: str, shared: StreamServer) -> None:
    """Nagle's algorithm would hold each answer back until the one before is acknowledged, some 40 ms later."""
    with small_socket(shared.port) as http, connect(shared.url(match)) as client:
        http.sendall(b"GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n")
        assert http.recv(12) == b"HTTP/1.1 404"
        read(client, 1)

        def delays() -> list[bool]:
            result: list[Any] = [transport_of(connection) for connection in shared.uvicorn.server_state.connections]
            return [
                not connection.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
                for connection in result
            ]

        assert len(shared.call(delays)) >= 2
        assert not any(shared.call(delays))


def transport_of(connection: Any) -> Any:
    """The transport of a connection, whether uvicorn still holds it or a viewer is what is left of it."""
    return connection._transport if isinstance(connection, sockets.Viewer) else connection.transport


def masked(opcode: int, payload: bytes = b"") -> bytes:
    """A client's frame, masked with zeros."""
    return bytes([0x80 | opcode, 0x80 | len(payload), 0, 0, 0, 0]) + payload


def test_a_viewer_that_pings_and_reads_nothing_fills_no_memory(shared: StreamServer, match: str) -> None:
    flood = masked(9, b"x" * 125) * 500
    most = 0
    with bare_watcher(shared, match) as sock:
        sock.setblocking(False)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                sock.send(flood)
            except BlockingIOError:
                time.sleep(0.005)  # what it said lies unread in the kernel
            except OSError:
                break  # it was cut
            most = max(most, shared.call(lambda: unsent(shared, match)))
            if not shared.call(lambda: shared.hub.viewers(match)):
                break
        assert shared.call(lambda: shared.hub.viewers(match)) == 0, "who floods is cut"
    assert most <= 2 * 256 * 1024


def test_a_paused_viewer_is_not_read(shared: StreamServer, match: str) -> None:
    """Nor are its pings answered: the answers would wait behind what it does not read."""
    with bare_watcher(shared, match) as sock:
        while shared.call(lambda: [v.paused_at for c in shared.hub._channels(match) for v in c.viewers]) == [None]:
            shared.publish(match, *[press("x" * 60_000)] * 5, *[Draft("Said", {"text": "x" * 60_000})] * 5)
        before = shared.call(lambda: unsent(shared, match))
        sock.sendall(masked(9, b"x" * 125) * 200)
        for _ in range(20):
            assert shared.call(lambda: unsent(shared, match)) <= before
            time.sleep(0.01)
        with connect(shared.url(match)) as other:
            assert read(other, 1)


def test_an_ordinary_socket_that_pings_and_reads_nothing_fills_no_memory(shared: StreamServer) -> None:
    with small_socket(shared.port) as sock:
        shake = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        sock.sendall(f"GET /echo HTTP/1.1\r\nHost: x\r\n{shake}Sec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode())
        assert sock.recv(12) == b"HTTP/1.1 101"
        flood = masked(9, b"x" * 125) * 500
        for _ in range(100):
            sock.sendall(flood)

        def held() -> int:
            sizes = [
                transport_of(connection).get_write_buffer_size()
                for connection in shared.uvicorn.server_state.connections
            ]
            return int(max(sizes))

        assert shared.call(held) <= 64 * 1024 + 2 * 256 * 1024


def unsent(server: StreamServer, episode_id: str) -> int:
    """Bytes that the server holds for the viewers of an episode."""
    viewers = [viewer for channel in server.hub._channels(episode_id) for viewer in channel.viewers]
    return sum(transport_of(viewer).get_write_buffer_size() for viewer in viewers)
