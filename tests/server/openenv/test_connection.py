"""Sessions over real sockets, with OpenEnv's own clients: both ways of calling, rejoining, leaving, limits, silence."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from socket import SHUT_RDWR
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from fastmcp.exceptions import ToolError
from openenv.core.generic_client import GenericEnvClient
from openenv.core.mcp_client import MCPToolClient
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from grandstand.client import GrandstandEnv
from grandstand.models import MatchAction, MatchObservation, MatchState
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.server.mcp_keys import key_in
from tests.support.server.tokens import TOKEN
from tests.support.waiting import PATIENCE

FRANCE: dict[str, Any] = {"seat": "FRANCE", "opponents": "hold"}


def sync_env(server: LiveServer, **options: Any) -> Any:
    return GrandstandEnv(base_url=server.url, **options).sync()


def raw(server: LiveServer, path: str = "/ws") -> ClientConnection:
    return connect(server.url.replace("http", "ws") + path)


def ask(socket: ClientConnection, kind: str, **data: Any) -> Any:
    socket.send(json.dumps({"type": kind} | ({"data": data} if data or kind == "step" else {})))
    return json.loads(socket.recv(timeout=PATIENCE))["data"]


@pytest.mark.long
def test_the_typed_client_plays_in_ordinary_code(server: LiveServer) -> None:
    with sync_env(server) as env:
        result = env.reset(max_turns=2, seed=3, episode_id="mine", **FRANCE)
        assert isinstance(result.observation, MatchObservation)
        assert (result.reward, result.done, result.observation.status) == (0.0, False, "choose")
        result = env.step(MatchAction(action={"orders": ["A PAR - MOS"]}))
        assert result.observation.error_field == "orders[0]"
        env.step(MatchAction(reply='{"orders": ["A PAR - PIC"]}'))
        state = env.state()
        assert isinstance(state, MatchState)
        assert (state.episode_id, state.step_count, state.index) == ("mine", 2, 1)
        result = env.step(MatchAction(action={"orders": []}))
        assert result.done
        assert result.reward == pytest.approx(result.observation.scores["FRANCE"])
    summary = server.get(f"/api/episodes/{result.observation.match_id}")
    assert (summary["origin"], summary["status"]) == ("openenv", "stopped")
    assert server.get(result.observation.watch.replace("/episode/", "/api/episodes/") + "/events")["frames"]


def test_the_generic_client_plays_in_async_code(server: LiveServer) -> None:
    async def play() -> None:
        async with GenericEnvClient(base_url=server.url) as env:
            result = await env.reset(
                game="cricket", seat="home", options={"overs": 1}, opponents="random", seed=1, show=["legal"]
            )
            while not result.done:
                tool = result.observation["legal"]["must"]
                result = await env.step({"action": {"tool": tool, "arguments": {}}})
                assert not result.observation["error"], result.observation["error"]
            assert result.reward == result.observation["outcome"]["scores"]["home"]

    asyncio.run(play())


def test_a_state_before_reset_is_empty_and_a_step_is_refused(server: LiveServer) -> None:
    with raw(server) as socket:
        assert ask(socket, "state") == MatchState().model_dump()
        assert ask(socket, "step")["message"].startswith("step: there is no match; reset first")
        assert ask(socket, "reset", **FRANCE)["observation"]["status"] == "choose"


def test_an_unknown_word_is_named_and_the_session_goes_on(server: LiveServer) -> None:
    with sync_env(server) as env:
        faults: list[tuple[dict[str, Any], str]] = [
            ({"oponents": "hold"}, "oponents: reset knows no such word"),
            ({"options": {"overs": 5}}, "options.overs: diplomacy has no such option"),
            ({"opponents": "nobody"}, "diplomacy has no player 'nobody'"),
            ({"split": "cricket/none", "index": 0}, "split: there is no 'cricket/none'"),
        ]
        for words, named in faults:
            with pytest.raises(RuntimeError, match=named):
                env.reset(**words)
        assert env.reset(**FRANCE).observation.status == "choose"
    with raw(server) as socket:
        error = ask(socket, "step", wait="soon")
        assert (error["code"], error["errors"][0]["loc"]) == ("VALIDATION_ERROR", ["wait"])


def test_two_sessions_in_one_match_and_a_third_that_rejoins(server: LiveServer) -> None:
    with sync_env(server) as france, sync_env(server) as germany:
        words = {"seat": "FRANCE", "opponents": {"GERMANY": "remote"}, "options": {"press": "none"}}
        first = france.reset(**words).observation
        token = first.open_seats["GERMANY"]
        observation = germany.reset(match=first.match_id, seat="GERMANY", seat_token=token, episode_id="g").observation
        assert (observation.match_id, observation.seat, observation.status) == (first.match_id, "GERMANY", "choose")
        assert france.step(MatchAction(action={"orders": []}, wait=0)).observation.status == "waiting"
        observation = germany.step(MatchAction(action={"orders": ["A BER - KIE"]})).observation
        assert (observation.index, observation.status) == (1, "choose")
        assert germany.state().episode_id == "g"
        with sync_env(server) as again:
            observation = again.rejoin(first).observation
            assert (observation.seat, observation.index) == ("FRANCE", 1)
            with pytest.raises(RuntimeError, match="another session has taken it up"):
                france.step(MatchAction())
            again.step(MatchAction(action={"orders": []}, wait=0))
        assert germany.step(MatchAction(action={"orders": []})).observation.index > 1


def test_a_new_reset_ends_the_match_that_was_left(server: LiveServer) -> None:
    with sync_env(server) as env:
        first = env.reset(**FRANCE).observation
        second = env.reset(**FRANCE).observation
        summary = server.wait_for(first.match_id, status="stopped")
        assert summary["message"] == "stopped by a player who left"
        assert server.get(f"/api/episodes/{second.match_id}")["status"] == "live"


def test_http_plays_a_seat_by_its_token(server: LiveServer) -> None:
    """Each HTTP request has a session of its own: the seat is named."""
    observation = server.post("/reset", {"seed": 1, **FRANCE}).raise_for_status().json()["observation"]
    where = {"match": observation["match_id"], "seat": "FRANCE", "seat_token": observation["metadata"]["seat_token"]}
    step = server.post("/step", {"action": {"action": {"orders": ["A PAR - PIC"]}}, **where}).raise_for_status().json()
    assert (step["observation"]["index"], step["reward"], step["done"]) == (1, 0.0, False)
    refused = server.post("/step", {"action": {}, **where, "seat_tokne": "x"})
    assert (refused.status_code, refused.json()["field"]) == (422, "seat_tokne")
    inside = server.post("/step", {"action": {"action": {"orders": []}, **where}})
    assert (inside.status_code, "beside `action` and not inside it" in inside.json()["detail"]) == (409, True)
    odd = server.post("/step", {"action": {"ordesr": []}, **where}).raise_for_status().json()["observation"]
    assert "the object has the keys ordesr" in odd["error"]
    assert server.get("/state") == MatchState().model_dump()


def test_a_repeated_step_over_http_is_answered_and_not_played_again(server: LiveServer) -> None:
    observation = server.post("/reset", {"seed": 1, **FRANCE}).raise_for_status().json()["observation"]
    where = {"match": observation["match_id"], "seat": "FRANCE", "seat_token": observation["metadata"]["seat_token"]}
    for step in ({"action": {"orders": ["A PAR - PIC"]}}, {"reply": '{"orders": []}'}):
        number, index = observation["number"], observation["index"]
        for _ in range(2):
            answer = server.post("/step", {"action": {**step, "number": number}, **where}).raise_for_status().json()
            observation = answer["observation"]
            assert (observation["error"], observation["index"]) == ("", index + 1)
            assert observation["number"] == number + 1
    late = {"action": {"action": {"orders": []}, "number": 0}, **where}
    observation = server.post("/step", late).raise_for_status().json()["observation"]
    assert observation["error"] == "number: 0 is not due; the seat's next decision has the number 2"


def test_openenvs_mcp_client_plays_the_sessions_seat(server: LiveServer) -> None:
    async def play() -> None:
        async with MCPToolClient(base_url=server.url) as env:
            assert [tool.name for tool in await env.list_tools()] == ["play", "legal"]
            with pytest.raises(RuntimeError, match="there is no match"):
                await env.call_tool("play")
            with pytest.raises(RuntimeError, match="there is no match"):
                await env.call_tool("act")
            await env.reset(**FRANCE)
            *_, act = await env.list_tools(use_cache=False)
            assert (act.name, "A PAR - PIC" in act.input_schema["properties"]["A_PAR"]["enum"]) == ("act", True)
            assert "A PAR - PIC" in (await env.call_tool("legal"))["orders"]["A PAR"]
            answer = await env.call_tool("play", action={"orders": ["A PAR - PIC"]})
            assert (set(answer), answer["number"]) == ({"text", "number"}, 1)
            assert "F1901M" in answer["text"]
            assert set(await env.call_tool("play", reply="no")) == {"text", "error", "number"}
            refused = await env.call_tool("act", A_PIC="A PIC - MOS")
            assert refused["error"].startswith("Refused: A PIC: 'A PIC - MOS' is not possible")
            for _ in range(2):
                answer = await env.call_tool("act", A_PIC="A PIC - BEL", number=1)
                assert ("W1901A" in answer["text"], answer["number"]) == (True, 2)
            refused = await env.call_tool("bowl_delivery")
            assert refused["error"].endswith("is not among the tools that are offered now; there are act")
            assert (await env.state()).step_count == 6

    asyncio.run(play())


def test_tasks_are_listed_and_played(server: LiveServer) -> None:
    assert server.get("/list_environments") == ["grandstand"]
    splits = [split["name"] for split in server.get("/grandstand/splits")]
    assert {"diplomacy", "cricket", "cricket/death-overs"} <= set(splits)
    count = server.post("/grandstand/num_tasks", {"split": "cricket/death-overs"}).json()["num_tasks"]
    task = server.post("/grandstand/task", {"split": "cricket/death-overs", "index": count - 1}).json()["task"]
    assert server.post("/grandstand/task", {"split": "cricket/death-overs", "index": count}).status_code == 422
    some = server.post("/grandstand/task_range", {"split": "cricket/death-overs", "start": 1, "stop": 3}).json()[
        "tasks"
    ]
    assert [item["index"] for item in some] == [1, 2]
    with sync_env(server) as env:
        observation = env.reset(split="cricket/death-overs", index=count - 1, show=["view"]).observation
        assert observation.seat == task["reset"]["seat"]
        again = env.reset(split="cricket/death-overs", index=count - 1, show=["view"]).observation
        assert observation.view
        assert again.view == observation.view
    summary = server.get(f"/api/episodes/{observation.match_id}")
    assert summary["options"] == task["reset"]["options"]


# --- capacity, leaving and silence: on a server for two sessions ------------------------------------------------------


def admitted(server: LiveServer) -> bool:
    """Return whether the server has capacity for one more session."""
    with raw(server) as socket:
        try:
            return "code" not in ask(socket, "state")
        except ConnectionClosed:
            return False


def wait_for_room(server: LiveServer, others: int = 0) -> None:
    """Wait until the server has capacity for `others` sessions and one more."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with ExitStack() as stack:
            sockets = [stack.enter_context(raw(server)) for _ in range(others)]
            with suppress(ConnectionClosed):
                if all("code" not in ask(socket, "state") for socket in sockets) and admitted(server):
                    return
        time.sleep(0.1)
    raise AssertionError("a session was leaked")


