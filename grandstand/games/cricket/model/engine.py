"""One delivery: from both captains' choices and the keyed draws to its outcome. Pure; the Laws come after.

`bowl` determines the truth and the umpire's first decision; the captains decide on a review.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from grandstand.games.cricket.laws.cards import BOWLER_END, STRIKER_END, Ball, Dismissal
from grandstand.games.cricket.laws.field import Field
from grandstand.games.cricket.model import fielding, reading, tactics
from grandstand.games.cricket.model.ball_model import SET_BIN, Array, BallModel, Weights, cumulative, pick, times
from grandstand.games.cricket.model.keeper import behind_share, bye_share
from grandstand.games.cricket.model.keyed_random import DrawChannel, Row
from grandstand.games.cricket.model.picture.landing import line_of_extra
from grandstand.games.cricket.model.umpire import HIGH, Appeal, doubted_extra, given_or_missed, turned_down_or_wrong
from grandstand.games.cricket.vocab import BOUNCER, FULL_TOSS, GROUPS, LEAVE, SHOT_FAMILY

DOT, WICKET, RUN_OUT, WIDE, NOBALL, LEG_BYE = 0, 6, 7, 8, 9, 10
BAT_RUNS = (0, 1, 2, 3, 4, 6)
SHORT = BOUNCER - 1
TOO_MANY_BOUNCERS = "too many bouncers in the over"
_STUMPED_OFF_WIDE = 0.0051
_RUN_OUT_OFF_WIDE = 0.0020
"""Shares of wides, IPL 2008-24 (42 stumped, 16 run out)."""
WAIST_HIGH = 0.5
"""OURS: the share of full tosses among no-balls that are called for their height."""
_OBSTRUCTING = 0.0024
"""Share of this class that was obstructing the field, IPL 2008-24; timed out and hit twice never happened there."""


class BallMoment(NamedTuple):
    """The state that the odds depend on."""

    over: int
    """The over of a 20-over innings that this one resembles, 0-19."""
    phase: int
    group: int
    wickets: int
    faced: int
    chase: int
    free_hit: bool


class BallChoice(NamedTuple):
    """Both captains' calls for one ball. `aim` holds bins or tactics.NATURAL; `variation` None is natural."""

    aim: tuple[int, int] = (tactics.NATURAL, tactics.NATURAL)
    variation: str | None = None
    intent: str = "normal"
    shot: str = "natural"
    read: float = 0.0
    """The amount by which the batters have read it, 0 to 1 (`reading.py`)."""


class Setting(NamedTuple):
    """The parameters of one delivery. `pair` has the odds factors of the batter, the bowler, and everything that lasts
    an innings; `standard` is the state's standard field; `foul` a fielding breach; `bouncers_left` the number that the
    over still allows; `reviews_of_extras` as in `FormatRules`; `row` the ball's draws."""

    moment: BallMoment
    pair: Weights
    accuracy: float
    choice: BallChoice
    field: Field
    standard: Field
    bouncers_left: int
    foul: str | None
    striker: int
    non_striker: int
    row: Row
    reviews_of_extras: bool = False


@dataclass(slots=True)
class Delivery:
    """The outcome of a delivery before any review: `ball` is how it counts if the truth prevails. Its fielders are
    empty: another module assigns them."""

    setting: Setting
    kind: int
    length: int
    line: int
    variation: str
    ball: Ball
    appeal: Appeal | None
    noball_for: str | None

    def decided(self) -> tuple[Ball, Ball]:
        """Return the ball as the umpire gave it, and as it counts if a review reverses that."""
        appeal = self.appeal
        if appeal is None:
            return self.ball, self.ball
        return (self.ball, appeal.other) if appeal.given_out == appeal.out else (appeal.other, self.ball)


