"""Moves tried from a moment of a match over HTTP: what comes of them, who may, and how much."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from grandstand.server.bodies.sandbox import MOST_MOVES
from tests.support.live_server import LiveServer, live_server

TOKEN = "let me in"
LENGTH = {"last_year": 1902, "draw_votes": False}


OPERATOR = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose callers are visitors unless they send its token."""
    with live_server(tmp_path_factory.mktemp("sandbox"), GRANDSTAND_OPERATOR_TOKEN=TOKEN) as running:
        yield running


@pytest.fixture(scope="module")
def diplomacy(server: LiveServer) -> str:
    """A finished match whose letters and orders before their time stay secret."""
    return finished(server, game="diplomacy", options=LENGTH)


def started(server: LiveServer, **request: Any) -> str:
    body = {"seed": 3, "pace": 0, **request}
    return str(server.post("/api/episodes", body, **OPERATOR).raise_for_status().json()["episode_id"])


def finished(server: LiveServer, **request: Any) -> str:
    episode = started(server, **request)
    server.wait_for(episode, status="finished")
    return episode


def posted(server: LiveServer, episode: str, part: str = "", **body: Any) -> httpx2.Response:
    return server.post(f"/api/episodes/{episode}/sandbox{part}", body)


def position(server: LiveServer, episode: str, **body: Any) -> Any:
    return posted(server, episode, **body).raise_for_status().json()


def turn(server: LiveServer, episode: str, number: int) -> int:
    """The event with which a turn begins."""
    frames = server.get(f"/api/episodes/{episode}/events")["frames"]
    events = [frame["event"] for frame in frames if frame["frame"] == "event"]
    return int([event["seq"] for event in events if event["type"] == "TurnStarted"][number])


def orders(seat: str, *texts: str) -> dict[str, Any]:
    return {"seat": seat, "action": {"orders": list(texts)}}


def test_moves_are_played_and_nothing_of_them_is_recorded(server: LiveServer, diplomacy: str) -> None:
    before = server.get("/api/episodes")["total"], server.get(f"/api/episodes/{diplomacy}")
    seq = turn(server, diplomacy, 0)
    opened = position(server, diplomacy, seq=seq)
    assert (opened["seq"], opened["viewpoint"], opened["events"]) == (seq, "spectator", [])
    assert opened["waiting"] == ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]
    assert (opened["view"]["seat"], opened["view"]["turn"]) == ("AUSTRIA", "S1901M")
    moves = [{"seat": seat, "action": None} for seat in opened["waiting"] if seat != "FRANCE"] + [
        orders("FRANCE", "A PAR - BUR")
    ]
    played = position(server, diplomacy, seq=seq, moves=moves)
    events = [event for move in played["events"] for event in move]
    assert [event["seq"] for event in events] == list(range(seq + 1, seq + 1 + len(events)))
    assert [len(move) for move in played["events"][:6]] == [2] * 6
    assert events[-1]["type"] == "TurnStarted"
    assert events[-1]["data"]["turn"] == "F1901M"
    [advanced] = [event for event in events if event["type"] == "PhaseAdvanced"]
    assert "A BUR" in advanced["data"]["state"]["units"]["FRANCE"]
    later = position(server, diplomacy, seq=seq, moves=moves, known=6, seat="TURKEY")
    assert later["events"] == played["events"][6:]
    assert later["view"]["seat"] == "TURKEY"
    assert position(server, diplomacy, seq=seq, moves=moves[:5])["waiting"] == ["FRANCE", "TURKEY"]
    assert (server.get("/api/episodes")["total"], server.get(f"/api/episodes/{diplomacy}")) == before


def test_the_choices_are_those_of_the_position(server: LiveServer, diplomacy: str) -> None:
    seq = turn(server, diplomacy, 0)
    moves = [orders(seat) for seat in ("AUSTRIA", "ENGLAND")]
    asked = {"number": 0, "chosen": {"A PAR": "A PAR - BUR"}}
    answer = posted(server, diplomacy, "/choices", seq=seq, moves=moves, seat="FRANCE", asked=asked).json()
    assert answer["action"] == {"orders": ["F BRE H", "A MAR H", "A PAR - BUR"]}
    done = posted(server, diplomacy, "/choices", seq=seq, moves=moves, seat="ENGLAND").json()
    assert done["stages"] == []
    wrong = posted(server, diplomacy, "/choices", seq=seq, seat="FRANCE", asked={"chosen": {"A PAR": "A PAR - LON"}})
    assert (wrong.status_code, wrong.json()["field"]) == (422, "A PAR")


