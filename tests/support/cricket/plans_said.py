"""What may be said of a captain's plan for an over: the truth, as the words of its slots."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path

from grandstand.games.cricket import laws
from grandstand.games.cricket.story.plan_forms import PHRASES
from tests.support.cricket.story_scorebook import COUNTS, Book, Data, Page, counted_runs

Words = Mapping[str, str]
DATA = Path(laws.__file__).parents[1] / "data" / "fielding.json"
PLACES = json.loads(DATA.read_text(encoding="utf-8"))["positions"]
"""Position -> angle, distance, depth."""
LINE = {
    "wide_outside_off": "the wide line", "outside_off": "the line outside off stump", "off_channel": "the channel",
    "stumps": "the stumps", "leg": "leg stump",
}  # fmt: skip


def _phrases(kind: str, **slots: str) -> list[str]:
    return [form.format(**slots) for form in PHRASES[kind]]


def _bowling(book: Book, plan: Data) -> Iterator[list[str]]:
    """Yield the ways to say each part of the plan of the bowling side."""
    theme, zone = plan["theme"], plan["zone"]
    if theme == "natural" and zone == "natural":
        return
    if book.moved:
        deep = sum(PLACES[name][2] == "deep" for name in book.fielders)
        if any(PLACES[name][2] == "close" for name in book.fielders):
            yield _phrases("field_slip")
        elif deep >= 4:
            yield _phrases("field_rope", count=COUNTS[deep])
        elif deep <= 2:
            yield _phrases("field_ring")
    if theme != "natural":
        yield _phrases(f"theme_{theme}")
    if zone != "natural":
        yield _phrases("zone", zone=LINE[zone])


def _batting(page: Page, seat: str, plan: Data) -> Iterator[list[str]]:
    orders = [
        (page.players[name], "rotate the strike" if risk == "rotate" else risk)
        for name, risk in plan["intents"].items()
        if risk != "normal"
    ]
    captain = page.players[page.captains[seat]]
    own, others = [risk for name, risk in orders if name == captain], [each for each in orders if each[0] != captain]
    if own and others:
        yield _phrases("told_partner", risk=own[0], other=others[0][0], more=others[0][1])
    elif own:
        yield _phrases("told_self", risk=own[0])
    elif len(orders) == 1:
        yield _phrases("told_one", name=orders[0][0], risk=orders[0][1])
    elif len(orders) == 2 and orders[0][1] == orders[1][1]:
        yield _phrases("told_both", risk=orders[0][1])
    elif len(orders) == 2:
        (name, risk), (other, more) = orders
        yield _phrases("told_two", name=name, risk=risk, other=other, more=more)
    if "shot" in plan:
        yield _phrases("stroke", shot=plan["shot"].replace("_", " "))


def _said(page: Page, seat: str, plan: Data) -> list[str]:
    parts = list(_batting(page, seat, plan) if "intents" in plan else _bowling(page.book, plan))
    if not parts:
        return []
    return [" and ".join(filter(None, (", ".join(said[:-1]), said[-1]))) for said in product(*parts)]


def _plan(*kinds: tuple[int | None, int]) -> Callable[[Page], Iterator[Words]]:
    """Return the truths of a line, for these pairs of whether the plan and whether the over went well: 1, 0 or -1."""

    def words(page: Page) -> Iterator[Words]:
        book = page.book
        taken = "" if not book.over_wickets else " and a wicket"
        if book.over_wickets > 1:
            taken = f" and {COUNTS[book.over_wickets]} wickets"
        balls = book.legal - 6
        above = round(book.over_runs - (book.runs - book.over_runs) / balls * 6) if balls > 0 else 0
        mark = f"{abs(above)} {'above' if above > 0 else 'below'} the rate" if above else "right on the rate"
        if balls <= 0:
            mark = "the first of the innings"
        for seat, data in book.plans.items():
            gain = above - 6 * book.over_wickets
            gain = gain if seat == book.batting else -gain
            worth = data["delta"]
            if ((None if worth is None else _sign(worth, 0.002)), _sign(gain, 1)) not in kinds:
                continue
            for did in _said(page, seat, data["plan"]):
                yield {
                    "captain": page.players[page.captains[seat]], "side": page.sides[seat], "did": did,
                    "runs": counted_runs(book.over_runs) + taken, "mark": mark, "worth": f"{abs(worth or 0):.1%}",
                }  # fmt: skip

    return words


def _sign(value: float, least: float) -> int:
    return 0 if abs(value) < least else 1 if value > 0 else -1


PLANNED: Mapping[str, Callable[[Page], Iterator[Words]]] = {
    "plan_paid": _plan((1, 1), (1, 0)),
    "plan_unrewarded": _plan((1, -1)),
    "plan_failed": _plan((-1, -1), (-1, 0)),
    "plan_forgiven": _plan((-1, 1)),
    "plan_even": _plan((0, -1), (0, 0), (0, 1)),
    "plan_made": _plan((None, -1), (None, 0), (None, 1)),
}
"""Kind -> the words of each truth that a line of it may say."""
