"""The socket for the `diplomacy` package's client: the unmodified client, in a process of its own, watches matches."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from grandstand.games.diplomacy.record.saved_game import read_saved_game, saved_game_outcome
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.models import Event
from grandstand.server.api.streams import observe
from grandstand.server.transport import observers
from grandstand.server.transport.observers import MATCHES_EACH, MAX_RECEIVED, OBSERVERS_EACH, Observers
from grandstand.spectator.errors import CloseCode, UnknownEpisode
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.viewpoint import SPECTATOR, Viewpoint
from tests.support.diplomacy.oracle import Oracle
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.waiting import PATIENCE, until

TOKEN = "an operator's token"
PLAYERS = dict(zip(POWERS, ("dumbbot", "random", "dumbbot", "random", "dumbbot", "random", "dumbbot"), strict=True))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def client(server: LiveServer) -> Iterator[Package]:
    with Package(server) as client:
        yield client


class Package(Oracle):
    """The package's client, connected to a server."""

    def __init__(self, server: LiveServer) -> None:
        super().__init__("observer_process.py")
        self.do("connect", port=urlsplit(server.url).port)

    def do(self, command: str, **arguments: Any) -> Any:
        answer = self.ask(command, **arguments)
        assert "error" not in answer, answer
        return answer["answer"]

    def refusal(self, command: str, **arguments: Any) -> tuple[str, str]:
        answer = self.ask(command, **arguments)
        return answer["error"], answer["message"]


def start(server: LiveServer, **more: Any) -> str:
    options = {"last_year": 1902, "press": "none"}
    return server.start_match(**{"players": PLAYERS, "options": options, "pace": 0, "paused": True, **more})


def positions(server: LiveServer, episode: str) -> list[dict[str, Any]]:
    """Our positions, phase by phase, as the package writes them."""
    frames = server.get(f"/api/episodes/{episode}/events")["frames"]
    events = [frame["event"] for frame in frames if frame["frame"] == "event"]
    return [as_package(event["data"]["state"]) for event in events if event["type"] == "PhaseAdvanced"]


def as_package(state: dict[str, Any]) -> dict[str, Any]:
    retreats = {power: state["retreats"].get(power, {}) for power in POWERS}
    units = {power: sorted([*state["units"][power], *(f"*{unit}" for unit in retreats[power])]) for power in POWERS}
    centers = {power: sorted(state["centers"][power]) for power in POWERS}
    return {"phase": state["phase"], "units": units, "retreats": retreats, "centers": centers}


def position(state: dict[str, Any]) -> dict[str, Any]:
    """The position in a state of the client."""
    units = {power: sorted(units) for power, units in state["units"].items()}
    centers = {power: sorted(centers) for power, centers in state["centers"].items()}
    return {"phase": state["phase"], "units": units, "retreats": state["retreats"], "centers": centers}


def step(server: LiveServer, episode: str) -> str:
    """Have the next phase of a paused match played, and return the one after it."""
    before = len(positions(server, episode))
    server.command(episode, "step")
    assert until(lambda: len(positions(server, episode)) == before + 1)
    return str(positions(server, episode)[-1]["phase"])


def check_export(server: LiveServer, episode: str, exported: dict[str, Any]) -> None:
    """Check the client's saved game against ours: every phase with its orders, results and messages."""
    ours = server.get(f"/api/episodes/{episode}/export/saved-game")
    theirs = exported["phases"]
    assert [phase["name"] for phase in theirs] == [*(phase["name"] for phase in ours["phases"]), "COMPLETED"]
    for expected, phase in zip(ours["phases"], theirs, strict=False):
        assert phase["orders"] == expected["orders"]
        assert phase["results"] == expected["results"]
        assert phase["state"]["units"] == expected["state"]["units"]
        assert phase["state"]["centers"] == expected["state"]["centers"]
        assert phase["state"]["builds"] == expected["state"]["builds"]
        assert [m["message"] for m in phase["messages"]] == [m["message"] for m in expected["messages"]]
    assert [phase.state.name for phase in read_saved_game(exported)] == [phase["name"] for phase in ours["phases"]]
    outcome = saved_game_outcome(exported)
    assert outcome is not None
    assert outcome.winners == ours["outcome"]["winners"]


