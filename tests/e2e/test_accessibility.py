"""The rules of axe on every page, board, panel and dialog, in both themes, on a desktop and on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest
from playwright.sync_api import Page, Request, ViewportSize, expect

from tests.support.page.axe import ALL, BUT_COLOURS, FAULTS, LOOKS, NEWLY_SHOWN, OF_COLOURS, SEE
from tests.support.page.browser import Open
from tests.support.page.screen import SETTLED
from tests.support.page.site import Site, every_page

pytestmark = [pytest.mark.browser, pytest.mark.long]

DESKTOP: ViewportSize = {"width": 1600, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}

BOARDS = {"Diplomacy, end", "cricket, end", "Diplomacy, seat", "training", "tournament", "experiment"}
"""The pages whose panels are opened."""

OVERLAPS = """() => {
    const boxes = [...document.querySelectorAll('header :is(a, button, select, [role=status], .badge)')]
        .map((node) => ({ node, box: node.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 2 && box.height > 2);
    return boxes.flatMap(({ node, box }, index) => boxes.slice(index + 1)
        .filter((other) => !node.contains(other.node) && !other.node.contains(node))
        .filter((other) => Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left) > 1)
        .filter((other) => Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top) > 1)
        .map((other) => `${node.textContent.trim()} lies over ${other.node.textContent.trim()}`));
}"""
"""Controls of the page's head that lie over each other."""


HEIGHT = """async ([width, height]) => {
    const sized = () => innerWidth === width && innerHeight === height;
    for (let still = 0; still < 3; still = sized() ? still + 1 : 0)
        await new Promise((resolve) => requestAnimationFrame(resolve));
    return document.documentElement.scrollHeight;
}"""
"""The height of the page in pixels, after its layout has followed the size of the screen."""

TRIES = 5
"""How often a page may change its height while it is looked at."""

WIDTH = "document.scrollingElement.scrollWidth"
"""The width of the page in pixels."""

STILL = """
    const still = new CSSStyleSheet();
    still.replaceSync('* { transition: none !important; }');
    document.adoptedStyleSheets = [still];
"""
"""Change the theme at once: axe looks at the end of a transition only, and a page is drawn for every frame of it."""


