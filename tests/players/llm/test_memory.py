"""Models that keep notes: asked for them, given them back, after a restart too, and known to nobody else."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr

from grandstand.events import ControlChanged
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Draft, flat_drafts
from grandstand.play.runner import MatchRunner, Reviewed
from grandstand.players.llm.budget import Budget
from grandstand.players.llm.client import Endpoint
from grandstand.players.llm.player import LLMPlayer
from grandstand.players.options import LLMOptions
from tests.support.live_server import LiveServer, live_server
from tests.support.page.episode_pages import episode_pages
from tests.support.players.chat_server import ChatServer, Request, says
from tests.support.waiting import PATIENCE

ROSTER = """
[[player]]
name = "keeper"
kind = "llm"
[player.options]
base_url = "{url}"
model = "keeper"
memory = true

[[player]]
name = "plain"
kind = "llm"
[player.options]
base_url = "{url}"
model = "plain"
"""
SEATS = {"FRANCE": "keeper", "ITALY": "keeper", "TURKEY": "plain"}
VIEWPOINTS = ("operator", "analyst", "spectator", "seat:FRANCE", "seat:ITALY", "seat:TURKEY")


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(says("{}")) as running:
        yield running


def keeper(server: ChatServer, reply: Any, **options: Any) -> LLMPlayer:
    server.answer = says(json.dumps(reply))
    chosen = LLMOptions(base_url=server.url, model="m", memory=True, **options)
    return LLMPlayer("m", Endpoint(chosen, SecretStr("sk-1")), Budget("x"), lambda game, seat, random: {"orders": []})


def test_notes_are_asked_for_recorded_and_given_to_whoever_plays_on(server: ChatServer) -> None:
    match = Match(game_spec("diplomacy"), {}, 1)
    reply = {"orders": ["A PAR - BUR"], "messages": [], "notes": "Burgundy first.", "trust": {"ITALY": 1}}
    seated, successor = keeper(server, reply), keeper(server, reply)
    choice = asyncio.run(seated.choose(match, "FRANCE"))
    assert choice.action["notes"] == {"text": "Burgundy first.", "trust": {"ITALY": 1}}
    assert choice.report is not None
    assert choice.report.memory
    match.apply("FRANCE", choice.action)
    asyncio.run(seated.negotiate(match, "ITALY", 1, 1))
    asyncio.run(successor.negotiate(match, "FRANCE", 1, 1))
    first, other, second = (request.prompt for request in server.requests)
    assert 'Add "notes", "trust" and "aims" to the object.' in first
    assert "Your notes: none yet." in first
    assert "Your notes: none yet." in other
    assert 'Your notes of S1901M: "Burgundy first."\nYour trust: ITALY +1' in second
    schema = server.requests[0].body["response_format"]["json_schema"]["schema"]
    assert schema["required"][-3:] == ["notes", "trust", "aims"]


def test_garbage_for_notes_costs_neither_orders_nor_a_repair(server: ChatServer) -> None:
    match = Match(game_spec("diplomacy"), {}, 1)
    reply = {"orders": ["A PAR - BUR"], "notes": {"plan": ["a"]}, "trust": {"ITALY": "much", "MARS": 1}}
    choice = asyncio.run(keeper(server, reply).choose(match, "FRANCE"))
    assert (choice.source, choice.action["orders"], len(server.requests)) == ("policy", ["A PAR - BUR"], 1)
    noted, *_ = match.apply("FRANCE", choice.action)
    assert noted.left_out == [  # type: ignore[attr-defined]
        "notes: must be a text, not dict",
        "trust.ITALY: must be a whole number from -2 to 2",
        "trust.MARS: is no other power",
    ]


def test_a_game_without_notes_is_played_as_ever(server: ChatServer) -> None:
    match = Match(game_spec("cricket"), {"overs": 5}, 1)
    reply = {"calls": [{"tool": "set_toss", "arguments": {"decision": "bat"}}], "notes": "x"}
    seat = match.waiting[0]
    choice = asyncio.run(keeper(server, reply).choose(match, seat))
    assert choice.source == "policy"
    assert "notes" not in server.requests[0].prompt


def test_notes_are_not_held_for_approval(server: ChatServer) -> None:
    reply = {"messages": [{"to": ["all"], "text": "Peace.", "promises": []}], "notes": "A lie.", "trust": {}}
    match = Match(game_spec("diplomacy"), {"negotiation_rounds": 1}, 1)
    seats = dict.fromkeys(match.spec.seats(), keeper(server, reply))
    runner = MatchRunner(match, seats)
    held: list[Any] = []

    async def review(messages: Any) -> list[Reviewed]:
        held.extend(messages)
        return [Reviewed(None, ControlChanged(command="reject", value={}, by="operator")) for _ in messages]

    async def scene() -> list[Draft]:
        runner.review = review
        return [draft async for piece in runner.play_round() for draft in piece]

    drafts = list(flat_drafts(asyncio.run(scene())))
    assert all("message" in action for _, action in held)
    assert len(held) == 7
    kinds = [draft.type for draft in drafts]
    assert (kinds.count("NotesTaken"), kinds.count("MessageSent")) == (7, 0)


def secret(seat: str, number: int) -> str:
    return f"notes-of-{seat.lower()}-{number}"


async def answer(request: Request) -> None:
    """Holds, is silent, and notes something new each time: its seat, and the number of its request."""
    seat = re.search(r"You are ([A-Z]{5,})", request.prompt)
    assert seat is not None
    number = int(re.search(r"notes-of-\w+-(\d+)", request.prompt)[1]) + 1 if "notes-of" in request.prompt else 1  # type: ignore[index]
    form: dict[str, Any] = {"messages": []} if '"messages"' in request.prompt else {"orders": []}
    noted = {"notes": secret(seat[1], number), "trust": {"RUSSIA": (-1) ** number}}
    await says(json.dumps({"reasoning": "hm", **form, **noted}))(request)


def start(services: LiveServer) -> str:
    options = {"last_year": 1902, "negotiation_rounds": 1}
    return services.start_match(game="diplomacy", players=SEATS, options=options, pace=0)


def test_what_a_model_notes_is_for_its_own_seat(server: ChatServer, tmp_path: Path) -> None:
    server.answer = answer
    roster = tmp_path / "players.toml"
    roster.write_text(ROSTER.format(url=server.url))
    with live_server(tmp_path / "data", GRANDSTAND_ROSTER=str(roster)) as services:
        episode = start(services)
        services.wait_for(episode, status="finished")
        for viewpoint in VIEWPOINTS:
            pages = episode_pages(services, episode, viewpoint)
            known = {seat for seat in SEATS for text in pages.values() if f"notes-of-{seat.lower()}" in text}
            everything = viewpoint in ("operator", "analyst")
            expected = set(SEATS) if everything else {viewpoint.removeprefix("seat:")} & {"FRANCE", "ITALY"}
            assert known == expected, viewpoint
            assert ("NotesTaken" in pages["events"]) == bool(expected), viewpoint
        saved = httpx2.get(f"{services.url}/api/episodes/{episode}/export/saved-game", timeout=PATIENCE, verify=False)
        assert "notes-of" not in saved.text
        listed = httpx2.get(f"{services.url}/api/episodes", timeout=PATIENCE, verify=False).raise_for_status().text
        assert "notes-of" not in listed
    prompts = [request.prompt for request in server.requests]
    for seat in ("FRANCE", "ITALY"):
        own = [prompt for prompt in prompts if f"You are {seat}" in prompt]
        for number, prompt in enumerate(own):
            assert (f'"{secret(seat, number)}"' in prompt) == (number > 0)
    assert not any("notes-of" in prompt for prompt in prompts if "You are TURKEY" in prompt)


@pytest.mark.long
def test_notes_outlive_the_server_and_go_into_a_fork(server: ChatServer, tmp_path: Path) -> None:
    server.answer = answer
    roster = tmp_path / "players.toml"
    roster.write_text(ROSTER.format(url=server.url))
    with live_server(tmp_path / "data", GRANDSTAND_ROSTER=str(roster)) as services:
        episode = start(services)
        services.wait_for(episode, seq=30)
        services.kill()
    killed_at = len(server.requests)
    with live_server(tmp_path / "data", GRANDSTAND_ROSTER=str(roster)) as services:
        services.wait_for(episode, status="finished")
        resumed = [request.prompt for request in server.requests[killed_at:]]
        keepers = [prompt for prompt in resumed if "You are FRANCE" in prompt or "You are ITALY" in prompt]
        assert keepers
        assert all("notes-of" in prompt for prompt in keepers)
        forked_at = len(server.requests)
        child = services.post(f"/api/episodes/{episode}/fork", {"seq": 40, "pace": 0}).raise_for_status().json()
        services.wait_for(child["episode_id"], status="finished")
        first = next(request.prompt for request in server.requests[forked_at:] if "You are FRANCE" in request.prompt)
        assert "notes-of-france" in first
        assert "notes-of-italy" not in first
