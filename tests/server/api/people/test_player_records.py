"""`/api/players` over a real server: what a fallback did is counted apart from what its player did."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from grandstand.server.bodies.players import PlayerRecord
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.players.chat_server import ChatServer, refuses, says
from tests.support.players.models import HOLD, by_model, roster
from tests.support.waiting import until

pytestmark = pytest.mark.long


def play(server: LiveServer, seed: int = 5, **players: str) -> None:
    episode = server.start_match(game="diplomacy", seed=seed, options={"last_year": 1901}, players=players)
    server.wait_for(episode, status="finished")


def records(server: LiveServer) -> dict[str, Any]:
    return {record["player"]: record for record in server.get("/api/players", game="diplomacy")}


def test_a_player_that_failed_is_not_rated_by_its_fallback(tmp_path: Path) -> None:
    answers = by_model(sound=says(HOLD), broken=refuses("401 Unauthorized", "bad key"))
    with ChatServer(answers) as endpoint:
        file = roster(tmp_path, endpoint, "sound", "broken")
        with live_server(tmp_path / "data", "--pace", "0", "--roster", str(file)) as server:
            for seed in range(2):
                play(server, seed, FRANCE="sound", ITALY="broken")
            report = records(server)
            broken, sound = report["broken"], report["sound"]
            assert (broken["seats"], broken["scored"], broken["mean_score"], broken["ci95"]) == (2, 0, None, None)
            assert broken["fallbacks"] == broken["decisions"] > 0
            assert broken["faults"] >= broken["fallbacks"]
            assert (sound["seats"], sound["scored"], sound["fallbacks"], sound["faults"]) == (2, 2, 0, 0)
            low, high = sound["ci95"]
            assert 0 <= low <= sound["mean_score"] <= high <= 1
            assert high - low > 0.3, "two matches say little"
            assert all(PlayerRecord.model_validate(record) for record in report.values())
            assert list(report)[-1] == "broken", "those without a score come last"
            play(server, FRANCE="sound")
            assert records(server)["sound"]["seats"] == 3


@pytest.mark.long
def test_results_with_another_prompt_are_not_added_up(tmp_path: Path) -> None:
    """The roster gives the name another prompt between two matches."""
    with ChatServer(says(HOLD)) as endpoint:
        for seed, more in enumerate(("", 'prompt = { legal = "hidden" }\n', "")):
            file = roster(tmp_path, endpoint, "model", more=more)
            with live_server(tmp_path / "data", "--pace", "0", "--roster", str(file)) as server:
                play(server, seed, FRANCE="model")
                report = records(server)
        seats = {name: record["seats"] for name, record in report.items() if name.startswith("model")}
        assert sorted(seats.values()) == [1, 2]
        assert all(re.fullmatch(r"model \(prompt [0-9a-f]{4}…\)", name) for name in seats)


def test_a_match_that_comes_in_a_file_is_not_counted_once_more(tmp_path: Path) -> None:
    with live_server(tmp_path / "data", "--pace", "0") as server:
        play(server, FRANCE="hold")
        before = server.get("/api/players")
        [episode] = server.get("/api/episodes")["episodes"]
        file = http.get(f"{server.url}/api/episodes/{episode['episode_id']}/export/jsonl", params={"as": "operator"})
        imported = http.post(f"{server.url}/api/imports", content=file.content).raise_for_status().json()
        assert imported["new"]
        assert imported["episode"]["status"] == "finished"
        assert server.get("/api/players") == before


def test_a_seat_that_a_person_took_over_is_not_scored(tmp_path: Path) -> None:
    with live_server(tmp_path / "data", "--pace", "0") as server:
        episode = server.start_match(
            game="diplomacy", seed=5, options={"last_year": 1901}, players={"FRANCE": "hold"}, paused=True
        )
        steer = f"/api/episodes/{episode}/commands"
        for command in ({"command": "take_over", "seat": "FRANCE"}, {"command": "resume"}):
            server.post(steer, command).raise_for_status()
        seat = f"/api/episodes/{episode}/seats/FRANCE"
        assert until(lambda: server.get(seat)["asked"] == "choose")
        server.post(seat, {"action": {"orders": []}}).raise_for_status()
        server.post(steer, {"command": "hand_back", "seat": "FRANCE"}).raise_for_status()
        server.wait_for(episode, status="finished")
        record = records(server)["hold"]
        assert (record["seats"], record["scored"], record["mean_score"], record["fallbacks"]) == (1, 0, None, 0)
