"""A ball between average players who do what is natural: the ball model with all that is hidden averaged out.

Averages are taken of probabilities, not of odds: over where the ball lands and how it is varied, over pace and spin,
over who bats by now and how well set they are. What lasts longer than a ball (the day's pitch, how good these sides
are) cannot be averaged ball by ball; it stays apart, as a few conditions with their weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.cricket import tactics
from games.cricket.context import natural_bowler, resembles
from games.cricket.draws import ball_draws
from games.cricket.engine import BAT_RUNS, DOT, LEG_BYE, NOBALL, RUN_OUT, WICKET, WIDE
from games.cricket.innings import Innings
from games.cricket.model import DATA, SET_BIN, BallModel, along, ball_model
from games.cricket.rules import FormatRules
from games.cricket.teams import invented_teams
from games.cricket.vocab import CLASSES, GROUPS

Array = NDArray[np.float64]

RUNS: Final = 8
"""Runs that one delivery can bring, 0 to 7: six off a no-ball."""
STRIKER_FROM: Final = 32
"""Balls faced are counted to 31: beyond that a batter is as set as can be."""
_SET_BINS: Final = np.array(SET_BIN[:STRIKER_FROM])
_FACED: Final = (0.0, 1.5, 4.0, 7.5, 12.0, 17.5, 25.5, 36.0)
"""Balls faced in the middle of each row of the set-ness table."""
_TYPICAL_SET: Final = 3
"""Row of the set-ness table (6-9 balls faced) at which averages over landing are taken."""


def normal(weights: Array) -> Array:
    """Weights scaled to sum to 1 along the last axis."""
    scaled: Array = weights / weights.sum(axis=-1, keepdims=True)
    return scaled


# --- what lasts -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Conditions:
    """How good an innings is for batting, beyond the average: a standard normal on a few Gauss-Hermite nodes."""

    weights: Array
    """[node]"""
    factors: Array
    """[node, class]: odds factors."""
    follows: Array
    """[node of the first innings, node of the second]: the pitch is shared, the rest is drawn anew."""


NODES: Final = 3
_ABILITY: Final = DATA["ability"]
_BATTER: Final = float(_ABILITY["sd_batter"]) ** 2
_BOWLER: Final = float(_ABILITY["sd_bowler"]) ** 2 + tactics.PHASE_SD**2
"""Variances of ability along the directions on the odds."""
_BATTERS: Final = 4.0
_BOWLERS: Final = 5.0
"""How many batters and bowlers of equal weight share an innings, for the spread of a side's mean ability."""


@lru_cache(maxsize=1)
def conditions() -> Conditions:
    """Pitch, batting and bowling of an innings as one number: their directions on the odds are nearly the same."""
    pitch = float(_ABILITY["sd_match"]) ** 2
    sides = _BATTER / _BATTERS + _BOWLER / _BOWLERS
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    spread = float(pitch + sides) ** 0.5
    factors = np.array([along(_ABILITY["match_dir"], spread * float(node)) for node in nodes])
    shared, x, y = pitch / (pitch + sides), nodes[:, None], nodes[None, :]
    kernel = 1 + shared * x * y + shared**2 * (x**2 - 1) * (y**2 - 1) / 2  # Mehler's series
    return Conditions(normal(weights), factors, normal(np.maximum(kernel, 0) * weights))


NODES: Final = 3
_ABILITY: Final = DATA["ability"]
_BATTER: Final = float(_ABILITY["sd_batter"]) ** 2
_BOWLER: Final = float(_ABILITY["sd_bowler"]) ** 2 + tactics.PHASE_SD**2
"""Variances of ability along the directions on the odds."""
_BATTERS: Final = 4.0
_BOWLERS: Final = 5.0
"""How many batters and bowlers of equal weight share an innings, for the spread of a side's mean ability."""


@lru_cache(maxsize=1)
def conditions() -> Conditions:
    """Pitch, batting and bowling of an innings as one number: their directions on the odds are nearly the same."""
    pitch = float(_ABILITY["sd_match"]) ** 2
    sides = _BATTER / _BATTERS + _BOWLER / _BOWLERS
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    spread = float(pitch + sides) ** 0.5
    factors = np.array([along(_ABILITY["match_dir"], spread * float(node)) for node in nodes])
    shared = pitch / (pitch + sides)
    x, y = nodes[:, None], nodes[None, :]
    ratio = np.exp((2 * shared * x * y - shared**2 * (x**2 + y**2)) / (2 * (1 - shared**2)))
    return Conditions(normal(weights), factors, normal(ratio * weights))


# --- one ball ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def individuals() -> tuple[Array, Array]:
    """(odds factors [point, class], weights [point]) of how batter and bowler differ from their sides' averages."""
    spread = (_BATTER * (1 - 1 / _BATTERS) + _BOWLER * (1 - 1 / _BOWLERS)) ** 0.5
    nodes, weights = np.polynomial.hermite_e.hermegauss(3)
    return np.array([along(_ABILITY["batter_dir"], spread * float(node)) for node in nodes]), normal(weights)


