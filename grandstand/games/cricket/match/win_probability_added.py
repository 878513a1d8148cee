"""Chances of winning ball by ball, and the causes of each change: the captains' choices, the matchup, luck.

After every ball the change of the home side's chance falls into four parts that sum to it exactly:
  matchup   quantities that the tables average over: who bowled and who faced, how well set, pace or spin;
  decisions each captain's calls against the natural ones, given that both called at once: the mean of the effect with
            and without the other's call, so that the two sum to the effect of both (Shapley). Of a bowling captain's
            part, the field's is the mean of its effect on natural and on the called batting, and the ball's the rest;
  luck      the outcome, against the expectation with all calls.
A choice between balls (who bowls, who bats next) changes no chance by itself: its worth is its expected effect
compared with the natural choice. The next balls have this effect as `matchup`, from which it is therefore subtracted.
All parts use public knowledge: the season's figures, the position, an average day. Evidence of the day's
conditions in the play so far is ignored: on real chases it did not improve the chances.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from grandstand.games.cricket.events import ChanceChanged
from grandstand.games.cricket.laws.cards import Ball, Dismissal
from grandstand.games.cricket.match.chances import Expectation, after, batting_chance, home_chance
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.model.ball_model import Array
from grandstand.games.cricket.model.engine import (
    DOT,
    NOBALL,
    WAIST_HIGH,
    WICKET,
    WIDE,
    Delivery,
)
from grandstand.games.cricket.model.keeper import behind_share
from grandstand.games.cricket.model.picture.landing import MOVED_WIDES
from grandstand.games.cricket.model.public_ball import class_shares
from grandstand.games.cricket.model.tactics import NATURAL
from grandstand.games.cricket.model.umpire import (
    NATURALLY_REVIEWED,
    UMPIRES_CALL_SHARE,
    Appeal,
    appeal_shares,
    extra_shares,
    is_in_front,
)
from grandstand.games.cricket.types import Call, Decision
from grandstand.games.cricket.vocab import LEAVE, LENGTHS, LINES, REVIEWED_EXTRAS, SEATS

_DIGITS: Final = 5
_REVIEWED: Final = 0.0014
"""Decisions a ball that a side's natural reviews overturn: .17 an innings of 20 overs."""
_SECOND: Final = 0.2
"""The worth of the second review relative to the last one."""


class Review(NamedTuple):
    """The worth of a review decision compared with the natural one, to the side that might review."""

    side: int
    gain: float
    """The worth of the actual decision instead of the natural one."""
    taken: bool
    possible: bool
    """False if the side has no review left and so made no decision."""


def review_of(state: ContestState, delivery: Delivery, expectation: Expectation, taken: bool) -> Review | None:
    """Return the decision on the appeal that the delivery brought, before the ball is counted; None without one."""
    appeal, innings = delivery.appeal, state.now
    if appeal is None:
        return None
    side = state.reviewer(appeal)
    possible = innings.reviews_left(side) > 0
    if taken == (appeal.evidence in NATURALLY_REVIEWED):
        return Review(side, 0.0, taken, possible)
    gain = review_gain(state, delivery, expectation)
    return Review(side, gain if taken else -gain, taken, possible)


def chance_changed(
    state: ContestState, expectation: Expectation, ball: str, review: Review | None = None
) -> ChanceChanged:
    """Return the event of a ball that has just been counted. `state.now` is still its innings."""
    innings = state.now
    after = batting_chance(state)
    sign = 1 if innings.batting_side == 0 else -1
    matchup, luck = expectation.natural - expectation.before, after - expectation.expected
    decisions = _decisions(expectation, (innings.batting_side, innings.bowling_side))
    if review is not None and review.gain:
        gained = review.gain if review.side == innings.batting_side else -review.gain
        luck -= gained
        if review.possible:
            decisions.append(_decision(review.side, {"review": "taken" if review.taken else "left"}, review.gain))
        else:
            matchup += gained
    return ChanceChanged(
        innings=innings.number,
        ball=ball,
        home=_round(after if sign == 1 else 1 - after),
        swing=_round(sign * (after - expectation.before)),
        matchup=_round(sign * matchup),
        luck=_round(sign * luck),
        decisions=decisions,
    )


def chance_between(state: ContestState, before: float, cause: str) -> ChanceChanged:
    """Return the event of a change of home's chance from `before` between two balls.

    `cause` is `toss` where the winner decided, `matchup` where a batter has left, and `luck` for weather and the start.
    """
    swing = home_chance(state) - before
    won = state.toss_winner
    choice: Call = {"decision": "bat" if state.innings and state.innings[0].batting_side == won else "field"}
    toss = [_decision(won, choice, swing if won == 0 else -swing)] if cause == "toss" else []
    return _between(state, swing, swing if cause == "matchup" else 0.0, swing if cause == "luck" else 0.0, toss)


