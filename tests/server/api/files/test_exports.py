"""Exports over HTTP: every format, for those who may have it."""

from __future__ import annotations

import asyncio
import io
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pyarrow.parquet as pq
import pytest
from fastapi import FastAPI

from grandstand.server.api.files import exports
from grandstand.server.api.files.exports import EXPORTS
from grandstand.server.http import install_problems
from grandstand.server.purse import Purse
from grandstand.server.settings import Settings
from grandstand.server.turns import Turns
from grandstand.spectator.bus import Bus
from grandstand.spectator.history import History
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.viewpoint import Viewpoint
from grandstand.spectator.voice.plan import VoicePlan
from grandstand.spectator.voice.scheduler import VoiceScheduler
from grandstand.spectator.voice.speech import NoSpeech
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.page.reports import over
from tests.support.page.reports import record as campaign
from tests.support.play.canaries import record, secret
from tests.support.waiting import PATIENCE

TOKEN = "let me in"
OPERATOR = {"Authorization": f"Bearer {TOKEN}"}
PATH = "/api/episodes/canary-1/export"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with an episode that is never revealed, and a built page."""
    folder = tmp_path_factory.mktemp("exports")
    recorder = Recorder(folder / "grandstand.db")
    recorder.on_events(record())
    recorder.close()
    page = folder / "page" / "standalone"
    page.mkdir(parents=True)
    (page / "page.js").write_text("1")
    (page / "page.css").write_text("")
    (page.parent / "icon.svg").write_text("<svg/>")
    with live_server(
        folder, constants={"grandstand.server.settings.PAGE": str(page.parent)}, GRANDSTAND_OPERATOR_TOKEN=TOKEN
    ) as running:
        yield running


def fetched(server: LiveServer, format: str, headers: dict[str, str] | None = None, viewpoint: str = "") -> Any:
    params = {"as": viewpoint} if viewpoint else {}
    return http.get(f"{server.url}{PATH}/{format}", headers=headers or {}, params=params)


@pytest.mark.parametrize(
    ("format", "kind", "suffix"),
    [
        ("html", "text/html; charset=utf-8", ".html"),
        ("jsonl", "application/x-ndjson", ".jsonl"),
        ("saved-game", "application/json", ".json"),
        ("diplomacy", "application/json", ".json"),
        ("parquet", "application/vnd.apache.parquet", ".parquet"),
    ],
)
def test_every_format_is_a_download(server: LiveServer, format: str, kind: str, suffix: str) -> None:
    answer = fetched(server, format, OPERATOR, viewpoint="analyst")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == kind
    assert answer.headers["content-disposition"] == f'attachment; filename="canary-1{suffix}"'


def test_a_spectator_gets_what_is_public(server: LiveServer) -> None:
    for format in ("html", "jsonl", "saved-game"):
        answer = fetched(server, format)
        assert answer.status_code == 200
        assert secret("FRANCE", "GERMANY") not in answer.text
    refused = fetched(server, "parquet")
    assert refused.status_code == 422
    assert refused.json()["field"] == "as"


def test_other_viewpoints_are_for_those_who_have_them(server: LiveServer) -> None:
    for viewpoint in ("analyst", "operator", "seat:FRANCE"):
        for format in ("html", "jsonl", "saved-game", "parquet"):
            assert fetched(server, format, viewpoint=viewpoint).status_code == 403
    rows = pq.read_table(io.BytesIO(fetched(server, "parquet", OPERATOR, viewpoint="seat:FRANCE").content)).to_pylist()
    assert {row["seat"] for row in rows} == {"FRANCE"}
    saved = fetched(server, "saved-game", OPERATOR, viewpoint="seat:FRANCE").text
    assert secret("FRANCE", "GERMANY") in saved
    assert secret("RUSSIA", "TURKEY") not in saved


def test_an_exported_page_has_no_access_to_the_server_it_came_from(server: LiveServer) -> None:
    answer = fetched(server, "html")
    assert answer.headers["content-security-policy"] == "sandbox allow-scripts"
    assert answer.headers["content-disposition"].startswith("attachment;")
    assert re.search(r"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';", answer.text)


def test_a_record_read_here_is_the_one_that_was_recorded(server: LiveServer) -> None:
    lines = fetched(server, "jsonl", OPERATOR, viewpoint="operator").text.split("\n")
    assert [json.loads(line)["seq"] for line in lines[1:-1]] == [event.seq for event in record()]


def test_too_many_at_once_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()
    monkeypatch.setattr(exports, "_file", lambda *_: release.wait(PATIENCE) and b"a file")
    recorder = Recorder(":memory:")
    recorder.on_events(record())
    app = FastAPI()
    voice = VoiceScheduler(Bus(recorder), recorder.summary, NoSpeech("silent"), VoicePlan(), None)

    async def prefetch(connection: object) -> None: ...

    access = SimpleNamespace(look=lambda *_: Viewpoint("analyst"), visitor=lambda _: "", prefetch=prefetch)
    app.state.parts = SimpleNamespace(
        history=History(recorder),
        access=access,
        voice=voice,
        exports=Turns(Purse(60)),
        settings=Settings.model_validate({}),
    )
    app.include_router(exports.router, prefix="/episodes/{episode_id}")
    install_problems(app)

    async def scene() -> None:
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://x") as client:
            path = "/episodes/canary-1/export/jsonl"
            asked = [asyncio.create_task(client.get(path)) for _ in range(EXPORTS.most + 1)]
            [refused], others = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
            assert (refused.result().status_code, refused.result().headers["retry-after"]) == (503, "5")
            release.set()
            assert [(await other).status_code for other in others] == [200] * EXPORTS.most
            assert (await client.get("/episodes/canary-1/export/jsonl")).status_code == 200

    asyncio.run(scene())
    recorder.close()


def test_an_unknown_format_names_those_there_are(server: LiveServer) -> None:
    refused = fetched(server, "pdf")
    assert refused.status_code == 422
    assert "format: diplomacy has no 'pdf'; there are jsonl, html, parquet, saved-game" in refused.json()["detail"]


def test_the_formats_are_listed_with_the_games(server: LiveServer, tmp_path: Path) -> None:
    formats = {game["name"]: game["formats"] for game in server.get("/api/games")}
    assert formats["cricket"] == ["jsonl", "html", "parquet", "cricsheet", "tactics"]


def test_the_report_of_a_campaign_at_a_moment(tmp_path: Path) -> None:
    campaign(tmp_path, [("cup-1", over())])
    with live_server(tmp_path) as running:
        path = f"{running.url}/api/episodes/cup-1/export"
        whole = http.get(f"{path}/report").json()
        early = http.get(f"{path}/report", params={"seq": 3}).json()
        assert (early["progress"]["done"], whole["progress"]["done"]) == (1, whole["progress"]["total"])
        text = http.get(f"{path}/markdown")
        assert text.headers["Content-Disposition"] == 'attachment; filename="cup-1.md"'
        assert text.text.startswith("# The autumn cup\n")
        assert pq.read_table(io.BytesIO(http.get(f"{path}/rows").content)).num_rows > 20
        refused = http.get(f"{path}/parquet")
        assert refused.status_code == 422
        assert "a tournament has no 'parquet'; there are html, jsonl, markdown, report, rows" in refused.text
        refused = http.get(f"{path}/jsonl", params={"seq": 1})
        assert refused.status_code == 422
        assert "seq: only markdown, report, rows are of one moment; leave it out" in refused.text
        early = http.get(f"{path}/markdown", params={"seq": 1})
        assert "has no report yet" in early.text
