"""Chances of winning by a dynamic programme over the ball model, for average players with natural calls.

A chase is exact over (balls bowled, wickets down, runs needed, free hit); a first innings ends in the chase that its
total sets. Wides and no-balls leave the ball count where it is. They use no hidden quantity (Swartz et al.; Brooker and
Hogan, WASP).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grandstand.games.cricket.laws.duckworth_lewis import par_score
from grandstand.games.cricket.laws.rules import FormatRules, super_over_rules
from grandstand.games.cricket.model.average import RUNS, AverageBalls, average_balls, class_outcomes
from grandstand.games.cricket.model.ball_model import Array, chase_bin
from grandstand.games.cricket.model.priors import conditions
from grandstand.games.cricket.model.table_cache import BLOCKS, TABLES
from grandstand.games.cricket.model.tactics import rate_scale

Table = NDArray[np.float32]

_PASSES: Final = 4
"""Rounds of substitution for extras. Each divides the error, initially a thousandth, by about twenty."""
_BLOCK: Final = 12
"""Legal balls from one stored state to the next: two overs."""


def ceiling(rules: FormatRules) -> int:
    """Return the largest number of runs in the tables, above any innings of this length."""
    return min(36 * rules.overs, 100 + 13 * rules.overs)


class Grid:
    """Chances of the batting side by balls bowled, conditions, free hit, wickets down and runs still missing.

    Only the exact state before each block of balls is stored. The balls of a block are computed backwards from the next
    block on demand, and cached while they fit.
    """

    def __init__(
        self, key: Hashable, balls: int, last: Array, back: Callable[[int, Array], tuple[Array, Array]]
    ) -> None:
        """`last` is [node, wickets down, runs missing] after all `balls`; `back` (balls bowled, chances after the ball)
        gives the chances before it: the usual ones, and those on a free hit. `key` identifies the grid."""
        self._key = key
        self._balls = balls
        self._back = back
        self._starts: Array = np.empty((-(-balls // _BLOCK) + 1, *last.shape))
        self._starts[-1] = last
        for legal in range(balls - 1, -1, -1):
            last, _ = back(legal, last)
            if legal % _BLOCK == 0:
                self._starts[legal // _BLOCK] = last

    @property
    def nbytes(self) -> int:
        return self._starts.nbytes

    @property
    def size(self) -> int:
        """Return the number of counts of missing runs, including 0."""
        return int(self._starts.shape[-1])

    @property
    def start(self) -> Table:
        """Return [node, runs missing] before the first ball."""
        start: Table = self._starts[0, :, 0].astype(np.float32)
        return start

    def states(self, legal: int, free_hit: bool = False) -> Table:
        """Return [node, wickets down, runs missing] after `legal` legal balls."""
        block, ball = divmod(legal, _BLOCK)
        if legal < self._balls and (ball or free_hit):
            states: Table = BLOCKS.get((self._key, block), lambda: self._block(block))[ball, int(free_hit)]
        else:
            states = self._starts[-1 if legal == self._balls else block].astype(np.float32)
        return states

    def prepare(self, legal: int) -> None:
        """Cache the states after `legal` legal balls and until the next one."""
        self.states(legal, free_hit=True)

    def prepared(self, legal: int) -> bool:
        """Return whether the states after `legal` legal balls and until the next one are cached."""
        return legal >= self._balls or BLOCKS.has((self._key, legal // _BLOCK))

    def _block(self, block: int) -> Table:
        """Return [ball of the block, free hit, node, wickets down, runs missing]."""
        later, first = self._starts[block + 1], _BLOCK * block
        table = np.empty((min(_BLOCK, self._balls - first), 2, *later.shape), dtype=np.float32)
        for ball in range(len(table) - 1, -1, -1):
            later, free = self._back(first + ball, later)
            table[ball, 0], table[ball, 1] = later, free
        return table

    def nodes(self, legal: int, wickets: int, missing: int, free_hit: bool = False) -> Table:
        """Return the chances [node]: a win if `missing` is 0 or less, a loss beyond the table."""
        return self.states(legal, free_hit)[:, wickets, max(0, min(missing, self.size - 1))]

    def at(self, legal: int, wickets: int, missing: int, free_hit: bool = False, drift: float = 0.0) -> float:
        """Return the chance under unknown conditions of the day, but for a known drift of this innings."""
        return float(self.nodes(legal, wickets, missing, free_hit) @ np.array(conditions(drift).prior))


class WinProbability:
    """The tables of one era and length of innings, each built on first use and cached while it fits."""

    def __init__(self, era: str, rules: FormatRules) -> None:
        self.era, self.rules = era, rules
        self._start: Table | None = None

    @property
    def balls(self) -> AverageBalls:
        return average_balls(self.era, self.rules)

    @cached_property
    def level(self) -> float:
        """Return the worth of a level chase to the chasing side, which bats first in the Super Over."""
        return super_over(self.era, self.rules.conditions)

    @property
    def chase(self) -> Grid:
        """The chase, by runs needed."""
        return TABLES.get(self._key("chase"), lambda: self.chase_if(self.level))

    @property
    def has_chase(self) -> bool:
        """Return whether the chase is cached."""
        return TABLES.has(self._key("chase"))

    @property
    def chase_start(self) -> Table:
        """[node, runs needed] before the first ball of the chase."""
        if self._start is None:
            self._start = self.chase.start
        return self._start

    @property
    def has_chase_start(self) -> bool:
        """Return whether `chase_start` is cached."""
        return self._start is not None

    def chase_from_start(self, needed: int, drift: float = 0.0) -> float:
        """Return the chance of a side that is about to begin its chase, in conditions that have changed by `drift`."""
        start = self.chase_start
        return float(start[:, max(0, min(needed, start.shape[1] - 1))] @ np.array(conditions(drift).prior))

    def chase_if(self, level: float) -> Grid:
        """Return the chase if a level end is worth `level` to the chasing side."""
        last = np.zeros(ceiling(self.rules) + 1)
        last[0], last[1] = 1.0, level
        shares = np.broadcast_to(last, (len(conditions().prior), len(last)))
        return self._solve(("chase", level), shares, self._chase_bins)

    def first(self, resources: tuple[float, float] | None = None, drift: float = 0.0) -> Grid:
        """Return the first innings by `ceiling` less runs made.

        `resources` of the two sides determine the target of a match cut by rain; `drift` is that of the chase.
        """
        key = self._key("first", resources, drift)
        return TABLES.get(key, lambda: self.first_after(self.chase_start, resources, drift))

    def has_first(self, resources: tuple[float, float] | None = None, drift: float = 0.0) -> bool:
        """Return whether the first innings is cached."""
        return TABLES.has(self._key("first", resources, drift))

    def first_after(self, chase: Table, resources: tuple[float, float] | None = None, drift: float = 0.0) -> Grid:
        """Return the innings that sets the target of a chase, whose start is worth `chase` [node, runs needed]."""
        runs = np.arange(ceiling(self.rules), -1, -1)
        targets = runs + 1
        if resources is not None:
            targets = np.array([par_score(int(total), *resources) + 1 for total in runs])
        following = chase[:, np.minimum(targets, chase.shape[1] - 1)]
        digest = blake2b(chase.tobytes(), digest_size=16).digest()
        last = 1 - conditions(drift).follows @ following
        return self._solve(("first", resources, drift, digest), last, None)

    def _key(self, *what: Hashable) -> Hashable:
        return (self.era, self.rules, *what)

    def _chase_bins(self, legal: int) -> NDArray[np.int64]:
        """Return the row of the chase table by runs needed."""
        scale = 6 * rate_scale(self.rules) / (self.rules.balls - legal)
        return np.array([chase_bin(scale * need) for need in range(ceiling(self.rules) + 1)])

    def _solve(self, what: tuple[Hashable, ...], last: Array, bins: Callable[[int], NDArray[np.int64]] | None) -> Grid:
        """Solve backwards from the end of the innings, whose worth is `last` [node, runs missing]."""
        rules = self.rules

        def back(legal: int, later: Array) -> tuple[Array, Array]:
            return self._one_ball(legal, later, last, None if bins is None else bins(legal))

        ended = np.broadcast_to(last[:, None], (len(last), rules.wickets + 1, last.shape[1]))
        return Grid(self._key(*what), rules.balls, ended, back)

    def _one_ball(self, legal: int, later: Array, last: Array, rows: NDArray[np.int64] | None) -> tuple[Array, Array]:
        """Return [node, wickets, runs missing] before this ball: (usual, on a free hit)."""
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
        outcomes = class_outcomes(self.balls.model, phase, self.balls.shares(legal, free_hit), free_hit)

        def lay(chances: Array) -> Array:
            chances = chances.transpose(1, 2, 0)  # [node, wickets, chase]
            return chances[..., :1] if rows is None else np.take(chances, rows, axis=-1)

        def split(chances: Array) -> list[tuple[int, Array]]:
            return [(runs, lay(chances[..., runs])) for runs in range(RUNS) if chances[..., runs].any()]

        extras = lay(outcomes.wide.sum(axis=-1) + outcomes.noball.sum(axis=-1))
        return Parts(split(outcomes.runs), split(outcomes.out), split(outcomes.wide), split(outcomes.noball), extras)


class Parts(NamedTuple):
    """Outcomes of a ball, as (runs, chances [node, wickets, runs missing]) of each kind, and the share of extras."""

    runs: list[tuple[int, Array]]
    out: list[tuple[int, Array]]
    wide: list[tuple[int, Array]]
    noball: list[tuple[int, Array]]
    extras: Array


def _sum(parts: list[tuple[int, Array]], value: Array) -> Array:
    """Return the sum over runs of chance times the value with so many fewer runs missing; none missing is a win."""
    size = value.shape[-1]
    padded = np.concatenate([np.ones((*value.shape[:-1], RUNS - 1)), value], axis=-1)
    out = np.zeros(value.shape)
    for runs, chances in parts:
        out += chances * padded[..., RUNS - 1 - runs : RUNS - 1 - runs + size]
    return out


@cache
def win_probability(era: str, rules: FormatRules) -> WinProbability:
    """Return the tables of an innings under `rules`: one object for each era, length and conditions."""
    return WinProbability(era, rules)


@lru_cache(maxsize=4)
def super_over(era: str, played_under: str) -> float:
    """Return the chance of the side that bats first in a Super Over.

    A level one is played again in the reverse order, so the chance s of batting first solves
    s = lost + (tied - lost) (1 - s), where the chase is worth s if level.
    """
    tables = WinProbability(era, super_over_rules(played_under))
    starts = (tables.chase_if(level).start for level in (1.0, 0.0))
    lost, tied = (tables.first_after(start).at(0, 0, ceiling(tables.rules)) for start in starts)
    return tied / (1 + tied - lost)