@pytest.fixture
def empty(small: LiveServer) -> Iterator[LiveServer]:
    """The small server; afterwards nobody may hold a session of it."""
    yield small
    wait_for_room(small, others=1)


def refused(server: LiveServer) -> Any:
    with raw(server) as socket:
        return json.loads(socket.recv(timeout=PATIENCE))["data"]


@pytest.mark.long
def test_over_the_room_there_is_a_clear_error_and_room_comes_back(empty: LiveServer) -> None:
    with raw(empty) as item:
        with raw(empty) as two:
            ask(item, "state")
            ask(two, "state")
            error = refused(empty)
            assert (error["code"], error["active_sessions"], error["max_sessions"]) == ("CAPACITY_REACHED", 2, 2)
            with sync_env(empty) as env, pytest.raises(RuntimeError, match="CAPACITY_REACHED"):
                env.reset()
        wait_for_room(empty)


@pytest.mark.long
def test_a_client_that_leaves_in_the_middle_of_a_step_leaks_nothing(empty: LiveServer) -> None:
    """Its step waits for another seat; its session is free at once, and nothing is logged."""
    before = empty.log.read_text()
    words = {"seat": "FRANCE", "opponents": {"GERMANY": "remote"}, "options": {"press": "none"}, "token": TOKEN}
    with raw(empty) as socket:
        assert ask(socket, "reset", **words)["observation"]["status"] == "choose"
        socket.send(json.dumps({"type": "step", "data": {"action": {"orders": []}}}))
        time.sleep(0.3)
        socket.socket.shutdown(SHUT_RDWR)
    wait_for_room(empty, others=1)
    assert "Traceback" not in empty.log.read_text()[len(before) :]


