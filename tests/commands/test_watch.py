"""`grandstand watch` against a real server, as lines and as a screen."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from grandstand.commands.watch import Target, read_address, show_record
from grandstand.spectator.follower import WatchRefused
from tests.support.command import grandstand, words
from tests.support.live_server import ROOT, live_server
from tests.support.play.recordings import recorded
from tests.support.waiting import PATIENCE


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("http://h:1/episode/a-1", Target("http://h:1", "a-1", "spectator")),
        ("https://h/x/y/episode/a-1?seq=3&as=seat:FRANCE", Target("https://h/x/y", "a-1", "seat:FRANCE")),
        ("http://h/api/episodes/a%20b/", Target("http://h", "a b", "spectator")),
        ("h:8000/embed/a-1?theme=dark", Target("http://h:8000", "a-1", "spectator")),
    ],
)
def test_every_address_of_a_match_is_read(url: str, target: Target) -> None:
    assert read_address(url) == target


@pytest.mark.parametrize(
    "url", ["", "x", "http://h/", "ftp://h/episode/a", "http://h:x/episode/a", "http://[/episode/a"]
)
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(WatchRefused, match="url: "):
        read_address(url)


def test_a_viewpoint_of_the_command_comes_before_that_of_the_address() -> None:
    assert read_address("h/episode/a?as=analyst", "operator").viewpoint == "operator"


@pytest.mark.long
def test_a_pipe_receives_lines_through_a_kill_of_the_server(tmp_path: Path) -> None:
    command = [sys.executable, "-u", "-m", "grandstand", "watch"]
    with live_server(tmp_path / "data", "--pace", "0.3") as server:
        episode = server.start_match(game="diplomacy", seed=1, options={"last_year": 1901}, title="[b]Bold\x1b[2J")
        port = int(server.url.rpartition(":")[2])
        process = subprocess.Popen(
            [*command, f"{server.url}/episode/{episode}"], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout
        first = [process.stdout.readline() for _ in range(4)]
        server.kill()
    with live_server(tmp_path / "data", "--pace", "0", port=port) as server:
        with process.stdout as output:
            rest = output.read()  # `communicate` would pass over what `readline` has buffered
        process.wait(PATIENCE)
        frames = server.get(f"/api/episodes/{episode}/events")["frames"]
    assert process.returncode == 0
    text = "".join(first) + rest
    assert text.startswith("[b]Bold\\x1b[2J (Diplomacy)\n")
    assert "\x1b" not in text
    events = [frame["event"] for frame in frames if frame["frame"] == "event"]
    turns = [event["data"]["turn"] for event in events if event["type"] == "TurnStarted"]
    assert [line.removeprefix("-- ") for line in text.splitlines() if line.startswith("-- ")] == turns
    comments = [event["data"]["text"] for event in events if event["type"] == "CommentAdded"]
    assert all(text.count(comment) == comments.count(comment) for comment in comments)
    *_, ending, chain = text.splitlines()
    assert ending.startswith("== ")
    grandstand("replay", episode, "--data", str(tmp_path / "data"), "--chain", chain.removeprefix("Chain: "))


@pytest.mark.long
def test_a_terminal_shows_the_match_and_keeps_its_last_moment(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        episode = server.start_match(game="diplomacy", seed=1, pace=0, options={"last_year": 1901}, title="On a screen")
        server.wait_for(episode, status="finished")
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "grandstand", "watch", f"{server.url}/episode/{episode}"],
            cwd=ROOT,
            stdout=theirs,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "120", "LINES": "40"},
        )
        os.close(theirs)
        text = b""
        with suppress(OSError):  # the end of a terminal, once nobody has it open any more
            while part := os.read(ours, 65536):
                text += part
        os.close(ours)
        assert process.wait(PATIENCE) == 0
    last = text.decode().rpartition("\x1b[?1049l")[2]
    assert "On a screen" in last
    assert "finished" in last
    for power in ("Austria", "Turkey"):
        assert power in last


def test_a_refusal_is_one_line(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        done = grandstand("watch", f"{server.url}/episode/nowhere", status=1)
    assert words(done.stderr).startswith("grandstand watch: 404: no episode 'nowhere'")


def test_the_operators_token_of_this_machine_is_not_sent_where_nobody_asks_for_it(tmp_path: Path) -> None:
    secret: dict[str, Any] = {"GRANDSTAND_OPERATOR_TOKEN": "not of that server"}
    with live_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN="another") as server:
        body = {"game": "diplomacy", "seed": 1, "pace": 0, "options": {"last_year": 1901}}
        answer = server.post("/api/episodes", body, Authorization="Bearer another").raise_for_status()
        address = f"{server.url}/episode/{answer.json()['episode_id']}"
        server.wait_for(answer.json()["episode_id"], status="finished")
        grandstand("watch", address, **secret)
        refused = grandstand("watch", address, "--as", "operator", status=1, **secret)
        assert "not the operator's" in words(refused.stderr)
        grandstand("watch", address, "--as", "operator", GRANDSTAND_OPERATOR_TOKEN="another")


def test_a_record_is_shown_turn_by_turn_on_a_terminal() -> None:
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=120, height=40)
    show_record(recorded("diplomacy"), console, pace=0.0)
    text = file.getvalue()
    for word in ("Spring 1901, moves", "Fall 1903, moves", "Russia", "A PAR"):
        assert word in text


def test_replay_shows_a_record_the_same_way(tmp_path: Path) -> None:
    out = str(tmp_path)
    grandstand("play", "diplomacy", "--players", "random", "--set", "last_year=1901", "--out", out)
    done = grandstand("replay", str(tmp_path / "diplomacy-0.jsonl"), "--watch")
    assert "-- S1901M" in done.stdout
    assert "events follow from the recorded choices" in words(done.stdout)
