"""The heuristic captain: the game of one ball, solved with the scorer's tables.

Every choice is valued by the chances of winning after it (`chances.class_worths`). It knows only public
information: the position, the season's figures, typical odds, and the calls of both sides so far in the innings. With
bat and ball it draws from the solution of the game of this ball, shifted against repetitions of the other side. It sets
the field in which that game is worth least to the batters.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any, Final

import numpy as np

from grandstand.games.base import Action, SeatId
from grandstand.games.cricket.agent import menu
from grandstand.games.cricket.agent.actions import IMPACT, PLAN_OVER
from grandstand.games.cricket.bots import ball_game, over_plans
from grandstand.games.cricket.bots.ball_game import BALLS, STROKES
from grandstand.games.cricket.bots.neutral import review
from grandstand.games.cricket.bots.overs import plan_overs
from grandstand.games.cricket.laws.field import KEEPER_UP, PRESETS
from grandstand.games.cricket.match.captaincy import ImpactWorth, batter_delta
from grandstand.games.cricket.match.chances import chance_to_bat_first, class_worths, expect
from grandstand.games.cricket.match.state import ContestState, Position
from grandstand.games.cricket.match.win_probability_added import review_gain
from grandstand.games.cricket.model.ball_model import Array
from grandstand.games.cricket.model.context import standard_field
from grandstand.games.cricket.model.engine import DOT, RUN_OUT, WICKET
from grandstand.games.cricket.model.reading import Aim, forecast
from grandstand.games.cricket.vocab import LENGTHS, LINES, PHASES, REVIEWED_EXTRAS, SEATS

_HABIT: Final = 10
"""The number of known calls of the other side from which they can be a habit."""
_HABIT_BALLS: Final = (0.5, 0.9)
"""The share of one ball among the last calls from which it counts as a habit, and from which it alone counts."""
_HABIT_STROKES: Final = (0.75, 1.0)
"""The same for one stroke; a batter has fewer choices."""
_FORETOLD: Final = 0.7
"""The weight of a ball that a sequence predicts."""
_SHARP: Final = 0.015
"""The advantage, in runs a ball, that makes a call e times as likely against a habit."""
_GAIN: Final = 0.05
"""The saving, in runs a ball, from which another field is set; any saving if one run decides."""
_LATE_GAIN: Final = 0.2
"""The same while it is behind the clock, which a new field costs time."""
_KEEPER_GAIN: Final = 0.005
"""The same for a preset that brings the wicket-keeper up to the stumps."""
_PROMOTION: Final = 0.004
"""The worth from which a batter is sent in before the natural one."""
_IMPACT_GAIN: Final = 0.003
"""The worth from which the impact player comes in."""
_WAITING: Final = 0.01
"""What it is worth to keep the impact player up to the change of innings, when the total is known."""
_LAST_BATTER: Final = 6
"""The last place in the order from which a batter is promoted."""
_TAIL: Final = 6
"""Wickets down from which a first innings is batted with care."""
_CARE: Final = 1.5
"""The factor of a wicket's price then: without it, sides are all out oftener than real ones."""
_UNUSUAL: Final = ("middle_cow_corner",)
"""Presets that are never set, since nobody stands straight in them."""
_FREE_CALLS: Final = 3
"""The most free calls before a ball that the bot makes."""


def heuristic(game: Position, seat: SeatId, rng: Random) -> Action:
    """Choose by the situation and the other side's calls so far."""
    state = game.state
    if state.stage == "review":
        return review(game) if (gain := gain_on_extra(state)) is None else _take(gain > 0)
    if state.stage == "toss":
        return {"tool": "set_toss", "arguments": {"decision": "bat" if chance_to_bat_first(state) > 0.5 else "field"}}
    if menu.allowed(state, SEATS.index(seat))[0] == PLAN_OVER:
        return plan_over(state, seat, rng)
    return ball_by_ball(state, seat, rng)


