"""A program's seat over real sockets: numbered decisions, waiting for one's turn, and a program that is gone."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.players.press_player import message
from tests.support.server.seats import BOTS, QUIET, Seat, check_record, of_type, until

TOSS = {"tool": "set_toss", "arguments": {"decision": "field"}}
HOLD: dict[str, Any] = {"orders": []}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server on which everybody is an operator."""
    with live_server(tmp_path_factory.mktemp("programs"), GRANDSTAND_SLOTS="32") as running:
        yield running


def diplomacy(server: LiveServer, *programs: str, **fields: Any) -> str:
    players = BOTS | dict.fromkeys(programs or ("FRANCE",), "remote")
    request = {"game": "diplomacy", "seed": 3, "pace": 0, "options": QUIET, "players": players}
    return server.start_match(**{**request, **fields})


def cricket(server: LiveServer, player: str = "remote") -> Seat:
    players = {"home": player, "away": "random"}
    return Seat(
        server, server.start_match(game="cricket", seed=4, pace=0, players=players, options={"overs": 1}), "home"
    )


def send(seat: Seat, **body: Any) -> httpx2.Response:
    return http.post(seat.url, json=body, headers=seat.headers)


def bowling(seat: Seat) -> tuple[int, dict[str, Any]]:
    """Play until the seat may bowl; return the number of that decision and its action."""
    while True:
        view = seat.asked()
        tool = view["legal"]["must"]
        action = TOSS if tool == "set_toss" else {"tool": tool, "arguments": {}}
        if tool == "bowl_delivery":
            return view["number"], action
        send(seat, action=action, number=view["number"]).raise_for_status()


def own(seat: Seat) -> int:
    return len(seat.decisions())


def test_a_repeated_decision_is_answered_and_not_played_again(server: LiveServer) -> None:
    seat = cricket(server)
    number, action = bowling(seat)
    before = own(seat)
    first = send(seat, action=action, number=number)
    assert (first.status_code, first.json()) == (202, {"number": number, "repeated": False})
    until(lambda: own(seat) > before)
    for _ in range(2):
        again = send(seat, action=action, number=number)
        assert (again.status_code, again.json()) == (200, {"number": number, "repeated": True})
    assert seat.asked()["number"] == number + 1
    assert own(seat) == before + 1


@pytest.mark.parametrize("player", ["remote", pytest.param("person", marks=pytest.mark.long)])
def test_a_repeated_decision_is_known_after_a_killed_server(tmp_path: Path, player: str) -> None:
    with live_server(tmp_path) as server:
        seat = cricket(server, player)
        number, action = bowling(seat)
        before = own(seat)
        send(seat, action=action, number=number).raise_for_status()
        until(lambda: own(seat) > before)
        server.kill()
    with live_server(tmp_path) as server:
        seat = Seat(server, seat.episode, "home")
        assert seat.asked()["number"] == number + 1
        again = send(seat, action=action, number=number)
        assert (again.status_code, again.json()) == (200, {"number": number, "repeated": True})
        assert own(seat) == before + 1
        check_record(server, seat.episode)


@pytest.mark.parametrize("away", [-1, 1])
def test_a_decision_that_is_not_due_is_refused_with_the_number_that_is(server: LiveServer, away: int) -> None:
    seat = cricket(server)
    number, action = bowling(seat)
    refused = send(seat, action=action, number=number + away)
    assert (refused.status_code, refused.json()["field"]) == (409, "number")
    assert f"number {number}" in refused.json()["detail"]
    send(seat, action=action, number=number).raise_for_status()


def test_one_turn_may_have_several_decisions_of_a_seat(server: LiveServer) -> None:
    """Two equal messages are two decisions where they have two numbers, and one where they have the same."""
    seat = Seat(server, diplomacy(server, options={"press": "full", "negotiation_rounds": 0}))
    hello = message(["ITALY"], "Peace?")
    for number in (0, 0, 1, 1, 1):
        until(lambda: seat.view()["number"] >= number)  # noqa: B023 - awaited here
        send(seat, action=hello, number=number).raise_for_status()
    view = until(lambda: view if (view := seat.asked())["number"] == 2 else {})
    assert view["index"] == 0
    assert own(seat) == 2


