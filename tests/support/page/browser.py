"""Chromium, and what tests of the page tell it."""

from __future__ import annotations

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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The Chromium of this machine."""
    file(ROOT / "frontend/dist/index.html", remedy="run `make setup` to build the page")
    path = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
