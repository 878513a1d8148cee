"""Which tables of the chances of winning the next move of a match reads, and building those that are not there.

A table takes from a tenth of a second to some seconds to build: whoever runs matches asks here before each move, and
builds away from where other matches and viewers wait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.match.results import resources_if_cut
from grandstand.games.cricket.model.win_probability import Grid, WinProbability, win_probability

if TYPE_CHECKING:
    from grandstand.games.cricket.match.contest import Contest


class Need(NamedTuple):
    """The balls of some overs of an innings: of a chase, or of a first innings with these resources."""

    tables: WinProbability
    chase: bool
    resources: tuple[float, float] | None
    overs: tuple[int, ...]

    def ready(self) -> bool:
        tables = self.tables
        whole = tables.has_chase if self.chase else tables.has_first(self.resources)
        if not (whole and tables.has_chase_start):
            return False
        grid = self.grid()
        return all(grid.has_over(over) for over in self.overs)

    def grid(self) -> Grid:
        return self.tables.chase if self.chase else self.tables.first(self.resources)

    def build(self) -> None:
        assert self.tables.chase_start is not None
        assert self.tables.balls is not None
        grid = self.grid()
        for over in self.overs:
            if not grid.has_over(over):
                grid.over(over)


def preparation(match: Contest) -> Callable[[], None] | None:
    """Return what to call before the next move of `match`, which builds what is missing; None where nothing is."""
    if match.quiet or not match.options.win_probability or match.result is not None:
        return None
    missing = [need for need in _needs(match) if not need.ready()]
    return partial(_build, missing) if missing else None


def _build(needs: list[Need]) -> None:
    for need in needs:
        need.build()


def _needs(match: Contest) -> Iterator[Need]:
    options = match.options
    if not match.innings:
        yield Need(win_probability(options.era, format_rules(options.overs, options.conditions)), False, None, (0,))
        return
    innings = match.now
    tables, over = win_probability(options.era, innings.rules), innings.over
    overs = tuple(range(over, min(over + 2, innings.rules.overs)))
    if innings.target is not None:
        yield Need(tables, True, None, overs)
    else:
        cut = match.method is not None and innings.number == 1
        yield Need(tables, False, (match.resources[0], match.resources[1]) if cut else None, overs)
    yield from _after_rain(match)


def _after_rain(match: Contest) -> Iterator[Need]:
    """What is read if it rains after the next ball."""
    rain, innings = match.rain, match.now
    if rain is None or innings.number != rain.innings or not 0 <= 6 * rain.after - innings.legal <= 1:
        return
    tables = win_probability(match.options.era, format_rules(rain.overs, match.options.conditions))
    overs = (rain.after,) if rain.after < rain.overs else ()
    if innings.number == 2:
        yield Need(tables, True, None, overs)
        return
    for wickets in {innings.wickets, min(innings.wickets + 1, innings.rules.wickets)}:
        yield Need(tables, False, resources_if_cut(match, tables.rules, 6 * rain.after, wickets), overs)