def test_the_messages_of_a_repeated_round_of_press_are_sent_once(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        options = {"press": "full", "negotiation_rounds": 2}
        seat = Seat(server, diplomacy(server, "FRANCE", "ITALY", options=options))
        italy = Seat(server, seat.episode, "ITALY")
        until(lambda: seat.view().get("asked") == italy.view().get("asked") == "negotiate")
        words = [message(["ITALY"], "Peace?")]
        for status in (202, 200):
            assert send(seat, messages=words, number=0).status_code == status
        other = send(seat, messages=[], number=0)
        assert (other.status_code, other.json()["field"]) == (409, "number")
        send(italy, messages=[], number=0).raise_for_status()
        second = until(lambda: view if (view := seat.view())["number"] > 0 and view["asked"] == "negotiate" else {})
        assert send(seat, messages=words, number=0).status_code == 200
        assert seat.view()["asked"] == "negotiate", "the second round still waits"
        server.kill()
    with live_server(tmp_path) as server:
        seat, italy = Seat(server, seat.episode), Seat(server, seat.episode, "ITALY")
        until(lambda: seat.view().get("asked") == italy.view().get("asked") == "negotiate")
        assert seat.view()["number"] == second["number"]
        assert send(seat, messages=words, number=0).status_code == 200
        send(seat, messages=[], number=second["number"]).raise_for_status()
        send(italy, messages=[]).raise_for_status()
        seat.asked()
        assert send(seat, messages=[], number=second["number"]).status_code == 200
        assert own(seat) == 1


def test_a_person_may_change_a_decision_under_its_number(server: LiveServer) -> None:
    episode = diplomacy(server, players=BOTS | dict.fromkeys(("FRANCE", "ITALY"), "person"))
    seat = Seat(server, episode)
    assert seat.asked()["number"] == 0
    for orders, status in ((["A PAR - BUR"], 202), (["A PAR - BUR"], 200), (["A PAR - PIC"], 202)):
        assert send(seat, action={"orders": orders}, number=0).status_code == status
    seat.save(0, "A PAR - GAS")
    assert send(seat, action={"orders": ["A PAR - PIC"]}, number=0).status_code == 202
    Seat(server, episode, "ITALY").asked()
    send(Seat(server, episode, "ITALY"), action=HOLD, number=0).raise_for_status()
    until(lambda: seat.view()["index"] == 1)
    assert seat.decisions() == [(["A PAR - PIC"], "human")]


def test_a_program_that_misses_two_turns_is_replaced_and_may_come_back(tmp_path: Path) -> None:
    roster = tmp_path / "roster.toml"
    roster.write_text('[[player]]\nname = "remote"\nkind = "remote"\n[player.options]\nturn_seconds = 0.3\n')
    with live_server(tmp_path / "data", GRANDSTAND_ROSTER=str(roster)) as server:
        seat = Seat(server, diplomacy(server, pace=0.1))
        until(lambda: server.get(f"/api/episodes/{seat.episode}")["left"] == ["FRANCE"])
        assert [fault["boundary"] for fault in of_type(server, seat.episode, "PlayerFault")] == ["timeout", "timeout"]
        [left] = [item for item in of_type(server, seat.episode, "ControlChanged") if item["command"] == "leave"]
        assert left == {"command": "leave", "value": "FRANCE", "by": "absence"}
        turn = server.get(f"/api/episodes/{seat.episode}")["turn"]
        until(lambda: server.get(f"/api/episodes/{seat.episode}")["turn"] != turn)
        refused = seat.view()
        assert (refused["status"], refused["field"]) == (409, "seat")
        assert "POST" in refused["detail"]
        seat.post("take").raise_for_status()
        view = seat.asked()
        send(seat, action=HOLD, number=view["number"]).raise_for_status()
        until(lambda: ([], "remote") in seat.decisions())
        assert {source for _, source in seat.decisions()} == {"fallback", "heuristic", "remote"}
        check_record(server, seat.episode)


def waiting(pool: ThreadPoolExecutor, seat: Seat, seconds: float) -> Future[httpx2.Response]:
    return pool.submit(http.get, seat.url, params={"wait": seconds}, headers=seat.headers)


def test_waiting_ends_when_the_seat_is_asked(server: LiveServer) -> None:
    seat = Seat(server, diplomacy(server, "FRANCE", "ITALY"))
    italy = Seat(server, seat.episode, "ITALY")
    italy.asked()
    began = time.monotonic()
    view = http.get(seat.url, params={"wait": 60}).json()
    assert (view["asked"], view["index"]) == ("choose", 0)
    send(seat, action=HOLD, number=view["number"]).raise_for_status()
    with ThreadPoolExecutor() as pool:
        wait = waiting(pool, seat, 60)
        time.sleep(0.3)
        assert not wait.done()
        send(italy, action=HOLD).raise_for_status()
        view = wait.result().json()
    assert (view["asked"], view["index"], view["number"]) == ("choose", 1, 1)
    assert time.monotonic() - began < 50


def test_waiting_ends_after_its_seconds_with_what_there_is(server: LiveServer) -> None:
    seat = Seat(server, diplomacy(server, "FRANCE", "ITALY"))
    send(seat, action=HOLD, number=seat.asked()["number"]).raise_for_status()
    began = time.monotonic()
    view = http.get(seat.url, params={"wait": 0.5}).raise_for_status().json()
    assert view["asked"] is None
    assert time.monotonic() - began >= 0.5
    for wrong in (-1, 61, "soon"):
        refused = http.get(seat.url, params={"wait": wrong})
        assert (refused.status_code, refused.json()["field"]) == (422, "wait")


@pytest.mark.parametrize("end", ["stop", "leave"])
def test_waiting_ends_with_the_match_and_when_the_seat_is_lost(server: LiveServer, end: str) -> None:
    seat = Seat(server, diplomacy(server, "FRANCE", "ITALY"))
    send(seat, action=HOLD, number=seat.asked()["number"]).raise_for_status()
    began = time.monotonic()
    with ThreadPoolExecutor() as pool:
        wait = waiting(pool, seat, 60)
        time.sleep(0.3)
        server.command(seat.episode, end, **({"seat": "FRANCE"} if end == "leave" else {}))
        over = wait.result()
    assert (over.status_code, over.json()["field"]) == (409, "episode" if end == "stop" else "seat")
    assert time.monotonic() - began < 50


def test_a_server_that_stops_ends_the_waits(tmp_path: Path) -> None:
    with live_server(tmp_path) as server, ThreadPoolExecutor() as pool:
        seat = Seat(server, diplomacy(server, "FRANCE", "ITALY"))
        send(seat, action=HOLD, number=seat.asked()["number"]).raise_for_status()
        waits = [waiting(pool, seat, 60) for _ in range(4)]
        time.sleep(0.5)
        assert server.stop() == 0
        assert [wait.result().status_code for wait in waits] == [200] * 4
        log = server.log.read_text()
        assert "graceful shutdown exceeded" not in log
        assert "Traceback" not in log


def test_a_client_that_goes_away_while_it_waits_leaves_nothing_behind(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        seat = Seat(server, diplomacy(server, "FRANCE", "ITALY"))
        send(seat, action=HOLD, number=seat.asked()["number"]).raise_for_status()
        address = urlsplit(server.url)
        fds = Path(f"/proc/{server.process.pid}/fd")
        until(lambda: len(list(fds.iterdir())) < 100)
        before = len(list(fds.iterdir()))
        request = f"GET /api/episodes/{seat.episode}/seats/FRANCE?wait=60 HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n"
        with ExitStack() as clients:
            for _ in range(50):
                client = clients.enter_context(socket.create_connection((address.hostname, address.port)))
                client.sendall(request.encode())
            until(lambda: len(list(fds.iterdir())) >= before + 40)  # earlier connections may end meanwhile
            assert seat.view()["asked"] is None
        until(lambda: len(list(fds.iterdir())) <= before + 2)
        send(Seat(server, seat.episode, "ITALY"), action=HOLD).raise_for_status()
        assert seat.asked()["index"] == 1
        server.stop()
        assert "Traceback" not in server.log.read_text()


def test_a_draft_is_checked_as_an_action_is(server: LiveServer) -> None:
    seat = Seat(server, diplomacy(server, players=BOTS | {"FRANCE": "person"}))
    seat.asked()
    for text, field in (
        (r'{"orders": ["A PAR H \ud800"], "\udfff": 1}', "action"),
        (r'{"orders": ["A PAR H \ud800"]}', "orders[0]"),
        ('{"orders": [' * 40 + "]}" * 40, None),
        ('{"orders": NaN}', "orders"),
    ):
        for method, url, body in (
            ("POST", seat.url, f'{{"action": {text}}}'),
            ("PUT", f"{seat.url}/draft", f'{{"index": 0, "action": {text}}}'),
        ):
            refused = http.request(method, url, content=body, headers={"Content-Type": "application/json"})
            assert refused.status_code == 422, (method, text)
            assert field in (None, refused.json()["field"]), (method, refused.json())
    assert seat.view()["asked"] == "choose"
