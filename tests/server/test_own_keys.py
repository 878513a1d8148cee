"""A visitor's key, planted in a whole server at debug level, is in no answer, log, record or file.

Its endpoint hands the key back wherever it can: in headers, errors, reasoning, orders and press, plain and escaped.
"""

from __future__ import annotations

import asyncio
import gc
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.players.errors import PlayerError
from grandstand.players.llm.client import Endpoint, _spelled
from grandstand.players.options import LLMOptions
from grandstand.players.own_models import OwnOffer
from grandstand.players.roster import Roster
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.players.canary import CANARY, all_told, holds_the_canary
from tests.support.players.chat_server import (
    FAULTS,
    ChatServer,
    Request,
    echoes_the_key,
    echoes_the_key_in_an_error,
)
from tests.support.waiting import until

SEATS = ("FRANCE", "ITALY", "RUSSIA")
VIEWPOINTS = ("operator", "analyst", "spectator", "seat:FRANCE", "seat:ITALY", "seat:TURKEY")
TOKEN = "an operator's token"
OPERATOR = {"Authorization": f"Bearer {TOKEN}"}


async def answer(request: Request) -> None:
    """Echo the key in words, in errors, or within other faults, by the model's name."""
    kind = request.body["model"]
    fault = FAULTS.get(kind.replace("-", " "))
    await (fault or {"echo": echoes_the_key, "error": echoes_the_key_in_an_error}[kind])(request)


def own(model: str) -> dict[str, str]:
    return {"endpoint": "local", "model": model, "api_key": CANARY}


def pages(server: LiveServer, episode: str) -> dict[str, str]:
    """Return what the server answers about the episode and everything else, by address."""
    paths = ["/api/games", "/api/episodes", "/api/openapi.json", "/api/health", "/api/session", "/api/players?game="]
    paths += ["/metrics", "/api/moments", f"/api/episodes/{episode}", f"/api/episodes/{episode}/models"]
    for viewpoint in VIEWPOINTS:
        for kind in ("events", "replay", "snapshot", "export/html", "export/openspiel"):
            paths.append(f"/api/episodes/{episode}/{kind}?as={viewpoint}")
    return {path: http.get(server.url + path, headers=OPERATOR).text for path in paths}


def wrong_places(server: LiveServer) -> dict[str, str]:
    """Return the answers to requests with the key in the fields of other things."""
    match: dict[str, Any] = {"game": "diplomacy", "seat": "FRANCE"}
    bodies = [
        match | {"models": {"FRANCE": own("echo") | {"model": CANARY}}},
        match | {"models": {"FRANCE": own("echo") | {"endpoint": CANARY}}},
        match | {"models": {"FRANCE": own("echo") | {"api_key": CANARY + " "}}, "title": CANARY},
        match | {"models": {"FRANCE": own("echo") | {"api_key": CANARY * 99}}},
        match | {"models": {"FRANCE": own("echo") | {"api_key": [CANARY]}}},
        match | {"models": {"FRANCE": CANARY}},
        match | {"models": CANARY},
    ]
    answers = [server.post("/api/play", body, **OPERATOR) for body in bodies]
    answers.append(http.post(f"{server.url}/api/play", content=f'{{"models": "{CANARY}', headers=OPERATOR))
    assert {answer.status_code for answer in answers} <= {400, 422}
    return {f"refusal {number}": answer.text for number, answer in enumerate(answers)}


