"""A ball between average players with natural calls: the ball model, averaged over hidden quantities.

Averages are taken of probabilities, not of odds: over landings and variations, over pace and spin, and over the batters
at the wicket and how well set they are. Quantities that last longer than a ball (the day's pitch, the quality of the
sides) cannot be averaged ball by ball: they are separate, as a few conditions with weights.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from grandstand.games.cricket.laws.field import PRESETS, Field, field_of
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import FormatRules
from grandstand.games.cricket.model import tactics
from grandstand.games.cricket.model.ball_model import SET_BIN, SET_ROWS, Array, BallModel, ball_model
from grandstand.games.cricket.model.context import natural_bowler, resembles
from grandstand.games.cricket.model.engine import (
    BAT_RUNS,
    DOT,
    LEG_BYE,
    NOBALL,
    RUN_OUT,
    SHORT,
    WICKET,
    WIDE,
    BallChoice,
    BallMoment,
    call_table,
    state_odds,
)
from grandstand.games.cricket.model.keyed_random import ball_draws
from grandstand.games.cricket.model.priors import (
    BATTER_UNKNOWN,
    Points,
    conditions,
    crossed,
    individuals,
    normal,
    survivors,
)
from grandstand.games.cricket.model.table_cache import TABLES
from grandstand.games.cricket.model.teams import invented_teams
from grandstand.games.cricket.vocab import BOUNCER, CLASSES, GROUPS, SHOT_FAMILY

RUNS: Final = 8
"""The number of possible runs of one delivery, 0 to 7: six off a no-ball."""
STRIKER_FROM: Final = SET_BIN.index(SET_ROWS - 1) + 1
"""The number of balls faced at the last row of the set-ness table; further balls change nothing."""
_SET_BINS: Final = np.array(SET_BIN[:STRIKER_FROM])
_FACED: Final = (0.0, 1.5, 4.0, 7.5, 12.0, 17.5, 25.5, 36.0, 52.0)
"""Balls faced in the middle of each row of the set-ness table."""
_STANDARD: Final = field_of(PRESETS["middle_pace"])
"""Any field: it is also the standard one, so it changes no odds."""
_TYPICAL_SET: Final = 3
"""Row of the set-ness table (6-9 balls faced) at which averages over landing are taken."""


SPIN_FILE: Final = Path(__file__).parents[1] / "data" / "spin.json"
SPIN_TRIALS: Final = 300


def spin_by_over(era: str, rules: FormatRules) -> Array:
    """Return [over]: the share of overs of spin, within the quotas, if invented sides choose naturally."""
    data = _spin()
    counts: Array = np.array(data[f"{era} {rules.league}"][0 if rules.super_over else rules.overs], dtype=float)
    return counts / SPIN_TRIALS


@cache
def _spin() -> dict[str, Any]:
    """Return by era and conditions the counts of each over: of a Super Over, then of matches of 1 to 50 overs."""
    data: dict[str, Any] = json.loads(SPIN_FILE.read_text(encoding="utf-8"))
    return data


def count_spin(era: str, rules: FormatRules) -> list[int]:
    """Return how many of SPIN_TRIALS sampled innings spin bowls each over of."""
    spin, model = [0] * rules.overs, ball_model(era)
    for seed in range(SPIN_TRIALS):
        side, innings = invented_teams(seed)[0], Innings(1, 1, rules)
        for over in range(rules.overs):
            innings.legal = 6 * over
            bowler = natural_bowler(innings, side, model, ball_draws(seed, 1, innings.legal, 0))
            innings.give_ball(bowler)
            innings.last_bowler = bowler
            spin[over] += side.players[bowler].group == "spin"
    return spin


def varied(group: str, phase: int, variation: str | None) -> Points:
    """Return a variation, or the natural blend where it is None."""
    names, running = ((variation,), [1.0]) if variation is not None else tactics.variation_mix(group, phase)
    factors = np.array([tactics.variation_factor(group, phase, name) for name in names])
    return factors, np.diff(running, prepend=0.0)


@lru_cache(maxsize=128)
def called(
    era: str,
    phase: int,
    group: int,
    choice: BallChoice,
    fields: tuple[Field, Field],
    bouncers: str = "bowled",
    accuracy: float = tactics.TYPICAL_ACCURACY,
) -> Points:
    """Return the odds factors of both captains' calls, by where the ball may land and how it may be varied.

    `fields` are (set, standard). `bouncers` is the treatment of such balls: bowled, shortened, or called, and then left
    out here. The effect of being read is not included.
    """
    landings = tactics.landing_odds(phase, group, choice.aim, accuracy)
    if bouncers == "called":
        landings = tuple(landing for landing in landings if landing[0] != BOUNCER)
    family = SHOT_FAMILY.get(choice.shot)
    table = call_table(ball_model(era), phase, group, "natural", choice.intent, family, fields)
    lengths = [SHORT if length == BOUNCER and bouncers == "shortened" else length for length, _, _ in landings]
    factors = table[lengths, [line for _, line, _ in landings]]
    landed = factors, normal(np.array([share for _, _, share in landings]))
    return crossed(landed, varied(GROUPS[group], phase, choice.variation))


class AverageBalls:
    """Shares of the classes by state, for one era and one length of innings. Built by `average_balls`."""

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
        """[row, class]: the effect of balls faced on the odds, and what it implies for the batter's ability."""
        self.known_set_ness = self._set * np.array([survivors(hazard, faced, BATTER_UNKNOWN) for faced in _FACED])
        """The same for a batter whose figures of the season are known."""
        self._batters = self._factors()
        self.facing = self._who_faces()
        """[legal, wickets, older or newest, row of set-ness]: the probability that this batter is on strike."""

    @property
    def nbytes(self) -> int:
        return self._landed.nbytes + self.facing.nbytes

    def _over_landings(self, era: str) -> Array:
        """Return [free hit, cell, group, wickets, chase, class]: shares for typical batters, averaged over landings."""
        model, rules = self.model, self.rules
        tempo, natural = tactics.tempo(rules), BallChoice()
        states = list(product((False, True), range(rules.wickets), range(len(model.chase))))
        out = np.empty((len(self._cells), len(GROUPS), 2, rules.wickets, len(model.chase), len(CLASSES)))
        for c, (over, phase) in enumerate(self._cells):
            for group in range(len(GROUPS)):
                moments = (BallMoment(over, phase, group, w, 0, chase, free) for free, w, chase in states)
                odds = [state_odds(model, moment, self._typical[moment.wickets], tempo) for moment in moments]
                base = np.array(odds).reshape(out.shape[2:])
                points = called(era, phase, group, natural, (_STANDARD, _STANDARD))
                factors, shares = crossed(points, individuals())
                out[c, group] = base * ((shares / (base @ factors.T)) @ factors)
        return np.moveaxis(out, 2, 0)

    def shares(self, legal: int, free_hit: bool) -> Array:
        """Return [chase, node, wickets, class] of the ball after `legal` legal ones."""
        cell = self._cell[legal]
        lasting = conditions().factors[:, None, :]
        out = np.zeros(())
        for group, share in enumerate(self._groups[legal // 6]):
            landed = self._landed[int(free_hit), cell, group]  # [wickets, chase, class]
            usual = landed[:, 0]
            total = np.einsum("wns,wnsk->wk", self.facing[legal], normal(usual[:, None, None, :] * self._batters))
            out = out + share * normal(landed.swapaxes(0, 1)[:, None] * (total / usual) * lasting)
        return out

    def _factors(self) -> Array:
        """Return [wickets, older or newest, set, class]: odds factors relative to the typical batter's."""
        who = np.stack([self._older @ self._position, self._newest], axis=1)
        factors: Array = who[:, :, None, :] * self.set_ness / self._typical[:, None, None, :]
        return factors

    def _who_faces(self) -> Array:
        """Return [legal, wickets, older or newest, set]: the shares of the facing batter, by wickets down. They are
        exact for a first innings in average conditions, except for two assumptions: every run out is the striker's, and
        for the positions of the remaining batters either one is equally likely to be the next out."""
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
        total = out.sum(axis=(2, 3), keepdims=True)
        faces: Array = np.where(total > 1e-30, out / np.maximum(total, 1e-300), fresh)
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


def average_balls(era: str, rules: FormatRules) -> AverageBalls:
    return TABLES.get(("balls", era, rules), lambda: AverageBalls(era, rules))


def _one_more(state: Array) -> Array:
    """Return the shares after the striker has faced one more ball."""
    out = np.zeros_like(state)
    out[:, :, 1:] = state[:, :, :-1]
    out[:, :, -1] += state[:, :, -1]
    return out


def older_positions(wickets: int) -> Array:
    """Return the shares of the places in the order [0-10] of the batter who is not the newest. Either batter is assumed
    to be equally likely to be out each time."""
    share = np.zeros(11)
    left = 1.0
    for place in range(min(wickets, 10), 0, -1):
        share[place] = left = left / 2
    share[0] = left
    return share


# --- what a class brings ----------------------------------------------------------------------------------------------


class BallOutcome(NamedTuple):
    """Probabilities of a ball's outcomes, each [..., runs]: the legal ones, a wide, a no-ball."""

    runs: Array
    out: Array
    """The probability of a wicket, by runs."""
    wide: Array
    noball: Array


def class_outcomes(model: BallModel, phase: int, shares: Array, free_hit: bool) -> BallOutcome:
    """Convert shares [..., class] to runs and wickets. Stumpings off wides are left out: one wide in two hundred.

    So are the umpire's errors that natural reviews leave standing: wrong outs and missed ones cancel (0.5 per cent of
    wickets each).
    """
    extra, run_out, wides = _extras(model, phase)
    runs = shares[..., :6] @ _BAT
    runs = runs + shares[..., LEG_BYE, None] * extra
    out = shares[..., RUN_OUT, None] * run_out
    if free_hit:
        runs[..., DOT] += shares[..., WICKET]
    else:
        out[..., 0] += shares[..., WICKET]
    return BallOutcome(runs, out, shares[..., WIDE, None] * wides, shares[..., NOBALL, None] * noball_runs(shares))


@lru_cache(maxsize=8)
def _extras(model: BallModel, phase: int) -> tuple[Array, Array, Array]:
    """Return the runs [runs] of byes and leg-byes, completed before a run out, and of wides."""
    draws = model.draws
    bye = draws["bye_share"][phase]
    byes = bye * _spread(draws["bye_runs"]) + (1 - bye) * _spread(draws["legbye_runs"])
    return byes, _spread(draws["runout"]["completed"]), _spread(draws["wide_runs"])


@lru_cache(maxsize=8)
def class_runs(model: BallModel, phase: int) -> Array:
    """Return [class, runs]: the distribution of runs of a ball of each class, extras included; a wicket has none.

    The runs off the bat of a no-ball are assumed to be those of the phase.
    """
    extra, run_out, wides = _extras(model, phase)
    usual = np.array(model.draws["phase_targets"][phase])
    out = np.zeros((len(CLASSES), RUNS))
    out[:6] = _BAT
    out[[WICKET, RUN_OUT, WIDE, NOBALL, LEG_BYE]] = np.eye(RUNS)[0], run_out, wides, noball_runs(usual), extra
    return out


def worth(model: BallModel, phase: int) -> Array:
    """Return [class]: the mean runs of a ball of each class."""
    mean: Array = class_runs(model, phase) @ np.arange(RUNS)
    return mean


def noball_runs(shares: Array) -> Array:
    """Return [..., runs] of a no-ball: one, and the runs off the bat."""
    out: Array = normal(shares[..., :6]) @ _BAT_AND_ONE
    return out


_BAT: Final = np.eye(RUNS)[list(BAT_RUNS)]
_BAT_AND_ONE: Final = np.eye(RUNS)[[runs + 1 for runs in BAT_RUNS]]


def _spread(shares: dict[str, float]) -> Array:
    """Return shares by runs as an array [runs], summing to 1."""
    out = np.zeros(RUNS)
    for runs, share in shares.items():
        out[min(int(runs), RUNS - 1)] += share
    return normal(out)