def test_a_refusal_names_the_move(server: LiveServer, diplomacy: str) -> None:
    seq = turn(server, diplomacy, 0)
    moves = [orders("ENGLAND"), orders("FRANCE", "A PAR - LON")]
    refused = posted(server, diplomacy, seq=seq, moves=moves)
    assert (refused.status_code, refused.json()["field"]) == (422, "moves[1].orders[0]")
    assert position(server, diplomacy, seq=seq, moves=moves[:1])["waiting"][0] == "AUSTRIA"
    nobody = posted(server, diplomacy, seq=seq, moves=[orders("NARNIA")])
    assert (nobody.status_code, nobody.json()["field"]) == (422, "moves[0].seat")
    twice = posted(server, diplomacy, seq=seq, moves=[{"seat": "ITALY", "action": None}] * 2)
    assert (twice.status_code, twice.json()["field"]) == (422, "moves[1].seat")
    assert "there are AUSTRIA, ENGLAND, FRANCE, GERMANY, RUSSIA, TURKEY" in twice.json()["detail"]


def test_what_has_not_happened_and_too_many_moves_are_refused(server: LiveServer, diplomacy: str) -> None:
    last = server.get(f"/api/episodes/{diplomacy}")["last_seq"]
    ahead = posted(server, diplomacy, seq=last + 1)
    assert (ahead.status_code, ahead.json()["field"]) == (422, "seq")
    many = posted(server, diplomacy, seq=1, moves=[orders("FRANCE")] * (MOST_MOVES + 1))
    assert (many.status_code, many.json()["field"]) == (422, "moves")
    assert posted(server, "diplomacy-nothing", seq=1).status_code == 404
    unknown = posted(server, diplomacy, "/choices", seq=0, seat="NARNIA")
    assert (unknown.status_code, unknown.json()["field"]) == (422, "seat")


def test_the_end_of_a_match_waits_for_nobody(server: LiveServer, diplomacy: str) -> None:
    last = server.get(f"/api/episodes/{diplomacy}")["last_seq"]
    ended = position(server, diplomacy, seq=last)
    assert (ended["waiting"], ended["view"]) == ([], None)


def test_orders_of_a_match_are_known_to_those_who_may_look_at_it(server: LiveServer, diplomacy: str) -> None:
    seq = turn(server, diplomacy, 1)
    assert position(server, diplomacy, seq=seq)["decided"] == []
    opened = server.post(f"/api/episodes/{diplomacy}/sandbox", {"seq": seq}, **OPERATOR).json()
    assert opened["viewpoint"] == "analyst"
    assert [move["seat"] for move in opened["decided"]] == opened["waiting"]
    played = server.post(f"/api/episodes/{diplomacy}/sandbox", {"seq": seq, "moves": opened["decided"]}, **OPERATOR)
    recorded = server.get(f"/api/episodes/{diplomacy}/snapshot", seq=turn(server, diplomacy, 2))["state"]
    states = [event["data"]["state"] for move in played.json()["events"] for event in move if "state" in event["data"]]
    assert states[-1]["units"] == recorded["units"]


def test_a_secret_position_opens_when_the_match_has_ended_and_is_revealed(server: LiveServer) -> None:
    live = started(server, game="werewolf", reveal="live", pace=60)
    for seq in (1, server.wait_for(live, seq=3)["last_seq"]):
        refused = posted(server, live, seq=seq)
        assert (refused.status_code, refused.json()["field"]) == (422, "seq")
    as_operator = server.post(f"/api/episodes/{live}/sandbox", {"seq": 1}, **OPERATOR)
    assert as_operator.status_code == 422
    hidden, revealed = (finished(server, game="werewolf", reveal=reveal) for reveal in ("never", "after"))
    begun = turn(server, hidden, 1)
    assert "know more than you" in posted(server, hidden, seq=begun).json()["detail"]
    assert server.post(f"/api/episodes/{hidden}/sandbox", {"seq": begun}, **OPERATOR).status_code == 200
    opened = position(server, revealed, seq=turn(server, revealed, 1))
    assert (opened["viewpoint"], bool(opened["decided"])) == ("analyst", True)


def test_a_delayed_match_is_open_up_to_what_spectators_have_seen(server: LiveServer) -> None:
    delayed = started(server, game="diplomacy", options=LENGTH, delay=600)
    assert server.wait_for(delayed)["last_seq"] == 0
    refused = posted(server, delayed, seq=1)
    assert "1 has not happened; the last event is 0" in refused.json()["detail"]


@pytest.mark.long
def test_a_position_that_takes_too_long_is_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    short = {"grandstand.server.matches.sandbox.SECONDS": 0}
    with live_server(tmp_path_factory.mktemp("short"), GRANDSTAND_OPERATOR_TOKEN=TOKEN, constants=short) as server:
        match = finished(server, game="cricket", options={"overs": 50}, reveal="after")
        refused = posted(server, match, seq=server.get(f"/api/episodes/{match}")["last_seq"])
        assert (refused.status_code, refused.json()["field"]) == (422, "moves")
        assert "takes more than 0 s of a processor" in refused.json()["detail"]
        assert server.get("/api/health")["status"] == "ok"
