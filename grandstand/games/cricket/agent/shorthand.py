"""The moment in few words for a small model, from a closed vocabulary in which numbers are words for ranges.

It has only what the seat may know: the score, the season's figures, the past balls and the field. Common knowledge
comes first, the seat and its question last. There are two forms. The present one has the price of a wicket, and the
frequency of each length, line and variation among the balls that batters remember. The earlier one
(`earlier_shorthand`), which saved policies may still read, has the repeated lengths and variations among the last six
balls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final

from grandstand.games.base import SeatId
from grandstand.games.cricket.agent.actions import PLAN_OVER
from grandstand.games.cricket.agent.policy_menu import BATTERS, BOWLERS, PLAN_WORDS, WORDS, place_of
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.field import KEEPER_UP, PRESETS, Field, field_of
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.match import over_plan
from grandstand.games.cricket.match.chances import class_worths
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.model.ball_model import SET_BIN
from grandstand.games.cricket.model.context import resembles
from grandstand.games.cricket.model.engine import WICKET
from grandstand.games.cricket.model.reading import FREE_SHARE, MEMORY, Aim
from grandstand.games.cricket.model.teams import Team
from grandstand.games.cricket.model.umpire import EVIDENCE
from grandstand.games.cricket.vocab import CLASSES, GROUPS, LENGTHS, LINES, PHASES, REVIEWED_EXTRAS, SEATS

_USUAL: Final = ("natural", "stock")
_LAST: Final = 6
"""The number of balls of this kind of bowling among which repetitions are counted."""
_OFTEN: Final = 3
"""The number of them that makes a length or a variation repeated."""


_NEARLY: Final = FREE_SHARE * MEMORY - 3
"""The number of calls with the same length, line or variation beyond which the shorthand names it."""
_FOUR: Final = CLASSES.index("4")


class _Scale:
    """Words for ranges of whole numbers: each from its own number up to the next word's, the last open-ended."""

    def __init__(self, name: str, marks: Iterable[int]) -> None:
        self.words = tuple(f"{name}_{mark}" for mark in marks)
        starts = [int(word.rpartition("_")[2]) for word in self.words]
        self._of = tuple(
            next(w for w, start in zip(self.words[::-1], starts[::-1], strict=True) if start <= max(value, starts[0]))
            for value in range(starts[-1] + 1)
        )

    def __call__(self, value: float) -> str:
        return self._of[min(int(value), len(self._of) - 1)]


_OVERS: Final = _Scale("overs", (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50))
_BALL: Final = _Scale("ball", range(1, 7))
_LEFT: Final = _Scale("left", (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 21, 24, 30, 36, 48, 60, 80, 100, 120, 180, 240))
_HAND: Final = _Scale("hand", range(1, 11))
_RATE: Final = _Scale("rate", (0, *range(3, 17), 18, 21, 24))
_NEED: Final = _Scale("need", (*range(1, 13), 15, 18, 21, 25, 30, 36, 43, 50, 60, 75, 90, 110, 130, 160, 200, 250, 300))
_ASKED: Final = _Scale("asked", (0, *range(3, 17), 18, 21, 24, 30, 36))
_OVER: Final = _Scale("over", (*range(13), 15, 18, 21, 24))
_SET: Final = _Scale("set", range(SET_BIN[-1] + 1))
_STRIKE_RATE: Final = _Scale("sr", (0, *range(80, 200, 10)))
_ECONOMY: Final = _Scale("econ", range(4, 16))
_SPARE: Final = _Scale("spare", (0, 1, 2, 3, 4, 6, 8, 10))
_TIMES: Final = _Scale("times", range(_OFTEN, _LAST + 1))
_PRICE: Final = _Scale("price", (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22))
_CALLED: Final = _Scale("called", (*range(4, 11), 12, 15))
_OUTSIDE: Final = _Scale("outside", (2, 4, 5))
_REVIEWS: Final = _Scale("reviews", range(3))
_EARLIER_SCALES: Final = (
    _OVERS, _BALL, _LEFT, _HAND, _RATE, _NEED, _ASKED, _OVER, _SET, _STRIKE_RATE, _ECONOMY, _SPARE, _TIMES, _OUTSIDE,
    _REVIEWS,
)  # fmt: skip

