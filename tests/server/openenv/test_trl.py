"""A stock TRL trainer, in an environment of its own, trains on seats of a running server."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.live_server import ROOT, LiveServer
from tests.support.requirements import file

pytestmark = pytest.mark.long

PYTHON = ROOT / ".cache" / "trl" / "bin" / "python"
PROGRAM = ROOT / "examples" / "openenv_grpo_tiny.py"
GROUP = 4


def seed(server: LiveServer, episode_id: str) -> Any:
    frames = server.get(f"/api/episodes/{episode_id}/events", **{"as": "operator"})["frames"]
    events = [frame["event"] for frame in frames if frame.get("event")]
    return next(event["data"]["seed"] for event in events if event["type"] == "SeedSet")


@pytest.mark.timeout(600)
def test_two_steps_of_grpo(server: LiveServer, tmp_path: Path) -> None:
    file(PYTHON, remedy="run scripts/setup/trl")
    env = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf"), "TRL_EXPERIMENTAL_SILENCE": "1"}
    before = server.get("/api/episodes", limit=1)["total"]
    done = subprocess.run(
        [PYTHON, PROGRAM, server.url, tmp_path / "out"], cwd=tmp_path, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-4000:]
    report = json.loads(done.stdout.splitlines()[-1])
    assert report["steps"] == 2
    assert report["moved"] > 0
    steps = report["log"][:2]
    assert all(step["tools/call_frequency"] >= 2 and step["tools/failure_frequency"] == 0 for step in steps)
    assert all(0 < step["rewards/Seat/mean"] <= 1 for step in steps)
    assert server.get("/api/episodes", limit=1)["total"] == before + 1 + 2 * GROUP
    newest = server.get("/api/episodes", limit=GROUP)["episodes"]
    assert {episode["origin"] for episode in newest} == {"openenv"}
    assert all(episode["message"] == "after 2 turns" for episode in newest)
    assert len({seed(server, episode["episode_id"]) for episode in newest}) == 1, "a group compares one match"