def ball_by_ball(state: ContestState, seat: SeatId, rng: Random) -> Action:
    """Choose what comes before the next ball, or the ball."""
    innings = state.now
    if (pair := impact_player(state, SEATS.index(seat))) is not None:
        return {"tool": IMPACT, "arguments": _names(state, SEATS.index(seat), pair)}
    if seat == SEATS[innings.batting_side]:
        if (batter := promoted(state)) is not None:
            name = state.teams[innings.batting_side].players[batter].name
            return {"tool": "choose_batter", "arguments": {"batter": name}}
        intent, family = best_stroke(state, rng)
        return {"tool": "play_delivery", "arguments": {"intent": intent, "shot": ball_game.shot_of(family)}}
    if innings.bowler is None:
        name = state.teams[innings.bowling_side].players[best_bowler(state)].name
        return {"tool": "choose_bowler", "arguments": {"bowler": name}}
    return _bowl(state, rng)


def plan_over(state: ContestState, seat: SeatId, rng: Random) -> Action:
    """Plan the rest of the over: mixes are drawn from the game of its next ball, played by plans alone."""
    arguments, side = dict[str, Any](), SEATS.index(seat)
    if (pair := impact_player(state, side)) is not None:
        arguments |= _names(state, side, pair)
        state = state.after(side, *pair)
    innings = state.now
    if seat == SEATS[innings.batting_side]:
        if (batter := promoted(state)) is not None:
            arguments["batter"] = state.teams[innings.batting_side].players[batter].name
        for end, striker in (("striker", innings.striker), ("non_striker", innings.non_striker)):
            arguments[end], family = over_plans.order(order_shares(state, striker), rng)
            if end == "striker":
                arguments["shot"] = ball_game.shot_of(family)
        return {"tool": PLAN_OVER, "arguments": arguments}
    if innings.bowler is None:
        state, bowler = state.clone(), best_bowler(state)
        state.now.give_ball(bowler)
        state.attack = state.group_of(bowler)
        arguments["bowler"] = state.teams[innings.bowling_side].players[bowler].name
    if _may_set_field(state) and (name := best_field(state)) is not None:
        if arguments.get("bowler") is None:
            state = state.clone()
        arguments["field"] = state.field_choice = name
    theme, zone = over_plans.theme(plan_shares(state), rng)
    ask = state.moment().phase == len(PHASES) - 1
    return {"tool": PLAN_OVER, "arguments": {**arguments, "theme": theme, "zone": zone, "ask": ask}}


def impact_player(state: ContestState, side: int) -> tuple[int, int] | None:
    """Return who comes in now as the impact player, and for whom, if that is better than nobody, and clearly better
    than to wait for the change of innings."""
    if not (come := state.substitutes(side)):
        return None
    worth, leave = ImpactWorth(state, side), state.replaceable(side)
    gain, comes, leaves = worth.best(come, leave)
    waiting = worth.best(come, leave, waits=True)[0] + _WAITING if state.now.number == 1 else 0.0
    return (comes, leaves) if gain > max(_IMPACT_GAIN, waiting) else None


def _names(state: ContestState, side: int, pair: tuple[int, int]) -> dict[str, str]:
    comes, leaves = (state.teams[side].players[i].name for i in pair)
    return {"impact": comes, "replaces": leaves}


def plan_shares(state: ContestState) -> Array:
    """Return [plan]: the mix of `over_plans.PLANS` for the rest of this over."""
    return over_plans.plan_shares(situation(state), *habit_of_strokes(state.strokes))


def order_shares(state: ContestState, striker: int | None) -> Array:
    """Return [order]: the mix of `over_plans.ORDERS` for a batter for the rest of this over."""
    ball = careful(state, situation(state, striker))
    return over_plans.order_shares(ball, *habit_of_balls(state.aims[state.attack], state.attack))


def gain_on_extra(state: ContestState) -> float | None:
    """Return the worth of the review for which the match waits, if it is of a wide or a no-ball."""
    delivery = state.delivery()
    assert delivery.appeal is not None
    if delivery.appeal.kind not in REVIEWED_EXTRAS:
        return None
    return review_gain(state, delivery, expect(state, delivery.setting))


