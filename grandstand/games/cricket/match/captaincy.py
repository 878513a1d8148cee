"""The worth of the choices between balls: who bowls, who bats next, who comes in as the impact player.

Each is compared with the natural choice in its place, by chances of winning and by public figures alone. A bowler who
is used now is missing later, and a batter who is held back comes in later: both are estimated for natural choices from
here on, with the stakes of a ball as they are now. An impact player is compared with the eleven as they are; an innings
that is to come counts as a first innings between average sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.match.chances import known_ability, natural_ball, stakes, value, wickets
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.model.average import STRIKER_FROM
from grandstand.games.cricket.model.ball_model import Array
from grandstand.games.cricket.model.context import natural_batter, resembles, standard_field
from grandstand.games.cricket.vocab import GROUPS, PHASES

_HAZARD: Final = 0.055
"""The probability of a wicket on a ball to the partner of a batter to come."""
_SETTLED: Final = 6
"""Balls faced at which the batters to come are compared."""
_STEP: Final = 0.1
_EXPECTED: Final[Mapping[float, float]] = {0.0: 1.0}
_SPREAD: Final[Mapping[float, float]] = {-(3**0.5): 1 / 6, 0.0: 2 / 3, 3**0.5: 1 / 6}
"""Weights of wickets that fall later, by standard deviations: the normal distribution on three nodes."""


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
    """Return the sum of public abilities over the overs after this one, if `bowler` bowls this one."""
    return shared_overs(state, state.now.elevens[state.now.bowling_side], state.now.over + 1, bowler)


def shared_overs(state: ContestState, eleven: Sequence[int], first: int, bowler: int | None = None) -> float:
    """Return the sum of public abilities over the overs from `first` on, after one more of `bowler`: specialists of the
    eleven share them by the overs that they have left, part-timers bowl the rest."""
    innings, side = state.now, state.teams[state.now.bowling_side]
    overs = [resembles(innings.rules, 6 * over)[1] for over in range(first, innings.rules.overs)]
    if not overs:
        return 0.0
    share = [overs.count(phase) / len(overs) for phase in range(len(PHASES))]

    def ability(player: int) -> float:
        return sum(part * each for part, each in zip(share, side.estimates[player].bowling, strict=True))

    quota = {}
    for player in eleven:
        if side.players[player].style is not None:
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
    waiting = state.now.waiting()
    worth = order_worth(state, waiting)
    first, usual = ([each, *(other for other in waiting if other != each)] for each in (player, natural))
    return worth(first) - worth(usual)


def order_worth(
    state: ContestState, batters: Iterable[int], spread: Mapping[float, float] = _EXPECTED
) -> Callable[[Sequence[int]], float]:
    """Return a function of the order in which some of `batters` come in now: its worth to the side that bats.

    `spread` has the weights of wickets that fall later than expected, in standard deviations.
    """
    place, vector = len(state.now.order), stakes(state)
    known = {each: _batter(state, each, vector) for each in batters}
    usual = [_batter(state, number, vector, typical=True).worth for number in range(min(place, 10), 11)]

    def worth(order: Sequence[int]) -> float:
        left, variance, total = float(state.now.balls_left), 0.0, 0.0
        for number, each in enumerate(order):
            gain, hazard = known[each].worth - usual[min(number, len(usual) - 1)], known[each].hazard
            to_face = (weight * _balls_to_face(hazard, left - z * variance**0.5) for z, weight in spread.items())
            total += gain * sum(to_face)
            stand = 2 / (hazard + _HAZARD)  # one of two batters faces each ball
            left, variance = left - stand, variance + stand**2
        return total

    return worth


def retiring_gain(state: ContestState, leaving: int) -> float:
    """Return the gain, to the side that bats, of the natural next batter in place of `leaving`, apart from the wicket
    that it costs."""
    vector = stakes(state)
    following = _batter(state, natural_batter(state.now, state.teams[state.now.batting_side]), vector)
    present = _batter(state, leaving, vector, min(max(_SETTLED, state.now.batters[leaving].balls), STRIKER_FROM))
    return (following.worth - present.worth) * _balls_to_face(following.hazard, state.now.balls_left)


Eleven: TypeAlias = Sequence[int]


class ImpactWorth:
    """What each impact player of a side is worth to it now, or at the change of innings."""

    def __init__(self, state: ContestState, side: int) -> None:
        innings, bats = state.now, side == state.now.batting_side
        self._team, self._eleven = state.teams[side], innings.elevens[side]
        self._now = _batting(state) if bats else _bowling(state)
        self._to_come: Callable[[Eleven], float] | None = None
        if innings.number == 1:
            following, begins = state.clone(), Innings(1, innings.bowling_side, innings.rules)
            begins.elevens, following.innings, following.attack = innings.elevens[:], [begins], 0
            self._to_come = _bowling(following) if bats else _batting(following)

    def gain(self, comes: int, leaves: int, waits: bool = False) -> float:
        """Return the worth of one for the other; if he `waits`, from the change of innings on."""
        after = self._team.eleven((comes, leaves))
        parts = [self._to_come] if waits else [self._now, self._to_come]
        return sum(part(after) - part(self._eleven) for part in parts if part is not None)

    def best(self, come: Iterable[int], leave: Iterable[int], waits: bool = False) -> tuple[float, int, int]:
        """Return the highest worth, and who comes in for whom."""
        return max((self.gain(*pair, waits), *pair) for pair in product(come, leave))


def _batting(state: ContestState) -> Callable[[Eleven], float]:
    """Return a function of the eleven: the worth of those who have not come in yet."""
    side = state.now.batting_side
    worth = order_worth(state, range(len(state.teams[side].players)), _SPREAD)

    def total(eleven: Eleven) -> float:
        innings = state.now.clone()
        innings.elevens[side] = list(eleven)
        return worth(innings.waiting())

    return total


def _bowling(state: ContestState) -> Callable[[Eleven], float]:
    """Return a function of the eleven: the worth of their bowling in the overs that are left."""
    innings, moment, vector = state.now, state.moment(), stakes(state)
    batter = (innings.at_the_wicket or (natural_batter(innings, state.teams[innings.batting_side]),))[0]
    ball = natural_ball(state, moment, batter, standard_field(innings.rules, innings.legal, moment.group))
    slope = (value(ball, _STEP, vector) - value(ball, -_STEP, vector)) / (2 * _STEP)
    return lambda eleven: 6 * slope * shared_overs(state, eleven, innings.over)


class _Batter(NamedTuple):
    """The expectation for a batter on a ball: the batting side's chance after it, and the probability of a wicket."""

    worth: float
    hazard: float


def _batter(state: ContestState, batter: int, vector: Array, faced: int = _SETTLED, typical: bool = False) -> _Batter:
    """Return the expectation for a batter, or for a typical one at this place in the order."""
    moment, side = state.moment()._replace(faced=faced), state.teams[state.now.batting_side]
    ball = natural_ball(state, moment, batter, standard_field(state.now.rules, state.now.legal, moment.group))
    known = 0.0 if typical else side.estimates[batter].batting
    return _Batter(value(ball, known, vector), value(ball, known, wickets()))


def _balls_to_face(hazard: float, left: float) -> float:
    """Return the balls that a batter faces who comes in with `left` to be bowled, each as likely as the partner."""
    share: float = (1 - hazard / 2) ** max(0.0, left)
    return (1 - share) / hazard
