"""The worth of the choices between balls: who bowls, who bats next.

Each is compared with the natural choice in its place, by chances of winning and by public figures alone. A bowler who
is used now is missing later, and a batter who is held back comes in later: both are estimated for natural choices from
here on, with the stakes of a ball as they are now.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from grandstand.games.cricket.match.chances import known_ability, natural_ball, stakes, value, wickets
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.model.average import STRIKER_FROM
from grandstand.games.cricket.model.context import natural_batter, resembles, standard_field
from grandstand.games.cricket.vocab import GROUPS, PHASES

_HAZARD: Final = 0.055
"""The probability of a wicket on a ball to the partner of a batter to come."""
_SETTLED: Final = 6
"""Balls faced at which the batters to come are compared."""
_STEP: Final = 0.1


def bowler_delta(state: ContestState, player: int, natural: int) -> float:
    """Return the worth, to the side that bowls, of `player` in this over instead of the `natural` bowler."""
    innings, side = state.now, state.teams[state.now.bowling_side]
    vector = stakes(state)
    batters = innings.at_the_wicket or (natural_batter(innings, state.teams[innings.batting_side]),)

    def conceded(bowler: int, more: float = 0.0) -> float:
        group = GROUPS.index(side.players[bowler].group)
        standard = standard_field(innings.rules, innings.legal, group)
        total = 0.0
        for batter in batters:
            faced = innings.batters[batter].balls if batter in innings.batters else 0
            moment = state.moment()._replace(group=group, faced=faced)
            ball = natural_ball(state, moment, batter, standard, bowler)
            total += value(ball, known_ability(state, batter, bowler, moment.phase) + more, vector)
        return total / len(batters)

    slope = (conceded(natural, _STEP) - conceded(natural, -_STEP)) / (2 * _STEP)
    now = conceded(player) - conceded(natural)
    later = later_overs(state, natural) - later_overs(state, player)
    return -6 * (now + slope * later)


def later_overs(state: ContestState, bowler: int) -> float:
    """Return the sum of public abilities over the overs after this one, if `bowler` bowls this one: specialists share
    them by the overs that they have left, part-timers bowl the rest."""
    innings, side = state.now, state.teams[state.now.bowling_side]
    overs = [resembles(innings.rules, 6 * over)[1] for over in range(innings.over + 1, innings.rules.overs)]
    if not overs:
        return 0.0
    share = [overs.count(phase) / len(overs) for phase in range(len(PHASES))]

    def ability(player: int) -> float:
        return sum(part * each for part, each in zip(share, side.estimates[player].bowling, strict=True))

    quota = {}
    for player, card in enumerate(side.players):
        if card.style is not None:
            bowled = innings.bowlers[player].overs if player in innings.bowlers else 0
            quota[player] = innings.rules.bowler_max_overs - bowled - (player == bowler)
    front = {player: left for player, left in quota.items() if side.players[player].front_line and left > 0}
    available = sum(front.values())
    mean = sum(left * ability(player) for player, left in front.items()) / max(1, available)
    missing = max(0, len(overs) - available)
    rest = [ability(player) for player, left in quota.items() if left > 0 and player not in front]
    return (len(overs) - missing) * mean + missing * (sum(rest) / len(rest) if rest else mean)


def batter_delta(state: ContestState, player: int, natural: int) -> float:
    """Return the worth, to the side that bats, of sending in `player` instead of the `natural` batter.

    Each of the batters to come is compared with the batter whom the tables expect after so many wickets, because the
    tables already contain the cost of the wickets.
    """
    waiting, place = state.now.waiting(), len(state.now.order)
    known = {each: _batter(state, each) for each in waiting}
    usual = [_batter(state, min(place + number, 10), typical=True).worth for number in range(len(waiting))]

    def worth(first: int) -> float:
        left, total = float(state.now.balls_left), 0.0
        for number, each in enumerate((first, *(other for other in waiting if other != first))):
            total += (known[each].worth - usual[number]) * _balls_to_face(known[each].hazard, left)
            left -= 2 / (known[each].hazard + _HAZARD)  # one of two batters faces each ball
        return total

    return worth(player) - worth(natural)


def retiring_gain(state: ContestState, leaving: int) -> float:
    """Return the gain, to the side that bats, of the natural next batter in place of `leaving`, apart from the wicket
    that it costs."""
    following = _batter(state, natural_batter(state.now, state.teams[state.now.batting_side]))
    present = _batter(state, leaving, min(max(_SETTLED, state.now.batters[leaving].balls), STRIKER_FROM))
    return (following.worth - present.worth) * _balls_to_face(following.hazard, state.now.balls_left)


class _Batter(NamedTuple):
    """The expectation for a batter on a ball: the batting side's chance after it, and the probability of a wicket."""

    worth: float
    hazard: float


def _batter(state: ContestState, batter: int, faced: int = _SETTLED, typical: bool = False) -> _Batter:
    """Return the expectation for a batter, or for a typical one at this place in the order."""
    moment, side = state.moment()._replace(faced=faced), state.teams[state.now.batting_side]
    ball = natural_ball(state, moment, batter, standard_field(state.now.rules, state.now.legal, moment.group))
    known = 0.0 if typical else side.estimates[batter].batting
    return _Batter(value(ball, known, stakes(state)), value(ball, known, wickets()))


def _balls_to_face(hazard: float, left: float) -> float:
    """Return the balls that a batter faces who comes in with `left` to be bowled, each as likely as the partner."""
    share: float = (1 - hazard / 2) ** max(0.0, left)
    return (1 - share) / hazard
