"""The examples of outside clients run as they stand."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from tests.support.live_server import ROOT, LiveServer


@pytest.mark.parametrize(("game", "seats"), [("diplomacy", "FRANCE"), ("cricket", "home,away")])
def test_playing_by_chance(server: LiveServer, game: str, seats: str) -> None:
    program = [sys.executable, str(ROOT / "examples" / "openenv_play.py")]
    words = ["--url", server.url, "--game", game, "--seats", seats, "--opponents", "random", "--turns", "3"]
    done = subprocess.run([*program, *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    watch, scores = done.stdout.splitlines()
    assert watch.startswith(f"watch it at {server.url}/episode/{game}-")
    found = ast.literal_eval(scores)
    assert list(found) == seats.split(",")
    assert all(0 <= score <= 1 for score in found.values())
    server.wait_for(watch.rpartition("/")[2], status="stopped")
