"""Chromium, and what tests of the page tell it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.support.live_server import ROOT
from tests.support.requirements import chromium, file

WIDE: ViewportSize = {"width": 1600, "height": 1000}

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

Open = Callable[..., Page]

TOKEN = "let me in"

OPERATOR = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="session")
def kept_browser() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """The Chromium of this test process, and the event loop that drives it, which is not marked as running."""
    file(ROOT / "frontend/dist/index.html", remedy="run `make setup` to build the page")
    path = chromium()
    with sync_playwright() as playwright:
        loop = asyncio.get_running_loop()
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)
        browser.close()


@pytest.fixture(scope="module")
def browser(kept_browser: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """The Chromium of this machine.

    Between its calls, Playwright's event loop counts as running. Other modules start loops in the same thread, so that
    it counts as running only in modules with a browser.
    """
    browser, loop = kept_browser
    asyncio._set_running_loop(loop)
    yield browser
    asyncio._set_running_loop(None)
