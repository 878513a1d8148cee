"""The files that people take away and bring: a page without a network, the menu, a file dropped on the lobby."""

from __future__ import annotations

import base64
import functools
import json
import re
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from grandstand.play.exchange.exporting import export_text, view_of
from grandstand.play.exchange.importing import read_import
from grandstand.spectator.viewpoint import SPECTATOR, Viewpoint
from tests.support.command import grandstand
from tests.support.cricket.documents import document_of, simulated
from tests.support.diplomacy.human_games import GAMES
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.page.browser import WIDE
from tests.support.page.hearing import Hearing
from tests.support.page.screen import SETTLED, Screen
from tests.support.play.canaries import record, secret
from tests.support.requirements import installed
from tests.support.spectator.speech_server import KEY, speech_server
from tests.support.waiting import until

pytestmark = pytest.mark.browser

PAGE = ROOT / "frontend" / "dist"
HUMAN = json.dumps(GAMES[0]).encode()


def cricket_file() -> bytes:
    """Return a match as a file of Cricsheet."""
    return json.dumps(document_of(simulated(3))).encode()


class Offline:
    """A page without a network. It keeps the addresses of all requests that are not of its own file."""

    def __init__(self, page: Page) -> None:
        self.screen = Screen(page)
        self.requests: list[str] = []
        page.context.set_offline(True)
        page.on("request", lambda request: self.requests.append(request.url))

    def open(self, file: Path, query: str = "") -> Screen:
        self.screen.open(f"{file.as_uri()}{query}")
        self.requests = [url for url in self.requests if not url.startswith((file.as_uri(), "data:", "blob:"))]
        return self.screen


@pytest.fixture
def offline(browser: Browser) -> Iterator[Offline]:
    context = browser.new_context(viewport=WIDE)
    opened = Offline(context.new_page())
    yield opened
    assert opened.screen.errors == []
    assert [url for url in opened.requests if not url.startswith(("file:", "data:", "blob:"))] == []
    context.close()


