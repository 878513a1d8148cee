"""Constant plans against `heuristic`: a table of docs/cricket-tactics.md.

    python -m benchmarks.cricket_constant_plans --matches 200 [--decisions over] [--few 12] [--only NAME ...]

A plan decides like `heuristic`, but for one call that never changes in a phase. Every seed is played from both sides,
so that what the sides are worth cancels. `in expectation` is one half and what the calls of the plan gain against the
mix of `heuristic` beside its own mix, by the tables, in the matches that the plan leads to: neither the luck of the
balls nor that of the draws is in it, so that a few matches are enough. It leaves out what a plan's fields are worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from statistics import fmean
from typing import Annotated, Any, Final

import typer

from benchmarks.report import Cell, Out, mean, progress, publish, table
from grandstand.games.base import Action, SeatId
from grandstand.games.cricket.agent import menu
from grandstand.games.cricket.agent.actions import PLAN_OVER
from grandstand.games.cricket.agent.measures import measures
from grandstand.games.cricket.agent.proposals import gain_over_the_mix
from grandstand.games.cricket.bots import ball_game, over_plans
from grandstand.games.cricket.bots.heuristic import heuristic, order_shares, plan_shares, situation
from grandstand.games.cricket.events import BallBowled, InningsStarted
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.field import PRESETS, field_of
from grandstand.games.cricket.match.chances import class_worths
from grandstand.games.cricket.match.over_plan import THEMES, ZONES
from grandstand.games.cricket.model.context import resembles
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import Captain, play_match
from grandstand.games.cricket.vocab import GROUPS, PHASES, SEATS, SHOT_FAMILIES, SHOT_FAMILY
from grandstand.games.match import event_data

Call = Mapping[str, str]
Calls = Mapping[str, Sequence[Call]]
"""Phase, or kind of bowling and phase -> the calls that are made by turns."""


def _phase(game: CricketGame) -> str:
    return PHASES[resembles(game.state.now.rules, game.state.now.legal)[1]]


def _bats(game: CricketGame, seat: SeatId) -> bool:
    return game.state.now.batting_side == SEATS.index(seat)


def _at(calls: Calls, game: CricketGame) -> Call | None:
    """Return the call of this ball: that of its kind of bowling and phase, of its phase, or of any."""
    keys = f"{GROUPS[game.state.attack]}, {_phase(game)}", _phase(game), "any"
    row = next((calls[key] for key in keys if key in calls), None)
    return None if row is None else row[game.state.now.legal % len(row)]


def constant(bats: bool, calls: Calls, fields: Mapping[str, str] | None = None) -> Captain:
    """Return the captain that makes `calls`, and holds `fields` by phase; all else is decided by `heuristic`."""

    def captain(game: CricketGame, seat: SeatId, rng: Random) -> Action:
        state, usual = game.state, heuristic(game, seat, rng)
        if state.stage != "play" or _bats(game, seat) != bats:
            return usual
        held = None if fields is None else fields.get(_phase(game))
        if held is not None and _breaks(game, held):
            held = None
        arguments: dict[str, Any] = dict(usual["arguments"])
        if usual["tool"] == PLAN_OVER:
            return {"tool": PLAN_OVER, "arguments": _planned(game, arguments, _at(calls, game), held)}
        if held is not None and state.now.bowler is not None:
            free = menu.free_calls_left(state, SEATS.index(seat)) > 0 and not state.field_locked
            if state.field_choice != held and free:
                return {"tool": "set_field", "arguments": {"preset": held}}
            if usual["tool"] == "set_field":
                usual = {"tool": "bowl_delivery", "arguments": {}}
        if usual["tool"] in ("bowl_delivery", "play_delivery") and (call := _at(calls, game)) is not None:
            return {"tool": usual["tool"], "arguments": _within(game, call)}
        return usual

    return captain


def _planned(game: CricketGame, usual: dict[str, Any], call: Call | None, held: str | None) -> dict[str, Any]:
    state = game.state
    if held is not None and state.refused_field(held) is None:
        usual["field"] = held
    if call is None:
        return usual
    if "intent" in call:
        usual |= {"striker": call["intent"], "non_striker": call["intent"], "shot": "natural"}
    return usual | {name: word for name, word in call.items() if name != "intent"}


def _breaks(game: CricketGame, preset: str) -> bool:
    innings = game.state.now
    if preset == "standard":
        return False
    return field_of(PRESETS[preset]).breach(innings.rules.max_outside(innings.legal)) is not None


def _within(game: CricketGame, call: Call) -> dict[str, str]:
    """Return the call without a bouncer that the over no longer allows."""
    innings = game.state.now
    if call.get("length") == "bouncer" and innings.bouncers >= innings.rules.bouncers_per_over:
        return {**call, "length": "short"}
    return dict(call)


def _ball(length: str = "natural", line: str = "natural", variation: str = "natural") -> Call:
    return {"length": length, "line": line, "variation": variation}


def _aimed(line: str, *balls: tuple[str, str]) -> list[Call]:
    return [_ball(length, line, variation) for length, variation in balls]


_FAST: Final = _aimed(
    "off_channel", ("bouncer", "slower_ball"), ("natural", "natural"), ("good", "natural"), ("natural", "natural"),
    ("good", "quick"), ("natural", "slower_ball"),
)  # fmt: skip
_LATE: Final = _aimed(
    "off_channel", ("yorker", "natural"), ("good", "natural"), ("bouncer", "slower_ball"), ("yorker", "natural"),
    ("back_of_length", "natural"), ("good", "quick"),
)  # fmt: skip
_SPIN: Final = _aimed(
    "off_channel", ("good", "quicker"), ("good", "wrong_un"), ("natural", "natural"), ("natural", "quicker"),
    ("back_of_length", "natural"), ("natural", "wrong_un"),
)  # fmt: skip
_CYCLE: Final = {
    **{f"pace, {phase}": _LATE if phase == "death" else _FAST for phase in PHASES},
    **{f"spin, {phase}": _SPIN for phase in PHASES},
}
"""A cycle of six balls that earlier rules could not answer."""
_STANDARD: Final = dict.fromkeys(PHASES, "standard")
_bowls, _bats_so = partial(constant, False), partial(constant, True)

BALLS: Final[Mapping[str, Captain]] = {
    "bowl natural": _bowls({"any": [_ball()]}),
    "bowl natural, standard fields": _bowls({"any": [_ball()]}, _STANDARD),
    "bowl good, off channel": _bowls({"any": [_ball("good", "off_channel")]}),
    "bowl back of a length": _bowls({"any": [_ball("back_of_length")]}),
    "bowl good, yorkers late": _bowls({"any": [_ball("good")], "death": [_ball("yorker")]}),
    "bowl a cycle of six": _bowls(_CYCLE),
    "bowl a cycle of six, standard fields": _bowls(_CYCLE, _STANDARD),
    "standard fields": _bowls({}, _STANDARD),
    **{f"{name} in the powerplay": _bowls({}, {"powerplay": name}) for name in ("pp_defend", "pp_ring", "pp_slip")},
    "bat normal": _bats_so({"any": [{"intent": "normal"}]}),
    "bat attack": _bats_so({"any": [{"intent": "attack"}]}),
    "bat rotate": _bats_so({"any": [{"intent": "rotate"}]}),
    "bat normal, attack late": _bats_so({"any": [{"intent": "normal"}], "death": [{"intent": "attack"}]}),
}
OVERS: Final[Mapping[str, Captain]] = {
    **{f"theme {theme}": _bowls({"any": [{"theme": theme, "zone": "natural"}]}) for theme in THEMES},
    **{f"zone {zone}": _bowls({"any": [{"theme": "natural", "zone": zone}]}) for zone in ZONES[1:] if zone != "leg"},
    "attack, hard length, yorkers": _bowls(
        {phase: [{"theme": theme, "zone": "natural"}]
         for phase, theme in zip(PHASES, ("attack", "hard_length", "yorkers"), strict=True)}
    ),
    "standard fields": _bowls({}, _STANDARD),
    **{f"{name} in the powerplay": _bowls({}, {"powerplay": name}) for name in ("pp_defend", "pp_ring", "pp_slip")},
    **{
        f"bat normal, {family}": _bats_so({"any": [{"intent": "normal", "shot": shots[0]}]})
        for family, shots in SHOT_FAMILIES.items()
        if family in ("drive", "leg_side", "loft")
    },
    **{f"bat {intent}": _bats_so({"any": [{"intent": intent}]}) for intent in ("normal", "build", "rotate", "attack")},
    "bat normal, attack late": _bats_so({"any": [{"intent": "normal"}], "death": [{"intent": "attack"}]}),
}  # fmt: skip
PLANS: Final = {"ball": BALLS, "over": OVERS}


def _gain(game: CricketGame, seat: SeatId, action: Action) -> dict[str, float]:
    """Return what a call gains on a ball over the mix of `heuristic`, against its mix: by batter, or for '' in all."""
    state, bats = game.state, _bats(game, seat)
    if action["tool"] != PLAN_OVER:
        return {"": gain_over_the_mix(state, action)}
    given = action["arguments"]
    if not bats and state.now.bowler is None:
        state = state.clone()
        player = state.teams[state.now.bowling_side].index(given["bowler"])
        assert player is not None
        state.now.give_ball(player)
        state.attack = state.group_of(player)
    run = ball_game.worth_of_a_run(class_worths(state))
    if not bats:
        gains = over_plans.payoff(situation(state)) @ order_shares(state, state.now.striker)
        mix, at = plan_shares(state), over_plans.PLANS.index((given["theme"], given["zone"]))
        return {"": run * float(mix @ gains - gains[at])}
    out = {}
    team = state.teams[state.now.batting_side]
    for end, batter in (("striker", state.now.striker), ("non_striker", state.now.non_striker)):
        if batter is not None:
            gains = plan_shares(state) @ over_plans.payoff(situation(state, batter))
            at = over_plans.ORDERS.index((given[end], SHOT_FAMILY.get(given.get("shot", "natural"))))
            out[team.players[batter].name] = run * float(gains[at] - order_shares(state, batter) @ gains)
    return out


def expected(captain: Captain, decisions: str, bats: bool, seed: int) -> float:
    """Return one half and what the plan gains in a match in expectation, the mean of both sides."""
    total = 0.0
    for own in SEATS:
        game, gains = CricketGame(CricketOptions(decisions=decisions, win_probability=False), seed), dict[str, float]()
        rngs = {seat: Random(f"{seed}/{seat}") for seat in SEATS}
        while game.outcome is None:
            seat = game.to_act()[0]
            action = game.standing(seat)
            if action is None:
                action = (captain if seat == own else heuristic)(game, seat, rngs[seat])
                decides = seat == own and game.state.stage == "play" and _bats(game, seat) == bats
                if decides and action["tool"] in (PLAN_OVER, "bowl_delivery", "play_delivery"):
                    gains = _gain(game, seat, action)
            for event in game.apply(seat, action):
                if isinstance(event, BallBowled):
                    total += gains.get(event.batter, gains.get("", 0.0))
                elif isinstance(event, InningsStarted):
                    gains = {}
    return 0.5 + total / 2


Measured = tuple[float, float, float]
"""Score, luck and net decisions."""


def measured(captain: Captain, decisions: str, seed: int) -> Measured:
    """Return the means over both sides of a seed."""
    rows = []
    for seat in SEATS:
        sides = (captain, heuristic) if seat == SEATS[0] else (heuristic, captain)
        game, emitted = play_match(CricketOptions(decisions=decisions), seed, *sides)
        assert game.outcome is not None
        numbers = measures([(type(event).__name__, event_data(event)) for event in emitted], seat)
        rows.append((game.outcome.scores[seat], numbers["luck"], numbers["decisions"]))
    score, luck, net = (fmean(column) for column in zip(*rows, strict=True))
    return score, luck, net


def _row(name: str, pairs: Sequence[Measured], expectations: Sequence[float]) -> list[Cell]:
    scores, luck, net = (list(column) for column in zip(*pairs, strict=True)) if pairs else ([], [], [])
    less = [score - part for score, part in zip(scores, luck, strict=True)]
    return [
        name,
        mean(expectations) if expectations else "",
        *(mean(part) if part else "" for part in (less, net, scores)),
    ]


def main(
    matches: Annotated[int, typer.Option(min=0, help="Seeds, each played from both sides.")] = 200,
    decisions: Annotated[str, typer.Option(help="What the captains decide: ball or over.")] = "ball",
    first: Annotated[int, typer.Option(min=0, help="The first match seed.")] = 90000,
    few: Annotated[int, typer.Option(min=0, help="Seeds for the expectation.")] = 12,
    only: Annotated[list[str] | None, typer.Option(help="A plan; all by default.")] = None,
    out: Out = None,
) -> None:
    """Report a row for each plan, with 95 % intervals over match seeds."""
    plans, rows = PLANS[decisions], list[list[Cell]]()
    for name in progress(only or list(plans), description="plans"):
        captain, fielded = plans[name], "field" in name or "powerplay" in name
        pairs = [measured(captain, decisions, seed) for seed in range(first, first + matches)]
        seeds = () if fielded else range(first, first + few)
        expectations = [expected(captain, decisions, name.startswith("bat "), seed) for seed in seeds]
        rows.append(_row(name, pairs, expectations))
    columns = ["plan", "in expectation", "score less luck", "net decisions", "score"]
    section = table("Means", columns, rows)
    conditions = f"{matches} seeds from {first} from both sides, {decisions} by {decisions}"
    publish("Constant plans", conditions, [section], out)


if __name__ == "__main__":
    typer.run(main)
