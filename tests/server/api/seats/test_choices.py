"""The choices of a seat over HTTP: stages, defaults, errors, and who may ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.server.seats import BOTS, OPERATOR, QUIET, TOKEN, Seat, events, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("choices")) as server:
        yield server


def begun(server: LiveServer, name: str, **request: Any) -> Iterator[Seat]:
    """A person's seat that is asked, in a match that is stopped after the test."""
    seat = Seat(server, server.start_match(seed=4, pace=0, clock=600, **request), name)
    seat.asked()
    yield seat
    server.command(seat.episode, "stop")


@pytest.fixture
def france(server: LiveServer) -> Iterator[Seat]:
    """France in the first turn of a match that may end by a vote."""
    options = {**QUIET, "draw_votes": True}
    yield from begun(server, "FRANCE", game="diplomacy", options=options, players=BOTS | {"FRANCE": "person"})


@pytest.fixture
def away(server: LiveServer) -> Iterator[Seat]:
    """The captain who has won the toss."""
    yield from begun(server, "away", game="cricket", options={"overs": 1}, players={"away": "person"})


def ask(seat: Seat, **body: Any) -> Any:
    return http.post(f"{seat.url}/choices", json=body).raise_for_status().json()


def concerning(seat: Seat) -> list[Any]:
    """The events about the seat: those of bots may come meanwhile."""
    return [event for event in events(seat.server, seat.episode, "operator") if event["data"].get("seat") == seat.seat]


def test_one_stage_has_a_slot_for_each_unit_and_one_for_the_vote(france: Seat) -> None:
    seat = france
    before = concerning(seat)
    answer = ask(seat)
    [stage] = answer["stages"]
    assert answer["number"] == 0
    assert [(slot["kind"], slot["name"]) for slot in stage] == [
        ("pick", "F BRE"),
        ("pick", "A MAR"),
        ("pick", "A PAR"),
        ("pick", "vote"),
    ]
    assert {"word": "A PAR - BUR", "text": "", "target": "BUR", "help": "", "kind": "move"} in stage[2]["options"]
    assert answer["chosen"] == {"F BRE": "F BRE H", "A MAR": "A MAR H", "A PAR": "A PAR H", "vote": "none"}
    answer = ask(seat, chosen={"A PAR": "a par-bur", "A BUR": "of another turn"})
    orders = ["F BRE H", "A MAR H", "A PAR - BUR"]
    assert answer["action"] == {"orders": orders, "vote": "none"}
    assert ask(seat, action=answer["action"]) == answer
    assert ask(seat, action={"orders": ["A PAR - BUR"]}) == answer
    assert concerning(seat) == before
    seat.send(answer["action"])
    assert until(seat.decisions) == [(orders, "human")]


def test_a_stage_follows_from_the_one_before(away: Seat) -> None:
    seat = away
    answer = ask(seat)
    assert [[slot["name"] for slot in stage] for stage in answer["stages"]] == [["tool"], ["decision"]]
    assert answer["action"] == {"tool": "set_toss", "arguments": {"decision": "field"}}
    seat.send(answer["action"])
    seat.asked()
    bowling = ask(seat, chosen={"tool": "choose_bowler", "decision": "field"})
    assert [[slot["name"] for slot in stage] for stage in bowling["stages"]] == [["tool"], ["bowler"]]
    assert (bowling["chosen"], bowling["action"]) == ({"tool": "choose_bowler"}, None)
    own = ask(seat, chosen={"tool": "set_field", "preset": "own"})
    [positions] = own["stages"][-1]
    assert (positions["kind"], positions["least"], positions["most"], own["action"]) == ("many", 9, 9, None)
    nine = [option["word"] for option in positions["options"][:9]]
    answer = ask(seat, chosen={"tool": "set_field", "preset": "own", "positions": nine})
    assert answer["action"] == {"tool": "set_field", "arguments": {"positions": nine}}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"chosen": {"F BRE": "F BRE - MAO", "A PAR": "A PAR - MOS"}}, "A PAR"),
        ({"chosen": {"A PAR": 7}}, "A PAR"),
        ({"chosen": {"A PAR": "A PAR H"}, "action": {"orders": []}}, "action"),
        ({"chosen": {"A PAR": {}}}, "chosen"),
    ],
)
def test_a_value_that_a_slot_does_not_offer_is_an_error_that_names_it(france: Seat, body: Any, field: str) -> None:
    refused = http.post(f"{france.url}/choices", json=body)
    assert (refused.status_code, refused.json()["field"].partition(".")[0]) == (422, field)


@pytest.mark.parametrize(
    "action", [{}, {"orders": 5}, {"orders": [[]]}, {"orders": [], "vote": "maybe"}, {"orders": {"A PAR": "A PAR H"}}]
)
def test_an_action_that_no_choices_make_counts_as_none(france: Seat, action: Any) -> None:
    assert ask(france, action=action) == ask(france)


def test_what_was_chosen_in_another_decision_is_no_error(away: Seat) -> None:
    """A page may ask in the moment in which the decision is made."""
    first = ask(away, number=0, chosen={"tool": "set_toss", "decision": "bat"})
    assert first["chosen"] == {"tool": "set_toss", "decision": "bat"}
    away.send(first["action"])
    away.asked()
    late = ask(away, number=0, chosen=first["chosen"])
    assert late["number"] == 1
    assert late == ask(away, number=1) == ask(away, number=0, action=first["action"])


def test_an_action_without_a_vote_keeps_the_one_given(france: Seat) -> None:
    france.send({"orders": [], "vote": "draw"})
    until(lambda: france.view()["index"] == 1)
    france.asked()
    assert ask(france, action={"orders": []})["chosen"]["vote"] == "draw"


def test_only_the_holder_of_the_seat_may_ask(tmp_path: Path) -> None:
    with live_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        body = {"game": "diplomacy", "pace": 0, "players": BOTS | {"FRANCE": "person", "ITALY": "person"}}
        match = server.post("/api/episodes", body, **OPERATOR).raise_for_status().json()["episode_id"]
        path = f"/api/episodes/{match}/seats"
        token = server.post(f"{path}/FRANCE/token", {}, **OPERATOR).json()["token"]
        holder = {"Authorization": f"Bearer {token}"}
        assert server.post(f"{path}/FRANCE/choices", {}).status_code == 403
        assert server.post(f"{path}/ITALY/choices", {}, **holder).status_code == 403
        assert server.post(f"{path}/FRANCE/choices", {}, **holder).json()["stages"]
        assert server.post(f"{path}/RUSSIA/choices", {}, **OPERATOR).status_code == 409
        assert server.post("/api/episodes/none/seats/FRANCE/choices", {}, **OPERATOR).status_code == 404
