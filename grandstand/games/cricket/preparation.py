"""Prepares the tables of the chances of winning that the next move of a match, or a captain, reads.

A table takes from a tenth of a second to some seconds to build: before each move, a match runner builds them in a
thread, so that no other match and no viewer waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.match.results import resources_if_cut
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.model.win_probability import Grid, WinProbability, win_probability


class Need(NamedTuple):
    """A moment of an innings: of a chase, or of a first innings with these resources."""

    tables: WinProbability
    chase: bool
    resources: tuple[float, float] | None
    legal: int
    """Legal balls that were bowled."""
    drift: float
    """That of the chase."""

    def ready(self) -> bool:
        tables = self.tables
        whole = tables.has_chase if self.chase else tables.has_first(self.resources, self.drift)
        if not (whole and tables.has_chase_start):
            return False
        return self.grid().prepared(self.legal)

    def grid(self) -> Grid:
        return self.tables.chase if self.chase else self.tables.first(self.resources, self.drift)

    def build(self) -> None:
        assert self.tables.chase_start is not None
        assert self.tables.balls is not None
        self.grid().prepare(self.legal)


def preparation(game: CricketGame) -> Callable[[], None] | None:
    """Return a function that builds the missing tables before the next move of `game`; None if none is missing."""
    state = game.state
    if state.headless or state.result is not None:
        return None
    missing = [need for need in _needs(state) if not need.ready()]
    return partial(_build, missing) if missing else None


def _build(needs: list[Need]) -> None:
    for need in needs:
        need.build()


def _needs(state: ContestState) -> Iterator[Need]:
    options = state.options
    if not state.innings:
        tables = win_probability(options.era, format_rules(options.overs, options.conditions))
        yield Need(tables, False, None, 0, state.drift_to_come)
        return
    innings = state.now
    tables = win_probability(options.era, innings.rules)
    if innings.target is not None:
        yield Need(tables, True, None, innings.legal, state.drift_to_come)
    else:
        cut = state.method is not None and innings.number == 1
        resources = (state.resources[0], state.resources[1]) if cut else None
        yield Need(tables, False, resources, innings.legal, state.drift_to_come)
    yield from _after_rain(state)


def _after_rain(state: ContestState) -> Iterator[Need]:
    """Yield the tables that are read if it rains after the next ball."""
    rain, innings = state.rain, state.now
    if rain is None or innings.number != rain.innings or not 0 <= 6 * rain.after - innings.legal <= 1:
        return
    tables = win_probability(state.options.era, format_rules(rain.overs, state.options.conditions))
    if innings.number == 2:
        yield Need(tables, True, None, 6 * rain.after, 0.0)
        return
    for wickets in {innings.wickets, min(innings.wickets + 1, innings.rules.wickets)}:
        left = resources_if_cut(state, tables.rules, 6 * rain.after, wickets)
        yield Need(tables, False, left, 6 * rain.after, state.drift_to_come)
