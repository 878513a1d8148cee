"""A whole match of Diplomacy with a model's seat, through every fault there is: it finishes each time."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Draft, Event
from grandstand.play.runner import MatchRunner
from grandstand.play.verification import verify
from grandstand.players.base import Player
from grandstand.players.bot import BotPlayer
from grandstand.players.llm.budget import Budget
from grandstand.players.llm.client import Endpoint
from grandstand.players.llm.player import LLMPlayer
from grandstand.players.options import LLMOptions
from tests.support.live_server import live_server
from tests.support.players.chat_server import FAULTS, ChatServer, Request, drips, hangs, says
from tests.support.players.press_player import PressPlayer, of_kind, play_to_end
from tests.support.waiting import PATIENCE

QUICK: dict[str, Any] = {
    "retries": 1,
    "retry_seconds": 0.005,
    "stall_seconds": 0.1,
    "turn_seconds": 0.3,
    "max_tokens": 500,
}
OPTIONS = {"last_year": 1901, "negotiation_rounds": 1}
EITHER = '{"orders": [], "messages": []}'
"""An answer that is right wherever it is asked for."""


@pytest.fixture(scope="module")
def server() -> Iterator[ChatServer]:
    with ChatServer(says(EITHER)) as running:
        yield running


PATIENT: dict[str, Any] = QUICK | {"stall_seconds": 0.5, "turn_seconds": 3}


def seats(
    server: ChatServer, models: Sequence[str], llm: dict[str, Any] = QUICK, **options: Any
) -> tuple[Match, dict[str, Player]]:
    match = Match(game_spec("diplomacy"), {**OPTIONS, **options}, 1)
    endpoint = Endpoint(LLMOptions(base_url=server.url, model="m", **llm), SecretStr("sk-canary"))
    players: dict[str, Player] = {seat: BotPlayer(match.spec, "chaos") for seat in match.spec.seats()}
    for seat in models:
        players[seat] = LLMPlayer("model", endpoint, Budget("this seat's"), match.spec.bots.players["random"])
    return match, players


def finished(match: Match, players: dict[str, Player]) -> list[Draft]:
    """The log of the match, played to its end, and found to follow from its choices."""
    runner = MatchRunner(match, players)
    drafts = [
        *runner.created(
            {**OPTIONS, "last_year": match.game.observation("FRANCE")["options"]["last_year"]}, title="", origin="cli"
        ),
        *asyncio.run(asyncio.wait_for(play_to_end(runner), PATIENCE)),
    ]
    events = [
        Event(episode_id="e", epoch=0, seq=seq, at=0.0, type=draft.type, audience=draft.audience, data=draft.data)
        for seq, draft in enumerate(drafts)
    ]
    assert events[-1].type == "EpisodeEnded"
    assert events[-1].data["status"] == "finished"
    verify(events)
    for event in events:
        Event.model_validate_json(event.model_dump_json())
    return drafts


@pytest.mark.few(6)
@pytest.mark.parametrize("name", FAULTS)
def test_a_match_finishes_whatever_the_endpoint_does(server: ChatServer, name: str) -> None:
    server.answer = FAULTS[name]
    match, players = seats(server, ["FRANCE"], QUICK)
    players["ITALY"] = PressPlayer(silent=True)
    drafts = finished(match, players)
    chosen = [draft.data for draft in of_kind(drafts, "ActionChosen") if draft.data["seat"] == "FRANCE"]
    faults = [draft.data for draft in of_kind(drafts, "PlayerFault")]
    assert {choice["source"] for choice in chosen} == {"fallback"}
    assert {fault["seat"] for fault in faults} == {"FRANCE"}
    # One fault for each choice, and one for each of the two rounds of press, in which nothing stands in for silence.
    assert len(faults) == len(chosen) + 2
    assert {fault["boundary"] for fault in faults} <= {"provider", "timeout", "player", "rules"}
    reports = of_kind(drafts, "PlayerReported")
    assert len(reports) == len(faults)
    assert all(report.data["source"] == "fallback" and report.data["report"]["attempts"] for report in reports)


@pytest.mark.long
def test_a_match_finishes_with_a_model_in_every_seat_and_another_fault_each_time(server: ChatServer) -> None:
    """Every second call fails in the next way; the others are answered rightly."""
    # A wait of an hour would keep all seats from the endpoint for the rest of the match.
    failing = [fault for name, fault in FAULTS.items() if name != "rate limit for an hour"]
    calls = count()

    async def answer(request: Request) -> None:
        number = next(calls)
        await (says(EITHER) if number % 2 else failing[number // 2 % len(failing)])(request)

    server.answer = answer
    match, players = seats(
        server, ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"], PATIENT, last_year=1905
    )
    drafts = finished(match, players)
    assert next(calls) > 2 * len(failing)
    sources = Counter(draft.data["source"] for draft in of_kind(drafts, "ActionChosen"))
    assert sources["policy"] > 0
    assert sources["repair"] > 0
    assert sources["fallback"] > 0
    assert set(sources) == {"policy", "repair", "fallback"}


@pytest.mark.parametrize("answer", [hangs, drips], ids=["hangs", "drips"])
def test_stopping_a_match_hangs_up_every_call(server: ChatServer, answer: Any) -> None:
    server.requests.clear()
    server.answer = answer
    match = Match(game_spec("diplomacy"), OPTIONS, 1)
    endpoint = Endpoint(LLMOptions(base_url=server.url, model="m", max_tokens=500), SecretStr("sk-canary"))
    whole = Budget("the episode's")
    players = {
        seat: LLMPlayer("model", endpoint, whole, match.spec.bots.players["hold"]) for seat in match.spec.seats()
    }

    async def scene() -> None:
        playing = asyncio.ensure_future(play_to_end(MatchRunner(match, players)))
        await asyncio.to_thread(server.wait_for, 7)
        await asyncio.sleep(0.05)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing

    asyncio.run(scene())
    end = time.monotonic() + PATIENCE
    while server.open and time.monotonic() < end:
        time.sleep(0.01)
    assert server.open == 0
    assert len(server.requests) == 7
    assert whole._tokens_held == 0


@pytest.mark.long
def test_a_killed_server_goes_on_with_its_models(server: ChatServer, tmp_path: Path) -> None:
    """Killed between two rounds of press: the first is not held again, and what was spent stays spent."""
    held_back = threading.Event()

    async def answer(request: Request) -> None:
        if not held_back.is_set() and "round 2 of 2" in request.prompt:
            await hangs(request)
        await says(EITHER, usage=(100, 10))(request)

    server.answer = answer
    server.requests.clear()
    roster = tmp_path / "players.toml"
    roster.write_text(
        f"""
