"""Divide the overs among the bowlers as captains do: the best bowl their quota, a quick one the last over."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Final

from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.model.context import resembles
from grandstand.games.cricket.model.matchups import away
from grandstand.games.cricket.model.teams import Team
from grandstand.games.cricket.vocab import PHASES

_SEASON_WEIGHT: Final = 10.0
"""Overs of season after which a bowler's own economy counts as much as the average one."""
_PART_TIMER: Final = 1.5
"""The additional runs an over that a part-time bowler is assumed to cost."""
_USUAL: Final = (9.1, 8.6, 10.8)
"""Runs an over by phase."""
_TURN: Final = 0.75
"""The runs an over that the turn away saves beside the turn in."""
_WORTH: Final = 0.1
"""The runs from which two bowlers change places."""
_LAST_SPIN: Final = 2.0
"""The additional runs that spin is assumed to cost in the last over, which real sides seldom give to it."""


def plan_overs(innings: Innings, side: Team, against: Sequence[str] = ()) -> int:
    """Give every remaining over, those at the death first, to the cheapest bowler of that phase with overs left, and
    return the bowler of this over. Nobody bowls two overs in succession.

    `against` has the hands of the batters at the wicket: a finger spinner bowls now instead of later, or later instead
    of now, by the side to which the ball turns from them.
    """
    eleven = innings.elevens[innings.bowling_side]
    free = [i for i in eleven if innings.may_bowl(i, side.keeper) is None]
    last = innings.rules.overs - 1
    if innings.over == last:
        return min(free, key=lambda i: economy(innings, side, i, len(PHASES) - 1) + _last_over(side, i))
    left = {
        i: innings.rules.bowler_max_overs - (innings.bowlers[i].overs if i in innings.bowlers else 0)
        for i in eleven
        if i != side.keeper
    }
    keep = min((i for i in left if left[i]), key=lambda i: economy(innings, side, i, 2) + _last_over(side, i))
    left[keep] -= 1
    phases = [resembles(innings.rules, 6 * over)[1] for over in range(innings.over, last)]
    plan: dict[int, list[int]] = {phase: [] for phase in sorted(set(phases))}
    for phase in sorted(set(phases), reverse=True):
        overs = phases.count(phase)
        for i in sorted(left, key=lambda i: economy(innings, side, i, phase)):
            share = min(left[i], (overs + 1) // 2, overs - len(plan[phase]))
            plan[phase] += [i] * share
            left[i] -= share
    if innings.over == last - 1:
        free = [i for i in free if i != keep] or free
    now = phases[0]
    wanted = [i for i in plan[now] if i in free] or free
    planned = max(wanted, key=lambda i: (plan[now].count(i), -economy(innings, side, i, now)))
    return _matched(innings, side, plan, planned, [i for i in free if _phase_of(plan, now, i) is not None], against)


def _matched(
    innings: Innings, side: Team, plan: dict[int, list[int]], planned: int, others: list[int], against: Sequence[str]
) -> int:
    """Return the bowler among `planned` and `others` who saves most runs in this over against these batters, an over of
    the planned one being bowled in its place."""
    now = min(plan)

    def saved(bowler: int) -> float:
        later = _phase_of(plan, now, bowler)
        if bowler == planned or later is None:
            return 0.0
        cost = [economy(innings, side, each, now) - economy(innings, side, each, later) for each in (planned, bowler)]
        return _TURN * (meeting(side, bowler, against) - meeting(side, planned, against)) + cost[0] - cost[1]

    best = max((planned, *others), key=saved)
    return best if saved(best) > _WORTH else planned


def _phase_of(plan: dict[int, list[int]], now: int, bowler: int) -> int | None:
    """Return the phase in which an over of the bowler is planned, this one if there is; None if there is none."""
    return next((phase for phase in (now, *plan) if bowler in plan[phase]), None)


def meeting(side: Team, bowler: int, against: Sequence[str]) -> float:
    """Return the mean share of the turn's effect that a bowler has against batters of these hands."""
    return fmean(away(side.players[bowler].style, hand) for hand in against) if against else 0.0


def _last_over(side: Team, player: int) -> float:
    return _LAST_SPIN if side.players[player].group == "spin" else 0.0


def economy(innings: Innings, side: Team, player: int, phase: int) -> float:
    """Return runs an over in the phase by the season's figures and this innings', shrunk to the usual ones.

    Wickets count five runs.
    """
    season, card = side.players[player].season, innings.bowlers.get(player)
    overs = season["overs"] / len(PHASES)
    figure = float(season["econ"][phase]) - 5.0 * (season["wkts"] / season["overs"] - 0.3)
    average = _USUAL[phase] + (0.0 if side.players[player].front_line else _PART_TIMER)
    bowled = 0.0 if card is None else card.balls / 6
    today = 0.0 if card is None else card.runs - 5.0 * (card.wickets - 0.3 * bowled) + bowled * (average - 9.0)
    return float((figure * overs + average * _SEASON_WEIGHT + today) / (overs + _SEASON_WEIGHT + bowled))
