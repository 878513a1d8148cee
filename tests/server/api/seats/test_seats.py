"""A person's seat over real sockets: drafts, readiness, clocks, leaving, and what others may learn of it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from grandstand.play.commentator import DERIVED
from grandstand.server.purse import MATCH, TAKE
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.server.seats import (
    BOTS,
    OPERATOR,
    QUIET,
    TOKEN,
    Seat,
    check_record,
    events,
    of_type,
    until,
)

SECRET = "A PAR - BUR"


def begin(server: LiveServer, *people: str, **fields: Any) -> str:
    players = BOTS | dict.fromkeys(people or ("FRANCE",), "person")
    request = {"game": "diplomacy", "seed": 3, "pace": 0, "clock": 600, "options": QUIET, "players": players}
    return server.start_match(**{**request, **fields})


def test_a_draft_survives_a_killed_server_and_is_dropped_with_its_turn(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        episode = begin(server)
        seat = Seat(server, episode)
        assert seat.asked()["draft"] is None
        seat.save(0, SECRET)
        server.kill()
    with live_server(tmp_path) as server:
        seat = Seat(server, episode)
        view = seat.asked()
        assert (view["draft"], view["ready"]) == ({"orders": [SECRET]}, False)
        seat.send({"orders": ["A PAR - PIC"]})
        view = until(lambda: view if (view := seat.view()).get("index") == 1 else {})
        assert view["draft"] is None
        late = http.request("PUT", f"{seat.url}/draft", json={"index": 0, "action": {}})
        assert (late.status_code, "has passed" in late.json()["detail"]) == (409, True)
        check_record(server, episode)


@pytest.mark.parametrize(("orders", "source"), [([SECRET], "human"), (["A PAR - MOS"], "fallback")])
def test_at_the_deadline_a_draft_that_the_rules_accept_counts(tmp_path: Path, orders: list[str], source: str) -> None:
    with live_server(tmp_path) as server:
        episode = begin(server, clock=1, turns=1)
        seat = Seat(server, episode)
        seat.asked()
        seat.save(0, *orders)
        server.wait_for(episode, status="stopped")
        [(played, by)] = seat.decisions()
        assert by == source
        assert (played == orders) == (source == "human")
        assert bool(of_type(server, episode, "PlayerFault")) == (source == "fallback")


def test_a_cricket_draft_counts_where_it_is_a_complete_action(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        for tool, arguments, source in (
            ("set_toss", {"decision": "field"}, "human"),
            ("analyze_situation", {}, "fallback"),
        ):
            episode = server.start_match(
                game="cricket", seed=4, pace=0, clock=1, turns=1, players={"away": "person"}, options={"overs": 1}
            )
            seat = Seat(server, episode, "away")
            seat.asked()
            action = {"tool": tool, "arguments": arguments}
            http.request("PUT", f"{seat.url}/draft", json={"index": 0, "action": action}).raise_for_status()
            server.wait_for(episode, status="stopped")
            assert [by for _, by in seat.decisions()][:1] == [source]


def test_a_decision_is_held_and_may_be_changed_until_the_last_seat_is_in(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        episode = begin(server, "FRANCE", "ITALY")
        france, italy = Seat(server, episode), Seat(server, episode, "ITALY")
        france.asked(), italy.asked()
        france.send({"orders": [SECRET]})
        view = france.view()
        assert (view["asked"], view["ready"], view["draft"]) == ("choose", True, {"orders": [SECRET]})
        assert [item["ready"] for item in of_type(server, episode, "ActionRequested") if item["seat"] == "FRANCE"] == [
            False,
            True,
        ]
        france.save(0, "A PAR - PIC")
        assert france.view()["ready"] is False
        assert of_type(server, episode, "ActionRequested")[-1]["ready"] is False
        italy.send({"orders": []})
        assert (italy.view()["ready"], italy.view()["index"]) == (True, 0)
        france.send({"orders": ["A PAR - GAS"]})
        until(lambda: france.view().get("index") == 1)
        assert france.decisions() == [(["A PAR - GAS"], "human")]
        assert italy.decisions() == [([], "human")]
        check_record(server, episode)


def test_a_decision_that_is_held_survives_a_killed_server(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        episode = begin(server, "FRANCE", "ITALY")
        Seat(server, episode).asked()
        Seat(server, episode).send({"orders": [SECRET]})
        server.kill()
    with live_server(tmp_path) as server:
        france, italy = Seat(server, episode), Seat(server, episode, "ITALY")
        assert (france.asked()["ready"], italy.asked()["ready"]) == (True, False)
        italy.send({"orders": []})
        until(lambda: france.view().get("index") == 1)
        assert france.decisions() == [([SECRET], "human")]


def test_a_pause_stops_the_clock_and_viewers_see_it(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        episode = begin(server, clock=500)
        seat = Seat(server, episode)
        deadline = seat.asked()["deadline"]
        shown = of_type(server, episode, "ActionRequested")[-1]
        assert (shown["seat"], shown["kind"], shown["deadline"]) == ("FRANCE", "choose", pytest.approx(deadline, abs=1))
        server.command(episode, "pause")
        paused = seat.view()
        assert (paused["deadline"], 400 < paused["left"] <= 500) == (None, True)
        shown = of_type(server, episode, "ActionRequested")[-1]
        assert (shown["deadline"], shown["left"]) == (None, pytest.approx(paused["left"], abs=0.01))
        assert seat.view()["left"] == paused["left"]
        server.command(episode, "resume")
        resumed = seat.view()["deadline"]
        assert resumed >= deadline
        assert of_type(server, episode, "ActionRequested")[-1]["deadline"] == pytest.approx(resumed, abs=0.01)


def test_a_person_who_takes_a_seat_of_a_paused_match_has_no_running_clock(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        episode = server.start_match(
            game="diplomacy", seed=3, pace=0, clock=1, options=QUIET, players=BOTS, paused=True
        )
        server.command(episode, "step")
        server.command(episode, "take_over", seat="FRANCE")
        server.command(episode, "step")
        view = Seat(server, episode).asked()
        assert (view["deadline"], view["left"]) == (None, 1.0)


def test_a_message_resets_no_clock(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        episode = begin(server, options={"press": "full", "negotiation_rounds": 0})
        seat = Seat(server, episode)
        deadline = seat.asked()["deadline"]
        seat.save(0, SECRET)
        for number in range(3):
            seat.send({"message": {"to": ["ITALY"], "text": f"word {number}"}})
            sent = number + 1
            until(lambda: len(own_messages(server, episode)) == sent)  # noqa: B023 - awaited before the next one
        view = seat.asked()
        assert view["deadline"] == pytest.approx(deadline, abs=0.01)
        assert view["draft"] == {"orders": [SECRET]}
        assert len(of_type(server, episode, "ActionRequested")) == 1


def own_messages(server: LiveServer, episode: str) -> list[dict[str, Any]]:
    return [event for event in events(server, episode, "operator") if event["type"] == "MessageSent"]


def test_a_person_who_leaves_hands_the_seat_to_a_bot_and_may_come_back(tmp_path: Path) -> None:
    with live_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        body = {"game": "diplomacy", "seed": 3, "pace": 0.05, "clock": 600, "options": QUIET}
        body["players"] = BOTS | {"FRANCE": "person"}
        episode = server.post("/api/episodes", body, **OPERATOR).raise_for_status().json()["episode_id"]
        token = server.post(f"/api/episodes/{episode}/seats/FRANCE/token", None, **OPERATOR).json()["token"]
        seat = Seat(server, episode, Authorization=f"Bearer {token}")
        seat.asked()
        assert Seat(server, episode).post("leave").status_code == 403
        assert seat.post("leave").raise_for_status().json()["left"] == ["FRANCE"]
        until(lambda: server.get(f"/api/episodes/{episode}")["turn"] != "S1901M")
        assert seat.view()["status"] == 409
        assert Seat(server, episode).post("take").status_code == 403
        assert seat.post("take").raise_for_status().json()["seat"] == "FRANCE"
        summary = server.get(f"/api/episodes/{episode}")
        assert (summary["left"], summary["taken"]) == ([], [])
        view = seat.asked()
        seat.send({"orders": []})
        until(lambda: seat.view().get("index", 0) > view["index"])
        changes = [(item["command"], item["by"]) for item in of_type(server, episode, "ControlChanged")]
        assert [change for change in changes if change[1] == "player"] == [("leave", "player"), ("take_over", "player")]


def test_a_seat_cannot_be_taken_and_left_without_end(tmp_path: Path) -> None:
    env: Any = {"GRANDSTAND_OPERATOR_TOKEN": TOKEN, "GRANDSTAND_VISITOR_SEATS": "true"}
    with live_server(tmp_path, GRANDSTAND_VISITOR_CREDITS=str(MATCH + 4 * TAKE), **env) as server:
        opened = server.post("/api/play", {"game": "diplomacy", "seat": "FRANCE", "options": QUIET}).json()
        seat = Seat(server, opened["episode_id"], Authorization=f"Bearer {opened['token']}")
        answers = []
        for _ in range(12):
            assert seat.post("leave").status_code == 200
            answers.append(seat.post("take"))
        taken = [answer.status_code for answer in answers].count(201)
        assert taken == 4
        refused = answers[-1]
        assert (refused.status_code, refused.json()["detail"][:28]) == (429, "not enough credits for the s")
        assert int(refused.headers["retry-after"]) > 0
        assert len(of_type(server, opened["episode_id"], "ControlChanged")) <= 2 + 2 * taken + 1
        operator = Seat(server, opened["episode_id"], **OPERATOR)
        assert {operator.post("take").status_code for _ in range(12)} == {201}


def test_leaving_a_seat_that_was_taken_over_gives_it_back_to_its_player(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        episode = begin(server, players=BOTS, pace=0.05)
        seat = Seat(server, episode)
        seat.post("take").raise_for_status()
        assert server.get(f"/api/episodes/{episode}")["taken"] == ["FRANCE"]
        seat.asked()
        seat.post("leave").raise_for_status()
        summary = server.get(f"/api/episodes/{episode}")
        assert (summary["taken"], summary["left"]) == ([], [])
        count = len(seat.decisions())
        until(lambda: len(seat.decisions()) > count)
        assert {source for _, source in seat.decisions()} == {"heuristic"}


def test_two_missed_turns_in_a_row_hand_the_seat_to_a_bot_also_after_a_restart(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        episode = begin(server, clock=1, pace=0.05)
        until(lambda: server.get(f"/api/episodes/{episode}")["left"] == ["FRANCE"])
        faults = of_type(server, episode, "PlayerFault")
        assert [fault["boundary"] for fault in faults] == ["timeout", "timeout"]
        [left] = [item for item in of_type(server, episode, "ControlChanged") if item["command"] == "leave"]
        assert left == {"command": "leave", "value": "FRANCE", "by": "absence"}
        turn = server.get(f"/api/episodes/{episode}")["turn"]
        until(lambda: server.get(f"/api/episodes/{episode}")["turn"] != turn)
        server.kill()
    with live_server(tmp_path) as server:
        turn = server.wait_for(episode, status="live")["turn"]
        until(lambda: server.get(f"/api/episodes/{episode}")["turn"] != turn)
        assert len(of_type(server, episode, "PlayerFault")) == 2
        check_record(server, episode)


def test_nobody_but_the_seat_learns_anything_of_a_draft(tmp_path: Path) -> None:
    """The same match with one draft, with many, and with large ones: other viewers receive the same frames."""
    with live_server(tmp_path) as server:
        events: list[Any] = []
        saves: tuple[list[str], ...]
        for saves in ((), ([SECRET],), ([SECRET] * 200, [], [SECRET], ["A PAR - PIC"] * 7)):
            episode = begin(server)
            seat = Seat(server, episode)
            seat.asked()
            for orders in saves:
                seat.save(0, *orders)
            submitted(server, episode, 6)
            viewpoints = ("spectator", "seat:ITALY", "seat:FRANCE", "analyst", "operator")
            events.append([_anonymous(server, episode, viewpoint) for viewpoint in viewpoints])
            seat.send({"orders": []})
            until(lambda: (seat.view()["index"], seat.view()["asked"]) == (1, "choose"))  # noqa: B023 - awaited here
            submitted(server, episode, 13)
            events[-1].append(_anonymous(server, episode, "spectator"))
            server.command(episode, "stop")
        assert events[0] == events[1] == events[2]


def submitted(server: LiveServer, episode: str, orders: int) -> None:
    """Wait until this many seats' orders are recorded: which frames follow is then no question of speed."""
    until(lambda: len(of_type(server, episode, "OrdersSubmitted")) == orders)


