"""Whole matches of any game through the released verifiers: agents in seats, and a trace for each."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.docs.commands import commands
from tests.support.live_server import ROOT
from tests.support.players.chat_server import Answer, ChatServer, Request, refuses
from tests.support.players.schema_answers import answer_to
from tests.support.requirements import file

PYTHON = ROOT / ".cache/verifiers/bin/python"
PROGRAM = ROOT / "tests/support/deploy/verifiers_match.py"
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'deploy/verifiers'}"}
YEAR = {"press": "none", "last_year": 1901}
STRUCTURED = {"harness": {"id": "grandstand-verifiers", "structured": True}}

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]


async def obeys_the_schema(request: Request) -> None:
    """Answer with the first words that the schema of the request allows."""
    await completed(request, json.dumps(answer_to(request.body["response_format"]["json_schema"]["schema"])))


async def refuses_to_answer(request: Request) -> None:
    await completed(request, "I hold.")


async def completed(request: Request, content: str) -> None:
    """Answer as OpenAI does, every field filled in."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    about = {"id": "1", "object": "chat.completion", "created": 1, "model": "model"}
    await request.whole("200 OK", {**about, "choices": [choice], "usage": usage})


Play = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def verifiers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """Start a process of verifiers, which plays one episode after another."""
    file(PYTHON, remedy="run scripts/setup/verifiers")
    errors = tmp_path_factory.mktemp("verifiers") / "errors"
    pipe = subprocess.PIPE
    with (
        errors.open("w") as log,
        subprocess.Popen(
            [str(PYTHON), str(PROGRAM)], stdin=pipe, stdout=pipe, stderr=log, text=True, env=ENVIRONMENT
        ) as process,
    ):
        asked, answers = process.stdin, process.stdout
        assert asked is not None
        assert answers is not None

        def played(line: str) -> str:
            asked.write(f"{line}\n")
            asked.flush()
            answer = answers.readline()
            assert answer, errors.read_text()[-3000:]
            return answer

        yield played


@pytest.fixture
def play(verifiers: Callable[[str], str]) -> Play:
    """Return a function that plays an episode, and returns what `verifiers_match.py` says of it."""

    def played(game: str, answer: Answer, **settings: Any) -> dict[str, Any]:
        with ChatServer(answer) as server:
            result: dict[str, Any] = json.loads(
                verifiers(json.dumps({"game": game, "url": server.url, "settings": settings}))
            )
            return result

    return played


@pytest.mark.parametrize(("game", "options"), [("werewolf", {}), ("cricket", {"overs": 1}), ("diplomacy", YEAR)])
def test_any_game_is_played_to_its_end_by_its_choices(game: str, options: dict[str, Any], play: Play) -> None:
    result = play(game, obeys_the_schema, options=options, player=STRUCTURED)
    assert (result["ok"], result["errors"]) == (True, [])
    ((seat, trace),) = result["traces"].items()
    assert (trace["agent"], trace["trainable"], trace["stop"], trace["errors"]) == ("player", True, "user_closed", [])
    assert (trace["metrics"]["faults"], trace["metrics"]["fallbacks"]) == (0, 0)
    (roles,) = trace["branches"]
    assert roles == ["system", *["user", "assistant"] * (len(roles) // 2)]
    assert len(roles) > 2
    assert seat in trace["texts"][0] or seat.title() in trace["texts"][0]
    assert trace["rewards"] == {"score": trace["metrics"]["match_score"]}
    assert 0 <= trace["rewards"]["score"] <= 1


def test_one_policy_plays_several_seats_of_a_match(play: Play, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"seats": ["france", "RUSSIA"], "together": True, "player": STRUCTURED}
    result = play(
        "diplomacy", obeys_the_schema, options=YEAR, opponents="hold", max_turns=1, records=str(tmp_path), **settings
    )
    assert result["traces"].keys() == {"FRANCE", "RUSSIA"}
    for trace in result["traces"].values():
        assert (trace["agent"], trace["metrics"]["decisions"]) == ("player", 1)
        assert trace["rewards"]["score"] > 0, "the score so far counts"
    (record,) = tmp_path.iterdir()
    assert json.loads(record.read_text().splitlines()[-1])["data"]["status"] == "stopped"


def test_a_frozen_agent_plays_the_other_seats(play: Play) -> None:
    agents = {"player": STRUCTURED, "opponent": STRUCTURED, "opponents": "agent"}
    result = play("cricket", obeys_the_schema, options={"overs": 1}, seats=["away"], **agents)
    about = {seat: (trace["agent"], trace["trainable"]) for seat, trace in result["traces"].items()}
    assert about == {"home": ("opponent", False), "away": ("player", True)}


def test_a_fallback_earns_nothing(play: Play) -> None:
    result = play("diplomacy", refuses_to_answer, options=YEAR, seats=["RUSSIA"], opponents="hold", max_turns=1)
    (trace,) = result["traces"].values()
    assert trace["branches"] == [["system", "user", "assistant", "user", "assistant"]], "one repair"
    assert trace["metrics"]["match_score"] > 0
    assert (trace["metrics"]["fallbacks"], trace["metrics"]["faults"]) == (1, 1)
    assert trace["rewards"] == {"score": 0.0}


def test_a_provider_that_fails_is_named_on_the_trace(play: Play) -> None:
    result = play("diplomacy", refuses("400 Bad Request", "no"), options=YEAR, opponents="hold", max_turns=2)
    assert not result["ok"]
    (trace,) = result["traces"].values()
    assert trace["errors"]
    assert trace["rewards"] == {"score": 0.0}
    assert trace["metrics"]["faults"] == 2


def test_a_seat_that_does_not_exist_is_refused(play: Play) -> None:
    refused = play("cricket", refuses_to_answer, seats=["france"])["refused"]
    assert refused == "seats: cricket has no seat france; it has home, away"


def test_the_documented_command(tmp_path: Path) -> None:
    """The command of the page, with this test's endpoint, and a short match."""
    file(PYTHON, remedy="run scripts/setup/verifiers")
    (command,) = {item.text: item for item in commands() if item.program == "vf-eval"}.values()
    with ChatServer(obeys_the_schema) as server:
        words = [str(PYTHON.with_name("vf-eval")), *command.words[1:], "--client.base-url", server.url]
        words += ["--model", "model", "--no-rich", "--no-push", "-o", str(tmp_path), "-n", "1", "-r", "1"]
        done = subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True, cwd=tmp_path, timeout=200)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    (traces,) = tmp_path.rglob("traces.jsonl")
    assert '"match_score"' in traces.read_text()
