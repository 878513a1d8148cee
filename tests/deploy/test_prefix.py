"""The server below a path prefix, as on a JupyterHub or beside another site: the page, the API and both streams work.

One proxy takes the prefix off, and the server needs no setting; another passes it on, and the server is told of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from websockets.sync.client import connect

from tests.support import http
from tests.support.deploy.proxies import ProxiedServer, Proxy, caddy, fronted, nginx
from tests.support.page.browser import browser as browser
from tests.support.page.browser import kept_browser as kept_browser
from tests.support.page.screen import SETTLED, Screen
from tests.support.waiting import PATIENCE

PREFIX = "/user/ada/proxy/8000"


def stripping_nginx(folder: Path, port: int, server: str) -> list[str]:
    command = nginx(folder, port, server)
    site = folder / "site.conf"
    text = site.read_text().replace("location / {", f"location {PREFIX}/ {{")
    site.write_text(text.replace("proxy_pass http://grandstand;", "proxy_pass http://grandstand/;"))
    return command


def passing_nginx(folder: Path, port: int, server: str) -> list[str]:
    command = nginx(folder, port, server)
    site = folder / "site.conf"
    site.write_text(site.read_text().replace("location / {", f"location {PREFIX} {{"))
    return command


def stripping_caddy(folder: Path, port: int, server: str) -> list[str]:
    command = caddy(folder, port, server)
    file = folder / "Caddyfile"
    inner = f"reverse_proxy {server}"
    file.write_text(file.read_text().replace(inner, f"handle_path {PREFIX}/* {{\n{inner}\n}}"))
    return command


@pytest.fixture(scope="module", params=[stripping_nginx, passing_nginx, stripping_caddy])
def front(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProxiedServer]:
    """A proxy that has the server below the prefix; `url` is the server's root behind it."""
    proxy: Proxy = request.param
    flags = ("--root-path", PREFIX) if proxy is passing_nginx else ()
    with fronted(tmp_path_factory.mktemp("front"), proxy, *flags) as front:
        yield ProxiedServer(front.url + PREFIX, front.server)


@pytest.mark.long
def test_the_api_and_both_streams_pass(front: ProxiedServer) -> None:
    assert http.get(f"{front.url}/api/health").json()["status"] == "ok"
    episode_id = front.server.start_match(game="diplomacy", seed=1, paused=True)
    with connect(f"{front.ws}/api/episodes/{episode_id}/watch") as watching:
        assert '"snapshot"' in str(watching.recv(timeout=PATIENCE))
    with http.stream("GET", f"{front.url}/api/episodes/{episode_id}/stream") as response:
        assert any('"snapshot"' in line for line in response.iter_lines() if line.startswith("data:"))


def test_redirects_stay_below_the_prefix(front: ProxiedServer) -> None:
    for path, target in (("/custom", "/cockpit?game=cricket"), ("/cockpit/", "/cockpit")):
        answer = http.get(front.url + path, follow_redirects=True)
        assert answer.status_code == 200
        assert str(answer.url) == front.url + target


@pytest.mark.long
def test_the_page_plays_a_match_below_the_prefix(front: ProxiedServer, browser: Browser) -> None:
    episode_id = front.server.start_match(game="diplomacy", seed=1, pace=0.5, title="Below a prefix")
    context = browser.new_context()
    screen = Screen(context.new_page())
    requested: list[str] = []
    sockets: list[str] = []
    screen.page.on("request", lambda request: requested.append(request.url))
    screen.page.on("websocket", lambda opened: sockets.append(opened.url))
    screen.page.goto(f"{front.url}/")
    screen.page.get_by_role("main").get_by_role("link", name="Watch", exact=True).first.click()
    screen.board().wait_for(timeout=SETTLED)
    assert screen.page.url.startswith(f"{front.url}/episode/{episode_id}")
    screen.wait_for_head(screen.head() + 3)
    screen.page.reload()
    screen.board().wait_for(timeout=SETTLED)
    for name in ("Grandstand, to the lobby", "Leaderboard", "Cockpit", "Health"):
        if name in ("Cockpit", "Health"):
            screen.page.get_by_role("navigation", name="Pages").get_by_text("More").first.click()
        screen.page.get_by_role("link", name=name).first.click()
        expect(screen.page.get_by_role("main").first).to_be_visible(timeout=SETTLED)
        assert screen.page.url.startswith(f"{front.url}/"), screen.page.url
    screen.page.goto(f"{front.url}/health")
    expect(screen.page.get_by_role("heading", name="Serving")).to_be_visible(timeout=SETTLED)
    screen.page.goto(f"{front.url}/api/docs")
    expect(screen.page.get_by_role("heading", name="GET /api/health")).to_be_visible()
    assert all(url.startswith((f"{front.url}/", "data:")) for url in requested), requested
    assert any(url.startswith(f"{front.ws}/api/episodes/{episode_id}/watch") for url in sockets)
    assert screen.errors == []
    context.close()
