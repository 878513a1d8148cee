"""Files that are posted to a server: who may, how much, and what becomes of them."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import httpx2
import pytest

from benchmarks.loop_time import record_file
from grandstand.server.api.files.imports import MAX_BODY
from tests.support import http
from tests.support.cricket.documents import document_of, simulated
from tests.support.live_server import LiveServer, live_server
from tests.support.waiting import until

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


@pytest.mark.long
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


@pytest.mark.long
def test_a_visitor_may_not_unless_the_operator_allows_it(server: LiveServer, tmp_path: Path) -> None:
    refused = posted(server, match(21), headers={})
    assert refused.status_code == 403
    assert "only an operator may import files here" in refused.json()["detail"]
    assert server.get("/api/session")["imports"] is False
    with live_server(
        tmp_path,
        GRANDSTAND_OPERATOR_TOKEN=TOKEN,
        GRANDSTAND_VISITOR_IMPORTS="true",
        GRANDSTAND_VISITOR_CREDITS="1",
    ) as open_server:
        assert open_server.get("/api/session")["imports"] is True
        assert posted(open_server, match(21), headers={}).status_code == 201
        assert posted(open_server, match(40), headers={}).status_code == 429, "the first has used some credits"


def test_a_file_that_is_too_large_is_refused(server: LiveServer) -> None:
    refused = posted(server, b" " * (MAX_BODY + 1))
    assert refused.status_code == 413


MEBIBYTE = 1024**2
BOMBS = {
    "innings": "bomb.json: innings: has 1000; a match has two",
    "objects": "bomb.json: more than 4000000 values",
    "spaces": "bomb.json: more than 64 MiB",
    "letters": "bomb.json: to read it takes more than 1024 MiB of memory; import a game at a time",
}


def bomb(name: str) -> bytes:
    """Return a file that is far larger than it is packed."""
    if name == "innings":
        document = document_of(simulated(3))
        return json.dumps({**document, "innings": document["innings"] * 500}).encode()
    if name == "objects":
        return b"[" + b"{}," * 20_000_000 + b"{}]"
    if name == "spaces":
        return b" " * (64 * MEBIBYTE + 1)
    # Python needs four bytes for each letter of a text that has an emoji.
    return b'{"info": "\xf0\x9f\x98\x80' + b"x" * (63 * MEBIBYTE) + b'", "innings": []}'


@pytest.mark.long
@pytest.mark.parametrize("name", BOMBS)
def test_a_small_file_that_becomes_large_costs_the_server_nothing(server: LiveServer, name: str) -> None:
    """It is read in a process with limits; the server's own memory and its record stay as they are."""
    packed = gzip.compress(bomb(name), 6)
    assert len(packed) < 2 * MEBIBYTE
    count, before = server.get("/api/episodes")["total"], most_memory(server)
    refused = posted(server, packed, name="bomb.json")
    assert (refused.status_code, refused.json()["field"]) == (422, "file")
    assert f"file: {BOMBS[name]}" in refused.json()["detail"]
    assert most_memory(server) - before < 40 * MEBIBYTE
    assert server.get("/api/episodes")["total"] == count
    assert "Traceback" not in server.log.read_text()


def most_memory(server: LiveServer) -> int:
    """Return the most bytes of memory that the server's process has used so far."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


@pytest.mark.long
def test_another_title_is_another_episode(server: LiveServer) -> None:
    """The first import of a match does not decide its title for others."""
    first = posted(server, match(30), name="a.json", title="Fixed!").json()["episode"]
    second = posted(server, match(30), name="a.json", title="The final").json()
    assert (second["new"], second["episode"]["title"]) == (True, "The final")
    assert second["episode"]["episode_id"] != first["episode_id"]
    assert posted(server, match(30), name="a.json", title="The final").status_code == 200


@pytest.mark.long
def test_a_server_that_is_killed_in_an_import_shows_no_half(tmp_path: Path) -> None:
    file, store = record_file(12_000), tmp_path / "grandstand.db"
    with live_server(tmp_path) as first:
        sending = Thread(target=suppressed, args=(posted, first, file, {}))
        sending.start()
        assert until(lambda: rows(store) > 1000)
        first.kill()
        sending.join()
    assert rows(store) < 12_000, "it was not killed in the middle"
    with live_server(tmp_path) as second:
        assert second.get("/api/episodes")["total"] == 0
        assert posted(second, file, headers={}).json()["episode"]["last_seq"] == 11_999
        assert rows(store) == 12_000


def rows(store: Path) -> int:
    with closing(sqlite3.connect(store)) as db:
        (count,) = db.execute("SELECT count(*) FROM events").fetchone()
    return int(count)


def suppressed(call: Callable[..., object], *arguments: object) -> None:
    with suppress(httpx2.TransportError):
        call(*arguments)


@pytest.mark.long
def test_another_site_cannot_import_through_a_browser(tmp_path: Path) -> None:
    with live_server(tmp_path) as open_server:
        foreign = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
        assert posted(open_server, match(3), headers=foreign).status_code == 403
        assert posted(open_server, match(3), headers={}).status_code == 201
