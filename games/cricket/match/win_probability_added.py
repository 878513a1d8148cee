"""Who is likely to win, ball by ball, and what moved it: each captain's choice, who met whom, luck.

After every ball the change of the home side's chance falls into four parts that sum to it exactly:
  matchup   what the tables average over and this ball did not: who faced, how well set, pace or spin;
  decisions each captain's call against the natural one, given that both called at once: the mean of its effect with
            and without the other's call, so that the two sum to the effect of both (Shapley);
  luck      what came, against what was to be expected of both calls.
All by public knowledge: average players, and of the day what its play has told. A captain gains nothing here by
guessing a hidden ability, and gives none away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from grandstand.games.cricket.events import BallBowled, ChanceChanged
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.match.results import target, too_short
from grandstand.games.cricket.model.average import RUNS, Brings
from grandstand.games.cricket.model.engine import Choice, Setting
from grandstand.games.cricket.model.priors import Array, Belief, as_belief, before_innings
from grandstand.games.cricket.model.public_ball import PublicBall, ball_brings
from grandstand.games.cricket.model.tactics import NATURAL
from grandstand.games.cricket.model.win_probability import Grid, Table, ceiling, win_probability
from grandstand.games.cricket.types import Call, Decision
from grandstand.games.cricket.vocab import LENGTHS, LINES, SEATS

if TYPE_CHECKING:
    from grandstand.games.cricket.match.contest import Contest

_RUNS, _OUT, _WIDE, _NOBALL = range(len(Brings._fields))
_BY_RUNS: Final = np.arange(RUNS)
_DIGITS: Final = 5


class Weighed(NamedTuple):
    """One ball from the batting side's view, before it is bowled: chances, and what each call is worth."""

    before: float
    natural: float
    """To be expected of natural calls by those who meet."""
    expected: float
    """To be expected of the calls made."""
    batting: float
    bowling: float
    """What each call adds to the batting side's chance; the two sum to `expected` less `natural`."""
    chances: Array
    """[kind, node, runs]: what the ball may bring, with the calls made."""
    setting: Setting
    field: str | tuple[str, ...]


def weigh(match: Contest, setting: Setting) -> Weighed:
    """What is to be expected of the ball that `setting` describes, which is about to be bowled."""
    grid, missing = _grid(match)
    worth, belief = _worths(grid, match.now, missing), np.array(match.belief)

    def expected(ball: PublicBall) -> float:
        return float(belief @ (ball_brings(ball) * worth).sum(axis=(0, 2)))

    balls = _balls(match, setting)
    seen = {ball: expected(ball) for ball in set(balls)}
    natural, bats, bowls, both = (seen[ball] for ball in balls)
    batting, bowling = (bats - natural + both - bowls) / 2, (bowls - natural + both - bats) / 2
    chances = ball_brings(balls[-1])
    return Weighed(batting_chance(match), natural, both, batting, bowling, chances, setting, match.field_choice)


def learned(match: Contest, chances: Array, told: BallBowled) -> Belief:
    """What is believed of the innings' conditions after the ball that `told` tells of (Bayes' rule)."""
    extras = told.extras or {}
    kind = _WIDE if "wides" in extras else _NOBALL if "noballs" in extras else _RUNS if told.wicket is None else _OUT
    now = np.array(match.belief) * chances[kind, :, min(told.total, RUNS - 1)]
    return as_belief(now) if now.sum() > 0 else match.belief


def chance_changed(match: Contest, weighed: Weighed, ball: str) -> ChanceChanged:
    """The event of a ball that has just been counted. `match.now` is still its innings."""
    innings = match.now
    after = batting_chance(match)
    sign = 1 if innings.batting_side == 0 else -1
    batting, bowling = _calls(weighed)
    seats = SEATS[innings.batting_side], SEATS[innings.bowling_side]
    return ChanceChanged(
        innings=innings.number,
        ball=ball,
        home=_round(after if sign == 1 else 1 - after),
        swing=_round(sign * (after - weighed.before)),
        matchup=_round(sign * (weighed.natural - weighed.before)),
        luck=_round(sign * (after - weighed.expected)),
        decisions=[
            {"seat": seats[0], "choice": batting, "delta": _round(weighed.batting)},
            {"seat": seats[1], "choice": bowling, "delta": _round(-weighed.bowling)},
        ],
    )


def chance_between(match: Contest, before: float, cause: str) -> ChanceChanged:
    """The event of something between balls that changed home's chance from `before`: `toss`, where the winner decided;
    `matchup`, where a batter has left; `luck`, which is weather, or nothing at the very start."""
    home = home_chance(match)
    swing = home - before
    won = match.toss_winner
    choice: Call = {"decision": "bat" if match.innings and match.innings[0].batting_side == won else "field"}
    toss: Decision = {"seat": SEATS[won], "choice": choice, "delta": _round(swing if won == 0 else -swing)}
    return ChanceChanged(
        innings=len(match.innings),
        ball=match.now.name if match.innings else "",
        home=_round(home),
        swing=_round(swing),
        matchup=_round(swing) if cause == "matchup" else 0.0,
        luck=_round(swing) if cause == "luck" else 0.0,
        decisions=[toss] if cause == "toss" else [],
    )