@pytest.mark.long
def test_a_silent_socket_is_closed(empty: LiveServer) -> None:
    with raw(empty) as socket:
        ask(socket, "state")
        with pytest.raises(ConnectionClosed) as caught:
            socket.recv(timeout=PATIENCE)
        assert caught.value.rcvd is not None
        assert (caught.value.rcvd.code, caught.value.rcvd.reason) == (1001, "silent for too long")


@pytest.mark.long
def test_a_session_without_a_socket_is_not_held_for_ever(empty: LiveServer) -> None:
    create = {"jsonrpc": "2.0", "id": 1, "method": "openenv/session/create", "params": {}}
    ids = [empty.post("/mcp", create).json()["result"]["session_id"] for _ in range(2)]
    assert refused(empty)["code"] == "CAPACITY_REACHED"
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        call = {"jsonrpc": "2.0", "id": 2, "method": "openenv/session/create", "params": {}}
        answer = empty.post("/mcp", call).json()
        if "result" in answer:
            close = {"jsonrpc": "2.0", "id": 3, "method": "openenv/session/close", "params": answer["result"]}
            assert empty.post("/mcp", close).json()["result"]["closed"]
            break
        time.sleep(0.5)
    else:
        raise AssertionError(f"sessions {ids} were held")


@pytest.mark.long
def test_a_session_that_only_looks_at_its_state_is_closed_with_its_socket(empty: LiveServer) -> None:
    """OpenEnv does not count that as a sign of life: its reaper ends the session, and the socket goes with it."""
    with raw(empty) as socket, suppress(ConnectionClosed):
        for _ in range(60):
            ask(socket, "state")
            time.sleep(0.3)
        raise AssertionError("it was kept")


