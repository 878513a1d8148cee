"""Operators' numbers, and the older way in, over a real socket."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator

import pytest
from prometheus_client.parser import text_string_to_metric_families

from grandstand.models import Event
from grandstand.server.metrics import ServerMetrics
from tests.support import http
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.server.metrics import samples


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("metrics"), "--pace", "0") as running:
        yield running


def test_a_finished_match_is_counted(server: LiveServer) -> None:
    episode = server.start_match(game="diplomacy", seed=1, options={"last_year": 1901})
    summary = server.wait_for(episode, status="finished")
    values = samples(server)
    assert values["grandstand_events_total[('game', 'diplomacy')]"] == summary["last_seq"] + 1
    assert values["grandstand_matches_ended_total[('game', 'diplomacy'), ('status', 'finished')]"] == 1
    assert values["grandstand_matches_live[]"] == 0
    assert values["grandstand_commit_seconds_count[]"] > 3
    assert values["grandstand_store_bytes[]"] > 10_000


def test_every_metric_of_the_dashboard_exists(server: LiveServer) -> None:
    text = http.text(server.url + "/metrics")
    known = {
        family.name + suffix
        for family in text_string_to_metric_families(text)
        for suffix in {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}.get(family.type, [""])
    }
    dashboard = json.loads((ROOT / "deploy/grafana.json").read_text("utf-8"))
    asked = "\n".join(target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
    queried = set(re.findall(r"\b(?:grandstand|process)_\w+", asked))
    assert len(queried) > 15
    assert queried <= known


def test_numbers_are_for_operators(tmp_path_factory: pytest.TempPathFactory) -> None:
    with live_server(tmp_path_factory.mktemp("guarded"), GRANDSTAND_OPERATOR_TOKEN="let me in") as guarded:
        assert http.get(guarded.url + "/metrics").status_code == 403
        allowed = http.get(guarded.url + "/metrics", headers={"Authorization": "Bearer let me in"})
        assert allowed.status_code == 200


def test_the_older_way_starts_one_match_at_a_time(server: LiveServer) -> None:
    wanted = {"captain_preset": "heuristic", "opponent_choice": "cricsheet", "max_overs": 5, "enable_tts": False}
    slow = {"command": "pace", "value": 60}
    first = server.post("/custom/start_episode", wanted)
    assert first.status_code == 201
    episode = first.json()["episode_id"]
    server.post(f"/api/episodes/{episode}/commands", slow).raise_for_status()
    again = server.post("/custom/start_episode", wanted)
    assert again.status_code == 409
    assert again.json()["error"] == "an episode is already running"
    assert again.json()["current"]["episode_id"] == episode
    server.post(f"/api/episodes/{episode}/commands", {"command": "stop"}).raise_for_status()
    server.wait_for(episode, status="stopped")
    assert server.post("/custom/start_episode", wanted).status_code == 201


def test_the_older_way_names_a_wrong_field(server: LiveServer) -> None:
    refused = server.post("/custom/start_episode", {"captain_preset": "napoleon"})
    assert (refused.status_code, refused.json()["field"]) == (422, "captain_preset")
    wrong = server.post("/custom/start_episode", {"max_overs": 0})
    assert (wrong.status_code, wrong.json()["field"]) == (422, "max_overs")


def test_the_older_page_leads_to_the_cockpit(server: LiveServer) -> None:
    answer = http.get(server.url + "/custom", follow_redirects=False)
    assert answer.headers["location"] == "cockpit?game=cricket", "relative: it holds below a proxy's path prefix"


def test_the_names_of_published_games_are_one_label() -> None:
    async def scene() -> None:
        metrics = ServerMetrics()
        for number in range(50):
            data = {"game": f"game-{number}"}
            created = Event(
                episode_id=f"e-{number}", epoch=1, seq=0, at=1.0, type="EpisodeCreated", audience="public", data=data
            )
            metrics.on_events([created])
        (events,) = [item for item in metrics.registry.collect() if item.name == "grandstand_events"]
        assert {sample.labels["game"] for sample in events.samples} == {"other"}

    asyncio.run(scene())
