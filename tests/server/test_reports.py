"""`/api/reports` over a real server: reports for everybody, and what only operators know."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import httpx2
import pytest

from grandstand.server.bodies.players import PageReport
from tests.support import http
from tests.support.campaigns.published import cell, figure
from tests.support.live_server import LiveServer, live_server
from tests.support.trainer.league_record import SIGNED, TOKEN, duel, record
from tests.support.waiting import until

ODD = "a/b & 猫?"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder = tmp_path_factory.mktemp("reports")
    model = {"kinds": {"model": "llm"}, "costs": {"model": 0.5}}
    hidden = [
        duel(number, "average", "model", "model", reveal="never" if number else "after", **model)
        for number in range(22)
    ]
    record(folder, [*hidden, duel(1, ODD, "average", "odd")])
    with live_server(folder, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        assert until(lambda: server.get("/api/leaderboard")["unread"] == 0)
        yield server


def asked(server: LiveServer, path: str, headers: dict[str, str] | None = None) -> httpx2.Response:
    return http.get(f"{server.url}/api/reports/{path}", headers=headers or {})


def page(server: LiveServer, path: str, headers: dict[str, str] | None = None) -> PageReport:
    return PageReport.model_validate(asked(server, path, headers).raise_for_status().json())


def test_the_costs_of_hidden_matches_are_the_operators(played: LiveServer) -> None:
    tokens = [
        cell(page(played, "leaderboard", headers).report, "results", "model", "cost").value for headers in ({}, SIGNED)
    ]
    assert tokens == [pytest.approx(0.5)] * 2
    sums = [page(played, "players/model", headers).report.model_dump_json() for headers in ({}, SIGNED)]
    assert ["in 1 match" in text for text in sums] == [True, False]


def test_a_report_is_that_of_the_address(played: LiveServer) -> None:
    assert page(played, f"players/{quote(ODD, safe='')}").report.headline == "Not rated yet"
    against = page(played, "players/average?show=against:model").report
    assert figure(against, "Matches").value.value == 23
    assert asked(played, "players/nobody").status_code == 404
    assert asked(played, "leaderboard?game=chess").json()["detail"].startswith("game: ")
    assert page(played, "leaderboard?game=diplomacy").report.headline == "No finished match yet"


def test_what_is_unknown_is_not_sent(played: LiveServer) -> None:
    assert "null" not in asked(played, "leaderboard").text


def test_metrics_are_the_operators(played: LiveServer) -> None:
    names = [{entry.id for entry in page(played, "health", headers).report.sections} for headers in ({}, SIGNED)]
    assert names[1] - names[0] == {"measured", "faults", "choices", "ended", "spending", "all"}
    assert names[0] - names[1] == {"operators"}
