"""Many matches at a time, over a real endpoint: together where players wait, and stopped at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grandstand.campaigns.match_executor import CONCURRENCY, Workers
from grandstand.games.base import OptionError
from tests.support.players.chat_server import ChatServer, hangs, in_turn, refuses, says
from tests.support.players.models import HOLD, SHORT, AnswerBarrier, first, roster
from tests.support.waiting import until

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
SEATS = ",".join(["model", *["hold"] * 6])


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(says(HOLD)) as running:
        yield running


def start(*arguments: str) -> subprocess.Popen[str]:
    """The command in a process group of its own, as a shell starts it."""
    return subprocess.Popen(
        [sys.executable, "-m", "grandstand", *arguments, "--json"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finish(process: subprocess.Popen[str]) -> Any:
    """Return its output, and check that no process of its group is left."""
    out, error = process.communicate(timeout=60)
    assert until(lambda: not group_alive(process.pid)), "a worker outlived the command"
    assert "Traceback" not in error, error
    return json.loads(out)


def group_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_matches_of_a_model_wait_together(server: ChatServer, tmp_path: Path) -> None:
    """Sixteen matches of a slow model take the time of one: their calls are open at the same time."""
    server.answer = gate = AnswerBarrier(16)
    players = ("--players", SEATS, "--roster", str(roster(tmp_path, server, "model")))
    summary = finish(start("play", "diplomacy", *players, *SHORT, "--matches", "16", "--concurrency", "16"))
    assert gate.most == 16
    assert summary["players"]["model"]["scored"] == 16


def test_concurrency_is_a_limit(server: ChatServer, tmp_path: Path) -> None:
    server.answer = gate = AnswerBarrier(3)
    players = ("--players", SEATS, "--roster", str(roster(tmp_path, server, "model")))
    finish(start("play", "diplomacy", *players, *SHORT, "--matches", "9", "--concurrency", "3"))
    assert gate.most == 3


def test_what_an_endpoint_refuses_is_learned_once_for_all_matches(server: ChatServer, tmp_path: Path) -> None:
    answer = says(HOLD)
    server.answer = in_turn(refuses("400 Bad Request", "response_format json_schema is not supported"), answer)
    players = ("--players", SEATS, "--roster", str(roster(tmp_path, server, "model")))
    summary = finish(start("play", "diplomacy", *players, *SHORT, "--matches", "6", "--concurrency", "1"))
    asked = [request.body.get("response_format", {}).get("type") for request in server.requests]
    assert asked.count("json_schema") == 1
    assert summary["players"]["model"]["faults"] == 0


COMMANDS = {
    "play": ("play", "diplomacy", "--players", SEATS, "--matches", "40"),
    "eval": ("eval", "diplomacy", "--player", "model", "--against", "hold", "--reference", "hold", "--repeats", "6"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_all_calls_at_once(name: str, number: int, server: ChatServer, tmp_path: Path) -> None:
    server.answer = first(12, says(HOLD), hangs)
    process = start(*COMMANDS[name], *SHORT, "--roster", str(roster(tmp_path, server, "model")), "--concurrency", "4")
    server.wait_for(16)
    os.killpg(process.pid, number)
    summary = finish(process)
    assert process.returncode == 128 + number
    assert len(server.requests) == 16, "calls went out after the signal"
    assert until(lambda: server.open == 0), "a connection stayed open"
    assert summary["complete"] is False
    assert summary["stopped"] == f"interrupted by {signal.Signals(number).name}"


def test_what_was_played_before_a_signal_is_kept(server: ChatServer, tmp_path: Path) -> None:
    """Two decisions make a match: twelve answers of one match at a time are six matches."""
    server.answer = first(12, says(HOLD), hangs)
    folder = tmp_path / "records"
    options = ("--roster", str(roster(tmp_path, server, "model")), "--concurrency", "1", "--out", str(folder))
    process = start(*COMMANDS["play"], *SHORT, *options)
    server.wait_for(13)
    os.killpg(process.pid, signal.SIGINT)
    summary = finish(process)
    assert summary["matches"] == summary["players"]["model"]["scored"] == 6
    assert len(list(folder.glob("*.jsonl"))) == 6
    (part,) = folder.glob("*.part")
    assert part.name == "diplomacy-6.jsonl.part"


def test_processes_of_built_in_players_end_with_the_command(tmp_path: Path) -> None:
    process = start(
        "play", "diplomacy", "--players", "random", *SHORT, "--matches", "5000", "--jobs", "3", "--out", str(tmp_path)
    )
    assert until(lambda: len(list(tmp_path.glob("*.jsonl"))) > 3, 60)
    os.killpg(process.pid, signal.SIGINT)
    summary = finish(process)
    assert process.returncode == 130
    assert 0 < summary["matches"] < 5000
    assert summary["complete"] is False
    kept = {Path(result["file"]).name for result in summary["results"]}
    assert kept <= {file.name for file in tmp_path.glob("*.jsonl")}


def test_a_second_signal_ends_what_does_not_end(server: ChatServer, tmp_path: Path) -> None:
    server.answer = hangs
    process = start(*COMMANDS["play"], *SHORT, "--roster", str(roster(tmp_path, server, "model")))
    server.wait_for(CONCURRENCY)
    os.killpg(process.pid, signal.SIGINT)
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode in (130, -signal.SIGINT)
    assert until(lambda: not group_alive(process.pid))


def test_workers_end_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    process = start(
        "play", "diplomacy", "--players", "random", *SHORT, "--matches", "5000", "--jobs", "2", "--out", str(tmp_path)
    )
    assert until(lambda: len(list(tmp_path.glob("*.jsonl"))) > 1, 60)
    process.kill()
    process.communicate(timeout=60)
    assert until(lambda: not group_alive(process.pid), 60)


@pytest.mark.parametrize(
    ("calls", "jobs", "concurrency", "workers"),
    [(True, 0, 0, Workers(1, 16)), (True, 1, 40, Workers(1, 40)), (False, 3, 0, Workers(3, 1))],
)
def test_players_decide_how_matches_are_spread(calls: bool, jobs: int, concurrency: int, workers: Workers) -> None:
    assert Workers.of(calls, jobs, concurrency) == workers


@pytest.mark.parametrize(("calls", "jobs", "concurrency", "flag"), [(True, 2, 0, "jobs"), (False, 0, 4, "concurrency")])
def test_a_flag_that_would_do_nothing_is_refused(calls: bool, jobs: int, concurrency: int, flag: str) -> None:
    with pytest.raises(OptionError, match=f"{flag}: "):
        Workers.of(calls, jobs, concurrency)
