"""`/api/leaderboard` over a real server: who is rated, and what is never counted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from grandstand.play.ratings.leaderboard import NEEDED
from grandstand.server.bodies.players import Leaderboard
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.players.chat_server import ChatServer, refuses, says
from tests.support.players.models import HOLD, by_model, roster
from tests.support.trainer.league_record import SIGNED, STRENGTHS, TOKEN, duel, league, record
from tests.support.waiting import until

MODEL = {"kinds": {"model": "llm"}, "costs": {"model": 0.5}}


def board(server: LiveServer, **query: str) -> Any:
    """Return the leaderboard of all matches, which a busy machine may not have read by the first request."""
    assert until(lambda: server.get("/api/leaderboard", **query)["unread"] == 0)
    body = server.get("/api/leaderboard", **query)
    Leaderboard.model_validate(body)
    return body


def rows(body: Any) -> dict[str, Any]:
    return {row["player"]: row for row in (*body["table"], *body["unrated"])}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A league, some matches of a newcomer, matches of other options and rules, and of a model with costs."""
    folder = tmp_path_factory.mktemp("league")
    newcomers = [duel(number, "newcomer", "strong", "new") for number in range(3)]
    short = [duel(number, "weak", "strong", "short", options={"overs": 5}) for number in range(25)]
    older = [duel(number, "weak", "strong", "older", rules=2) for number in range(22)]
    models = [
        duel(number, "average", "model", "model", reveal="after" if number < 20 else "never", **MODEL)
        for number in range(30)
    ]
    failed = [
        duel(number, "strong", "broken", "broken", failed=["home", "away"][number % 2 :][:1]) for number in range(4)
    ]
    record(folder, [*league(300), *newcomers, *short, *older, *models, *failed])
    with live_server(folder, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        yield server


def test_players_are_rated_in_the_order_of_their_strengths(played: LiveServer) -> None:
    body = board(played, game="cricket")
    table = {row["player"]: row["rating"] for row in body["table"]}
    assert [player for player in table if player in STRENGTHS] == ["strong", "middling", "average", "weak"]
    assert all(rating["low"] < rating["mean"] < rating["high"] for rating in table.values())
    assert sum(rating["mean"] for rating in table.values()) / len(table) == pytest.approx(1500)
    differ = {(pair["a"], pair["b"]): pair["differ"] for pair in body["pairs"]}
    assert differ["strong", "weak"]
    assert not differ["middling", "average"]
    [pair] = [pair for pair in body["pairs"] if (pair["a"], pair["b"]) == ("strong", "weak")]
    assert pair["stronger"] > 0.999
    assert pair["share"]["low"] > 0.5
    assert body["unread"] == 0


def test_a_player_with_few_matches_is_listed_apart(played: LiveServer) -> None:
    body = board(played, game="cricket")
    assert body["needed"] == NEEDED
    [newcomer] = [row for row in body["unrated"] if row["player"] == "newcomer"]
    assert (newcomer["counted"], newcomer["rating"]["mean"], newcomer["wins"]) == (3, None, 3)
    assert not any("newcomer" in (pair["a"], pair["b"]) for pair in body["pairs"])


def test_options_and_rules_are_never_mixed(played: LiveServer) -> None:
    settings = board(played)["settings"]
    assert [(info["label"], info["matches"]) for info in settings] == [
        ("20 overs a side", 337),
        ("5 overs a side", 25),
        ("20 overs a side, rules 2", 22),
    ]
    for info in settings[1:]:
        body = board(played, setting=info["id"])
        assert body["setting"]["id"] == info["id"]
        assert [row["player"] for row in body["table"]] == ["weak", "strong"], "strong never won here"
    assert board(played)["table"][0]["player"] == "strong"


def test_a_stand_in_is_counted_beside_the_score_and_never_inside(played: LiveServer) -> None:
    broken = rows(board(played))["broken"]
    assert (broken["matches"], broken["counted"], broken["score"]["mean"]) == (4, 0, None)
    assert (broken["fallbacks"], broken["faults"], broken["wins"]) == (4, 4, 0)


def test_costs_of_matches_that_are_not_revealed_are_the_operators(played: LiveServer) -> None:
    public = rows(board(played))["model"]
    assert (public["costed"], public["answers"], public["tokens"]) == (20, 20, 20_000)
    assert public["dollars"] == pytest.approx(10.0)
    signed = http.get(f"{played.url}/api/leaderboard", headers=SIGNED).raise_for_status().json()
    every = rows(signed)["model"]
    assert (every["costed"], every["dollars"]) == (30, pytest.approx(15.0))
    assert every["rating"] == public["rating"], "results are public"
    assert rows(board(played))["strong"]["dollars"] is None


def test_what_does_not_exist_is_refused_by_name(played: LiveServer) -> None:
    def problem(query: str) -> httpx2.Response:
        return http.get(f"{played.url}/api/leaderboard?{query}")

    for query, field in (
        ("game=chess", "game"),
        ("setting=nothing", "setting"),
        ("game=diplomacy&setting=x", "setting"),
    ):
        response = problem(query)
        assert response.status_code == 404
        assert response.json()["detail"].startswith(f"{field}: ")
    assert problem(f"game={'x' * 101}").status_code == 422
    empty = board(played, game="diplomacy")
    assert (empty["setting"], empty["settings"], empty["table"]) == (None, [], [])


@pytest.mark.long
def test_a_delayed_match_tells_nothing_before_its_release(tmp_path: Path) -> None:
    before = [duel(number, "a", "b") for number in range(NEEDED)]
    late = [duel(number, "b", "a", "late", delay=3600.0) for number in range(5)]
    record(tmp_path, [*before, *late])
    with live_server(tmp_path) as server:
        body = board(server)
        assert body["setting"]["matches"] == NEEDED
        assert (rows(body)["a"]["counted"], rows(body)["b"]["wins"]) == (NEEDED, 0)
        assert server.get("/api/players/b")["played"] == NEEDED
        assert {row["seats"] for row in server.get("/api/players")} == {NEEDED}
        episode = server.start_match(
            game="cricket", seed=1, pace=0, options={"overs": 1}, delay=3600, players={"home": "random"}
        )
        assert until(lambda: ended(server, episode))
        assert [info["label"] for info in board(server)["settings"]] == ["20 overs a side"]
        assert http.get(f"{server.url}/api/players/random").status_code == 404


def ended(server: LiveServer, episode: str) -> bool:
    """Return whether the match has ended, as an operator knows it."""
    query = {"as": "operator", "first": 0, "stop": 5000}
    frames = http.get(f"{server.url}/api/episodes/{episode}/events", params=query).json()["frames"]
    return any(frame.get("event", {}).get("type") == "EpisodeEnded" for frame in frames)


def test_imports_and_forks_are_not_counted(tmp_path: Path) -> None:
    with live_server(tmp_path, "--pace", "0") as server:
        episode = server.start_match(
            game="diplomacy", seed=5, options={"last_year": 1901}, players={"FRANCE": "hold", "ITALY": "random"}
        )
        server.wait_for(episode, status="finished")
        before = board(server)
        assert rows(before)["hold"]["counted"] == 1
        file = http.get(f"{server.url}/api/episodes/{episode}/export/jsonl", params={"as": "operator"})
        http.post(f"{server.url}/api/imports", content=file.content).raise_for_status()
        fork = server.post(f"/api/episodes/{episode}/fork", {"seq": 20, "pace": 0}).raise_for_status().json()
        server.wait_for(fork["episode_id"], status="finished")
        assert board(server) == before
        server.wait_for(
            server.start_match(
                game="diplomacy", seed=6, options={"last_year": 1901}, players={"FRANCE": "hold", "ITALY": "random"}
            ),
            status="finished",
        )
        after = board(server)
        assert after["setting"]["matches"] == 2, "a match that has just ended counts at once"
        assert after["setting"]["label"] == "Spring 1901 to 1901, full press"


def test_one_seed_with_the_same_players_in_the_same_seats_counts_once(tmp_path: Path) -> None:
    honest = [duel(number, "strong", "weak", "honest", seed=number) for number in range(20)]
    bought = [duel(1, "weak", "strong", f"bought-{number}", seed=99) for number in range(30)]
    others = [
        duel(2, "weak", "strong", "sides", seed=99),
        duel(1, "weak", "strong", "options", seed=99, options={"overs": 5}),
        duel(1, "weak", "average", "players", seed=99),
    ]
    record(tmp_path, [*honest, *bought, *others])
    with live_server(tmp_path) as server:
        body = board(server, game="cricket")
        assert (body["setting"]["matches"], body["repeats"]) == (23, 29)
        assert rows(body)["weak"]["counted"] == 23
        assert next(row["player"] for row in body["table"]) == "strong"
        (five,) = (info for info in body["settings"] if info["options"])
        assert board(server, setting=five["id"])["repeats"] == 0
        (defaults,) = (row for row in server.get("/api/players") if row["player"] == "average")
        assert defaults["seats"] == 1


def test_matches_of_visitors_are_a_table_of_their_own(tmp_path: Path) -> None:
    ours = [duel(number, "strong", "weak", "ours", seed=number) for number in range(20)]
    theirs = [duel(number, "weak", "strong", "theirs", seed=number, visitor=True) for number in range(22)]
    record(tmp_path, [*ours, *theirs])
    with live_server(tmp_path) as server:
        body = board(server, game="cricket")
        assert (body["visitors"], body["setting"]["matches"], body["visitor_matches"]) == (False, 20, 22)
        assert [row["player"] for row in body["table"]] == ["strong", "weak"]
        body = board(server, game="cricket", visitors="true")
        assert (body["visitors"], body["setting"]["matches"], body["repeats"]) == (True, 22, 0)
        assert [row["player"] for row in body["table"]] == ["weak", "strong"]
        assert server.get("/api/players/weak")["played"] == 20
        page = server.get("/api/players/weak", visitors="true")
        assert (page["visitors"], page["played"], page["rank"]) == (True, 22, 1)
        assert {row["wins"] for row in server.get("/api/players") if row["player"] == "weak"} == {0}


def test_failing_players_and_take_overs_do_not_count(tmp_path: Path) -> None:
    answers = by_model(sound=says(HOLD), broken=refuses("401 Unauthorized", "bad key"))
    with ChatServer(answers) as endpoint:
        file = roster(tmp_path, endpoint, "sound", "broken")
        with live_server(tmp_path / "data", "--pace", "0", "--roster", str(file)) as server:
            options = {"last_year": 1901, "press": "none"}
            request = {"game": "diplomacy", "seed": 5, "options": options, "paused": True}
            players = {"FRANCE": "sound", "ITALY": "broken", "TURKEY": "hold"}
            episode = server.start_match(players=players, **request)
            server.command(episode, "take_over", seat="TURKEY")
            server.command(episode, "resume")
            seat = f"/api/episodes/{episode}/seats/TURKEY"
            assert until(lambda: server.get(seat)["asked"] == "choose")
            turn = server.get(seat)["index"]
            server.post(seat, {"action": {"orders": []}}).raise_for_status()
            # Until all seats have decided, the person may change the decision, which is then not played.
            assert until(lambda: server.get(seat)["index"] > turn)
            server.command(episode, "hand_back", seat="TURKEY")
            server.wait_for(episode, status="finished")
            players_of = rows(board(server))
            counted = {name: row["counted"] for name, row in players_of.items()}
            assert counted == {"sound": 1, "broken": 0, "hold": 0, "coordinated": 1}
            assert players_of["hold"]["assisted"] > 0
            assert players_of["broken"]["fallbacks"] == players_of["broken"]["decisions"] > 0


def test_a_record_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    good = [duel(number, "a", "b") for number in range(3)]
    record(tmp_path, [*good, replace(duel(7, "a", "c"), game="chess", options={"clock": "no number"})])
    damaged = duel(9, "c", "a")
    record(tmp_path, [damaged])
    with sqlite3.connect(tmp_path / "grandstand.db") as db:
        db.execute("UPDATE events SET data='{}' WHERE episode_id=? AND seq=0", (damaged.episode_id,))
    with live_server(tmp_path) as server:
        assert board(server, game="cricket")["setting"]["matches"] == 3
        chess = board(server, game="chess")
        assert chess["setting"]["label"] == "clock=no number"
        assert "left out of the statistics" in server.log.read_text()