def _take(take: bool) -> Action:
    return {"tool": "review", "arguments": {"take": take}}


# --- batting ----------------------------------------------------------------------------------------------------------


def promoted(state: ContestState) -> int | None:
    """Return the batter who has to come in and is worth more now than the natural one; None to keep the order."""
    innings, side = state.now, state.now.batting_side
    vacant = innings.striker is None or innings.non_striker is None
    if not vacant or state.next_in[side] is not None or state.calls[side] >= _FREE_CALLS:
        return None
    natural, *others = innings.waiting()
    early = [each for each in others if state.teams[side].players[each].place <= _LAST_BATTER]
    worth = {each: batter_delta(state, each, natural) for each in early}
    best = max(worth, key=worth.__getitem__, default=natural)
    return best if worth.get(best, 0.0) > _PROMOTION else None


def best_stroke(state: ContestState, rng: Random) -> tuple[str, str | None]:
    """Return an intent and a family of shot, drawn from `stroke_shares`."""
    return STROKES[_draw(stroke_shares(state), rng)]


def stroke_shares(state: ContestState) -> Array:
    """Return [stroke]: the mix that solves the game of this ball, shifted against repetitions of the bowlers."""
    plan, aims = ball_game.settled(careful(state, situation(state))), state.aims[state.attack]
    weight, expected = habit_of_balls(aims, state.attack)
    return _turned(plan.strokes, expected @ plan.worths, weight)


def careful(state: ContestState, ball: ball_game.BallSituation) -> ball_game.BallSituation:
    """Return the ball as the batters see it: with the tail in, a wicket of a first innings costs more."""
    if state.now.wickets < _TAIL or state.now.target is not None:
        return ball
    dot = ball.worths[DOT]
    dearer = (
        dot + (worth - dot) * (_CARE if kind in (WICKET, RUN_OUT) else 1) for kind, worth in enumerate(ball.worths)
    )
    return ball._replace(worths=tuple(dearer))


@lru_cache(maxsize=16)  # the calls of a whole innings are the key
def habit_of_balls(aims: tuple[Aim, ...], group: int) -> tuple[float, Array]:
    """Return (weight, [ball]): the weight of the bowlers' habit, from 0 to 1, and its shares.

    Natural calls are a mix already, so they are not a habit.
    """
    counts = ball_game.called_counts(aims, group)
    weight = _weight(counts, ball_game.NATURAL_BALL, _HABIT_BALLS)
    expected = counts / max(1.0, counts.sum())
    following, sure = forecast(aims)
    if following in BALLS[group] and _FORETOLD * sure > weight:
        weight, expected = _FORETOLD * sure, np.eye(1, len(counts), BALLS[group].index(following))[0]
    return weight, expected


def _weight(counts: Array, natural: int, bounds: tuple[float, float]) -> float:
    known, most, (low, high) = counts.sum(), np.delete(counts, natural).max(), bounds
    return 0.0 if known < _HABIT else float(np.clip((most / known - low) / (high - low), 0.0, 1.0))


def _turned(mix: Array, gain: Array, weight: float) -> Array:
    """Return `mix` with the part `weight` of it replaced by the calls that gain most."""
    if not weight:
        return mix
    grown = np.exp((gain - gain.max()) / _SHARP)
    return np.asarray((1 - weight) * mix + weight * grown / grown.sum())


def _draw(shares: Array, rng: Random) -> int:
    running = np.cumsum(shares)
    return min(int(np.searchsorted(running, rng.random() * running[-1], side="right")), len(shares) - 1)


# --- bowling ----------------------------------------------------------------------------------------------------------


def best_bowler(state: ContestState) -> int:
    """Return the bowler of the next over, by the overs that are left and the batters at the wicket."""
    innings, batters = state.now, state.teams[state.now.batting_side].players
    hands = [batters[i].hand for i in innings.at_the_wicket]
    return plan_overs(innings, state.teams[innings.bowling_side], hands)


