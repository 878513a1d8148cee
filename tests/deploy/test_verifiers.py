"""Whole matches through the released verifiers: an agent in every seat, and a trace for each."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from grandstand.games.registry import game_spec
from tests.support.live_server import ROOT
from tests.support.players.chat_server import Answer, ChatServer, Request, refuses
from tests.support.requirements import file

PYTHON = ROOT / ".cache/verifiers/bin/python"
PROGRAM = ROOT / "tests/support/deploy/verifiers_match.py"
POWERS = [seat.lower() for seat in game_spec("diplomacy").seats()]
YEAR: dict[str, Any] = {"options": {"press": "none", "last_year": 1901}}
OVER: dict[str, Any] = {"options": {"overs": 1}}

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]


async def holds(request: Request) -> None:
    """Answer without an order."""
    await completed(request, '{"orders": []}')


async def refuses_to_answer(request: Request) -> None:
    await completed(request, "I hold.")


async def completed(request: Request, content: str) -> None:
    """Answer as OpenAI does, every field filled in."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    about = {"id": "1", "object": "chat.completion", "created": 1, "model": "model"}
    await request.whole("200 OK", {**about, "choices": [choice], "usage": usage})


async def captains(request: Request) -> None:
    """Answer with the call that moves the match on."""
    (name,) = re.findall(r"Tools; (\w+) moves the match on", request.body["messages"][-1]["content"])
    await completed(request, json.dumps({"calls": [{"tool": name, "arguments": {}}]}))


Play = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def verifiers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """Start a process of verifiers, which plays one episode after another."""
    file(PYTHON, remedy="run scripts/setup/verifiers")
    errors = tmp_path_factory.mktemp("verifiers") / "errors"
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'deploy/verifiers'}"}
    with (
        errors.open("w") as log,
        subprocess.Popen(
            [str(PYTHON), str(PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=environment,
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

    def played(id: str, answer: Answer, taskset: dict[str, Any], **env: Any) -> dict[str, Any]:
        with ChatServer(answer) as server:
            asked = {"id": id, "url": server.url, "taskset": taskset, "env": env}
            result: dict[str, Any] = json.loads(verifiers(json.dumps(asked)))
            return result

    return played


def test_every_power_has_a_trace(play: Play) -> None:
    result = play("grandstand-diplomacy", holds, YEAR, trained=["FRANCE", "italy"])
    assert (result["ok"], result["errors"]) == (True, [])
    assert sorted(result["traces"]) == POWERS
    for seat, trace in result["traces"].items():
        assert trace["trainable"] == (seat in ("france", "italy"))
        (roles,) = trace["branches"]
        assert roles == ["system", *["user", "assistant"] * int(trace["metrics"]["decisions"])]
        assert (trace["stop"], trace["errors"]) == ("user_closed", [])
        assert trace["metrics"]["faults"] == 0
        assert trace["metrics"]["decisions"] >= 2
        assert seat.capitalize() in trace["texts"][0] or seat.upper() in trace["texts"][0]
    scores = {seat: trace["rewards"]["score"] for seat, trace in result["traces"].items()}
    assert scores["russia"] == max(scores.values()), "nobody moved, and Russia begins with most centres"


def test_bots_take_the_other_seats(play: Play) -> None:
    result = play("grandstand-diplomacy", holds, YEAR, trained=["france"], opponents="dumbbot", max_turns=2)
    assert result["ok"]
    assert list(result["traces"]) == ["france"]
    assert result["traces"]["france"]["metrics"]["decisions"] == 2


def test_a_captain_calls_and_repairs(play: Play) -> None:
    result = play("grandstand-cricket", captains, OVER)
    assert result["ok"], result
    assert sorted(result["traces"]) == ["away", "home"]
    traces = list(result["traces"].values())
    assert sum(trace["metrics"]["faults"] for trace in traces) == 0
    assert sorted(trace["rewards"]["score"] for trace in traces) in ([0.0, 1.0], [0.5, 0.5])


def test_a_reply_that_cannot_be_used_is_repaired_once(play: Play) -> None:
    result = play("grandstand-diplomacy", refuses_to_answer, YEAR, trained=["france"], opponents="hold", max_turns=1)
    (trace,) = result["traces"].values()
    assert trace["branches"] == [["system", "user", "assistant", "user", "assistant"]]
    assert (trace["metrics"]["decisions"], trace["metrics"]["faults"]) == (0, 1)


def test_a_provider_that_fails_is_named_on_the_trace_and_the_match_goes_on(play: Play) -> None:
    result = play("grandstand-diplomacy", refuses("400 Bad Request", "no"), YEAR, trained=["france"], opponents="hold")
    assert not result["ok"]
    trace = result["traces"]["france"]
    assert trace["errors"]
    assert trace["metrics"]["faults"] >= 2


def test_a_seat_that_does_not_exist_is_refused(play: Play) -> None:
    result = play("grandstand-cricket", captains, OVER, trained=["france"])
    assert not result["ok"]
    assert "env.trained: cricket has no seat france; it has home, away" in result["errors"][0]
