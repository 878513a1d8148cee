"""Files that are posted to a server: who may, how much, and what becomes of them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from grandstand.server.api.imports import MAX_BODY
from tests.games.cricket.imports.documents import document_of, simulated
from tests.support import http
from tests.support.live_server import LiveServer, live_server

TOKEN = "let me in"
OPERATOR = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("guarded"), GRANDSTAND_OPERATOR_TOKEN=TOKEN) as running:
        yield running


def posted(server: LiveServer, content: bytes, headers: dict[str, str] | None = None, **params: str) -> httpx2.Response:
    url = f"{server.url}/api/imports"
    return http.post(url, content=content, headers=OPERATOR if headers is None else headers, params=params)


def match(seed: int) -> bytes:
    return json.dumps(document_of(simulated(seed))).encode()


def test_a_file_is_an_episode_once(server: LiveServer) -> None:
    first = posted(server, match(7), name="final.json")
    assert first.status_code == 201
    body: dict[str, Any] = first.json()
    assert body["new"]
    assert first.headers["location"].endswith(f"/api/episodes/{body['episode']['episode_id']}")
    assert body["episode"]["source"].startswith("final.json (")
    again = posted(server, gzip.compress(match(7)), name="final.json.gz")
    assert (again.status_code, again.json()["new"]) == (200, False)
    assert again.json()["episode"] == body["episode"]
    listed = server.get("/api/episodes", game="cricket")["episodes"]
    assert [episode["episode_id"] for episode in listed] == [body["episode"]["episode_id"]]


def test_a_bad_file_is_a_problem_that_names_it(server: LiveServer) -> None:
    count = server.get("/api/episodes")["total"]
    refused = posted(server, b'{"innings": [], "info": {}}', name="odd.json")
    assert refused.status_code == 422
    assert refused.json()["field"] == "file"
    assert "odd.json: info.balls_per_over: is missing" in refused.json()["detail"]
    unnamed = posted(server, b'{"innings": [], "info": {}}')
    assert unnamed.json()["detail"] == "file: info.balls_per_over: is missing"
    assert server.get("/api/episodes")["total"] == count


def test_a_visitor_may_not_unless_the_operator_allows_it(server: LiveServer, tmp_path: Path) -> None:
    refused = posted(server, match(21), headers={})
    assert refused.status_code == 403
    assert "only an operator may import files here" in refused.json()["detail"]
    assert server.get("/api/session")["imports"] is False
    with live_server(
        tmp_path,
        GRANDSTAND_OPERATOR_TOKEN=TOKEN,
        GRANDSTAND_VISITOR_IMPORTS="true",
        GRANDSTAND_VISITOR_STARTS="1",
    ) as open_server:
        assert open_server.get("/api/session")["imports"] is True
        assert posted(open_server, match(21), headers={}).status_code == 201
        assert posted(open_server, match(40), headers={}).status_code == 429, "as often as matches may be started"


def test_a_file_that_is_too_large_is_refused(server: LiveServer) -> None:
    refused = posted(server, b" " * (MAX_BODY + 1))
    assert refused.status_code == 413


def test_another_site_cannot_import_through_a_browser(tmp_path: Path) -> None:
    with live_server(tmp_path) as open_server:
        foreign = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
        assert posted(open_server, match(3), headers=foreign).status_code == 403
        assert posted(open_server, match(3), headers={}).status_code == 201
