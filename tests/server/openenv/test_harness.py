"""A harness that knows nothing of this environment plays it with a model that does what it is told and no more.

It does what generic harnesses do: the model's JSON object is the action, other text is the value of an action's only
field, and the model is shown the whole observation, as JSON without empty fields, but for `metadata` and
`system_prompt`, which is the system message.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest
from openenv.core.generic_client import GenericEnvClient
from websockets.sync.client import connect

from tests.support import http
from tests.support.live_server import LiveServer

Model = Callable[[str, str], str]
"""(system message, what it is shown) -> what it writes."""


@dataclass
class Episode:
    """The results of the harness and of the model."""

    rewards: list[float] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    last: dict[str, Any] = field(default_factory=dict)
    secrets: list[str] = field(default_factory=list)


def as_action(written: str, schema: dict[str, Any]) -> dict[str, Any]:
    try:
        value = json.loads(written)
    except ValueError:
        value = None
    if isinstance(value, dict):
        return value
    fields = [name for name in schema["properties"] if name != "metadata"]
    assert len(fields) == 1, "plain text takes an action of one field"
    return {fields[0]: written}


def content(observation: dict[str, Any]) -> str:
    shown = {name: value for name, value in observation.items() if name not in ("metadata", "system_prompt")}
    return json.dumps({name: value for name, value in shown.items() if value not in (None, "", [], {})})


async def rollout(url: str, model: Model, **reset: Any) -> Episode:
    """One episode. A step that the server calls invalid ends it, as a fault of the model's."""
    async with httpx2.AsyncClient(base_url=url, timeout=60, verify=False) as http:
        schema = (await http.get("/schema")).json()["action"]
    episode = Episode()
    async with GenericEnvClient(base_url=url) as env:
        result = await env.reset(**reset)
        episode.secrets.append(result.observation["metadata"]["seat_token"])
        episode.shown.append(json.dumps(schema))
        system = ""
        while True:
            episode.rewards.append(result.reward)
            episode.last = result.observation
            episode.shown.append(content(result.observation))
            if error := result.observation.get("error"):
                episode.errors.append(error)
            if result.done:
                return episode
            system = result.observation.get("system_prompt") or system
            result = await env.step(as_action(model(system, episode.shown[-1]), schema))


def diplomat(system: str, shown: str) -> str:
    """Writes the object that the system message shows, filled from the text."""
    assert re.search(r'\{"reasoning": "\.\.\.",\s+"(orders|messages)"', system)
    if '"messages"' in system:
        to = "ITALY" if "You are FRANCE" in system else "FRANCE"
        return json.dumps({"reasoning": "peace", "messages": [{"to": [to], "text": "Peace?", "promises": []}]})
    return json.dumps({"reasoning": "I wait.", "orders": []})


def captain(system: str, shown: str) -> str:
    """Makes the call that the text says moves the match on."""
    must = re.search(r"Tools; (\w+) moves the match on", shown)
    assert must, shown
    assert '"calls": [{"tool": NAME' in system
    return json.dumps({"reasoning": "as it comes", "calls": [{"tool": must.group(1), "arguments": {}}]})


@pytest.mark.long
@pytest.mark.parametrize(
    ("model", "reset"),
    [
        (diplomat, {"seat": "FRANCE", "opponents": "hold", "options": {"last_year": 1902}}),
        (diplomat, {"seat": "FRANCE", "opponents": "hold", "options": {"last_year": 1901, "press": "none"}}),
        (captain, {"game": "cricket", "seat": "home", "opponents": "random", "options": {"overs": 1}}),
        (captain, {"game": "cricket", "seat": "away", "opponents": "random", "options": {"overs": 1}}),
    ],
    ids=["diplomacy", "diplomacy without press", "cricket home", "cricket away"],
)
def test_a_model_that_answers_as_it_is_asked_plays_to_the_end(
    server: LiveServer, model: Model, reset: dict[str, Any]
) -> None:
    episode = asyncio.run(rollout(server.url, model, seed=3, **reset))
    assert episode.errors == []
    assert episode.last["outcome"] is not None
    assert sum(episode.rewards) == pytest.approx(episode.last["outcome"]["scores"][reset["seat"]])
    assert server.get(f"/api/episodes/{episode.last['match_id']}")["status"] == "finished"


