"""Chances of winning by a dynamic programme over the ball model, for average players who do what is natural.

A chase is exact over (balls bowled, wickets down, runs needed, free hit); a first innings ends in the chase that its
total sets. Wides and no-balls leave the ball count where it is. Public by construction: nothing hidden goes in
(Swartz et al.; Brooker and Hogan, WASP).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.cricket.average import RUNS, average_balls, brings
from games.cricket.duckworth_lewis import par_score
from games.cricket.hidden import Array, Belief, conditions
from games.cricket.model import chase_bin
from games.cricket.rules import FormatRules, super_over_rules
from games.cricket.tactics import rate_scale

Table = NDArray[np.float32]

_PASSES: Final = 4
"""Rounds of substitution for extras: each divides the error, a thousandth to begin with, by about twenty."""


def ceiling(rules: FormatRules) -> int:
    """Runs beyond any innings of this length: tables count up to here."""
    return min(36 * rules.overs, 100 + 13 * rules.overs)


@dataclass(frozen=True)
class Grid:
    """Chances of the batting side: [balls bowled, node, free hit, wickets down, runs that are still missing]."""

    table: Table

    @property
    def start(self) -> Table:
        """[node, runs missing] before the first ball."""
        return self.table[0, :, 0, 0]

    def nodes(self, legal: int, wickets: int, missing: int, free_hit: bool = False) -> Table:
        """[node]. `missing` at or below 0 is done; beyond the table it is out of reach."""
        last = self.table.shape[-1] - 1
        return self.table[legal, :, int(free_hit), wickets, max(0, min(missing, last))]

    def at(self, legal: int, wickets: int, missing: int, free_hit: bool = False, belief: Belief | None = None) -> float:
        """The chance, in average conditions or in those believed in."""
        return float(self.nodes(legal, wickets, missing, free_hit) @ np.array(belief or conditions().prior))


class WinProbability:
    """The tables of one era and length of innings, each built when first asked for."""

    def __init__(self, era: str, rules: FormatRules) -> None:
        self.era, self.rules = era, rules
        self.balls = average_balls(era, rules)

    @cached_property
    def level(self) -> float:
        """What a chase that ends level is worth to the side that chased: it bats first in the Super Over."""
        return super_over(self.era, self.rules.conditions)

    @cached_property
    def chase(self) -> Grid:
        """By runs needed."""
        return self.chase_if(self.level)

    def chase_if(self, level: float) -> Grid:
        """The chase, where ending it level is worth `level` to the side that chased."""
        last = np.zeros(ceiling(self.rules) + 1)
        last[0], last[1] = 1.0, level
        return self._solve(np.broadcast_to(last, (len(conditions().prior), len(last))), self._chase_bins)

    @lru_cache(maxsize=4)  # noqa: B019 - tables live as long as the process
    def first(self, resources: tuple[float, float] | None = None) -> Grid:
        """By `ceiling` less runs made. `resources` of the two sides set the target where rain has cut the match."""
        return self.first_after(self.chase, resources)

    def first_after(self, chase: Grid, resources: tuple[float, float] | None = None) -> Grid:
        """The innings that sets the target of `chase`."""
        runs = np.arange(ceiling(self.rules), -1, -1)
        targets = runs + 1
        if resources is not None:
            targets = np.array([par_score(int(total), *resources) + 1 for total in runs])
        following = chase.start[:, np.minimum(targets, chase.start.shape[1] - 1)]
        return self._solve(1 - conditions().follows @ following, None)

    def _chase_bins(self, legal: int) -> NDArray[np.int64]:
        """Row of the chase table by runs needed."""
        scale = 6 * rate_scale(self.rules) / (self.rules.balls - legal)
        return np.array([chase_bin(scale * need) for need in range(ceiling(self.rules) + 1)])

    def _solve(self, last: Array, bins: Callable[[int], NDArray[np.int64]] | None) -> Grid:
        """Back from the end of the innings, whose worth is `last` [node, runs missing]."""
        rules, nodes = self.rules, len(last)
        table = np.empty((rules.balls + 1, nodes, 2, rules.wickets + 1, last.shape[1]), dtype=np.float32)
        table[...] = last[:, None, None]
        value = np.broadcast_to(last[:, None], (nodes, rules.wickets + 1, last.shape[1]))
        for legal in range(rules.balls - 1, -1, -1):
            rows = None if bins is None else bins(legal)
            value, free = self._one_ball(legal, value, last, rows)
            table[legal, :, 0], table[legal, :, 1] = value, free
        return Grid(table)

    def _one_ball(self, legal: int, later: Array, last: Array, rows: NDArray[np.int64] | None) -> tuple[Array, Array]:
        """[node, wickets, runs missing] before this ball: (usual, on a free hit)."""
        kinds = [self._parts(legal, rows, free_hit) for free_hit in (False, True)]
        legal_part = [_sum(kind.runs, later[:, :-1]) + _sum(kind.out, later[:, 1:]) for kind in kinds]
        values = [part / (1 - kind.extras) for part, kind in zip(legal_part, kinds, strict=True)]
        for _ in range(_PASSES):
            values = [
                part + _sum(kind.wide, value) + _sum(kind.noball, values[1])
                for part, kind, value in zip(legal_part, kinds, values, strict=True)
            ]
        for value in values:
            value[..., 0] = 1.0
        ended = np.broadcast_to(last[:, None], (len(last), 1, last.shape[1]))
        usual, free = (np.concatenate([value, ended], axis=1) for value in values)
        return usual, free

    def _parts(self, legal: int, rows: NDArray[np.int64] | None, free_hit: bool) -> Parts:
        phase = self.balls.places[legal][1]
        found = brings(self.balls.model, phase, self.balls.shares(legal, free_hit), free_hit)

        def lay(chances: Array) -> Array:
            chances = chances.transpose(1, 2, 0)  # [node, wickets, chase]
            return chances[..., :1] if rows is None else np.take(chances, rows, axis=-1)

        def split(chances: Array) -> list[tuple[int, Array]]:
            return [(runs, lay(chances[..., runs])) for runs in range(RUNS) if chances[..., runs].any()]

        extras = lay(found.wide.sum(axis=-1) + found.noball.sum(axis=-1))
        return Parts(split(found.runs), split(found.out), split(found.wide), split(found.noball), extras)


class Parts(NamedTuple):
    """What a ball brings, as (runs, chances [node, wickets, runs missing]) of each kind, and the share of extras."""

    runs: list[tuple[int, Array]]
    out: list[tuple[int, Array]]
    wide: list[tuple[int, Array]]
    noball: list[tuple[int, Array]]
    extras: Array


def _sum(parts: list[tuple[int, Array]], value: Array) -> Array:
    """Sum over runs of chance times the value with so many fewer runs missing; none missing is a win."""
    size = value.shape[-1]
    padded = np.concatenate([np.ones((*value.shape[:-1], RUNS - 1)), value], axis=-1)
    out = np.zeros(value.shape)
    for runs, chances in parts:
        out += chances * padded[..., RUNS - 1 - runs : RUNS - 1 - runs + size]
    return out


@lru_cache(maxsize=6)
def win_probability(era: str, rules: FormatRules) -> WinProbability:
    """The tables of an innings under `rules`, kept for the life of the process."""
    return WinProbability(era, rules)


@lru_cache(maxsize=4)
def super_over(era: str, played_under: str) -> float:
    """Chance of the side that bats first in a Super Over. A level one is played again, the order reversed, so that
    the chance s of batting first solves s = lost + (held - lost) (1 - s), where the chase is worth s if level."""
    tables = WinProbability(era, super_over_rules(played_under))
    lost, held = (tables.first_after(tables.chase_if(level)).at(0, 0, ceiling(tables.rules)) for level in (1.0, 0.0))
    return held / (1 + held - lost)