def _bowl(state: ContestState, rng: Random) -> Action:
    """Set a better field if there is one, or bowl."""
    if _may_set_field(state) and (name := best_field(state)) is not None:
        return {"tool": "set_field", "arguments": {"preset": name}}
    length, line, variation = BALLS[state.attack][_draw(ball_shares(state), rng)]
    arguments: dict[str, Any] = {"variation": variation}
    if length >= 0:
        arguments["length"] = LENGTHS[length]
    if line >= 0:
        arguments["line"] = LINES[line]
    return {"tool": "bowl_delivery", "arguments": arguments}


def plan_of(state: ContestState) -> ball_game.Plan:
    """Return the mixes of both captains for this ball, in the field set now."""
    return ball_game.settled(situation(state))


def situation(state: ContestState, striker: int | None = None) -> ball_game.BallSituation:
    """Return the next ball, to `striker` instead of the batter who faces it if one is named."""
    innings, moment = state.now, state.moment()
    if striker is None:
        striker = innings.striker if innings.striker is not None else min(innings.wickets, 10)
    elif striker != innings.striker:
        moment = moment._replace(faced=innings.batters[striker].balls)
    return ball_game.BallSituation(
        era=state.options.era,
        rules=innings.rules,
        moment=moment,
        striker=state.teams[innings.batting_side].players[striker].place,
        field=state.field,
        standard=standard_field(innings.rules, innings.legal, state.attack),
        aims=state.aims[state.attack],
        worths=tuple(class_worths(state).tolist()),
        bouncer=innings.bouncers < innings.rules.bouncers_per_over,
    )


def _may_set_field(state: ContestState) -> bool:
    """Return whether this is a moment at which captains move their fielders: a new over, batter or phase, a breach, or
    one run that decides."""
    innings = state.now
    if state.field_locked or state.calls[innings.bowling_side] >= _FREE_CALLS:
        return False
    assert innings.striker is not None
    begins = not innings.over_log or innings.batters[innings.striker].balls == 0
    decides = innings.need == 1 and not state.calls[innings.bowling_side]
    return begins or decides or innings.legal == innings.rules.powerplay_balls or state.breach() is not None


def best_field(state: ContestState) -> str | None:
    """Return the name of the field in which the mix is worth least to the batters; None to keep the present one."""
    ball = situation(state)
    unusual = {*_UNUSUAL, *(() if state.medium else KEEPER_UP)}
    names = [name for name in PRESETS if state.would_breach(name) is None and name not in unusual]
    values = {name: ball_game.value_in(ball, state.field_for(name)) for name in names}
    if state.breach() is None:
        gain = _LATE_GAIN if state.now.behind else _GAIN
        now, least = ball_game.value_in(ball, state.field), 0.0 if state.now.need == 1 else gain
        if state.field.keeper_up and least:
            return None  # he stays up for this bowler
        moved = state.calls[state.now.bowling_side] > (not state.now.over_log)  # one call chooses the bowler
        of_keeper = least if moved or state.now.behind else min(least, _KEEPER_GAIN)
        names = [name for name in names if now - values[name] > (of_keeper if name in KEEPER_UP else least)]
    return min(names, key=values.__getitem__, default=None)


def ball_shares(state: ContestState) -> Array:
    """Return [ball]: the mix that solves the game of this ball, shifted against repetitions of the batters."""
    plan = plan_of(state)
    weight, expected = habit_of_strokes(state.strokes)
    return _turned(plan.shares, -plan.worths @ expected, weight)


@lru_cache(maxsize=16)
def habit_of_strokes(strokes: tuple[tuple[str, str], ...]) -> tuple[float, Array]:
    """Return (weight, [stroke]): the weight of the batters' habit, from 0 to 1, and its shares. Natural strokes are
    not a habit."""
    counts = np.zeros(len(STROKES))
    for stroke in strokes:
        index = ball_game.stroke_index(*stroke)
        if index is not None:
            counts[index] += 1
    return _weight(counts, ball_game.NATURAL_STROKE, _HABIT_STROKES), counts / max(1.0, counts.sum())
