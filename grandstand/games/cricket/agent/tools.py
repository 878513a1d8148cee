"""The captains' tools for a page or a language model: JSON schemas of the calls that are legal now."""

from __future__ import annotations

from typing import Final

from grandstand.games.cricket.agent import menu
from grandstand.games.cricket.agent.actions import ALL_VARIATIONS, LENGTH_WORDS, LINE_WORDS, MAX_NOTE
from grandstand.games.cricket.agent.choices import DESCRIPTIONS, bowlers
from grandstand.games.cricket.laws.field import PLACES, PRESETS, restrictions
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.types import ArgumentSchema, Legal, Tool, ToolSchema
from grandstand.games.cricket.vocab import GROUPS, INTENTS, SEATS, SHOTS, VARIATIONS


def _enum(values: tuple[str, ...] | list[str], description: str) -> ArgumentSchema:
    return {"type": "string", "enum": list(values), "description": description}


_FIELD: Final[dict[str, ArgumentSchema]] = {
    "preset": _enum(("standard", *PRESETS), "standard follows the state of play by itself"),
    "positions": {
        "type": "array",
        "minItems": 9,
        "maxItems": 9,
        "items": {"type": "string", "enum": list(PLACES)},
        "description": "nine different positions; bowler and wicket-keeper stand anyway",
    },
}
_BATTING: Final[dict[str, ArgumentSchema]] = {
    "intent": _enum(tuple(INTENTS), "how much risk, beside what real batters take here (normal)"),
    "shot": _enum(SHOTS, "a stroke decided beforehand; natural plays the ball on its merit"),
}


def tools(state: ContestState, seat: str) -> Legal:
    """Return the calls that `seat` may make now. `must` is the tool that continues the match; `tools` lists name,
    description and JSON schema of the arguments. While the field may be set, `restrictions` lists the fielding
    restrictions, a breach of which is a no-ball."""
    side = SEATS.index(seat)
    if seat not in menu.to_act(state):
        return {"must": None, "free_calls_left": 0, "tools": []}
    listed: list[Tool] = []
    for name in menu.allowed(state, side):
        arguments = _arguments(state, side, name)
        schema: ToolSchema = {"type": "object", "properties": arguments, "additionalProperties": False}
        listed.append({"name": name, "description": DESCRIPTIONS[name], "parameters": schema})
    legal: Legal = {
        "must": menu.allowed(state, side)[0],
        "free_calls_left": menu.free_calls_left(state, side),
        "tools": listed,
    }
    if "set_field" not in menu.allowed(state, side):
        return legal
    most = state.now.rules.max_outside(state.now.legal)
    legal["restrictions"] = [
        {"where": rule.where, "most": rule.most, "places": list(rule.places)} for rule in restrictions(most)
    ]
    return legal


def _arguments(state: ContestState, side: int, tool: str) -> dict[str, ArgumentSchema]:
    if tool == "set_toss":
        return {"decision": _enum(("bat", "field"), "field where left out")}
    if tool == "review":
        return {"take": {"type": "boolean", "description": "true where left out"}}
    if tool == "choose_bowler":
        return {"bowler": _enum(bowlers(state, side), "the overs left are in the position")}
    if tool == "set_field":
        return _FIELD
    if tool == "bowl_delivery":
        return _bowling(state, side)
    if tool == "play_delivery":
        return _BATTING
    if tool == "choose_batter":
        waiting = [state.teams[side].players[i].name for i in state.now.waiting()]
        return {
            "batter": _enum(waiting, "who comes in at the next fall of a wicket, or now where an end is vacant"),
            "retire": _enum(("striker", "non_striker"), "who leaves now: retired out, which is a wicket"),
        }
    if tool == "choose_next_over_plan":
        purpose = "the thought behind it, for yourself"
        note: ArgumentSchema = {"type": "string", "maxLength": MAX_NOTE, "description": purpose}
        if side == state.now.batting_side:
            return {**_BATTING, "note": note}
        plan = {"bowler": _enum(bowlers(state, side, next_over=True), "who bowls it"), "field": _FIELD["preset"]}
        words = {"length": _enum(LENGTH_WORDS, "aim"), "line": _enum(LINE_WORDS, "aim")}
        return {**plan, **words, "variation": _enum(ALL_VARIATIONS, "what the bowler can do of it"), "note": note}
    return {}


def _bowling(state: ContestState, side: int) -> dict[str, ArgumentSchema]:
    bowler = state.now.bowler
    lengths: tuple[str, ...] = LENGTH_WORDS
    variations: tuple[str, ...] = ALL_VARIATIONS
    if bowler is not None:
        group = state.teams[side].players[bowler].group
        variations = ("natural", *VARIATIONS[group])
        lengths = LENGTH_WORDS if group == GROUPS[0] else LENGTH_WORDS[:-1]
    return {
        "length": _enum(lengths, "where to aim; bowlers miss, a yorker most often"),
        "line": _enum(LINE_WORDS, "where to aim; wide lines cost wides"),
        "variation": _enum(variations, "natural is the usual blend"),
    }
