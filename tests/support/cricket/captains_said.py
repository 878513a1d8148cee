"""What may be said of the captains' records and habits: the truth, as the words of its slots."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path

from grandstand.games.cricket import laws
from grandstand.games.cricket.story.captain_forms import TAILS
from tests.support.cricket.captains_book import Tally
from tests.support.cricket.story_scorebook import COUNTS, Page, several

Words = Mapping[str, str]
USUAL = json.loads((Path(laws.__file__).parents[1] / "data" / "habits.json").read_text(encoding="utf-8"))["usual"]
INTENTS = {"attack": ("attack", "slog"), "care": ("block", "build", "rotate")}


def _numbers(tally: Tally) -> dict[str, str]:
    good, poor = tally.good, tally.poor
    words = good + poor < len(COUNTS)
    texts = [COUNTS[count] if words else str(count) for count in (good, poor, good + poor, max(good, poor))]
    return {
        "worked": texts[0] if good else "none", "failed": texts[1] if poor else "none", "mattered": texts[2],
        "share": texts[3] if good and poor else "all",
    }  # fmt: skip


def _record(planner: bool, good: bool) -> Callable[[Page], Iterator[Words]]:
    def words(page: Page) -> Iterator[Words]:
        for seat, tally in page.tallies.items():
            more = (tally.good > tally.poor) if good else (tally.poor > tally.good)
            worth = sum(tally.record)
            if tally.planner is planner and more and (worth > 0) is good:
                captain = page.players[page.captains[seat]]
                numbers = _numbers(tally)
                yield {"captain": captain, "side": page.sides[seat], **numbers, "worth": f"{abs(worth):.1%}"}

    return words


def _done(tally: Tally, habit: str) -> Sequence[tuple[str, bool]]:
    if habit == "slip":
        return tally.slips
    return [(phase, intent in INTENTS[habit]) for phase, intent in tally.asked]


def _is_unusual(done: Sequence[tuple[str, bool]], habit: str) -> bool:
    shares = [USUAL[habit][phase] for phase, _ in done]
    beyond = sum(did for _, did in done) - sum(shares)
    return bool(beyond >= 1.9 * sqrt(sum(share * (1 - share) for share in shares)))


def _habit(habit: str, ended: bool = False) -> Callable[[Page], Iterator[Words]]:
    def words(page: Page) -> Iterator[Words]:
        seat = page.book.bowling if habit == "slip" else page.book.batting
        tally = page.tallies[seat]
        done = _done(tally, habit)
        if not _is_unusual(done, habit):
            return
        noun = "over" if habit == "slip" else "ball"
        slots = {
            "captain": page.players[page.captains[seat]], "count": str(sum(did for _, did in done)),
            "chances": str(len(done)), f"{noun}s": several(len(done), noun),
        }  # fmt: skip
        tails = TAILS["tail_plans" if tally.planner else "tail_calls"]
        for tail in ("", *(tails if ended else ())):
            yield {**slots, "tail": tail.format(**_numbers(tally))}

    return words


def _first_field(kind: str) -> Callable[[Page], Iterator[Words]]:
    """Return the truth on the first field of a kind, or for `no slip` on the first one without."""

    def words(page: Page) -> Iterator[Words]:
        tally = page.tallies[page.book.bowling]
        *before, now = tally.fields
        overs, slips = len(tally.slips), sum(had for _, had in tally.slips)
        true = kind in now and not any(kind in each for each in before)
        if kind == "slip":
            true = true and not slips
        elif kind == "no slip":
            true = "slip" not in now and slips == overs > 0
        elif kind == "ring":
            true = true and page.book.legal >= page.book.powerplay
        if true:
            outside = page.event.data["outside"]
            yield {
                "captain": page.players[page.captains[page.book.bowling]], "overs": several(overs, "over"),
                "count": COUNTS[outside],
            }  # fmt: skip

    return words


def first_attack(page: Page) -> Iterator[tuple[str, Words]]:
    """Yield the first call to attack, on its ball."""
    asked = [did for _, did in _done(page.tallies[page.book.batting], "attack")]
    if page.event.data["intent"] in INTENTS["attack"] and not page.event.data["free_hit"] and sum(asked) == 1:
        captain = page.players[page.captains[page.book.batting]]
        yield "first_attack", {"captain": captain, "balls": str(len(asked) - 1)}


def _compared(signs: tuple[bool, bool]) -> Callable[[Page], Iterator[Words]]:
    """Return the truth on what both captains gained, for these signs of the better one's and of the other's worth."""

    def words(page: Page) -> Iterator[Words]:
        tallies = sorted(page.tallies.items(), key=lambda item: -sum(item[1].record))
        (better, gain), (worse, loss) = [(page.players[page.captains[seat]], sum(t.record)) for seat, t in tallies]
        if (gain > 0, loss > 0) == signs:
            how = "plans" if all(tally.planner for _, tally in tallies) else "calls"
            yield {
                "better": better, "worse": worse, "gain": f"{abs(gain):.1%}", "loss": f"{abs(loss):.1%}", "calls": how,
            }  # fmt: skip

    return words


AFTER_OVERS: Mapping[str, Callable[[Page], Iterator[Words]]] = {
    "plans_good": _record(planner=True, good=True),
    "plans_poor": _record(planner=True, good=False),
    "calls_good": _record(planner=False, good=True),
    "calls_poor": _record(planner=False, good=False),
    "habit_slip": _habit("slip"),
    "habit_attack": _habit("attack"),
    "habit_care": _habit("care"),
}
"""Kind -> the words of each truth that a line of it may say."""
WITH_FIELDS: Mapping[str, Callable[[Page], Iterator[Words]]] = {
    "first_slip": _first_field("slip"),
    "no_slip": _first_field("no slip"),
    "first_ring": _first_field("ring"),
    "first_rope": _first_field("rope"),
}
AT_INNINGS_END: Mapping[str, Callable[[Page], Iterator[Words]]] = {
    "innings_slip": _habit("slip", ended=True),
    "innings_attack": _habit("attack", ended=True),
    "innings_care": _habit("care", ended=True),
}
AT_THE_END: Mapping[str, Callable[[Page], Iterator[Words]]] = {
    "captains_apart": _compared((True, False)),
    "captains_gained": _compared((True, True)),
    "captains_lost": _compared((False, False)),
}
