"""Captains for comparison: a random one, and one with a fixed plan."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from grandstand.games.base import Action, SeatId
from grandstand.games.cricket.agent import menu
from grandstand.games.cricket.agent.actions import IMPACT, PLAN_OVER
from grandstand.games.cricket.laws.field import PLACES, PRESETS
from grandstand.games.cricket.match.over_plan import THEMES, ZONES
from grandstand.games.cricket.match.state import Position
from grandstand.games.cricket.vocab import GROUPS, INTENTS, LENGTHS, LINES, SEATS, SHOTS, VARIATIONS

_FREE_CALL: Final = 0.15
"""The probability that the random captain makes a free call."""


def random_captain(game: Position, seat: SeatId, rng: Random) -> Action:
    """Choose any legal tool with any legal arguments."""
    side = SEATS.index(seat)
    allowed = menu.allowed(game.state, side)
    tool = allowed[0]
    if menu.free_calls_left(game.state, side) > 0 and rng.random() < _FREE_CALL:
        tool = rng.choice(allowed)
    arguments = _random_arguments(game, side, tool, rng)
    return {"tool": allowed[0] if arguments is None else tool, "arguments": arguments or {}}


def _random_arguments(game: Position, side: int, tool: str, rng: Random) -> dict[str, Any] | None:
    """Return random arguments; None where the tool has no legal ones."""
    if tool == "set_toss":
        return {"decision": rng.choice(("bat", "field"))}
    if tool == "review":
        return {"take": rng.random() < 0.5}
    if tool == PLAN_OVER:
        return _random_plan(game, side, rng)
    if tool == "play_delivery":
        return {"intent": rng.choice(list(INTENTS)), "shot": rng.choice(SHOTS)}
    if tool == "bowl_delivery":
        return {} if game.state.now.bowler is None else _random_ball(game, side, rng)
    if tool == "choose_bowler":
        team = game.state.teams[side]
        free = [p.name for i, p in enumerate(team.players) if game.state.now.may_bowl(i, team.keeper) is None]
        return {"bowler": rng.choice(free)}
    if tool == "choose_batter":
        waiting = game.state.now.waiting()
        return {"batter": game.state.teams[side].players[rng.choice(waiting)].name} if waiting else None
    if tool == IMPACT:
        players, pair = game.state.teams[side].players, (game.state.substitutes(side), game.state.replaceable(side))
        return dict(zip(("impact", "replaces"), (players[rng.choice(some)].name for some in pair), strict=True))
    if tool == "set_field":
        if game.state.field_locked:
            return None
        places = rng.choice(list(PRESETS.values())) if rng.random() < 0.7 else tuple(rng.sample(PLACES, 9))
        if "field" in game.state.now.fouls and game.state.would_breach(places) is not None:
            return None
        return {"positions": list(places)}
    if tool == "choose_next_over_plan":
        if side == game.state.now.batting_side:
            return {"intent": rng.choice(list(INTENTS))}
        return {"length": rng.choice(LENGTHS), "line": rng.choice(LINES), "note": "whatever"}
    return {}


def _random_plan(game: Position, side: int, rng: Random) -> dict[str, Any]:
    if side == game.state.now.batting_side:
        ends = {end: rng.choice(list(INTENTS)) for end in ("striker", "non_striker")}
        return ends | {"shot": rng.choice(SHOTS)}
    return {"theme": rng.choice(list(THEMES)), "zone": rng.choice(ZONES), "ask": rng.random() < 0.5}


def _random_ball(game: Position, side: int, rng: Random) -> dict[str, Any]:
    assert game.state.now.bowler is not None
    group = game.state.teams[side].players[game.state.now.bowler].group
    lengths = LENGTHS if group == GROUPS[0] and "bouncer" not in game.state.now.fouls else LENGTHS[:-1]
    return {
        "length": rng.choice(lengths),
        "line": rng.choice(LINES),
        "variation": rng.choice(VARIATIONS[group]),
    }


def fixed_plan(game: Position, seat: SeatId, rng: Random) -> Action:
    """Play a plan made before the toss.

    Good length in the channel, yorkers at the death; defend against the new ball, build, slog in the last quarter.
    """
    side = SEATS.index(seat)
    if game.state.stage == "toss":
        return {"tool": "set_toss", "arguments": {"decision": "bat"}}
    if game.state.stage == "review":
        return {"tool": "review", "arguments": {"take": False}}
    innings = game.state.now
    part = innings.legal / innings.rules.balls
    plans = menu.allowed(game.state, side)[0] == PLAN_OVER
    if side == innings.batting_side:
        intent = "build" if part < 0.1 else "normal" if part < 0.75 else "slog"
        if plans:
            return {"tool": PLAN_OVER, "arguments": {"striker": intent, "non_striker": intent}}
        return {"tool": "play_delivery", "arguments": {"intent": intent}}
    if plans:
        theme = "yorkers" if part >= 0.8 else "hard_length"
        return {"tool": PLAN_OVER, "arguments": {"theme": theme, "zone": "off_channel"}}
    length = "yorker" if part >= 0.8 else "good"
    return {"tool": "bowl_delivery", "arguments": {"length": length, "line": "off_channel"}}