def odds(
    model: BallModel,
    moment: BallMoment,
    pair: Weights,
    choice: BallChoice,
    landed: tuple[int, int],
    variation: str,
    fields: tuple[Field, Field],
) -> list[float]:
    """Return the unnormalised odds of the eleven classes. `pair` and `fields` (set, standard) as in `Setting`."""
    state = state_odds(model, moment, model.set_ness[SET_BIN[moment.faced]], pair)
    called = call_odds(
        model, moment.phase, moment.group, landed, variation, choice.intent, SHOT_FAMILY.get(choice.shot), fields
    )
    if choice.read:
        called = times(called, reading.read_factor(choice.read))
    return [a * b for a, b in zip(state, called, strict=True)]


def state_odds(model: BallModel, moment: BallMoment, set_ness: Weights, rest: Weights) -> list[float]:
    """Return the odds of the state alone; `set_ness` is the effect of balls faced, `rest` that of the players, the day
    and the length.

    The odds of a ball are these, times `call_odds`, times the factor of being read.
    """
    over, phase, group, wickets, _, chase, free_hit = moment
    state = model.situation(over, phase, group, wickets, chase, free_hit)
    return [a * b * c for a, b, c in zip(state, set_ness, rest, strict=True)]


@lru_cache(maxsize=1024)
def call_odds(
    model: BallModel,
    phase: int,
    group: int,
    landed: tuple[int, int],
    variation: str,
    intent: str,
    family: str | None,
    fields: tuple[Field, Field],
) -> Weights:
    """Return the odds factors of both captains' calls for a ball that landed so, in these fields (set, standard)."""
    table = call_table(model, phase, group, variation, intent, family, fields)
    return tuple(table[landed].tolist())


@lru_cache(maxsize=64)
def call_table(
    model: BallModel,
    phase: int,
    group: int,
    variation: str,
    intent: str,
    family: str | None,
    fields: tuple[Field, Field],
) -> Array:
    """Return [length, line, class]: `call_odds` for each cell where the ball may land."""
    out = np.array(model.landed[phase][group]) * tactics.variation_factor(GROUPS[group], phase, variation)
    if intent != "normal":
        out *= tactics.intent_factor(intent, phase)
    if family is not None:
        out *= tactics.shot_table(family, phase, group)
    if family is not None or intent != "normal" or fields[0] is not fields[1]:
        out *= fielding.field_table(*fields, phase, group, family, intent)
    if fields[0].keeper_up and group == 0:
        out *= model.keeper_up(phase)
    return out


def draw(weights: list[float], uniform: float) -> int:
    """Return the index of the class that `uniform` in (0, 1) falls into."""
    left = uniform * sum(weights)
    for i, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return i
    return 0


def bowl(model: BallModel, setting: Setting) -> Delivery:
    """Play one delivery out to the umpire's first decision. A foul makes a no-ball of any ball."""
    moment, choice, row = setting.moment, setting.choice, setting.row
    phase, group, striker = moment.phase, moment.group, setting.striker
    length, line = tactics.land(model, phase, group, choice.aim, setting.accuracy, row)
    noball_for = setting.foul
    if length == BOUNCER and setting.bouncers_left <= 0:
        if choice.aim[0] != BOUNCER:
            length = SHORT  # no bowler intends a bouncer beyond those that the over allows
        elif noball_for is None:
            noball_for = TOO_MANY_BOUNCERS
    variation = choice.variation or _natural_variation(group, phase, row)
    fields = (setting.field, setting.standard)
    weights = odds(model, moment, setting.pair, choice, (length, line), variation, fields)
    kind = NOBALL if noball_for else draw(weights, row[DrawChannel.OUTCOME])
    appeal = None
    left, up = choice.shot == LEAVE, setting.field.keeper_up and group == 0
    dismissals, running = model.kinds(phase, group, length, line, left, up) if kind == WICKET else ([], [])
    if kind == WICKET and not dismissals:
        kind = DOT  # a bouncer that is left alone takes no wicket
    if kind <= 5:
        ball = Ball(BAT_RUNS[kind], boundary=kind >= 4)
        if kind == DOT and not moment.free_hit:
            appeal = turned_down_or_wrong(model, (length, line), left, striker, row)
    elif kind == WICKET:
        how = dismissals[pick(running, row[DrawChannel.KIND])]
        ball = Ball(dismissal=None if moment.free_hit else Dismissal(how, striker))
        appeal = None if moment.free_hit else given_or_missed(model, how, behind_share(up), striker, row)
    elif kind == RUN_OUT:
        ball = _run_out(model, striker, setting.non_striker, left, row)
    elif kind == WIDE:
        ball = _wide(model, group, moment.free_hit, striker, row)
    elif kind == NOBALL:
        runs_kind = draw(weights[:6], row[DrawChannel.EXTRA])
        ball = Ball(BAT_RUNS[runs_kind], boundary=runs_kind >= 4, noball=True)
        noball_for = noball_for or _front_foot_or_height(length, row)
    else:
        ball = _byes(model, bye_share(model.draws["bye_share"][phase], up), left, row)
    line = line_of_extra(ball, length, line, row)
    appeal = appeal or doubted_extra(setting.reviews_of_extras, ball, (length, line), noball_for, row)
    return Delivery(setting, kind, length, line, variation, ball, appeal, noball_for)