_MARKS: Final = (
    "toss", "first", "chase", "super_over", "striker", "other", "nobody", "bowling", "read", "own_field", "free_hit",
    "no_bouncer", "bats", "bowls", "appeal", "given", "not_given", "lbw", "caught", *EVIDENCE, "next",
)  # fmt: skip
_FIELDS: Final[Mapping[Field, str]] = {
    field_of(places, up): name for name, places in PRESETS.items() for up in (False, name in KEEPER_UP)
}


@cache
def vocabulary() -> tuple[str, ...]:
    """Return every word of the shorthand and of replies."""
    words = (word for word in earlier_vocabulary() if word not in _TIMES.words)
    return (*words, *_PRICE.words, *_CALLED.words, *REVIEWED_EXTRAS)


@cache
def earlier_vocabulary() -> tuple[str, ...]:
    """Return every word of the earlier shorthand and of replies."""
    numbers = (word for scale in _EARLIER_SCALES for word in scale.words)
    return tuple(dict.fromkeys((*_MARKS, *PHASES, *GROUPS, *numbers, *WORDS)))


def shorthand(game: CricketGame, seat: SeatId) -> str:
    """Return `chase death overs_5 left_12 ball_1 hand_7 ... price_4 striker batter_2 set_3 sr_150 ... bats`."""
    return _shorthand(game, seat, earlier=False)


def earlier_shorthand(game: CricketGame, seat: SeatId) -> str:
    """Return the moment in the words of `earlier_vocabulary`."""
    return _shorthand(game, seat, earlier=True)


def _shorthand(game: CricketGame, seat: SeatId, *, earlier: bool) -> str:
    state = game.state
    if state.stage == "toss":
        return f"toss {_OVERS(state.options.overs)}"
    innings, side = state.now, SEATS.index(seat)
    words = _score(innings)
    if not earlier and innings.closed is None:
        words.append(_PRICE(_price_of_a_wicket(state)))
    words += [*_batters(game, innings), *_bowling(game, innings)]
    if innings.bowler is not None:
        words += _repeated(state.aims[state.attack][-_LAST:]) if earlier else _called(state.aims[state.attack])
    words += _conditions(game, innings)
    words.append("bats" if side == innings.batting_side else "bowls")
    if game.state.stage == "review":
        words += _appeal(game, earlier=earlier)
    elif side == innings.bowling_side and innings.bowler is None:
        words += _next_bowlers(game, innings)
    return " ".join([*words, *_planned(state, side)])


def _score(innings: Innings) -> list[str]:
    rules, legal, balls_left = innings.rules, innings.legal, innings.balls_left
    words = [
        "first" if innings.target is None else "chase",
        PHASES[resembles(rules, legal)[1]],
        _OVERS(rules.overs),
        _LEFT(balls_left),
        _BALL(legal % 6 + 1),
        _HAND(rules.wickets - innings.wickets),
        _OVER(innings.runs - innings.over_start[0]),
    ]
    if rules.super_over:
        words[2] = "super_over"
    if legal:
        words.append(_RATE(6 * innings.runs / legal))
    if innings.target is not None:
        words += _NEED(innings.target - innings.runs), _ASKED(innings.required_rate() or 0.0)
    return words


def _batters(game: CricketGame, innings: Innings) -> list[str]:
    players = game.state.teams[innings.batting_side].players
    words: list[str] = []
    for mark, place in (("striker", innings.striker), ("other", innings.non_striker)):
        if place is None:
            words += mark, "nobody"
        else:
            word = BATTERS[place_of(game.state, innings.batting_side, place)]
            words += mark, word, _SET(SET_BIN[innings.batters[place].balls])
            words.append(_STRIKE_RATE(players[place].season["sr"]))
    return words