def _anonymous(server: LiveServer, episode: str, viewpoint: str) -> list[Any]:
    """The frames of a viewpoint, without what differs between any two matches: times, addresses, the story's words."""
    frames = server.get(f"/api/episodes/{episode}/events", **{"as": viewpoint})["frames"]
    for frame in frames:
        if frame.get("event", {}).get("type") in DERIVED:
            frame["event"]["data"] = {}
        for name in ("episode_id", "epoch", "at"):
            frame.get("event", {}).pop(name, None)
        frame.get("event", {}).get("data", {}).pop("deadline", None)
        for part in frame.get("event", {}).get("data", {}).get("events", ()):
            part["data"].pop("report", None)
    return list(frames)


def test_a_visitor_plays_one_seat_within_bounds_where_the_operator_allows_it(tmp_path: Path) -> None:
    with live_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        refused = server.post("/api/play", {"game": "diplomacy"})
        assert refused.status_code == 403
        assert server.get("/api/session")["plays"] is False
    with live_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN=TOKEN, GRANDSTAND_VISITOR_SEATS="true") as server:
        assert server.get("/api/session")["plays"] is True
        assert server.post("/api/episodes", {"game": "diplomacy"}).status_code == 403
        two = {"game": "diplomacy", "seat": "FRANCE", "players": {"ITALY": "person"}}
        assert server.post("/api/play", two).status_code == 403
        unknown = server.post("/api/play", {"game": "diplomacy", "seat": "PERU"})
        assert (unknown.status_code, unknown.json()["field"]) == (422, "seat")
        body = {"game": "diplomacy", "seat": "FRANCE", "clock": 80_000, "options": QUIET, "pace": 0}
        opened = server.post("/api/play", body).raise_for_status().json()
        seat = Seat(server, opened["episode_id"], Authorization=f"Bearer {opened['token']}")
        left = seat.asked()["deadline"] - time.time()
        assert 200 < left <= 300
        session = http.get(f"{server.url}/api/session", headers=seat.headers).json()
        assert (session["role"], session["seat"]) == ("seat", "FRANCE")
        assert Seat(server, opened["episode_id"], "ITALY").post("take").status_code == 403