@pytest.mark.long
def test_a_client_follows_a_match_to_its_end(server: LiveServer, client: Package) -> None:
    episode = start(server)
    server.wait_for(episode, status="live")
    listed = {info["game_id"]: info for info in client.do("games_listed")}
    assert listed[episode]["status"] == "paused"
    assert listed[episode]["map_name"] == "standard"
    assert listed[episode]["observer_level"] == "observer_type"
    state = client.do("join", game_id=episode)
    assert (state["phase"], state["history"]) == ("S1901M", [])
    assert state["players"] == PLAYERS

    server.command(episode, "resume")
    changes = client.do("until", game_id=episode, phase="COMPLETED")
    client.do("until_status", game_id=episode, status="completed")
    ours = positions(server, episode)
    assert len(ours) > 5
    assert [position(state) for state in changes[:-1]] == ours[1:]
    last = client.do("look", game_id=episode)
    assert last["centers"] == changes[-2]["centers"]
    assert last["history"] == [state["phase"] for state in ours]
    check_export(server, episode, client.do("export", game_id=episode))
    assert [info["status"] for info in client.do("games_listed", game_id=episode)] == ["completed"]
    assert client.do("games_listed", game_id=episode, status="active") == []


@pytest.mark.long
def test_a_client_that_joins_late_has_the_whole_history(server: LiveServer, client: Package) -> None:
    episode = start(server)
    server.wait_for(episode, status="live")
    step(server, episode)
    step(server, episode)
    step(server, episode)
    state = client.do("join", game_id=episode)
    ours = positions(server, episode)
    assert position(state) == ours[-1]
    assert state["history"] == [item["phase"] for item in ours[:-1]]

    server.command(episode, "resume")
    client.do("until", game_id=episode, phase="COMPLETED")
    check_export(server, episode, client.do("export", game_id=episode))