def survivors(hazard: float, faced: float) -> Array:
    """Odds factors [class] of a batter still in after so many balls: the better ones last longer. `hazard` is the
    chance of a wicket on one ball."""
    expected = _BATTER * _PROTECTS * hazard * faced
    return np.array(along(_ABILITY["batter_dir"], expected))


_PROTECTS: Final = 0.5 + 0.45
"""How much log-hazard falls per unit of batting ability: by the wicket's own odds, and by what the others gain."""


@lru_cache(maxsize=8)
def spin_by_over(era: str, rules: FormatRules) -> Array:
    """[over]: how often spin bowls it, quotas and all, when invented sides choose naturally."""
    spin, model = np.zeros(rules.overs), ball_model(era)
    for seed in range(_TRIALS):
        side, innings = invented_teams(seed)[0], Innings(1, 1, rules)
        for over in range(rules.overs):
            innings.legal = 6 * over
            bowler = natural_bowler(innings, side, model, ball_draws(seed, 1, innings.legal, 0))
            innings.give_ball(bowler)
            innings.last_bowler = bowler
            spin[over] += side.players[bowler].group == "spin"
    return spin / _TRIALS


_TRIALS: Final = 300


@lru_cache(maxsize=16)
def landings(era: str, phase: int, group: int) -> tuple[Array, Array]:
    """(odds factors [point, class], shares [point]) of the natural lengths, lines and variations."""
    where = DATA["delivery"][GROUPS[group]]
    names, running = tactics.variation_mix(GROUPS[group], phase)
    varied = np.array([tactics.variation_factor(GROUPS[group], phase, name) for name in names])
    landed = np.array(ball_model(era).landed[phase][group])
    factors = varied[:, None, None, :] * landed[None]
    lengths, lines = np.array(where["length_mix"][phase]), np.array(where["line_mix"][phase])
    shares = np.diff(running, prepend=0.0)[:, None, None] * lengths[None, :, None] * lines[None, None, :]
    return factors.reshape(-1, len(CLASSES)), normal(shares.reshape(-1))


def crossed(one: tuple[Array, Array], other: tuple[Array, Array]) -> tuple[Array, Array]:
    """Two independent (factors [point, class], weights [point]) as one."""
    factors = one[0][:, None] * other[0][None]
    return factors.reshape(-1, factors.shape[-1]), np.outer(one[1], other[1]).reshape(-1)


