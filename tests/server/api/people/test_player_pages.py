"""`/api/players/{name}` over a real server: a player's figures, its matches and what spectators may know of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from grandstand.server.bodies.players import PlayerPage
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.trainer.league_record import SIGNED, TOKEN, ShortMatch, duel, league, record
from tests.support.waiting import until

ODD = ("a/b", "Zoë & the 猫", "100% a?b#c", "  spaced  ", "..%2F..", "'\"<script>")
"""Names that an address cannot hold as they are."""
TALKERS = {"FRANCE": "Talleyrand", "GERMANY": "Bismarck", "ITALY": "Cavour", "AUSTRIA": "Metternich"}


def page(server: LiveServer, name: str, **query: str) -> Any:
    body = server.get(f"/api/players/{quote(name, safe='')}", **query)
    PlayerPage.model_validate(body)
    return body


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder = tmp_path_factory.mktemp("players")
    failed = [
        duel(number, "strong", "weak", "failed", failed=["away" if number % 2 else "home"]) for number in range(3)
    ]
    short = [duel(number, "weak", "strong", "short", options={"overs": 5}) for number in range(2)]
    odd = [ShortMatch(f"odd-{number}", {"home": name, "away": "strong"}) for number, name in enumerate(ODD)]
    record(folder, [*league(300), *failed, *short, *odd])
    with live_server(folder, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        for seed in range(2):
            for home, away in (("heuristic", "neutral"), ("neutral", "heuristic")):
                play(server, game="cricket", seed=seed, options={"overs": 1}, players={"home": home, "away": away})
        play(server, game="diplomacy", seed=1, options={"last_year": 1901}, reveal="never", players=TALKERS)
        yield server


def play(server: LiveServer, **request: Any) -> None:
    started = server.post("/api/episodes", {"pace": 0, **request}, **SIGNED).raise_for_status()
    server.wait_for(started.json()["episode_id"], status="finished")


@pytest.mark.long
def test_a_page_has_the_rating_its_history_and_the_comparisons(played: LiveServer) -> None:
    body = page(played, "strong")
    assert (body["rank"], body["kind"], body["setting"]["label"]) == (1, "bot", "20 overs a side")
    history = body["history"]
    assert [point["matches"] for point in history] == sorted({point["matches"] for point in history})
    assert history[-1]["rating"] == body["figures"]["rating"], "the last one is that of the leaderboard"
    widths = [point["rating"]["high"] - point["rating"]["low"] for point in history]
    assert widths[-1] < widths[0]
    weak = next(row for row in body["opponents"] if row["b"] == "weak")
    assert (weak["a"], weak["differ"]) == ("strong", True)
    assert weak["share"]["mean"] > 0.8
    assert weak["stronger"] > 0.99
    mirrored = next(row for row in page(played, "weak")["opponents"] if row["b"] == "strong")
    assert mirrored["share"]["mean"] == pytest.approx(1 - weak["share"]["mean"])
    assert mirrored["stronger"] == pytest.approx(1 - weak["stronger"])


def test_every_figure_has_its_matches(played: LiveServer) -> None:
    body = page(played, "weak")
    matches = body["matches"]
    assert len(matches) == body["played"] == body["figures"]["matches"]
    assert sum(match["won"] for match in matches) == body["figures"]["wins"]
    assert sum(match["counted"] for match in matches) == body["figures"]["scored"]
    failed = [match for match in matches if match["fallbacks"]]
    assert sorted(match["episode_id"] for match in failed) == ["failed-000", "failed-001", "failed-002"]
    assert not any(match["counted"] or match["score"] for match in failed)
    assert body["causes"] == {"provider": 3}
    times = [match["ended_at"] for match in matches]
    assert times == sorted(times, reverse=True)
    for match in matches[:3]:
        assert played.get(f"/api/episodes/{match['episode_id']}")["status"] == "finished"


def test_moments_are_those_of_the_player_itself(played: LiveServer) -> None:
    moments = page(played, "average")["moments"]
    assert moments
    assert all(moment["text"] == "average decides the match." for moment in moments)


def test_measures_are_compared_with_those_of_the_others(played: LiveServer) -> None:
    body = page(played, "heuristic")
    assert body["description"]
    figures = {figure["name"]: figure for figure in body["style"]}
    assert {"decisions", "luck", "runs"} <= figures.keys()
    decisions = figures["decisions"]
    assert (decisions["own"]["n"], decisions["others"]["n"]) == (4, 4)
    assert decisions["own"]["mean"] == pytest.approx(-decisions["others"]["mean"]), "two seats, one sum"
    assert decisions["own"]["low"] is None, "four matches are too few for an interval"
    assert {seat["seat"]: seat["score"]["n"] for seat in body["seats"]} == {"home": 2, "away": 2}


def test_measures_that_rest_on_hidden_messages_are_the_operators(played: LiveServer) -> None:
    path = f"{played.url}/api/players/Talleyrand"
    assert http.get(path).raise_for_status().json()["style"] == []
    figures = http.get(path, headers=SIGNED).raise_for_status().json()["style"]
    assert "messages" in {figure["name"] for figure in figures}


def test_option_sets_are_separate_pages(played: LiveServer) -> None:
    sets = page(played, "strong")["settings"]
    assert {info["label"] for info in sets} == {"20 overs a side", "5 overs a side"}
    short = next(info for info in sets if info["label"] == "5 overs a side")
    body = page(played, "strong", setting=short["id"])
    assert (body["played"], body["rank"], body["figures"]["wins"]) == (2, None, 0)
    assert [info["label"] for info in page(played, "heuristic")["settings"]] == ["1 over a side"]


@pytest.mark.parametrize("name", ODD)
def test_any_name_has_a_page(played: LiveServer, name: str) -> None:
    body = page(played, name)
    assert (body["player"], body["played"]) == (name, 1)
    document = http.get(f"{played.url}/player/{quote(name, safe='')}")
    assert document.status_code == 200
    assert '<base href="../" />' in document.text


def test_an_unknown_player_is_not_there(played: LiveServer) -> None:
    for query in ("nobody", "strong?setting=nothing", "strong?game=diplomacy"):
        response = http.get(f"{played.url}/api/players/{query}")
        assert response.status_code == 404, query
    assert "'nobody'" in http.get(f"{played.url}/api/players/nobody").json()["detail"]


def test_only_decisions_of_others_and_unfinished_matches_do_not_count(tmp_path: Path) -> None:
    with live_server(tmp_path, "--pace", "0") as server:
        episode = server.start_match(
            game="cricket", seed=1, options={"overs": 1}, players={"home": "heuristic", "away": "neutral"}, paused=True
        )
        server.command(episode, "take_over", seat="home")
        server.command(episode, "hand_back", seat="home")
        server.command(episode, "resume")
        server.wait_for(episode, status="finished")
        assert until(lambda: http.get(f"{server.url}/api/players/heuristic").is_success), "statistics follow the end"
        assert page(server, "heuristic")["matches"][0]["counted"], "nobody decided for it"
        stopped = server.start_match(
            game="cricket", seed=2, options={"overs": 1}, players={"home": "heuristic", "away": "neutral"}, paused=True
        )
        server.command(stopped, "stop")
        server.wait_for(stopped, status="stopped")
        assert page(server, "heuristic")["played"] == 1, "only what was played to its end"