# --- who may do what --------------------------------------------------------------------------------------------------


def test_without_the_token_one_plays_built_in_players_only(empty: LiveServer) -> None:
    with sync_env(empty) as env:
        with pytest.raises(RuntimeError, match="built-in players only, not person"):
            env.reset(opponents={"ITALY": "person"})
        assert env.reset(token=TOKEN, opponents={"ITALY": "person"}, wait=0).observation.match_id
    with sync_env(empty, headers={"Authorization": f"Bearer {TOKEN}"}) as env:
        assert env.reset(opponents={"ITALY": "person"}, wait=0).observation.match_id
    with sync_env(empty, headers={"Authorization": "Bearer somebody-elses"}) as env:
        assert env.reset(**FRANCE).observation.status == "choose"
        with pytest.raises(RuntimeError, match="built-in players only"):
            env.reset(opponents={"ITALY": "person"})


def test_the_health_page_is_for_browsers_and_the_answer_for_machines(server: LiveServer) -> None:
    assert server.get("/health") == {"status": "healthy"}
    page = http.get(server.url + "/health", headers={"accept": "text/html,*/*"})
    assert "json" not in page.headers["content-type"]


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server on which a visitor has two sessions, and an unused one is soon closed."""
    data = tmp_path_factory.mktemp("openenv-narrow")
    bounds: dict[str, Any] = {
        "GRANDSTAND_OPENENV_SESSIONS": "8",
        "constants": {"grandstand.server.openenv.mount.UNUSED": 2.0},
        "GRANDSTAND_VISITOR_CREDITS": "100",
    }
    with live_server(data, GRANDSTAND_OPERATOR_TOKEN=TOKEN, **bounds) as running:
        http.get(running.url + "/schema").raise_for_status()
        yield running


@pytest.mark.long
def test_one_visitor_cannot_hold_all_the_sessions(narrow: LiveServer) -> None:
    with raw(narrow) as item:
        ask(item, "reset", **FRANCE)
        create = {"jsonrpc": "2.0", "id": 1, "method": "openenv/session/create", "params": {}}
        assert "session_id" in narrow.post("/mcp", create).json()["result"]
        error = refused(narrow)
        assert (error["code"], error["active_sessions"], error["max_sessions"]) == ("CAPACITY_REACHED", 2, 2)
        assert "this address has 2 sessions" in error["message"]
        assert "this address has 2 sessions" in narrow.post("/reset", FRANCE).json()["detail"]
        assert "this address has 2 sessions" in narrow.post("/mcp", create).json()["error"]["message"]
        with sync_env(narrow, headers={"Authorization": f"Bearer {TOKEN}"}) as operator:
            assert operator.reset(**FRANCE).observation.status == "choose"
    wait_for_room(narrow, others=1)


@pytest.mark.long
def test_matches_over_http_and_mcp_count_as_sessions_of_their_visitor(narrow: LiveServer) -> None:
    observation = narrow.post("/reset", FRANCE).raise_for_status().json()["observation"]

    async def play() -> None:
        async with Client(StreamableHttpTransport(narrow.url + "/mcp-server")) as client:
            key = key_in((await client.call_tool("start_match", FRANCE)).content[0].text)
            full = narrow.post("/reset", FRANCE)
            assert (full.status_code, "leave one" in full.json()["detail"]) == (429, True)
            with pytest.raises(ToolError, match="this address has 2 sessions and matches already"):
                await client.call_tool("start_match", FRANCE)
            assert refused(narrow)["code"] == "CAPACITY_REACHED"
            words = {"token": TOKEN, **FRANCE}
            assert narrow.post("/reset", words).status_code == 200, "an operator is not bounded"
            await client.call_tool("leave_match", {"key": key})
            narrow.wait_for(key.partition("/")[0], status="stopped")

    asyncio.run(play())
    assert narrow.post("/reset", FRANCE).status_code == 200
    assert narrow.get(f"/api/episodes/{observation['match_id']}")["status"] == "live"
    for episode in narrow.get("/api/episodes", status="live")["episodes"]:
        command = f"/api/episodes/{episode['episode_id']}/commands"
        narrow.post(command, {"command": "stop"}, Authorization=f"Bearer {TOKEN}").raise_for_status()


@pytest.mark.long
def test_a_session_that_has_no_match_is_soon_closed_and_one_that_has_is_kept(narrow: LiveServer) -> None:
    with raw(narrow) as playing, raw(narrow) as unused:
        ask(playing, "reset", **FRANCE)
        ask(unused, "state")
        with pytest.raises(ConnectionClosed) as caught:
            unused.recv(timeout=PATIENCE)
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1001
        wait_for_room(narrow)
        assert ask(playing, "step")["observation"]["status"] == "choose"
