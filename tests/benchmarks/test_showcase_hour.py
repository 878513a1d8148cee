"""The recorder of `benchmarks/showcase_hour.py`: what it counts of the lanes, and that it reads a real server."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.showcase_hour import LaneLog, counts, look, report
from tests.support.live_server import ROOT, live_server
from tests.support.play.story_of_match import ToldMatch


def listing(episode_id: str | None, *, status: str = "live", paused: bool = False, waiting: bool = False) -> Any:
    lane = {"game": "chess", "episode_id": episode_id}
    episode = {"episode_id": episode_id, "status": status, "paused": paused}
    return {"lanes": [lane], "episodes": [episode], "awaited": [{"episode_id": episode_id}] if waiting else []}


def test_time_is_counted_as_live_paused_waiting_or_a_gap() -> None:
    logs: dict[str, LaneLog] = {}
    for answer in (
        listing("a"),
        listing("a", paused=True),
        listing("a", waiting=True),
        listing(None),
        listing(None),
        listing("b", status="queued"),
        listing("b"),
        listing(None),
    ):
        look(answer, logs, 2.0)
    log = logs["chess"]
    assert (log.seconds, log.live, log.paused, log.waiting) == (16.0, 8.0, 2.0, 2.0)
    assert log.gaps == [6.0, 2.0]
    assert list(log.episodes) == ["a", "b"]
    row = report(logs, {"a": counts([]), "b": counts([])}).splitlines()[-1]
    assert row == "| chess | 0.3 | 0.1 | 6, 2 | 25 % | 25 % | 2 | 0, 0 | 0, 0 | 0, 0 |"


def test_messages_and_facts_are_counted_also_within_batches() -> None:
    frames: list[dict[str, Any]] = [
        {"frame": "event", "event": event.model_dump(mode="json")} for event in ToldMatch("told", "A headline").events()
    ]
    message = {"type": "MessageSent", "audience": ["FRANCE"], "data": {}}
    batch = {"frame": "event", "event": {"type": "PrivateBatch", "data": {"events": [message, message]}}}
    total = counts([*frames, batch, {"frame": "withheld", "seq": 9}])
    assert total["messages"] == 2
    assert total["capture"] >= 2


def test_it_reads_a_running_server(tmp_path: Path) -> None:
    with live_server(tmp_path, "--showcase", "cricket") as server:
        server.wait_for(str(server.get("/api/episodes")["lanes"][0]["episode_id"]), status="live")
        script = ROOT / "benchmarks/showcase_hour.py"
        run = subprocess.run(
            [sys.executable, str(script), "--url", server.url, "--minutes", "0.03"],
            capture_output=True,
            text=True,
            check=True,
        )
    assert re.search(r"^\| cricket \| 0\.\d \| 0\.\d \| none \|", run.stdout, re.MULTILINE), run.stdout
