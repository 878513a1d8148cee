"""The examples of outside clients run as they stand."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from types import ModuleType

import pytest

from tests.support.live_server import ROOT, LiveServer

pytestmark = pytest.mark.long


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats"), [("diplomacy", "FRANCE"), ("cricket", "home,away")])
def test_playing_by_chance(server: LiveServer, game: str, seats: str) -> None:
    program = [sys.executable, str(ROOT / "examples" / "openenv_play.py")]
    words = ["--url", server.url, "--game", game, "--seats", seats, "--opponents", "random", "--turns", "3"]
    done = subprocess.run([*program, *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    watch, scores = done.stdout.splitlines()
    assert watch.startswith(f"watch it at {server.url}/episode/{game}-")
    result = ast.literal_eval(scores)
    assert list(result) == seats.split(",")
    assert all(0 <= score <= 1 for score in result.values())
    server.wait_for(watch.rpartition("/")[2], status="stopped")


@pytest.fixture
def grpo(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The training example as a module; the seat in it needs nothing of TRL."""
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    return import_module("openenv_grpo")


def test_the_rollouts_of_a_group_play_the_same_match(server: LiveServer, grpo: ModuleType) -> None:
    words = {"game": "cricket", "seat": "home", "opponents": "random", "options": {"overs": 1}, "max_turns": 4}
    rows = [{"prompt": [{"role": "user", "content": ""}], "seed": seed} for seed in (4, 4, 4, 5)]
    prompts = [grpo.Seat(server.url, words).reset(**row) for row in rows]
    assert prompts[0] == prompts[1] == prompts[2]
    assert prompts[3] != prompts[0]
    task = {"split": "cricket/death-overs", "index": 7, "seed": None, "environment": "x"}
    some = [grpo.Seat(server.url, {"opponents": "random"}).reset(**task) for _ in range(2)]
    assert some[0] == some[1]


@pytest.mark.parametrize(("reward", "cut"), [("score", 0.0), ("gain", None)])
def test_a_rollout_that_is_cut_off_has_what_it_gained(
    server: LiveServer, grpo: ModuleType, reward: str, cut: float | None
) -> None:
    words = {"seat": "FRANCE", "opponents": "hold", "max_turns": 3, "reward": reward, "options": {"press": "none"}}
    seat = grpo.Seat(server.url, words)
    seat.reset(seed=1)
    start = seat.get_reward()
    assert "F1901M" in seat.play('{"orders": ["A MAR - SPA"]}')
    seat.play('{"orders": []}')  # Spain is taken with the autumn
    gained = seat.get_reward()
    if cut is None:
        assert gained > start > 0
    else:
        assert gained == start == cut
    assert seat.play('{"orders": []}') == "The match is over."
    (newest,) = server.get("/api/episodes", limit=1)["episodes"]
    assert seat.get_reward() == pytest.approx(newest["scores"]["FRANCE"])


def test_gains_add_up_to_the_score_over_http_too(server: LiveServer) -> None:
    words = {"seat": "FRANCE", "opponents": "random", "max_turns": 5, "reward": "gain", "options": {"press": "none"}}
    answer = server.post("/reset", {"seed": 3, **words}).raise_for_status().json()
    observed, rewards = answer["observation"], [answer["reward"]]
    where = {"match": observed["match_id"], "seat": "FRANCE", "seat_token": observed["metadata"]["seat_token"]}
    while not answer["done"]:
        step = {"action": {"action": {"orders": []}}, **where, "reward": "gain"}
        answer = server.post("/step", step).raise_for_status().json()
        rewards.append(answer["reward"])
    assert len(rewards) > 3
    assert sum(rewards) == pytest.approx(answer["observation"]["scores"]["FRANCE"])
