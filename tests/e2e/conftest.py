"""A real Chromium and a real server, for tests of the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.page.browser import TOKEN, WIDE, Open
from tests.support.page.browser import browser as browser
from tests.support.page.browser import kept_browser as kept_browser
from tests.support.page.screen import SETTLED, Screen
from tests.support.requirements import file

# A busy machine takes long; a test that waits for what never comes costs its time only when it fails.
expect.set_options(timeout=SETTLED)


@pytest.fixture
def new_page(browser: Browser) -> Iterator[Open]:
    """Makes pages, each with a cache of its own; closes them after the test."""
    contexts = []

    def make(viewport: ViewportSize = WIDE, **options: object) -> Page:
        context = browser.new_context(viewport=viewport, **options)  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(2 * SETTLED)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def screen(new_page: Open) -> Iterator[Screen]:
    """A page whose console must stay clean."""
    screen = Screen(new_page())
    yield screen
    assert screen.errors == []


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server without showcase matches."""
    with live_server(Path(tmp_path_factory.mktemp("record"))) as server:
        yield server


@pytest.fixture(scope="module")
def played(server: LiveServer) -> str:
    """A whole game of Diplomacy, to 1920 or its winner, already over."""
    episode_id = server.start_match(game="diplomacy", seed=1, pace=0, title="A whole game")
    server.wait_for(episode_id, status="finished", timeout=120)
    return episode_id


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with an operator's token."""
    with live_server(tmp_path_factory.mktemp("guarded"), GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        yield server


@pytest.fixture(scope="module")
def axe() -> str:
    path = ROOT / "frontend/node_modules/axe-core/axe.min.js"
    return file(path, remedy="run `make setup` to install the page's packages").read_text(encoding="utf-8")
