"""What the analyst of cricket may say after an over: the truth, as the words of its slots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from grandstand.games.cricket.laws.duckworth_lewis import resources
from tests.support.cricket.captains_said import AFTER_OVERS
from tests.support.cricket.plans_said import PLACES, PLANNED
from tests.support.cricket.story_scorebook import Page, several

Words = Mapping[str, str]


def _calls(gained: bool) -> Callable[[Page], Iterator[Words]]:
    def words(page: Page) -> Iterator[Words]:
        for seat, worth in page.book.calls.items():
            if (worth > 0) is gained and abs(worth) >= 0.01:
                captain = page.players[page.captains[seat]]
                yield {"captain": captain, "side": page.sides[seat], "worth": f"{abs(worth):.1%}"}

    return words


def _luck(page: Page) -> Iterator[Words]:
    luck = page.book.luck
    if abs(luck) >= 0.03:
        yield {"side": page.sides["home" if luck > 0 else "away"], "worth": f"{abs(luck):.1%}"}


def _duel(won: bool) -> Callable[[Page], Iterator[Words]]:
    def words(page: Page) -> Iterator[Words]:
        duels = page.book.duels
        for (batter, bowler), (runs, balls) in duels.items():
            others = [entry for (name, other), entry in duels.items() if name == batter and other != bowler]
            other, rest = sum(made for made, _ in others), sum(faced for _, faced in others)
            if min(balls, rest) >= 6 and (runs * rest > other * balls) is won:
                yield {
                    "batter": page.players[batter], "bowler": page.players[bowler], "side": page.side,
                    "runs": str(runs), "balls": several(balls, "ball"), "other": str(other), "rest": str(rest),
                }  # fmt: skip

    return words


def _gap(page: Page) -> Iterator[Words]:
    deep = {name: PLACES[name][0] for name in page.book.fielders if PLACES[name][2] == "deep"}
    for first, start in deep.items():
        for second, end in deep.items():
            between = [name for name, angle in deep.items() if start < angle < end]
            if end - start >= 70 and not between:
                yield {"first": first, "second": second, "degrees": f"{end - start:.0f}"}


def _par(sign: int) -> Callable[[Page], Iterator[Words]]:
    """Return the truth on the par score: the runs that the resources used should have made, of the score to tie."""

    def words(page: Page) -> Iterator[Words]:
        book = page.book
        if book.target is None or book.rained:
            return
        full = resources(6 * book.overs, 0)
        par = int((book.target - 1) * (1 - resources(book.left, book.wickets) / full) + 1e-9)
        ahead = book.runs - par
        if ahead * sign > 0 or ahead == sign == 0:
            yield {"side": page.side, "par": str(par), "runs": str(book.runs), "count": str(abs(ahead))}

    return words


def _pace(page: Page) -> Iterator[Words]:
    book = page.book
    if book.target is None and book.legal:
        late = book.runs + sum(book.totals[-3:]) / 18 * book.left
        total = book.runs / book.legal * 6 * book.overs
        # A half is rounded either way.
        for rounded in {round(total - 1e-6), round(total + 1e-6)}:
            for later in {round(late - 1e-6), round(late + 1e-6)}:
                rate = f"{6 * book.runs / book.legal:.1f}"
                yield {"side": page.side, "total": str(rounded), "late": str(later), "rate": rate}


def _required(page: Page) -> Iterator[Words]:
    book = page.book
    if book.need and book.left and book.legal:
        rate, asking = 6 * book.runs / book.legal, 6 * book.need / book.left
        yield {"side": page.side, "rate": f"{rate:.1f}", "asking": f"{asking:.1f}"}


ANALYSED: Mapping[str, Callable[[Page], Iterator[Words]]] = {
    "calls_gained": _calls(gained=True),
    "calls_cost": _calls(gained=False),
    **PLANNED,
    **AFTER_OVERS,
    "luck": _luck,
    "duel_won": _duel(won=True),
    "duel_lost": _duel(won=False),
    "gap": _gap,
    "ahead": _par(1),
    "behind": _par(-1),
    "level": _par(0),
    "required": _required,
    "pace": _pace,
    "pace_early": _pace,
}
"""Kind -> the words of each truth that a line of it may say."""