def _bowling(game: CricketGame, innings: Innings) -> list[str]:
    """Return the bowler, with the season's figures and the overs left."""
    bowler = innings.bowler
    if bowler is None:
        return ["bowling", "nobody"]
    player, card = game.state.teams[innings.bowling_side].players[bowler], innings.bowlers[bowler]
    phase = resembles(innings.rules, innings.legal)[1]
    word = BOWLERS[place_of(game.state, innings.bowling_side, bowler)]
    words = ["bowling", word, player.group, _ECONOMY(player.season["econ"][phase])]
    words.append(_SPARE(innings.rules.bowler_max_overs - card.overs))
    return words


def _price_of_a_wicket(state: ContestState) -> float:
    """Return the price of the wicket in runs, by the batting side's chances of winning after the ball."""
    worths = class_worths(state)
    run = max(float(worths[_FOUR] - worths[0]) / 4, 1e-6)
    return float(worths[0] - worths[WICKET]) / run


@lru_cache(maxsize=4096)
def _called(aims: tuple[Aim, ...]) -> list[str]:
    """Return the lengths, lines and variations whose frequency is near or above that at which batters expect them."""
    lengths = Counter(LENGTHS[length] for length, _, _ in aims if length >= 0)
    lines = Counter(LINES[line] for _, line, _ in aims if line >= 0)
    variations = Counter(variation for _, _, variation in aims if variation not in _USUAL)
    often = [item for calls in (lengths, lines, variations) for item in calls.most_common() if item[1] > _NEARLY]
    return [word for call, count in often for word in (call, _CALLED(count))]


@lru_cache(maxsize=4096)
def _repeated(aims: tuple[Aim, ...]) -> list[str]:
    lengths = [LENGTHS[length] for length, _, _ in aims if length >= 0]
    variations = [variation for _, _, variation in aims if variation not in _USUAL]
    words: list[str] = []
    for calls in (lengths, variations):
        for call in dict.fromkeys(calls):
            if calls.count(call) >= _OFTEN:
                words += "read", call, _TIMES(calls.count(call))
    return words


def _conditions(game: CricketGame, innings: Innings) -> list[str]:
    rules = innings.rules
    words = [_FIELDS.get(game.state.field, "own_field"), _OUTSIDE(innings.max_outside)]
    if innings.free_hit:
        words.append("free_hit")
    if innings.bouncers >= rules.bouncers_per_over:
        words.append("no_bouncer")
    return words


def _appeal(game: CricketGame, *, earlier: bool) -> list[str]:
    appeal = game.state.appeal_made(game.state.delivery())
    return [
        "appeal",
        *([] if earlier and appeal.kind in REVIEWED_EXTRAS else [appeal.kind]),
        "given" if appeal.given_out else "not_given",
        appeal.evidence,
        _REVIEWS(appeal.reviews_left),
    ]


def _planned(state: ContestState, side: int) -> list[str]:
    """Return the plan of the over by which the side plays, if it has one: theme and zone, or intents and stroke."""
    plan = over_plan.in_force(state, side)
    if plan is None:
        return []
    intents = plan.get("intents")
    bowls = (over_plan.theme_of(plan), over_plan.zone_of(plan))
    called = bowls if intents is None else (*intents.values(), over_plan.shot_of(plan))
    return [PLAN_WORDS[PLAN_OVER], *(PLAN_WORDS.get(word, word) for word in called)]


def _next_bowlers(game: CricketGame, innings: Innings) -> list[str]:
    """Return the front-line bowlers who may bowl this over, the cheapest in this phase by season's figures first."""
    team, phase = game.state.teams[innings.bowling_side], resembles(innings.rules, innings.legal)[1]
    free = [i for i in _by_economy(team, phase) if innings.may_bowl(i, team.keeper) is None]
    words = ["next"]
    for i in free:
        bowled = innings.bowlers[i].overs if i in innings.bowlers else 0
        word = BOWLERS[place_of(game.state, innings.bowling_side, i)]
        words += word, team.players[i].group, _SPARE(innings.rules.bowler_max_overs - bowled)
    return words


def _by_economy(team: Team, phase: int) -> list[int]:
    def economy(place: int) -> float:
        figures: Sequence[float] = team.players[place].season["econ"]
        return figures[phase]

    return sorted((i for i, player in enumerate(team.players) if player.front_line), key=economy)