def test_no_round_of_press_is_held_for_a_seat_that_has_nobody_to_talk_to(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        episode = begin(server, options={"press": "full", "negotiation_rounds": 2})
        assert Seat(server, episode).asked()["index"] == 0
        assert [item["kind"] for item in of_type(server, episode, "ActionRequested")] == ["choose"]
        assert of_type(server, episode, "NegotiationHeld") == []


def test_a_seat_that_the_game_does_not_have_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        seat = Seat(server, begin(server), "NARNIA")
        answers = [http.get(seat.url), http.post(seat.url, json={"action": {}}), seat.post("token")]
        for answer in answers:
            assert answer.status_code == 409
            assert answer.json()["detail"].startswith("seat: there is no 'NARNIA'; there are AUSTRIA, ENGLAND")


def test_a_person_and_a_program_play_where_the_roster_has_models_alone(tmp_path: Path) -> None:
    roster = tmp_path / "models.toml"
    roster.write_text(
        '[[player]]\nname = "m"\nkind = "llm"\noptions = { base_url = "http://127.0.0.1:9/v1", model = "m" }\n'
    )
    with live_server(tmp_path, "--roster", str(roster)) as server:
        body = {"game": "diplomacy", "seat": "FRANCE", "options": QUIET, "pace": 0}
        person = server.post("/api/play", {**body, "players": BOTS | {"ITALY": "remote"}})
        assert person.status_code == 201, person.text
        opened = person.json()
        for seat in ("FRANCE", "ITALY"):
            assert Seat(server, opened["episode_id"], seat).asked()["index"] == 0
