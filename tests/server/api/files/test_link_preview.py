"""The tags of a match's page, as a program reads them that shows a link."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from grandstand.server.api.files.link_preview import LONGEST, with_tags
from tests.support import http
from tests.support.cricket.documents import HOME, ball, innings, match
from tests.support.live_server import LiveServer, live_server

TITLE = '"><script>alert(1)</script> & co'
INDEX = """<!doctype html><html><head><base href="/" /><meta name="description" content="Any." />
<title>Grandstand</title></head><body></body></html>"""


class Tags(HTMLParser):
    """The meta elements of a page by name, and every element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.meta: dict[str, str] = {}
        self.elements: list[str] = []
        self.title = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        values = dict(attrs)
        if tag == "meta":
            self.meta[str(values.get("property") or values.get("name"))] = str(values.get("content"))

    def handle_data(self, data: str) -> None:
        if self.elements[-1] == "title":
            self.title += data


def page_in(folder: Path) -> dict[str, object]:
    return {"grandstand.server.settings.PAGE": str(folder)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text(INDEX)
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("preview"), constants=page_in(folder)) as running:
        yield running


@pytest.fixture(scope="module")
def played(server: LiveServer) -> tuple[str, int]:
    episode = server.start_match(game="diplomacy", seed=4, pace=0, options={"last_year": 1902}, title=TITLE)
    return episode, server.wait_for(episode, status="finished", timeout=120)["last_seq"]


def tags(url: str, **headers: str) -> Tags:
    return Tags(http.get(url, headers=headers).text)


def test_a_match_has_the_picture_of_its_last_moment(server: LiveServer, played: tuple[str, int]) -> None:
    episode, last = played
    page = tags(f"{server.url}/episode/{episode}")
    assert page.meta["og:title"] == server.get(f"/api/episodes/{episode}")["outlook"]["headline"]
    assert page.title == f"{TITLE} · Grandstand"
    assert page.elements.count("script") == 0
    assert page.meta["og:description"] == page.meta["description"]
    assert page.meta["description"] == f"{TITLE}. Diplomacy: a match between agents, turn by turn."
    assert page.meta["og:url"] == f"{server.url}/episode/{episode}?seq={last}"
    assert page.meta["twitter:card"] == "summary_large_image"
    picture = http.get(page.meta["og:image"], timeout=60)
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")


def test_a_moment_has_its_own_headline_and_picture(server: LiveServer, played: tuple[str, int]) -> None:
    episode, last = played
    seq = last // 2
    page = tags(f"{server.url}/episode/{episode}?seq={seq}")
    assert page.meta["og:image"] == f"{server.url}/api/episodes/{episode}/card?seq={seq}"
    frames = server.get(f"/api/episodes/{episode}/events")["frames"]
    outlooks = [frame["event"]["data"] for frame in frames if frame.get("event", {}).get("type") == "OutlookUpdated"]
    headlines = [outlook["headline"] for outlook in outlooks if max(outlook["rests_on"]) <= seq]
    assert page.meta["og:title"] == headlines[-1]


def test_a_moment_before_its_story_is_published_has_the_headline_that_follows(
    server: LiveServer, played: tuple[str, int]
) -> None:
    episode, _ = played
    frames = server.get(f"/api/episodes/{episode}/events")["frames"]
    outlooks = [frame["event"] for frame in frames if frame.get("event", {}).get("type") == "OutlookUpdated"]
    headlines = [outlook["data"]["headline"] for outlook in outlooks]
    at = next(at for at in range(len(outlooks) - 1, 0, -1) if headlines[at] != headlines[at - 1])
    (seq,) = outlooks[at]["data"]["rests_on"]
    assert seq < outlooks[at]["seq"]
    now, before = (tags(f"{server.url}/episode/{episode}?seq={number}").meta["og:title"] for number in (seq, seq - 1))
    assert (now, before) == (headlines[at], headlines[at - 1])