@pytest.mark.long
@pytest.mark.parametrize("second", ["resets", "error-inside"])
def test_no_match_on_a_server_tells_it(tmp_path: Path, second: str) -> None:
    data = tmp_path / "data"
    env: Any = {
        "GRANDSTAND_OPERATOR_TOKEN": TOKEN,
        "GRANDSTAND_VISITOR_KEYS": "true",
    }
    with ChatServer(answer) as endpoint:
        env["GRANDSTAND_VISITOR_ENDPOINTS"] = f"local={endpoint.url}"
        body = {
            "game": "diplomacy",
            "models": {seat: own(kind) for seat, kind in zip(SEATS, ("echo", "error", second), strict=True)},
            "options": {"last_year": 1930, "negotiation_rounds": 1},
            "pace": 0.5,
        }
        with live_server(data, "--log-level", "debug", **env) as running:
            texts = wrong_places(running)
            seat = running.post("/api/play", body | {"seat": "FRANCE"}, **{"Idempotency-Key": "k"}).json()
            episode = seat["episode_id"]
            endpoint.wait_for(3)
            assert endpoint.requests[0].headers["authorization"] == f"Bearer {CANARY}"
            texts["play"] = str(seat)
            texts |= pages(running, episode)
            running.kill()
        with live_server(data, "--log-level", "debug", **env) as running:
            calls = len(endpoint.requests)
            path = f"{running.url}/api/episodes/{episode}/models/key"
            key = {"endpoint": "local", "api_key": CANARY}
            headers = {"Authorization": f"Bearer {seat['token']}"}
            assert until(lambda: http.request("PUT", path, json=key, headers=headers).status_code == 200)
            endpoint.wait_for(calls + 4)
            assert until(
                lambda: "PlayerFault" in pages(running, episode)[f"/api/episodes/{episode}/events?as=operator"]
            )
            running.post(f"/api/episodes/{episode}/commands", {"command": "stop"}, **OPERATOR).raise_for_status()
            running.wait_for(episode, status="stopped")
            fork = running.post(f"/api/episodes/{episode}/fork", {"paused": True}, **OPERATOR)
            texts["fork"] = fork.text
            texts |= {f"after {name}": text for name, text in pages(running, episode).items()}
            running.stop()
    for file in data.rglob("*"):
        if file.is_file():
            texts[str(file)] = file.read_bytes().decode("latin-1")
    everything = "".join(texts.values())
    assert everything.count("[key]") > 10, "the endpoint put it nowhere: this test would find nothing"
    assert "PlayerReported" in everything
    assert "DEBUG" in texts[str(data / "grandstand.server.log")]
    assert [name for name, text in texts.items() if holds_the_canary(text)] == []


def test_a_bug_of_ours_with_the_key_in_its_text_goes_no_further(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError(f"cannot send {CANARY}")  # not as a header, which the server's log hides

    async def choose() -> None:
        models, player = _seated()
        models.enter({"FRANCE": SecretStr(CANARY)})
        await player.choose(Match(game_spec("diplomacy"), {}, 1), "FRANCE")

    monkeypatch.setattr(Endpoint, "ask", broken)
    with pytest.raises(PlayerError) as refused:
        asyncio.run(choose())
    assert refused.value.boundary == "ours"
    assert "RuntimeError" in caplog.text
    assert "[key]" in caplog.text
    assert not holds_the_canary(caplog.text + all_told(refused.value))


def test_after_the_end_no_object_holds_the_key() -> None:
    async def play() -> Any:
        models, _ = _seated()
        models.enter({"FRANCE": SecretStr(CANARY)})
        assert _holders()
        models.forget()
        return models

    models = asyncio.run(play())
    assert not models.keyed
    gc.collect()
    assert _holders() == []
    patterns = [pattern for pattern in gc.get_objects() if type(pattern) is re.Pattern]
    kept = [pattern.pattern for pattern in (*re._cache.values(), *patterns)]  # type: ignore[attr-defined]
    assert _spelled(CANARY).pattern not in kept


def _holders() -> list[object]:
    """Return the secrets with the key, and the endpoints that sign requests with it."""
    # By `type`: `isinstance` asks proxies of other libraries for their class, and some answer with a warning.
    return [
        item
        for item in gc.get_objects()
        if (type(item) is SecretStr and item.get_secret_value() == CANARY)
        or (type(item) is Endpoint and item._key is not None and item._key.get_secret_value() == CANARY)
    ]


def _seated() -> tuple[Any, Any]:
    roster = Roster.load()
    roster.own = OwnOffer({"local": LLMOptions(base_url="http://127.0.0.1:1/v1", model="any")})
    seating = roster.episode(game_spec("diplomacy"))
    return seating.own, seating.player("own:local:m", "FRANCE")