# --- chances ----------------------------------------------------------------------------------------------------------


def home_chance(match: Contest) -> float:
    """Chance of the home side, for average players who do what is natural; 0.5 of a tie or no result."""
    if match.result is not None:
        return match.result.scores[SEATS[0]]
    if match.innings:
        chance = batting_chance(match)
        return chance if match.now.batting_side == 0 else 1 - chance
    tables = win_probability(match.options.era, format_rules(match.options.overs, match.options.conditions))
    bats, fields_first = tables.first().at(0, 0, ceiling(tables.rules)), float(match.model.draws["field_first"])
    winner = fields_first * (1 - bats) + (1 - fields_first) * bats
    return winner if match.toss_winner == 0 else 1 - winner


def batting_chance(match: Contest) -> float:
    """Chance of the side that bats in the innings now on, or just closed."""
    innings = match.now
    if innings.closed is None:
        grid, missing = _grid(match)
        return grid.at(innings.legal, innings.wickets, missing, innings.free_hit, match.belief)
    tables = win_probability(match.options.era, innings.rules)
    rained = innings.closed == "rain"
    if rained and too_short(match):
        return 0.5
    if innings.number % 2 == 1:
        return 1 - tables.chase_from_start(target(match), before_innings(2, match.belief))
    assert innings.need is not None
    if innings.need == 1:
        return 0.5 if rained else tables.level
    return float(innings.need <= 0)


def _grid(match: Contest) -> tuple[Grid, int]:
    """The table of the innings now on, and the runs missing in its terms."""
    innings = match.now
    tables = win_probability(match.options.era, innings.rules)
    if innings.target is not None:
        return tables.chase, innings.target - innings.runs
    cut = match.method is not None and innings.number == 1
    resources = (match.resources[0], match.resources[1]) if cut else None
    return tables.first(resources), ceiling(innings.rules) - innings.runs


def _balls(match: Contest, setting: Setting) -> tuple[PublicBall, PublicBall, PublicBall, PublicBall]:
    """The ball with natural calls, with the batting side's call as made, with the bowling side's, and with both."""
    made, usual = setting.choice, setting.standard
    era, left = match.options.era, setting.bouncers_left > 0
    natural = PublicBall(
        era, match.now.rules, setting.moment, setting.striker, Choice(), usual, usual, left, foul=False
    )
    bats = bowls = both = natural
    if made.intent != "normal" or made.shot != "natural":
        bats = both = natural._replace(choice=Choice(intent=made.intent, shot=made.shot))
    if made.aim != Choice().aim or made.variation is not None or setting.field is not usual:
        alone = Choice(made.aim, made.variation, repeats=made.repeats)
        bowls = natural._replace(choice=alone, field=setting.field, foul=setting.foul is not None)
        both = bowls if bats is natural else bowls._replace(choice=made)
    return natural, bats, bowls, both


def _worths(grid: Grid, innings: Innings, missing: int) -> Table:
    """[kind, node, runs]: the batting side's chance by what the ball brings."""
    left = np.clip(missing - _BY_RUNS, 0, grid.size - 1)
    later, now = grid.states(innings.legal + 1), grid.states(innings.legal)
    wickets, free = innings.wickets, int(innings.free_hit)
    return np.stack(
        [later[:, 0, wickets, left], later[:, 0, wickets + 1, left], now[:, free, wickets, left],
         now[:, 1, wickets, left]]
    )  # fmt: skip


# --- words ------------------------------------------------------------------------------------------------------------


def _calls(weighed: Weighed) -> tuple[Call, Call]:
    """What (batting, bowling) called beside what is natural."""
    choice = weighed.setting.choice
    batting: Call = {"intent": choice.intent, "shot": choice.shot}
    bowling: Call = {
        "length": "natural" if choice.aim[0] == NATURAL else LENGTHS[choice.aim[0]],
        "line": "natural" if choice.aim[1] == NATURAL else LINES[choice.aim[1]],
        "variation": choice.variation or "natural",
    }
    if weighed.setting.field is not weighed.setting.standard:
        bowling["field"] = weighed.field if isinstance(weighed.field, str) else list(weighed.field)
    usual = ("natural", "normal")
    return (
        {name: value for name, value in batting.items() if value not in usual},
        {name: value for name, value in bowling.items() if value not in usual},
    )


def _round(chance: float) -> float:
    return round(chance, _DIGITS) + 0.0