def test_the_front_page_has_the_picture_of_a_match(server: LiveServer, played: tuple[str, int]) -> None:
    running = server.start_match(game="cricket", seed=4, pace=60)
    server.wait_for(running, status="live")
    page = tags(server.url)
    assert page.meta["og:title"] == page.meta["og:site_name"] == page.title == "Grandstand"
    assert page.meta["og:description"] == "Any."
    assert page.meta["og:url"] == f"{server.url}/"
    assert page.meta["twitter:card"] == "summary_large_image"
    assert page.meta["og:image"].startswith(f"{server.url}/api/episodes/{running}/card?seq=")
    picture = http.get(page.meta["og:image"], timeout=60)
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
    server.command(running, "stop")


def test_the_front_page_of_an_empty_server_has_a_text(tmp_path: Path, folder: Path) -> None:
    with live_server(tmp_path, constants=page_in(folder)) as empty:
        meta = tags(empty.url).meta
    assert (meta["og:title"], meta["og:description"], meta["twitter:card"]) == ("Grandstand", "Any.", "summary")
    assert "og:image" not in meta


@pytest.mark.parametrize("seq", ["999999", "-1", "x", "9" * 400, "٣"])
def test_a_moment_that_does_not_exist_is_the_last_one(server: LiveServer, played: tuple[str, int], seq: str) -> None:
    episode, last = played
    page = tags(f"{server.url}/episode/{episode}?seq={seq}")
    assert page.meta["og:url"] == f"{server.url}/episode/{episode}?seq={last}"


@pytest.mark.long
def test_a_long_result_is_shortened(server: LiveServer) -> None:
    document = match(innings(HOME, [ball()] * 6), outcome={"result": "rain " * 2000})
    imported = http.post(f"{server.url}/api/imports", content=json.dumps(document).encode()).raise_for_status().json()
    page = http.get(f"{server.url}/episode/{imported['episode']['episode_id']}").text
    assert len(Tags(page).meta["og:title"]) == LONGEST
    assert len(page) < 5000


def test_other_pages_have_no_tags(server: LiveServer, played: tuple[str, int]) -> None:
    for path in ("/cockpit", "/campaigns", "/experiments", "/campaign/nowhere", "/episode/nowhere"):
        page = http.get(server.url + path)
        assert page.status_code == 200, path
        assert "og:title" not in Tags(page.text).meta


def test_the_page_of_a_campaign_has_the_tags_of_its_episode(server: LiveServer, played: tuple[str, int]) -> None:
    episode, _ = played
    assert tags(f"{server.url}/campaign/{episode}").meta == tags(f"{server.url}/episode/{episode}").meta


def test_the_address_is_the_one_that_viewers_use(
    server: LiveServer, played: tuple[str, int], folder: Path, tmp_path: Path
) -> None:
    episode, _last = played
    headers = {"Host": "example.org", "X-Forwarded-Proto": "https"}
    assert tags(f"{server.url}/episode/{episode}", **headers).meta["og:url"].startswith("https://example.org/episode/")
    cases: list[tuple[dict[str, Any], str]] = [
        ({"GRANDSTAND_ROOT_PATH": "/stand"}, "https://example.org/stand"),
        ({"GRANDSTAND_TRUSTED_PROXIES": "10.0.0.1"}, "http://example.org"),
        ({"GRANDSTAND_PUBLIC_URL": "https://real.example/a/"}, "https://real.example/a"),
    ]
    for settings, root in cases:
        with live_server(tmp_path / root.replace("/", "_"), constants=page_in(folder), **settings) as other:
            match = other.start_match(game="diplomacy", seed=4, paused=True)
            meta = tags(f"{other.url}/episode/{match}", **headers).meta
            assert meta["og:url"].startswith(f"{root}/episode/{match}?seq=")
            assert meta["og:image"].startswith(f"{root}/api/episodes/{match}/card?seq=")


def test_a_delayed_match_tells_nothing_of_a_moment_to_come(server: LiveServer) -> None:
    match = server.start_match(game="diplomacy", seed=4, pace=0, options={"last_year": 1901}, delay=3600)
    page = tags(f"{server.url}/episode/{match}?seq=40")
    assert page.meta["og:url"] == f"{server.url}/episode/{match}?seq=0"


def test_a_page_without_a_title_keeps_its_form() -> None:
    text = with_tags("<head></head>", {"og:title": "A & B", "og:description": "C", "twitter:card": "x"}, "D")
    assert text.count("</head>") == 1
    assert 'property="og:title" content="A &amp; B"' in text
    assert 'name="twitter:card"' in text
