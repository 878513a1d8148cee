"""Feeds over a real server: valid Atom and JSON Feed, also of hostile names, as spectators may know the matches."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import httpx2
import pytest

from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.trainer.league_record import ShortMatch, record

HOSTILE = "a/b <script>\"&amp;' \x0b\u202e猫" + "x" * 400
NS = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder = tmp_path_factory.mktemp("feeds")
    record(folder, [ShortMatch("odd", {"home": HOSTILE, "away": "strong"})])
    with live_server(folder, "--pace", "0") as server:
        episode = server.start_match(game="diplomacy", seed=1, options={"last_year": 1902}, title="A & <b>")
        server.wait_for(episode, status="finished")
        yield server


def fetch(server: LiveServer, path: str, **headers: str) -> httpx2.Response:
    return http.get(server.url + path, headers=headers)


def of(player: str, suffix: str) -> str:
    return f"/api/players/{quote(player, safe='')}/feed.{suffix}"


def check_atom(answer: httpx2.Response, address: str) -> list[ElementTree.Element]:
    """Check what RFC 4287 requires of a feed and of its entries; return the entries."""
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.content)
    assert feed.tag == f"{NS}feed"
    entries = feed.findall(f"{NS}entry")
    for element in (feed, *entries):
        for required in ("id", "title", "updated"):
            (found,) = element.findall(NS + required)
            assert found.text
        assert str(element.findtext(f"{NS}id")).startswith("http")
        assert datetime.fromisoformat(str(element.findtext(f"{NS}updated"))).tzinfo
    (own,) = (link for link in feed.findall(f"{NS}link") if link.get("rel") == "self")
    assert own.get("href") == address
    assert feed.find(f"{NS}author/{NS}name") is not None, "its entries have no author of their own"
    ids = [entry.findtext(f"{NS}id") for entry in entries]
    assert len(ids) == len(set(ids))
    for entry in entries:
        (alternate,) = entry.findall(f"{NS}link")
        assert alternate.get("rel") == "alternate"
        assert entry.find(f"{NS}content").get("type") == "html"  # type: ignore[union-attr]
    return entries


def check_json(body: Any, address: str) -> list[Any]:
    """Check what JSON Feed 1.1 requires; return the items."""
    assert body["version"] == "https://jsonfeed.org/version/1.1"
    assert (body["feed_url"], bool(body["title"])) == (address, True)
    for item in body["items"]:
        assert isinstance(item["id"], str)
        assert item["content_html"]
        assert datetime.fromisoformat(item["date_published"]).tzinfo
    items: list[Any] = body["items"]
    return items


class Elements(HTMLParser):
    """The elements of a text in HTML."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.links += [str(value) for name, value in attrs if name == "href"]


@pytest.mark.parametrize("player", ["strong", HOSTILE])
def test_the_feed_of_a_player_is_valid(server: LiveServer, player: str) -> None:
    entries = check_atom(fetch(server, of(player, "atom")), server.url + of(player, "atom"))
    items = check_json(fetch(server, of(player, "json")).json(), server.url + of(player, "json"))
    assert [entry.findtext(f"{NS}id") for entry in entries] == [item["id"] for item in items]
    (item,) = items
    assert item["url"] == f"{server.url}/episode/odd"
    assert " won: " in item["title"] or " did not win: " in item["title"] or len(item["title"]) == 300
    assert Elements(item["content_html"]).names <= {"p", "a"}
    assert "\u202e" not in item["title"]


def test_the_feed_of_the_server_has_the_ends_with_their_best_moments(server: LiveServer) -> None:
    entries = check_atom(fetch(server, "/api/feed.atom"), f"{server.url}/api/feed.atom")
    items = check_json(fetch(server, "/api/feed.json").json(), f"{server.url}/api/feed.json")
    assert len(entries) == len(items) == 2
    told = next(item for item in items if item["title"] == "Diplomacy: A & <b>")
    elements = Elements(told["content_html"])
    assert elements.names == {"p", "a"}
    (moment,) = elements.links
    assert moment.startswith(told["url"] + "?seq=")
    assert fetch(server, moment.removeprefix(server.url)).status_code == 200
    times = [item["date_published"] for item in items]
    assert times == sorted(times, reverse=True)


def test_a_match_that_begins_is_news_and_a_delayed_end_is_not(server: LiveServer) -> None:
    players = {"FRANCE": "person", "ENGLAND": "hold"}
    episode = server.start_match(game="diplomacy", players=players, options={"press": "none"}, title="Begun")
    (item,) = fetch(server, of("hold", "json")).json()["items"]
    assert (item["title"], item["id"]) == ("hold plays now: Begun", f"{server.url}/episode/{episode}#began")
    late = {"ENGLAND": "dumbbot"}
    hidden = server.start_match(game="diplomacy", players=late, options={"last_year": 1901}, delay=3600, title="Late")
    assert fetch(server, f"/api/episodes/{hidden}").json()["status"] != "finished"
    for path in (of("dumbbot", "json"), "/api/feed.json"):
        assert "#ended" not in "".join(
            each["id"] for each in fetch(server, path).json().get("items", []) if hidden in each["id"]
        )


def test_a_feed_that_is_known_is_not_sent_again(server: LiveServer) -> None:
    first = fetch(server, "/api/feed.atom")
    again = fetch(server, "/api/feed.atom", **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_nobody_has_no_feed(server: LiveServer) -> None:
    answer = fetch(server, of("nobody <b>", "atom"))
    assert answer.status_code == 404
    assert "'nobody <b>'" in answer.json()["detail"]


def test_the_pages_name_their_feeds(server: LiveServer) -> None:
    for page, feed in (("/", "/api/feed.atom"), (f"/player/{quote(HOSTILE, safe='')}", of(HOSTILE, "atom"))):
        text = fetch(server, page, Accept="text/html").text
        links = [tag for tag in text.split("<") if tag.startswith('link rel="alternate" type="application/atom+xml"')]
        assert len(links) == 1
        assert f'href="{server.url}{feed}"' in links[0]
        assert '<script>"' not in text