class Inspector:
    """Collects what axe finds at every place of one page, and the errors of its code."""

    def __init__(self, page: Page, axe: str) -> None:
        self.page = page
        self.faults: list[str] = []
        page.add_init_script(axe)
        page.add_init_script(LOOKS)
        page.add_init_script(STILL)
        self._requests: set[Request] = set()
        page.on("request", lambda request: self._requests.add(request))
        page.on("requestfinished", lambda request: self._requests.discard(request))
        page.on("requestfailed", lambda request: self._requests.discard(request))
        page.on("pageerror", lambda error: self.faults.append(f"{page.url}: {error}"))

    def look(self, place: str) -> None:
        """Apply every rule on a desktop and on a phone.

        Colours depend on the theme. On a phone they are looked at where a desktop shows no such element, or shows it in
        another colour or size.
        """
        self.page.set_viewport_size(DESKTOP)
        self._apply(place, "html", "light", ALL)
        self.page.evaluate(SEE)
        self._apply(place, "html", "dark", OF_COLOURS)
        self._look_on_a_phone(place)
        if self.page.evaluate(NEWLY_SHOWN):
            for theme in ("light", "dark"):
                self._apply(f"{place}, on a phone", "[data-newly-shown]", theme, OF_COLOURS)

    def _look_on_a_phone(self, place: str) -> None:
        """Apply the rules with a screen as high as the page: what scrolls beneath the controls at its end is no small
        target. What was found is of use only if the page is as high afterwards."""
        height = self._resize(PHONE["height"])
        if "/campaign" in self.page.url and self.page.evaluate(WIDTH) > PHONE["width"]:
            self.faults.append(f"{place}: it is wider than a phone")
        before = len(self.faults)
        for _ in range(TRIES):
            self._resize(height)
            self._apply(f"{place}, on a phone", "html", "light", BUT_COLOURS)
            seen, height = height, self._resize(PHONE["height"])
            if height == seen:
                self._resize(height)
                return
            del self.faults[before:]
        raise AssertionError(f"{place}: the height of the page changes on and on, to {height} pixels")

    def _resize(self, height: int) -> int:
        """Give a phone's screen that height, and return the height of the page."""
        size: ViewportSize = {"width": PHONE["width"], "height": height}
        self.page.set_viewport_size(size)
        needed: int = self.page.evaluate(HEIGHT, [size["width"], height])
        return needed

    def _apply(self, place: str, context: str, theme: str, options: Mapping[str, object]) -> None:
        results = self.page.evaluate(FAULTS, [context, theme, options])
        self.faults += [f"{place}: {result}" for result in results]

    def open(self, site: Site, name: str) -> None:
        self._requests.clear()
        self.page.set_viewport_size(DESKTOP)
        self.page.goto(site.url(name))
        self.page.locator("main").first.wait_for(timeout=SETTLED)
        if "embedded" not in name:
            expect(self.page.get_by_role("heading", level=1).first).to_be_attached(timeout=SETTLED)
        body = self.page.locator("body")
        expect(body).not_to_contain_text(re.compile(r"\bLoading\b"), use_inner_text=True, timeout=SETTLED)
        while any("/changes?" not in request.url for request in self._requests):  # that one waits for a change
            self.page.wait_for_timeout(20)

    def visit(self, site: Site, name: str) -> None:
        """Open a page, and look at it and, on a desktop, at the panels beside its board."""
        self.open(site, name)
        self.faults += [f"{name}: {overlap}" for overlap in self.page.evaluate(OVERLAPS)]
        self.look(name)
        self.faults += [f"{name}, on a phone: {overlap}" for overlap in self.page.evaluate(OVERLAPS)]
        if name in BOARDS:
            self.page.set_viewport_size(DESKTOP)
            self.open_tabs(name)

    def open_tabs(self, name: str) -> None:
        """Open the panels beside the board, one after another, in both themes: each theme is drawn once."""
        for theme, rules in (("dark", OF_COLOURS), ("light", ALL)):
            for tab in self.page.get_by_role("tab").all_inner_texts():
                self.page.get_by_role("tab", name=tab, exact=True).click()
                self._apply(f"{name}, {tab}", "#panel", theme, rules)

    def open_dialog(self, button: str) -> None:
        self.page.get_by_role("button", name=button, exact=True).first.click()
        expect(self.page.get_by_role("dialog")).to_be_visible(timeout=SETTLED)
        self.look(f"the dialog of {button}")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with every_page(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.mark.parametrize("width", [390, 320])
def test_the_controls_of_the_masthead_have_space_on_a_phone(new_page: Open, site: Site, width: int) -> None:
    page = new_page({"width": width, "height": 700})
    faults: list[str] = []
    watched = {"Diplomacy, seat watched": site.addresses["Diplomacy, seat"].partition("?")[0]}
    names = ("lobby", "Diplomacy, live", "Diplomacy, end", "Diplomacy, seat", "cricket, seat")
    for name, address in {**{name: site.addresses[name] for name in names}, **watched}.items():
        page.goto(site.server.url + address)
        page.locator("main").first.wait_for(timeout=SETTLED)
        if name != "lobby":
            expect(page.get_by_title("Download this match")).to_be_visible(timeout=SETTLED)
            expect(page.locator("header .badge")).to_be_visible(timeout=SETTLED)
        if name in watched:
            expect(page.locator("header .badge")).to_contain_text("Waiting for", timeout=SETTLED)
        elif name != "lobby":
            word = page.locator("header .badge > span")
            assert word.evaluate("(word) => word.scrollWidth <= word.clientWidth"), f"{name}: {word.inner_text()}"
        faults += [f"{name}: {overlap}" for overlap in page.evaluate(OVERLAPS)]
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
    assert faults == []


def test_no_page_breaks_a_rule_of_accessibility(new_page: Open, site: Site, axe: str) -> None:
    inspector = Inspector(new_page(DESKTOP, reduced_motion="reduce"), axe)
    for name in site.addresses:
        inspector.visit(site, name)
    inspector.open(site, "lobby")
    inspector.open_dialog("Play")
    inspector.open(site, "Diplomacy, seat")
    inspector.open_dialog("Steer")
    inspector.open(site, "tournament")
    inspector.page.get_by_role("button", name=re.compile("^heron-2 against random: ")).click()
    inspector.look("the matches behind a figure")
    inspector.open(site, "league")
    inspector.page.get_by_role("button", name=re.compile("^Policy against random: ")).click()
    inspector.look("the matches behind a result of the league")
    assert inspector.faults == [], "\n".join(inspector.faults)
