"""Whole matches of both games with a model's seat, and a commentator, in every dialect."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import SecretStr

from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.games.story import Comment, Fact
from grandstand.models import Draft
from grandstand.play.runner import MatchRunner
from grandstand.players.base import Player
from grandstand.players.bot import BotPlayer
from grandstand.players.commentary import Passage
from grandstand.players.llm.budget import Budget
from grandstand.players.llm.client import Endpoint
from grandstand.players.llm.commentator import LLMCommentator
from grandstand.players.llm.player import LLMPlayer
from grandstand.players.options import LLMOptions
from tests.support.players import dialect_answers as answers
from tests.support.players.chat_server import ChatServer, Request, hangs
from tests.support.players.dialect_wires import WIRES, Counts, Part, Wire
from tests.support.players.press_player import PressPlayer, of_kind, play_to_end
from tests.support.waiting import PATIENCE


@pytest.fixture(scope="module")
def server() -> Iterator[ChatServer]:
    with ChatServer(hangs) as running:
        yield running


@pytest.fixture(params=list(WIRES.values()), ids=list(WIRES))
def wire(request: pytest.FixtureRequest) -> Wire:
    answer: Wire = request.param
    return answer


def endpoint(server: ChatServer, wire: Wire, **options: Any) -> Endpoint:
    server.requests.clear()
    fields: dict[str, Any] = {"base_url": server.url, "model": "m", "retry_seconds": 0.01, "max_tokens": 500}
    return Endpoint(LLMOptions(dialect=wire.dialect, **(fields | options)), SecretStr("sk-canary"))


def played(match: Match, seat: str, model: Endpoint) -> list[Draft]:
    """Return the log of a match in which the model plays a seat, played to its end."""
    players: dict[str, Player] = {name: BotPlayer(match.spec, match.spec.bots.default) for name in match.spec.seats()}
    players[seat] = LLMPlayer("model", model, Budget("this seat's"), match.spec.bots.players["random"])
    if match.spec.name == "diplomacy":
        players["ITALY"] = PressPlayer()
    drafts = asyncio.run(asyncio.wait_for(play_to_end(MatchRunner(match, players)), PATIENCE))
    assert match.over
    return drafts


def sources(drafts: list[Draft], seat: str) -> list[str]:
    return [draft.data["source"] for draft in of_kind(drafts, "ActionChosen") if draft.data["seat"] == seat]


@pytest.mark.few(1)
def test_a_match_of_diplomacy_with_press(server: ChatServer, wire: Wire) -> None:
    orders = '{"reasoning": "Hold.", "orders": [], "vote": "none"}'
    press = '{"reasoning": "Peace.", "messages": [{"to": ["ITALY"], "text": "Peace.", "promises": []}]}'

    async def answer(request: Request) -> None:
        text = press if "round 1 of 1" in request.prompt else orders
        await answers.says(wire, text, reasoning="Who is where? ", counts=Counts(read=900, written=80))(request)

    server.answer = answer
    match = Match(game_spec("diplomacy"), {"last_year": 1902, "negotiation_rounds": 1}, 1)
    drafts = played(match, "FRANCE", endpoint(server, wire, price_in=1.0, price_out=10.0))
    assert set(sources(drafts, "FRANCE")) == {"policy"}
    assert of_kind(drafts, "PlayerFault") == []
    messages = [draft.data for draft in of_kind(drafts, "MessageSent") if draft.data["sender"] == "FRANCE"]
    assert {message["text"] for message in messages} == {"Peace."}
    reports = [draft.data["report"] for draft in of_kind(drafts, "PlayerReported")]
    assert len(reports) == len(server.requests)
    assert all(report["thought"].startswith("Who is where? ") for report in reports)
    assert all(report["usage"]["dollars"] == pytest.approx(0.0017) for report in reports)


@pytest.mark.few(2)
def test_a_match_of_cricket_with_a_repair(server: ChatServer, wire: Wire) -> None:
    match = Match(game_spec("cricket"), {"overs": 1}, 3)
    seat = match.spec.seats()[0]

    async def answer(request: Request) -> None:
        action = match.game.default_action(seat)
        call = {"tool": action["tool"], "arguments": action.get("arguments", {})}
        text = json.dumps({"reasoning": "", "calls": [call]})
        first = len(server.requests) == 1
        await answers.says(wire, "I would rather not say." if first else text)(request)

    server.answer = answer
    drafts = played(match, seat, endpoint(server, wire))
    chosen = sources(drafts, seat)
    assert chosen[0] == "repair"
    assert set(chosen[1:]) == {"policy"}
    assert len(chosen) >= 6
    assert "That answer was refused" in server.requests[1].prompt


def test_answers_of_a_forced_tool_are_played(server: ChatServer, wire: Wire) -> None:
    parts: list[Part] = [("tool", '{"reasoning": "Hold.", "orders": [], "vote": "none"}')]
    server.answer = answers.gives(wire, parts)
    match = Match(game_spec("diplomacy"), {"last_year": 1901}, 1)
    drafts = played(match, "FRANCE", endpoint(server, wire, structured="tool"))
    assert set(sources(drafts, "FRANCE")) == {"policy"}


def test_a_commentator_words_a_passage(server: ChatServer, wire: Wire) -> None:
    server.answer = answers.says(wire, '{"lines": [{"line": 1, "text": "Paris falls!"}]}', reasoning="Hm.")
    model = LLMCommentator("model", game_spec("diplomacy"), endpoint(server, wire), Budget("the commentator's"))
    line = Comment("France loses Paris.", 0.5, [1], "orders")
    call = model.ask(Passage([line], [Fact("loss", "Germany takes Paris.", 0.5, [1], ["GERMANY"])], ""))
    reply = asyncio.run(call.wording())
    assert reply.texts == {0: "Paris falls!"}
    assert call.usage().tokens_out == 20
    (request,) = server.requests
    assert request.path == wire.path
    assert "France loses Paris." in request.prompt
