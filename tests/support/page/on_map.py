"""Input on the map of Diplomacy: clicks, drags and touches of provinces, and the orders that they choose."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import CDPSession, Locator, Page, expect

from tests.support.live_server import ROOT, LiveServer
from tests.support.page.screen import SETTLED
from tests.support.server.private_batches import visible_events

PROVINCES: dict[str, dict[str, Any]] = json.loads(
    (ROOT / "grandstand/games/diplomacy/data/map.gen.json").read_text(encoding="utf-8")
)["provinces"]

ASKS = re.compile("Pick a unit|without an order|to retreat|may be built|must be removed")
"""What the seat is asked once its choices are known. A key before that has no effect."""

TO_SCREEN = """([x, y]) => {
    const sheet = [...document.querySelectorAll('main .sheets > svg')].at(-1).getScreenCTM();
    return [sheet.a * x + sheet.e, sheet.d * y + sheet.f];
}"""


class MapPage:
    """A page on which a seat is asked for orders."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.map = page.get_by_role("group", name="Map of Europe")
        self.prompt = page.locator(".tray .ask")
        self.chooser = page.get_by_role("list", name="Which one", exact=True)
        self.slips = page.get_by_role("list", name="Chosen so far")
        self._given = self.slips.locator("li:not(.open) .slip")

    def wait_for(self, turn: str) -> None:
        """Wait until the seat is asked in `turn`, as the caption calls it."""
        expect(self.page.locator(".caption .turn")).to_have_text(turn, timeout=SETTLED)
        self.wait_until_asked()

    def wait_until_asked(self) -> None:
        """Wait until the seat can choose."""
        expect(self.prompt).to_have_text(ASKS, timeout=SETTLED)

    def spot(self, place: str) -> tuple[float, float]:
        """Return the position on the screen of the unit in `place`; `*BUR` is the dislodged one there."""
        if place.startswith("*"):
            box = self.page.locator(f'[data-drag="{place[1:]}"]').bounding_box()
            assert box is not None
            return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        province = PROVINCES[place[:3]]
        x, y = self.page.evaluate(TO_SCREEN, province["coasts"].get(place[4:], province)["unit"])
        return x, y

    def click(self, *places: str) -> None:
        for place in places:
            self.page.mouse.click(*self.spot(place))

    def tap(self, *places: str) -> None:
        for place in places:
            self.page.touchscreen.tap(*self.spot(place))

    def choose(self, words: str) -> None:
        """Choose the order that a click meant."""
        self.chooser.get_by_role("button", name=words, exact=True).click()

    def drag(self, start: str, end: str) -> None:
        self.page.mouse.move(*self.spot(start))
        self.page.mouse.down()
        self.page.mouse.move(*self.spot(end), steps=8)
        self.page.mouse.up()

    def drag_by_touch(self, start: str, end: str) -> None:
        session: CDPSession = self.page.context.new_cdp_session(self.page)
        (x, y), (to_x, to_y) = self.spot(start), self.spot(end)
        path = [(x + (to_x - x) * step / 8, y + (to_y - y) * step / 8) for step in range(9)]
        for kind, points in [
            ("touchStart", path[:1]),
            *(("touchMove", [point]) for point in path[1:]),
            ("touchEnd", []),
        ]:
            session.send(
                "Input.dispatchTouchEvent",
                {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
            )

    def button(self, name: str) -> Locator:
        return self.page.locator(".tray").get_by_role("button", name=name, exact=True)

    def chosen(self) -> list[str]:
        """The orders chosen so far, as they are listed, without the defaults."""
        return [text.strip() for text in self._given.all_inner_texts()]

    def has(self, *orders: str) -> None:
        """Wait until exactly these orders are chosen besides the defaults."""
        expect(self._given).to_have_text(list(orders))

    def drawn(self) -> set[str]:
        """The places whose units have an order drawn in the look of a draft."""
        names = self.page.locator(".under [data-order]").evaluate_all("(all) => all.map((one) => one.dataset.order)")
        return {str(name).removeprefix("draft ") for name in names}


def actions(server: LiveServer, episode_id: str, seat: str) -> list[dict[str, Any]]:
    """The data of the seat's ActionChosen events, as an operator has them."""
    frames = server.get(f"/api/episodes/{episode_id}/events", **{"as": "operator"})["frames"]
    return [
        event["data"]
        for event in visible_events(frames)
        if event["type"] == "ActionChosen" and event["data"]["seat"] == seat
    ]