@pytest.fixture(scope="module")
def files(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The page of a simulated cricket match, of a human game of Diplomacy, and of a record full of secrets."""
    folder = tmp_path_factory.mktemp("pages")
    episodes = {
        "cricket": (read_import("match.json", cricket_file()).events, SPECTATOR),
        "diplomacy": (read_import("game.json", HUMAN).events, Viewpoint("analyst")),
        "canary": (record(), SPECTATOR),
    }
    for name, (events, viewpoint) in episodes.items():
        (folder / f"{name}.html").write_text(export_text(view_of(events, viewpoint, 1e12), "html", PAGE))
    return {name: folder / f"{name}.html" for name in episodes}


@pytest.mark.long
@pytest.mark.parametrize("name", ["cricket", "diplomacy"])
def test_the_file_shows_the_match_without_a_network(name: str, files: dict[str, Path], offline: Offline) -> None:
    screen = offline.open(files[name])
    page = screen.page
    expect(page.locator(".count")).to_contain_text("Complete 0–", timeout=SETTLED)
    last = screen.caption.inner_text()
    screen.look(screen.head() // 3)
    expect(screen.caption).not_to_have_text(last)
    before = screen.seq()
    page.get_by_role("button", name="Forward one step").click()
    expect(page.get_by_label("Moment of the match")).not_to_have_value(str(before))
    expect(page.locator("aside")).to_contain_text("Story")
    assert page.get_by_title("Download this match").count() == 0, "there is no server to take it from"
    assert page.locator("select").filter(has_text="Analyst").count() == 0, "other viewpoints are not in the file"


@pytest.fixture(scope="module")
def voiced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LiveServer, Path, str]]:
    """A match that was spoken, with its server and the data folder of it."""
    installed("cartesia")
    folder = tmp_path_factory.mktemp("voiced")
    with (
        speech_server() as service,
        live_server(
            folder, CARTESIA_API_KEY=KEY, CARTESIA_BASE_URL=service.url, GRANDSTAND_VOICE_FORMAT="wav"
        ) as server,
    ):
        match = server.start_match(game="cricket", options={"overs": 1}, pace=0.4, seed=5, voice=True)
        server.wait_for(match, status="finished")
        assert until(lambda: len(server.get(f"/api/episodes/{match}/clips")["clips"]) > 3)
        yield server, folder, match


@pytest.mark.long
def test_the_menu_gives_the_page_with_its_voice(
    voiced: tuple[LiveServer, Path, str], screen: Screen, tmp_path: Path
) -> None:
    server, _, match = voiced
    screen.open(f"{server.url}/episode/{match}")
    screen.page.get_by_title("Download this match").click()
    dialog = screen.page.get_by_role("dialog", name="Download")
    sizes = []
    for title in ("This page", "The page with its voice"):
        with screen.page.expect_download(timeout=SETTLED) as download:
            dialog.get_by_role("button", name=title).click()
        assert download.value.suggested_filename == f"{match}.html"
        download.value.save_as(tmp_path / "file.html")
        sizes.append((tmp_path / "file.html").stat().st_size)
    assert sizes[1] > sizes[0] + 100_000


@pytest.mark.long
def test_the_clips_of_the_file_are_heard_without_a_network(
    voiced: tuple[LiveServer, Path, str], offline: Offline, tmp_path: Path
) -> None:
    _, folder, match = voiced
    file = tmp_path / "match.html"
    arguments = ("--format", "html", "--clips", "--data", str(folder), "--out", str(file))
    assert " clips, " in grandstand("export", match, *arguments).stderr, "beside a running server"
    hearing = Hearing(offline.screen.page)
    screen = offline.open(file, "?seq=4")
    expect(screen.page.locator(".count")).to_contain_text("Complete 0–", timeout=SETTLED)
    screen.page.locator(".caption").click()
    screen.press(" ")
    clips = hearing.wait_for_clips(2, ended=True)
    assert all(clip.loudness and clip.loudness > 0.01 for clip in clips[:2]), "they are speech, not silence"
    assert hearing.requested == []
    assert hearing.spoken() == []


@pytest.mark.long
def test_a_link_to_a_moment_of_the_file_opens_there(files: dict[str, Path], offline: Offline) -> None:
    screen = offline.open(files["diplomacy"], "?seq=40")
    expect(screen.page.get_by_label("Moment of the match")).to_have_value("40", timeout=SETTLED)


@pytest.mark.long
def test_markup_in_names_and_messages_stays_text(files: dict[str, Path], offline: Offline) -> None:
    dialogs: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    offline.screen.page.on("dialog", dismiss)
    screen = offline.open(files["canary"])
    expect(screen.page.locator("h1")).to_contain_text("A title </script><script>alert(1)")
    assert dialogs == []
    text = base64.b64decode(re.findall(r'id="episode">([^<]*)<', files["canary"].read_text())[0])
    assert secret("FRANCE", "GERMANY").encode() not in text


def test_the_file_can_lie_on_any_static_host(files: dict[str, Path], browser: Browser) -> None:
    handler = functools.partial(_Quiet, directory=str(files["cricket"].parent))
    host = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=host.serve_forever, daemon=True).start()
    context = browser.new_context(viewport=WIDE)
    try:
        screen = Screen(context.new_page())
        requests: list[str] = []
        screen.page.on("request", lambda request: requests.append(request.url))
        address = f"http://127.0.0.1:{host.server_address[1]}/cricket.html"
        screen.open(f"{address}?seq=30")
        expect(screen.page.get_by_label("Moment of the match")).to_have_value("30", timeout=SETTLED)
        screen.look(60)
        expect(screen.page).to_have_url(re.compile(r"/cricket\.html\?seq=60"))
        assert [url for url in requests if not url.startswith((address, "data:", "blob:"))] == []
        assert screen.errors == []
    finally:
        context.close()
        host.shutdown()
        host.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Keep the output of tests clean."""


def drop(page: Page, name: str, content: bytes) -> None:
    """Drag a file onto the page and let it fall."""
    page.evaluate(
        """([name, content]) => {
            const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([bytes], name));
            for (const type of ['dragover', 'drop'])
                window.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
        }""",
        [name, base64.b64encode(content).decode()],
    )


@pytest.mark.long
def test_a_file_that_is_dropped_on_the_lobby_is_watched(server: LiveServer, screen: Screen) -> None:
    page = screen.page
    page.goto(server.url)
    page.get_by_role("navigation", name="Pages").get_by_text("More").click(timeout=SETTLED)
    expect(page.get_by_role("button", name="Import", exact=True)).to_be_visible(timeout=SETTLED)
    drop(page, "final.json", cricket_file())
    expect(page).to_have_url(re.compile(r"/episode/cricket-[0-9a-f]{12}"), timeout=SETTLED)
    screen.board().wait_for(timeout=SETTLED)
    expect(page.locator("h1")).to_contain_text("final.json (a match recorded by Cricsheet")
    tabs = page.locator("aside")
    tabs.get_by_text("Captains", exact=True).click()
    expect(tabs.get_by_text("does not contain the captains' calls")).to_be_visible()
    tabs.get_by_text("Charts", exact=True).click()
    expect(tabs.get_by_text("does not contain where the balls landed")).to_be_visible()
    expect(tabs).not_to_contain_text("NaN")


@pytest.mark.long
def test_a_bad_file_is_told_and_nothing_is_imported(server: LiveServer, screen: Screen) -> None:
    page = screen.page
    before = server.get("/api/episodes")["total"]
    page.goto(server.url)
    page.get_by_role("navigation", name="Pages").get_by_text("More").click(timeout=SETTLED)
    expect(page.get_by_role("button", name="Import", exact=True)).to_be_visible(timeout=SETTLED)
    drop(page, "notes.json", b'{"moves": "1. e4"}')
    expect(page.get_by_role("alert")).to_contain_text("notes.json: its keys are moves; a file can be", timeout=SETTLED)
    assert server.get("/api/episodes")["total"] == before
    screen.errors = [error for error in screen.errors if "422" not in error]


@pytest.mark.long
def test_the_menu_gives_each_format(server: LiveServer, screen: Screen, tmp_path: Path) -> None:
    page = screen.page
    posted = server.post("/api/imports", GAMES[0])
    screen.open(f"{server.url}/episode/{posted.json()['episode']['episode_id']}")
    page.get_by_title("Download this match").click()
    dialog = page.get_by_role("dialog", name="Download")
    for title, suffix in (("This page", ".html"), ("The record", ".jsonl"), ("A saved game", ".json")):
        with page.expect_download(timeout=SETTLED) as download:
            dialog.get_by_role("button", name=title).click()
        assert download.value.suggested_filename.endswith(suffix)
        download.value.save_as(tmp_path / f"file{suffix}")
    assert json.loads((tmp_path / "file.json").read_text())["phases"][0]["name"] == "S1901M"
    assert (tmp_path / "file.html").read_text().startswith("<!doctype html>")
    dialog.get_by_role("button", name="The decisions").click()
    expect(dialog.get_by_role("status")).to_contain_text("has no decisions", timeout=SETTLED)
    screen.errors = [error for error in screen.errors if "422" not in error]