class AverageBalls:
    """Shares of the classes by state, for one era and one length of innings."""

    def __init__(self, era: str, rules: FormatRules) -> None:
        self.model: BallModel = ball_model(era)
        self.rules = rules
        self.places = [resembles(rules, legal) for legal in range(rules.balls)]
        self._cells = sorted(set(self.places))
        self._cell = np.array([self._cells.index(place) for place in self.places])
        self._set = np.array(self.model.set_ness)
        self._position = np.array(self.model.position)
        wickets = np.arange(rules.wickets)
        self._newest = self._position[np.minimum(wickets + 1, 10)]
        self._older = np.array([older_positions(w) for w in range(rules.wickets)])
        self._typical = self._set[_TYPICAL_SET] * np.sqrt(self._position[wickets] * self._newest)
        spin = spin_by_over(era, rules)
        self._groups = np.stack([1 - spin, spin], axis=1)
        self._landed = self._over_landings(era)
        early = self._landed[0, self._cell, :, min(2, rules.wickets - 1), 0, WICKET]
        hazard = float(np.mean(np.sum(early * self._groups[np.arange(rules.balls) // 6], axis=1)))
        self.set_ness = self._set * np.array([survivors(hazard, faced) for faced in _FACED])
        """[row, class]: what balls faced do to the odds, and what they say of the batter."""
        self._batters = self._factors()
        self._facing = self._who_faces()

    def _over_landings(self, era: str) -> Array:
        """[free hit, cell, group, wickets, chase, class]: shares for typical batters, averaged over landings."""
        model, rules = self.model, self.rules
        chase = np.array(tactics.tempo(rules)) * np.array(model.chase)
        rest = np.array(model.free_hit)[:, None, None] * self._typical[:, None] * chase
        out = np.empty((len(self._cells), len(GROUPS), *rest.shape))
        for c, (over, phase) in enumerate(self._cells):
            for group in range(len(GROUPS)):
                context = np.array([model.context(over, phase, group, w) for w in range(rules.wickets)])
                base = context[:, None] * rest
                factors, shares = crossed(landings(era, phase, group), individuals())
                out[c, group] = base * ((shares / (base @ factors.T)) @ factors)
        return np.moveaxis(out, 2, 0)

    def shares(self, legal: int, free_hit: bool) -> Array:
        """[chase, node, wickets, class] of the ball after `legal` legal ones."""
        cell = self._cell[legal]
        lasting = conditions().factors[:, None, :]
        out = np.zeros(())
        for group, share in enumerate(self._groups[legal // 6]):
            landed = self._landed[int(free_hit), cell, group]  # [wickets, chase, class]
            usual = landed[:, 0]
            seen = np.einsum("wns,wnsk->wk", self._facing[legal], normal(usual[:, None, None, :] * self._batters))
            out = out + share * normal(landed.swapaxes(0, 1)[:, None] * (seen / usual) * lasting)
        return out

    def _factors(self) -> Array:
        """[wickets, older or newest, set, class]: odds factors relative to the typical batter's."""
        who = np.stack([self._older @ self._position, self._newest], axis=1)
        factors: Array = who[:, :, None, :] * self.set_ness / self._typical[:, None, None, :]
        return factors

    def _who_faces(self) -> Array:
        """Who faces when: [legal, wickets, older or newest, set], given wickets down.

        Exact for a first innings in average conditions, but that run outs are taken for the striker's and that either
        batter is as likely to be the next out, as to the positions of those who remain.
        """
        wickets, size = self.rules.wickets, STRIKER_FROM
        state = np.zeros((wickets + 1, 2, size, size))  # wickets, newest on strike, faced by striker, by the other
        state[0, 0, 0, 0] = 1.0
        out = np.zeros((self.rules.balls, wickets, 2, len(self._set)))
        grouping = np.eye(len(self._set))[_SET_BINS]
        for legal in range(self.rules.balls):
            facing = state[:wickets].sum(axis=3) @ grouping
            out[legal] = facing
            state = self._ball_later(state, legal)
        fresh = np.zeros_like(out[0, 0])
        fresh[1, 0] = 1.0
        seen = out.sum(axis=(2, 3), keepdims=True)
        faces: Array = np.where(seen > 1e-30, out / np.maximum(seen, 1e-300), fresh)
        return faces

    def _ball_later(self, state: Array, legal: int) -> Array:
        cell, wickets = self._cell[legal], self.rules.wickets
        usual = self._landed[0, cell, :, :, 0]  # [group, wickets, class]
        p = np.einsum("g,gwnsk->wnsk", self._groups[legal // 6], normal(usual[:, :, None, None, :] * self._batters))
        p = p[:, :, _SET_BINS]  # [wickets, newest on strike, faced, class]
        p = p / (1 - p[..., [WIDE, NOBALL]].sum(axis=-1, keepdims=True))
        gone = p[..., WICKET] + p[..., RUN_OUT]
        turned = p[..., 1] + p[..., 3] + p[..., LEG_BYE]
        turned, gone = turned[..., None], gone[..., None]
        live = state[:wickets]
        later = np.zeros_like(state)
        stays, swaps = _one_more(live * (1 - gone - turned)), _one_more(live * turned)
        later[:wickets] = stays + swaps[:, ::-1].swapaxes(2, 3)
        later[1:, 1, 0, :] += (live * gone).sum(axis=(1, 2))
        if (legal + 1) % 6 == 0:
            later = later[:, ::-1].swapaxes(2, 3)
        return later


def _one_more(state: Array) -> Array:
    """The striker has faced one more ball."""
    out = np.zeros_like(state)
    out[:, :, 1:] = state[:, :, :-1]
    out[:, :, -1] += state[:, :, -1]
    return out


def older_positions(wickets: int) -> Array:
    """Places in the order [0-10] of the batter who is not the newest, when either was as likely to be out each time."""
    share = np.zeros(11)
    left = 1.0
    for place in range(min(wickets, 10), 0, -1):
        share[place] = left = left / 2
    share[0] = left
    return share


# --- what a class brings ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Brings:
    """Probabilities of what a ball brings, each [..., runs]: the legal ones, a wide, a no-ball."""

    runs: Array
    out: Array
    """A wicket falls, with so many runs."""
    wide: Array
    noball: Array


def brings(model: BallModel, phase: int, shares: Array, free_hit: bool) -> Brings:
    """From shares [..., class] to runs and wickets. Stumpings off wides are left out: one wide in two hundred.

    So are the umpire's errors that natural reviews leave standing: wrong outs and missed ones cancel (0.5 per cent of
    wickets each).
    """
    runs = shares[..., :6] @ _BAT
    bye = model.draws["bye_share"][phase]
    extra = bye * _spread(model.draws["bye_runs"]) + (1 - bye) * _spread(model.draws["legbye_runs"])
    runs = runs + shares[..., LEG_BYE, None] * extra
    out = shares[..., RUN_OUT, None] * _spread(model.draws["runout"]["completed"])
    if free_hit:
        runs[..., DOT] += shares[..., WICKET]
    else:
        out[..., 0] += shares[..., WICKET]
    wide = shares[..., WIDE, None] * _spread(model.draws["wide_runs"])
    bat = normal(shares[..., :6]) @ _BAT
    noball = np.roll(bat, 1, axis=-1)
    noball[..., -1] += noball[..., 0]
    noball[..., 0] = 0.0
    return Brings(runs, out, wide, shares[..., NOBALL, None] * noball)


_BAT: Final = np.eye(RUNS)[list(BAT_RUNS)]


def _spread(shares: dict[str, float]) -> Array:
    """Shares by runs as an array [runs], summing to 1."""
    out = np.zeros(RUNS)
    for runs, share in shares.items():
        out[min(int(runs), RUNS - 1)] += share
    return normal(out)