def _natural_variation(group: int, phase: int, row: Row) -> str:
    """Return the variation of a ball without a call: only pace bowlers bowl others than the stock ball."""
    names, running = tactics.variation_mix(GROUPS[group], phase)
    return names[pick(running, row[DrawChannel.VARIATION])] if group == 0 else "stock"


def _front_foot_or_height(length: int, row: Row) -> str:
    """Return the cause of a no-ball without another cause."""
    high = length == FULL_TOSS and row[DrawChannel.KIND] < WAIST_HIGH
    return HIGH if high else "overstepping"


def _run_out(model: BallModel, striker: int, non_striker: int, left: bool, row: Row) -> Ball:
    """Return a run out by measured shares: the batter who is out and the runs completed.

    Which batter is out is drawn by an assumption of ours. Runs off a ball that was left alone are byes.
    """
    table = model.draws["runout"]
    completed = int(_keyed(table["completed"], row[DrawChannel.EXTRA]))
    striker_out = row[DrawChannel.KIND] < table["striker_out"]
    crossed = row[DrawChannel.CROSSED] < 0.7
    striker_at = STRIKER_END if completed % 2 == 0 else BOWLER_END  # where the striker's run in progress began
    other = BOWLER_END if striker_at == STRIKER_END else STRIKER_END
    began = striker_at if striker_out else other
    end = (other if striker_out else striker_at) if crossed else began
    if row[DrawChannel.MISHAP] > 1 - _OBSTRUCTING:
        return Ball(dismissal=Dismissal("obstructing the field", striker))
    out = Dismissal("run out", striker if striker_out else non_striker, end=end)
    return Ball(completed, "byes" if left else "bat", dismissal=out)


def _wide(model: BallModel, group: int, free_hit: bool, striker: int, row: Row) -> Ball:
    runs = int(_keyed(model.draws["wide_runs"], row[DrawChannel.EXTRA])) - 1
    ball = Ball(runs, "wides", boundary=runs == 4, wide=True)
    stumped = _STUMPED_OFF_WIDE * (2.5 if group else 0.1)
    if runs == 0 and not free_hit and row[DrawChannel.KIND] < stumped:
        ball.dismissal = Dismissal("stumped", striker)
    elif runs == 0 and row[DrawChannel.KIND] > 1 - _RUN_OUT_OFF_WIDE:
        ball.dismissal = Dismissal("run out", striker)
    return ball


def _byes(model: BallModel, share: float, left: bool, row: Row) -> Ball:
    bye = left or row[DrawChannel.KIND] < share
    runs = int(_keyed(model.draws["bye_runs" if bye else "legbye_runs"], row[DrawChannel.EXTRA]))
    return Ball(runs, "byes" if bye else "legbyes", boundary=runs == 4)


def _keyed(shares: dict[str, float], uniform: float) -> str:
    return list(shares)[pick(cumulative(list(shares.values())), uniform)]