[[player]]
name = "model"
kind = "llm"
budget = {{ tokens = 100_000 }}
options = {{ base_url = "{server.url}", model = "m", max_tokens = 500 }}
"""
    )
    with live_server(tmp_path / "data", GRANDSTAND_ROSTER=str(roster)) as running:
        players = dict.fromkeys(("FRANCE", "ITALY"), "model") | dict.fromkeys(("RUSSIA", "TURKEY"), "hold")
        options = {"last_year": 1901, "negotiation_rounds": 2}
        episode = running.start_match(game="diplomacy", players=players, options=options, pace=0)
        server.wait_for(4)
        running.kill()
    held_back.set()
    with live_server(tmp_path / "data", GRANDSTAND_ROSTER=str(roster)) as running:
        running.wait_for(episode, status="finished")
        download = running.get(f"/api/episodes/{episode}/events", **{"as": "operator"})
    events = [Event.model_validate(frame["event"]) for frame in download["frames"]]
    verify(events)
    held = [(event.data["index"], event.data["round"]) for event in events if event.type == "NegotiationHeld"]
    assert held == [(0, 1), (0, 2), (1, 1), (1, 2)]
    assert [event.type for event in events].count("EpisodeStarted") == 2
    asked = [request.prompt for request in server.requests if "Phase S1901M" in request.prompt]
    assert sum("round 1 of 2" in prompt for prompt in asked) == 2
    assert sum("round 2 of 2" in prompt for prompt in asked) == 4  # the second was under way, and is held again