@pytest.mark.long
def test_the_example_of_the_documentation(server: LiveServer, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "protocol.md").read_text("utf-8").partition("### An observer in Python")[2]
    example = page.partition("```python\n")[2].partition("```")[0]
    episode = start(server, pace=60, paused=False)
    server.wait_for(episode, status="live")
    code = example.replace("8000", str(urlsplit(server.url).port)).replace("sleep(1)", "sleep(0.02)")
    environment = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT / ".cache" / "oracle")}
    script = [sys.executable, "-W", "ignore", "-c", code]
    with (
        Oracle(),
        subprocess.Popen(script, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as observer,
    ):
        assert until(lambda: server.get("/api/episodes")["viewers"] == {episode: 1} or observer.poll() is not None)
        server.command(episode, "pace", value=0)
        output, _ = observer.communicate(timeout=PATIENCE)
    phases = [item["phase"] for item in positions(server, episode)]
    assert [line.split()[0] for line in output.splitlines()] == phases
    check_export(server, episode, json.loads((tmp_path / "game.jsonl").read_text()))


def test_an_ended_match_can_be_joined(server: LiveServer, client: Package) -> None:
    episode = start(server, paused=False)
    server.wait_for(episode, status="finished")
    state = client.do("join", game_id=episode)
    assert (state["phase"], state["status"]) == ("COMPLETED", "completed")
    assert state["note"].startswith("Victory by: ")
    check_export(server, episode, client.do("export", game_id=episode))


def test_a_stopped_match_is_cancelled(server: LiveServer, client: Package) -> None:
    episode = start(server)
    server.wait_for(episode, status="live")
    client.do("join", game_id=episode)
    server.command(episode, "stop")
    client.do("until_status", game_id=episode, status="canceled")
    assert client.do("look", game_id=episode)["phase"] == "S1901M"


@pytest.mark.long
def test_a_client_synchronizes_with_a_server_that_was_killed(tmp_path: Path) -> None:
    with live_server(tmp_path) as first:
        port = urlsplit(first.url).port
        assert port is not None
        with Package(first) as client:
            episode = start(first)
            first.wait_for(episode, status="live")
            client.do("join", game_id=episode)
            step(first, episode)
            client.do("until", game_id=episode, phase=step(first, episode))
            first.kill()
            with live_server(tmp_path, port=port) as second:
                step(second, episode)
                second.command(episode, "resume")
                second.wait_for(episode, status="finished")
                client.do("until_reconnected")
                changes = client.do("until", game_id=episode, phase="COMPLETED")
                client.do("until_status", game_id=episode, status="completed")
                assert [position(state) for state in changes[:-1]] == positions(second, episode)[1:]
                check_export(second, episode, client.do("export", game_id=episode))
                assert client.do("synchronize", game_id=episode) == "COMPLETED"


def test_a_client_can_synchronize_at_any_time(server: LiveServer, client: Package) -> None:
    episode = start(server)
    server.wait_for(episode, status="live")
    client.do("join", game_id=episode)
    assert client.do("synchronize", game_id=episode) == "S1901M"
    client.do("leave", game_id=episode)
    assert client.do("join", game_id=episode)["phase"] == "S1901M"
    server.command(episode, "stop")


@pytest.mark.long
def test_a_client_is_as_far_behind_as_spectators(server: LiveServer, client: Package) -> None:
    hidden = start(server, paused=False, delay=3600)
    shown = start(server, paused=False, delay=0.5)
    assert client.do("join", game_id=hidden)["phase"] == "FORMING"
    client.do("join", game_id=shown)
    client.do("until", game_id=shown, phase="COMPLETED")
    check_export(server, shown, client.do("export", game_id=shown))

    def ended() -> bool:
        answer = server.get(f"/api/episodes/{hidden}/events", **{"as": "operator"})
        return any(frame["frame"] == "event" and frame["event"]["type"] == "EpisodeEnded" for frame in answer["frames"])

    assert until(ended)
    listed = {info["game_id"]: info for info in client.do("games_listed")}
    assert (listed[hidden]["phase"], listed[hidden]["status"]) == ("FORMING", "forming")
    assert client.do("synchronize", game_id=hidden) == "FORMING"
    state = client.do("look", game_id=hidden)
    assert (state["phase"], state["history"], state["units"]["FRANCE"]) == ("FORMING", [], [])


@pytest.mark.long
def test_public_messages_arrive_and_secret_ones_do_not(server: LiveServer, client: Package) -> None:
    options = {"last_year": 1901, "press": "full", "negotiation_rounds": 0}
    players = {**dict.fromkeys(POWERS, "hold"), "FRANCE": "person"}
    episode = start(server, players=players, options=options, paused=False)
    seat = f"/api/episodes/{episode}/seats/FRANCE"
    assert until(lambda: server.get(seat).get("asked") == "choose")
    client.do("join", game_id=episode)
    for to, text in ((["ITALY"], "a secret"), ("all", "Peace!"), ("all", "Really.")):
        server.post(seat, {"action": {"message": {"to": to, "text": text}}}).raise_for_status()
    client.do("until_received", count=2)
    state = client.do("look", game_id=episode)
    assert state["messages"] == [["FRANCE", "GLOBAL", "Peace!"], ["FRANCE", "GLOBAL", "Really."]]
    with Package(server) as late:
        assert late.do("join", game_id=episode)["messages"] == state["messages"]

    server.post(seat, {"action": {"orders": []}}).raise_for_status()
    client.do("until", game_id=episode, phase="F1901M")
    assert until(lambda: server.get(seat).get("index") == 1)
    server.post(seat, {"action": {"orders": []}}).raise_for_status()
    client.do("until", game_id=episode, phase="COMPLETED")
    check_export(server, episode, client.do("export", game_id=episode))
    history = client.do("export", game_id=episode)["phases"][0]["messages"]
    assert [message["message"] for message in history] == ["Peace!", "Really."]


def test_playing_is_refused_and_the_answer_says_what_to_do(server: LiveServer, client: Package) -> None:
    episode = start(server)
    server.wait_for(episode, status="live")
    client.do("join", game_id=episode)
    for error, message in (
        client.refusal("play", game_id=episode, power="FRANCE"),
        client.refusal("order", game_id=episode),
    ):
        assert error == "GameObserverException"
        assert "POST /api/play" in message
    error, message = client.refusal("join", game_id="nothing")
    assert (error, message) == ("GameIdException", "game_id: no episode 'nothing'")
    server.command(episode, "stop")


def test_a_match_of_another_game_is_refused(server: LiveServer, client: Package) -> None:
    episode = server.start_match(game="cricket", players={"home": "heuristic", "away": "heuristic"}, paused=True)
    assert episode not in {info["game_id"] for info in client.do("games_listed")}
    error, message = client.refusal("join", game_id=episode)
    assert (error, message) == ("GameIdException", f"game_id: {episode} is a match of cricket, not of diplomacy")
    server.command(episode, "stop")


@pytest.mark.long
def test_visitors_observe_on_a_server_with_a_token(tmp_path: Path) -> None:
    with live_server(tmp_path, "--root-path", "/stands", GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        body = {"players": PLAYERS, "options": {"last_year": 1901}, "pace": 0}
        started = server.post("/api/episodes", body, Authorization=f"Bearer {TOKEN}").raise_for_status()
        with Package(server) as client:
            client.do("join", game_id=started.json()["episode_id"])
            client.do("until", game_id=started.json()["episode_id"], phase="COMPLETED")


def dial(server: LiveServer, path: str = "/") -> ClientConnection:
    return connect(server.url.replace("http", "ws") + path)


def ask(connection: ClientConnection, **request: Any) -> dict[str, Any]:
    connection.send(json.dumps({"request_id": "1", "re_sent": False, **request}))
    answer: dict[str, Any] = json.loads(connection.recv(timeout=PATIENCE))
    assert answer["request_id"] == "1"
    return answer


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("not JSON", 1007),
        ("[" * 10_000, 1007),
        ("[]", 1007),
        ('{"name": "sign_in"}', 1007),
        ('{"request_id": 7, "name": "sign_in"}', 1007),
        (b"\x00", 1003),
        ('"' + "x" * MAX_RECEIVED + '"', 1009),
    ],
)
def test_garbage_closes_the_connection(server: LiveServer, frame: str | bytes, code: int) -> None:
    with dial(server) as connection:
        connection.send(frame)
        with pytest.raises(ConnectionClosed) as closed:
            connection.recv(timeout=PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == code


def test_an_unknown_request_and_a_bad_field_are_answered(server: LiveServer) -> None:
    with dial(server) as connection:
        answer = ask(connection, name="get_everything")
        assert answer["name"] == "error"
        assert answer["message"].startswith("name: this server has no 'get_everything'; it answers sign_in,")
        assert ask(connection, name="join_game", token="t")["message"].startswith("game_id: must be a text")
        sync = {"name": "synchronize", "token": "t", "game_id": "g", "game_role": "observer_type", "phase": "S1901M"}
        assert ask(connection, **sync)["message"].startswith("timestamp: must be")
        for game_id in ("\ud800", "\0", "../../etc", "'; --"):
            answer = ask(connection, name="join_game", token="t", game_id=game_id)
            assert answer["message"].startswith("game_id: ")
        assert ask(connection, name="create_game", token="t")["error_type"] == "GameCreationException"
        assert ask(connection, name="sign_in")["name"] == "data_token"


def test_connections_and_matches_are_bounded(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        check_bounds(server)


def check_bounds(server: LiveServer) -> None:
    episode = start(server)
    server.wait_for(episode, status="live")
    with ExitStack() as stack:
        for _ in range(OBSERVERS_EACH - 1):
            stack.enter_context(dial(server))
        connection = stack.enter_context(dial(server))
        with pytest.raises(InvalidStatus) as refused, dial(server):
            pass
        assert refused.value.response.status_code == 503
        join = {"name": "join_game", "game_id": episode}
        names = [ask(connection, **join, token=str(number))["name"] for number in range(MATCHES_EACH + 1)]
        assert names == [*["data_game"] * MATCHES_EACH, "error"]
        assert ask(connection, **join, token="0")["error_type"] == "GameJoinRoleException"
        assert ask(connection, name="leave_game", token="0", game_id=episode)["name"] == "ok"
        assert ask(connection, **join, token="another")["name"] == "data_game"
        assert server.get("/api/episodes")["viewers"] == {episode: MATCHES_EACH}
    assert until(lambda: not server.get("/api/episodes")["viewers"])
    with dial(server) as connection:
        assert ask(connection, name="sign_in")["name"] == "data_token"


def test_a_restarting_server_tells_its_observers_to_connect_again(tmp_path: Path) -> None:
    with live_server(tmp_path) as server, dial_after_join(server) as connection:
        server.process.terminate()
        with pytest.raises(ConnectionClosed) as closed:
            read_all(connection)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code in (CloseCode.STOPPING, 1012)


def read_all(connection: ClientConnection) -> None:
    while True:
        connection.recv(timeout=PATIENCE)


@contextmanager
def dial_after_join(server: LiveServer) -> Iterator[ClientConnection]:
    episode = start(server)
    server.wait_for(episode, status="live")
    with dial(server) as connection:
        assert ask(connection, name="join_game", token="t", game_id=episode)["name"] == "data_game"
        yield connection


class StuckSocket:
    """A socket whose client asks for the list again and again, and reads nothing after the first answer."""

    def __init__(self) -> None:
        self.scope: dict[str, Any] = {}
        self.client = None
        self.sent: list[str] = []
        self.closed: list[tuple[int, str]] = []

    async def accept(self) -> None: ...

    async def receive(self) -> dict[str, str]:
        request = {"request_id": "1", "name": "list_games", "token": "t"}
        return {"type": "websocket.receive", "text": json.dumps(request)}

    async def send_text(self, text: str) -> None:
        if self.sent:
            await asyncio.Event().wait()
        self.sent.append(text)

    async def close(self, code: int, reason: str) -> None:
        self.closed.append((code, reason))


def test_a_client_that_reads_nothing_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observers, "SLOW_AFTER", 0.01)
    stuck = StuckSocket()

    async def newest(game: str) -> list[EpisodeSummary]:
        return []

    parts = SimpleNamespace(observers=Observers(), history=None, hub=None, newest=newest, access=None)
    asyncio.run(observe(cast(Any, parts), cast(Any, stuck)))
    assert len(stuck.sent) == 1
    assert stuck.closed == [(CloseCode.SLOW, "slow")]


class JoiningSocket(StuckSocket):
    """A socket whose client asks for a match and leaves after the answer."""

    async def receive(self) -> dict[str, str]:
        if self.sent:
            return {"type": "websocket.disconnect"}
        request = {"request_id": "1", "name": "join_game", "token": "t", "game_id": "g-1"}
        return {"type": "websocket.receive", "text": json.dumps(request)}


class DeletedMeanwhile:
    """A history and a hub whose match is deleted while others are read."""

    async def ready(self, episode_id: str) -> None: ...

    def summary(self, episode_id: str, viewpoint: Viewpoint) -> SimpleNamespace:
        return SimpleNamespace(game="diplomacy")

    def events(self, episode_id: str, viewpoint: Viewpoint) -> list[Event]:
        raise UnknownEpisode(episode_id)


def test_a_match_that_is_deleted_before_it_is_read_is_refused() -> None:
    deleted, joining = cast(Any, DeletedMeanwhile()), JoiningSocket()
    access = SimpleNamespace(look=lambda *_: SPECTATOR)
    parts = SimpleNamespace(observers=Observers(), history=deleted, hub=deleted, newest=list, access=access)
    asyncio.run(observe(cast(Any, parts), cast(Any, joining)))
    [answer] = map(json.loads, joining.sent)
    assert (answer["error_type"], answer["message"]) == ("GameIdException", "no episode 'g-1'")
    assert joining.closed == [(1000, "")]
