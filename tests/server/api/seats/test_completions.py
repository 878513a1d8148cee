"""Players as models over real sockets, with OpenAI's own client where it is installed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.support import http
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.requirements import package
from tests.support.server.seats import BOTS, Seat

TOKEN = "an operator's token"
OPERATOR = {"Authorization": f"Bearer {TOKEN}"}
CRICKET = {"game": "cricket", "seed": 4, "pace": 0, "clock": 600, "options": {"overs": 1}}
PRESS = {"game": "diplomacy", "seed": 3, "pace": 0, "clock": 600, "options": {"press": "full"}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose operator has a token, and where visitors may play."""
    settings = {"operator_token": TOKEN, "visitor_seats": "true", "visitor_pace": "0"}
    settings |= {"visitor_credits": "10000", "slots": "12"}
    named: dict[str, Any] = {f"GRANDSTAND_{name.upper()}": value for name, value in settings.items()}
    with live_server(tmp_path_factory.mktemp("models"), **named) as running:
        yield running


def complete(server: LiveServer, key: str, model: str, *texts: str, **fields: Any) -> httpx2.Response:
    messages = [{"role": "system", "content": "Play."}, *({"role": "user", "content": text} for text in texts)]
    body = {"model": model, "messages": messages, **fields}
    return http.post(f"{server.url}/v1/chat/completions", json=body, headers={"Authorization": f"Bearer {key}"})


def content(answer: httpx2.Response) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    return dict(json.loads(answer.json()["choices"][0]["message"]["content"]))


def played(server: LiveServer, **fields: Any) -> tuple[str, str, dict[str, Any]]:
    """Start a visitor's match; return its address, the seat's token, and what the seat is asked."""
    mine = server.post("/api/play", fields).raise_for_status().json()
    address = f"{server.url}/api/episodes/{mine['episode_id']}/seats/{mine['seat']}"
    view = http.get(address, params={"wait": 30}, headers={"Authorization": f"Bearer {mine['token']}"}).json()
    return address, mine["token"], view


def test_a_seats_token_is_the_key_for_the_answers_of_players_to_its_prompt(server: LiveServer) -> None:
    address, token, view = played(server, **CRICKET)
    assert view["asked"] == "choose"
    answer = complete(server, token, "heuristic", "an earlier prompt", view["text"], "That answer was refused: …")
    reply = content(answer)
    assert content(complete(server, token, "heuristic", json.dumps({"text": view["text"]}))) == reply, (
        "as a harness does"
    )
    assert answer.json()["model"] == "heuristic"
    assert answer.json()["usage"]["completion_tokens"] > 0
    (call,) = reply["calls"]
    taken = http.post(address, json={"action": call}, headers={"Authorization": f"Bearer {token}"})
    assert taken.status_code == 202, taken.text


def test_a_conversation_about_something_else_is_refused(server: LiveServer) -> None:
    _, token, view = played(server, **CRICKET)
    for key, model, text, status, why in (
        (token, "heuristic", "What is the capital of France?", 409, "none is the prompt of a seat that is asked now"),
        (token, "nobody", view["text"], 404, "no player 'nobody' of cricket can be asked; there are heuristic"),
        (token, "person", view["text"], 404, "no player 'person' of cricket can be asked"),
        ("wrong", "heuristic", view["text"], 401, "token"),
    ):
        answer = complete(server, key, model, text)
        assert (answer.status_code, why in answer.json()["detail"]) == (status, True), answer.text
    assert complete(server, token, "heuristic", view["text"], n=2).status_code == 422
    without = {"model": "heuristic", "messages": [{"role": "user", "content": view["text"]}]}
    assert http.post(f"{server.url}/v1/chat/completions", json=without).status_code == 401, "without a key"


def test_a_seats_token_reaches_no_other_seat(server: LiveServer) -> None:
    """Otherwise the answer would tell whether a guess of another seat's prompt is right."""
    _, _, theirs = played(server, game="werewolf", seed=1, pace=0, clock=600)
    _, token, _ = played(server, game="werewolf", seed=2, pace=0, clock=600)
    assert complete(server, token, "ledger", theirs["text"]).status_code == 409


def test_an_operators_key_finds_the_seat_by_its_prompt_in_rounds_of_press_too(server: LiveServer) -> None:
    people = {"FRANCE": "person", "ITALY": "person"}
    started = server.post("/api/episodes", {**PRESS, "players": BOTS | people}, **OPERATOR).json()
    url = f"{server.url}/api/episodes/{started['episode_id']}/seats/FRANCE"
    view = http.get(url, params={"wait": 30}, headers=OPERATOR).json()
    assert view["asked"] == "negotiate"
    assert content(complete(server, TOKEN, "hold", view["text"]))["messages"] == []
    messages = [{"message": item} for item in content(complete(server, TOKEN, "Talleyrand", view["text"]))["messages"]]
    assert messages
    assert http.post(url, json={"messages": messages}, headers=OPERATOR).status_code == 202


def test_the_client_of_openai_lists_and_asks_players(server: LiveServer) -> None:
    openai = package("openai")
    _, token, view = played(server, **CRICKET)
    with openai.OpenAI(base_url=f"{server.url}/v1", api_key=token, max_retries=0) as client:
        names = [model.id for model in client.models.list()]
        assert {"heuristic", "dumbbot"} <= set(names)
        assert len(names) == len(set(names))
        messages = [{"role": "user", "content": view["text"]}]
        whole = client.chat.completions.create(model="heuristic", messages=messages)
        pieces = client.chat.completions.create(model="heuristic", messages=messages, stream=True)
        streamed = "".join(piece.choices[0].delta.content or "" for piece in pieces)
        assert streamed == whole.choices[0].message.content
        with pytest.raises(openai.NotFoundError):
            client.chat.completions.create(model="nobody", messages=messages)


def test_on_ones_own_machine_any_key_will_do(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        episode = server.start_match(**CRICKET, players={"home": "person"})
        seat = Seat(server, episode, "home")
        text = seat.asked()["text"]
        assert "calls" in content(complete(server, "none", "neutral", text))
        foreign = {"Authorization": "Bearer none", "Origin": "http://elsewhere.example"}
        assert http.get(f"{server.url}/v1/models", headers=foreign).status_code == 401, "but not for a foreign page"


@pytest.mark.long
def test_the_documented_harness_plays_a_whole_match(tmp_path: Path) -> None:
    """The example of the page: a harness of OpenEnv asks a player in place of a language model."""
    package("openai")
    package("openenv")
    page = (ROOT / "docs/other-programs.md").read_text()
    (code,) = re.findall(r"```python\n(from openai.*?)```", page, re.DOTALL)
    with live_server(tmp_path) as server:
        here: dict[str, Any] = {}
        exec(code.replace("http://127.0.0.1:8000", server.url), here)
        assert here["result"].done
        (episode,) = server.get("/api/episodes", game="werewolf")["episodes"]
        assert (episode["status"], here["result"].reward) == (
            "finished",
            episode["scores"][episode["seats"][0]["seat"]],
        )
        record = server.get(f"/api/episodes/{episode['episode_id']}/events", **{"as": "operator"})
        assert "PlayerFault" not in str(record)
