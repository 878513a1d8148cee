"""`grandstand bot check` runs a program through its incidents on a real server."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import run
from tests.support.live_server import ROOT, LiveServer, live_server

EXAMPLE = [sys.executable, str(ROOT / "examples/bots/bot.py")]


def check(url: str, *words: str) -> tuple[int, str, str]:
    done = run("bot", "check", url, *words)
    return done.returncode, done.stdout, done.stderr


def status(server: LiveServer) -> Any:
    return server.get("/api/episodes")["episodes"][0]["status"]


@pytest.mark.long
@pytest.mark.parametrize("game", ["cricket", "diplomacy"])
def test_an_example_passes_and_its_match_is_stopped(tmp_path: Path, game: str) -> None:
    with live_server(tmp_path) as server:
        code, out, err = check(server.url, "--game", game, "--json", "--", *EXAMPLE)
        result = json.loads(out)
        assert (code, result["passed"]) == (0, True), result
        assert "has ended" in err
        server.wait_for(server.get("/api/episodes")["episodes"][0]["episode_id"], status="stopped")


@pytest.mark.long
def test_a_program_that_ends_at_once_has_not_sat_down(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        code, out, _ = check(server.url, "--", sys.executable, "-c", "raise SystemExit(3)")
        assert code == 1
        assert "the program ended with status 3" in out
        assert "Authorization: Bearer TOKEN" in " ".join(out.split())


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        code, _, err = check(server.url, "--", "no-such-program")
        assert code == 2
        assert "no-such-program" in err


def test_a_server_that_is_not_there_is_named() -> None:
    code, _, err = check("http://127.0.0.1:1")
    assert code == 2
    assert "grandstand serve" in err
