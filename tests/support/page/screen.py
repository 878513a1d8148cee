"""The page of a match: its content, and the keys and buttons that change it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import CDPSession, Page

SETTLED = 60_000
"""Milliseconds within which a page reaches the state that a test waits for."""

WATCH_SHIFTS = """
    window.shifted = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
"""

COUNT_CHANGES = """() => {
    window.changes = 0;
    const count = (nodes) => nodes.reduce((sum, node) => sum + 1 + (node.querySelectorAll?.('*').length ?? 0), 0);
    new MutationObserver((records) => {
        for (const { type, addedNodes, removedNodes } of records)
            window.changes += type === 'childList' ? count([...addedNodes, ...removedNodes]) : 1;
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}"""


class Screen:
    """A match page in a real browser. Errors in its console are kept in `errors`."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.add_init_script(WATCH_SHIFTS)
        self.slider = page.get_by_label("Moment of the match")
        self.caption = page.locator(".caption .turn")
        self.count = page.locator(".count")

    def open(self, url: str) -> None:
        """Open the page and wait until a board is drawn."""
        self.page.goto(url, wait_until="commit")
        self.board().wait_for(timeout=SETTLED)

    def board(self) -> Any:
        return self.page.get_by_role("main", name="Board").locator("svg, .tree").first

    def seq(self) -> int:
        """Return the number of the event that is shown."""
        return int(self.slider.input_value())

    def head(self) -> int:
        """Return the number of the newest event."""
        return int(self.slider.get_attribute("max") or -1)

    def look(self, seq: int) -> None:
        """Drag the timeline to `seq`."""
        self.slider.evaluate(
            """async (input, seq) => {
                input.value = seq;
                input.dispatchEvent(new Event('input', { bubbles: true }));
                for (let n = 0; n < 2; n++) await new Promise((painted) => requestAnimationFrame(painted));
            }""",
            seq,
        )

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def wait_for_head(self, seq: int, timeout: float = 2 * SETTLED) -> None:
        self.page.wait_for_function(
            "(seq) => Number(document.querySelector('input[type=range]')?.max) >= seq", arg=seq, timeout=timeout
        )

    def shifted(self) -> float:
        """The cumulative layout shift since the page was opened."""
        shifted: float = self.page.evaluate("window.shifted")
        return shifted

    def redrawn(self, looks: Sequence[int]) -> float:
        """Return which part of the document a look at each of these events changes on average.

        Changes are nodes and attributes that are set, added or removed; the whole are the elements.
        """
        self.page.evaluate(COUNT_CHANGES)
        for seq in looks:
            self.look(seq)
        changes, elements = self.page.evaluate("[window.changes, document.querySelectorAll('*').length]")
        return float(changes / elements / len(looks))

    def frame(self) -> list[dict[str, float]]:
        """Return the boxes of the parts of the page, which stay in place for any content."""
        places: list[dict[str, float]] = self.page.locator(
            "header, .strip, .caption, main, aside, footer"
        ).evaluate_all("(parts) => parts.map((part) => part.getBoundingClientRect().toJSON())")
        return places

    def follows(self) -> None:
        """Wait until the page follows the live end, at the pace of the show."""
        self.page.locator(".timeline .head.following").wait_for(state="attached", timeout=SETTLED)

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()

    def log(self) -> tuple[dict[int, str], set[int]]:
        """Everything that the log says of the match up to its head: the sentence of each number, and the withheld."""
        self.tab("Log")
        self.page.get_by_label("Every event").check()
        sentences: dict[int, str] = {}
        withheld: set[int] = set()
        at = self.head()
        while at >= 0:
            self.look(at)
            for seq, text in self.page.locator("#panel li").evaluate_all(
                "(lines) => lines.map((line) => ["
                " line.querySelector('.seq').textContent, line.querySelector('.text')?.textContent ?? null])"
            ):
                numbers = [int(number) for number in re.findall(r"\d+", seq)]
                if text is None:
                    withheld |= set(range(numbers[0], numbers[-1] + 1))
                else:
                    sentences[numbers[0]] = text
            at = min([*sentences, *withheld]) - 1
        return sentences, withheld


class Traffic:
    """The number of bytes that a page moved over the network, as the browser counts them."""

    def __init__(self, page: Page) -> None:
        self.total = 0
        session: CDPSession = page.context.new_cdp_session(page)
        session.on("Network.loadingFinished", lambda event: self._add(event["encodedDataLength"]))
        session.on("Network.webSocketFrameReceived", lambda event: self._add(len(event["response"]["payloadData"])))
        session.send("Network.enable")

    def _add(self, size: float) -> None:
        self.total += int(size)