def choice_made(state: ContestState, side: int, choice: Call, delta: float, before: float) -> ChanceChanged:
    """Return the event of a choice between two balls that is worth `delta` to `side` beside the natural one.

    `before` is home's chance before it, which only a retirement changes.
    """
    swing = home_chance(state) - before
    return _between(state, swing, swing - (delta if side == 0 else -delta), 0.0, [_decision(side, choice, delta)])


def _between(
    state: ContestState, swing: float, matchup: float, luck: float, decisions: list[Decision]
) -> ChanceChanged:
    return ChanceChanged(
        innings=len(state.innings),
        ball=state.now.name if state.innings else "",
        home=_round(home_chance(state)),
        swing=_round(swing),
        matchup=_round(matchup),
        luck=_round(luck),
        decisions=decisions,
    )


# --- words ------------------------------------------------------------------------------------------------------------


def _decision(side: int, choice: Call, delta: float) -> Decision:
    return {"seat": SEATS[side], "choice": choice, "delta": _round(delta)}


def _decisions(expectation: Expectation, sides: tuple[int, int]) -> list[Decision]:
    """Return the calls of (batting, bowling), and the field if it is not the standard one."""
    batting, bowling = _calls(expectation)
    out = [_decision(sides[0], batting, expectation.batting), _decision(sides[1], bowling, -expectation.bowling)]
    if expectation.setting.field is not expectation.setting.standard:
        placed = expectation.placed if isinstance(expectation.placed, str) else list(expectation.placed)
        out.append(_decision(sides[1], {"field": placed}, -expectation.field))
    return out


def _calls(expectation: Expectation) -> tuple[Call, Call]:
    """Return the calls of (batting, bowling) that differ from natural ones."""
    choice = expectation.setting.choice
    batting: Call = {"intent": choice.intent, "shot": choice.shot}
    bowling: Call = {
        "length": "natural" if choice.aim[0] == NATURAL else LENGTHS[choice.aim[0]],
        "line": "natural" if choice.aim[1] == NATURAL else LINES[choice.aim[1]],
        "variation": choice.variation or "natural",
    }
    usual = ("natural", "normal")
    return (
        {name: value for name, value in batting.items() if value not in usual},
        {name: value for name, value in bowling.items() if value not in usual},
    )


def _round(chance: float) -> float:
    return round(chance, _DIGITS) + 0.0


# --- reviews ----------------------------------------------------------------------------------------------------------


def review_gain(state: ContestState, delivery: Delivery, expectation: Expectation) -> float:
    """Return the worth of reviewing the decision rather than leaving it, to the side that might review.

    A review that is lost costs what later ones would have been worth: dismissals that they overturn.
    """
    appeal, innings = delivery.appeal, state.now
    assert appeal is not None
    success, side = _success(state, delivery, expectation), state.reviewer(appeal)
    given, reversed_ball = (after(state, ball) for ball in delivery.decided())
    saved = reversed_ball - given if appeal.of_batters else given - reversed_ball
    wicket = after(state, Ball()) - after(state, Ball(dismissal=Dismissal("bowled", 0)))
    lost = (1 - success) * (1 - (2 * UMPIRES_CALL_SHARE if appeal.kind == "lbw" else 0.0))
    cost = _REVIEWED * innings.balls_left * (1.0 if innings.reviews_left(side) == 1 else _SECOND)
    return saved * success - wicket * lost * cost


def _success(state: ContestState, delivery: Delivery, expectation: Expectation) -> float:
    """Return the public probability that a review of the decision succeeds."""
    appeal, moment, landed = delivery.appeal, delivery.setting.moment, (delivery.length, delivery.line)
    assert appeal is not None
    place = state.model.landed[moment.phase][moment.group][landed[0]][landed[1]]
    shares = class_shares(expectation.ball, expectation.known) * np.array(place)
    if appeal.kind in REVIEWED_EXTRAS:
        return _success_on_extra(appeal, shares)
    left = delivery.setting.choice.shot == LEAVE
    up = delivery.setting.field.keeper_up and moment.group == 0
    kinds, running = state.model.kinds(moment.phase, moment.group, *landed, left, up)
    by_kind = dict(zip(kinds, np.diff(running, prepend=0.0), strict=True))
    if_out, if_not = appeal_shares(state.model, appeal, behind_share(up))
    out = shares[WICKET] * by_kind.get(appeal.kind, 0.0) * if_out
    not_out = shares[DOT] * ((appeal.kind == "lbw") == is_in_front(*landed)) * if_not
    wrong = not_out if appeal.given_out else out
    return float(wrong / (out + not_out)) if out + not_out else 0.0


def _success_on_extra(appeal: Appeal, shares: Array) -> float:
    """Return the probability that the decision on a wide or a no-ball is wrong; `shares` are odds of the classes where
    the ball landed."""
    if_true, if_not = extra_shares(appeal)
    if appeal.kind == "wide":
        true, not_so = shares[WIDE] * MOVED_WIDES * if_true, shares[DOT] * if_not
    else:
        true, not_so = shares[NOBALL] * WAIST_HIGH * if_true, shares[:WICKET].sum() * if_not
    return float((not_so if appeal.given_out else true) / (true + not_so))