@pytest.mark.long
def test_nothing_that_a_model_is_shown_has_a_token_or_is_shown_twice(server: LiveServer) -> None:
    reset = {"game": "cricket", "seat": "home", "opponents": "random", "options": {"overs": 1}}
    episode = asyncio.run(rollout(server.url, captain, seed=3, **reset))
    for shown in episode.shown:
        assert not any(secret in shown for secret in episode.secrets)
        assert "seat_token" not in shown
    moments = [json.loads(shown) for shown in episode.shown[1:]]
    assert not any("view" in moment or "legal" in moment for moment in moments)
    assert max(len(json.dumps(moment)) - len(json.dumps(moment["text"])) for moment in moments) < 600


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ("I would rather not say.", "no JSON object"),
        ('["A PAR - MOS"]', "A PAR"),
        ('{"reasoning": "x", "ordres": []}', "the object has the keys reasoning, ordres"),
        ('{"orders": 7}', "must be a list of orders"),
        ('{"action": "hold"}', "'hold' belongs to none of F BRE, A MAR, A PAR"),
        ('{"messages": "none"}', "the object has the keys messages"),
        ('{"reply": 5}', "the object has the keys reply"),
        ('"' + "x" * 100_001 + '"', "write at most 100000"),
        ('{"orders": ["A LON \\ud800"]}', "A LON"),
        ("half a character: \\ud800 \ud800", "no JSON object"),
        ('{"\\ud800": 1}', "the object has the keys \ufffd"),
        ("[" * 50, "no JSON object"),
    ],
)
def test_whatever_a_model_writes_it_is_told_what_is_wrong_and_plays_on(
    server: LiveServer, written: str, complaint: str
) -> None:
    answers = iter([written, '{"orders": []}'])
    reset = {"seat": "FRANCE", "opponents": "hold", "max_turns": 1}
    episode = asyncio.run(rollout(server.url, lambda system, shown: next(answers), **reset))
    assert len(episode.errors) == 1
    assert complaint in episode.errors[0]
    assert episode.last["message"] == "after 1 turns"


@pytest.mark.parametrize("kind", ["reset", "state", "mcp", "step", "\ud800"])
def test_no_message_with_half_a_character_ends_the_session(server: LiveServer, kind: str) -> None:
    half = "\ud800"
    with connect(server.url.replace("http", "ws") + "/ws") as socket:

        def ask(kind: str, **data: Any) -> Any:
            socket.send(json.dumps({"type": kind, "data": data}))
            return json.loads(socket.recv(timeout=30))

        ask(kind, **{half: half, "seat": half, "method": half, "reply": half, "action": {half: half}})
        answer = ask("reset", seat="FRANCE", opponents="hold")
        assert answer["type"] == "observation"
        answer = ask("step", action={"orders": ["A PAR " + half]})
        assert answer["data"]["observation"]["error_field"] == "orders[0]"


def test_no_half_character_ends_a_match_through_the_api_of_a_seat_or_a_step_by_http(server: LiveServer) -> None:
    half = "\ud800"

    def post(path: str, body: Any) -> httpx2.Response:
        headers = {"content-type": "application/json"}
        return http.post(server.url + path, content=json.dumps(body), headers=headers, timeout=30)

    observation = post("/reset", {"seat": "FRANCE", "opponents": "hold"}).raise_for_status().json()["observation"]
    where = {"match": observation["match_id"], "seat": "FRANCE", "seat_token": observation["metadata"]["seat_token"]}
    seat = f"/api/episodes/{observation['match_id']}/seats/FRANCE"
    for action, named in (
        ({"message": {"to": "all", "text": half}}, "message.text"),
        ({"message": {"to": ["ITALY"], "text": "x", "promises": [half]}}, "message.promises[0]"),
        ({"orders": ["A PAR H " + half]}, "orders[0]"),
        ({half: 1}, "action"),
        ({"orders": [{half: 1}]}, "orders[0]"),
    ):
        refused = post(seat, {"action": action})
        assert (refused.status_code, refused.json()["field"]) == (422, named)
        step = post("/step", {"action": {"action": action}, **where}).raise_for_status().json()
        assert step["observation"]["error_field"] == named
    odd = post("/step", {"action": {half: 1}, **where}).raise_for_status().json()["observation"]
    assert "the object has the keys \ufffd" in odd["error"]
    assert post(seat, {half: 1}).status_code == 422
    assert server.get(f"/api/episodes/{observation['match_id']}")["status"] == "live"
    assert post(seat, {"action": {"orders": []}}).status_code == 202
