"""A key that is planted is nowhere to be found: not in events, pages, logs, errors, tracebacks or files.

The endpoints here hand the key back wherever they can: in headers, errors, reasoning, text and press, plain or escaped.
"""

from __future__ import annotations

import asyncio
import io
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.players.errors import PlayerError
from grandstand.players.llm.budget import Budget
from grandstand.players.llm.client import ChatError, Endpoint, UsageCounter
from grandstand.players.llm.features import DialectName
from grandstand.players.llm.player import LLMPlayer
from grandstand.players.options import LLMOptions
from tests.support import http
from tests.support.live_server import live_server
from tests.support.players import dialect_answers
from tests.support.players.canary import CANARY, all_told, holds_the_canary
from tests.support.players.chat_server import (
    Answer,
    ChatServer,
    Request,
    echoes_the_key,
    echoes_the_key_in_an_error,
    says,
)
from tests.support.players.dialect_wires import WIRES, Wire
from tests.support.waiting import PATIENCE


@pytest.fixture(scope="module")
def server() -> Iterator[ChatServer]:
    with ChatServer(says("{}")) as running:
        yield running


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """All that anybody logs, however little it matters."""
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield text
    root.removeHandler(handler)
    root.setLevel(level)


SEATS = ("FRANCE", "ITALY", "AUSTRIA", "ENGLAND", "GERMANY", "TURKEY")

ENTRY = """
[[player]]
name = "{0}"
kind = "llm"
key_env = "MODEL_KEY"
[player.options]
base_url = "{1}"
model = "{0}"
dialect = "{2}"
"""

NAMES = ("closes", "resets", "hangs", "half JSON event", "error inside", "web page")


def answers(wire: Wire) -> dict[str, Answer]:
    """Return answers of a dialect in which an endpoint could hand back the key."""
    faults = dialect_answers.faults(wire)
    return {
        "echo": dialect_answers.echoes_the_key(wire),
        "echo in an error": dialect_answers.echoes_the_key_in_an_error(wire),
        "echo in an error inside": dialect_answers.refuses_the_key_within(wire),
        **{name: faults[name] for name in NAMES},
    }


ANSWERS: dict[tuple[DialectName, str], Answer] = {
    ("openai-chat", "plain echo"): echoes_the_key,
    ("openai-chat", "plain echo in an error"): echoes_the_key_in_an_error,
    **{(dialect, name): answer for dialect, wire in WIRES.items() for name, answer in answers(wire).items()},
}


@pytest.mark.few(6)
@pytest.mark.parametrize(("dialect", "name"), ANSWERS)
def test_no_error_traceback_or_log_holds_it(
    server: ChatServer, log: io.StringIO, dialect: DialectName, name: str
) -> None:
    server.answer = ANSWERS[dialect, name]
    fields: dict[str, Any] = {"retries": 1, "retry_seconds": 0.01, "stall_seconds": 0.2, "dialect": dialect}
    options = LLMOptions(base_url=server.url, model="m", **fields)
    endpoint = Endpoint(options, SecretStr(CANARY))
    assert not holds_the_canary(repr(endpoint) + repr(options))
    tally, deadline = UsageCounter(), time.monotonic() + PATIENCE
    try:
        answer = asyncio.run(
            endpoint.ask([{"role": "user", "content": "?"}], {}, Budget("x"), tally, deadline, lambda tokens: None)
        )
        text = repr(answer)
    except ChatError as error:
        text = all_told(error)
    assert text
    assert not holds_the_canary(text)
    player = LLMPlayer("model", endpoint, Budget("x"), lambda game, seat, random: {"orders": []})
    try:
        choice = asyncio.run(player.choose(Match(game_spec("diplomacy"), {}, 1), "FRANCE"))
        text = repr(choice)
    except PlayerError as error:
        text = f"{error.report!r} {all_told(error)}"
    assert not holds_the_canary(text)
    assert not holds_the_canary(log.getvalue())
    assert server.requests[-1].key == CANARY  # it was sent, and is what we look for
    assert not holds_the_canary(server.requests[-1].path + repr(server.requests[-1].body))


def test_a_key_is_not_confused_with_a_word(server: ChatServer) -> None:
    assert (
        Endpoint(LLMOptions(base_url=server.url, model="m"), SecretStr("none")).scrub('"vote": "none"')
        == '"vote": "none"'
    )


@pytest.mark.long
def test_no_match_on_a_server_tells_it(server: ChatServer, tmp_path: Path) -> None:
    """Every page, every viewpoint, the replay, the log and the files of a server that played with it."""

    async def answer(request: Request) -> None:
        number = sum(item.body.get("model") == "error" for item in server.requests)
        failing = request.body.get("model") == "error" and number % 2
        wire = next(wire for wire in WIRES.values() if wire.path.split("/")[2] == request.path.split("/")[2])
        echo = dialect_answers.echoes_the_key_in_an_error if failing else dialect_answers.echoes_the_key
        await echo(wire)(request)

    server.requests.clear()
    server.answer = answer
    roster = tmp_path / "players.toml"
    entries: dict[str, DialectName] = {"echo": "openai-chat", "error": "openai-chat"}
    entries |= {dialect: dialect for dialect in WIRES}
    roster.write_text("".join(ENTRY.format(name, server.url, dialect) for name, dialect in entries.items()))
    data = tmp_path / "data"
    with live_server(data, GRANDSTAND_ROSTER=str(roster), MODEL_KEY=CANARY) as running:
        episode = running.start_match(
            game="diplomacy",
            players=dict(zip(SEATS, entries, strict=False)) | {"RUSSIA": "hold"},
            options={"last_year": 1901, "negotiation_rounds": 1},
            commentator="echo",
            pace=0,
        )
        running.wait_for(episode, status="finished")
        report = {}
        for path in ("/api/games", "/api/episodes", "/api/openapi.json", f"/api/episodes/{episode}"):
            report[path] = http.text(running.url + path)
        for viewpoint in ("operator", "analyst", "spectator", "seat:FRANCE"):
            for page in ("events", "replay", "snapshot"):
                path = f"/api/episodes/{episode}/{page}?as={viewpoint}"
                report[path] = http.text(running.url + path)
        running.stop()
    for file in data.rglob("*"):
        if file.is_file():
            report[str(file)] = file.read_bytes().decode("latin-1")
    everything = "".join(report.values())
    assert "[key] to" not in everything  # the endpoint's words, not ours
    assert everything.count("[key]") > 10  # where the endpoint had put it
    assert {request.path for request in server.requests} == {
        wire.path.replace("/m:", "/gemini:") for wire in WIRES.values()
    }
    assert "MessageSent" in everything
    assert "PlayerReported" in everything
    assert "CommentatorReported" in everything
    assert [name for name, text in report.items() if holds_the_canary(text)] == []
