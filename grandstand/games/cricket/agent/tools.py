"""The captains' tools for a page or a language model: JSON schemas of the calls that are legal now."""

from __future__ import annotations

from typing import Final

from grandstand.games.cricket.agent import menu
from grandstand.games.cricket.agent.actions import ALL_VARIATIONS, LENGTH_WORDS, LINE_WORDS, MAX_NOTE
from grandstand.games.cricket.laws.field import PLACES, PRESETS, restrictions
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.types import ArgumentSchema, Legal, Tool, ToolSchema
from grandstand.games.cricket.vocab import GROUPS, INTENTS, SEATS, SHOTS, VARIATIONS

_DESCRIPTIONS: Final = {
    "analyze_situation": "The scorer's numbers for this moment; free, but counted.",
    "set_toss": "You won the toss: bat or field first.",
    "choose_bowler": "Who bowls this over. Left out, the natural choice within the quota bowls.",
    "set_field": "A preset or nine positions; stays until changed. Breaking a restriction is a no-ball each time.",
    "bowl_delivery": "Bowl the ball. What is left out is natural: what real bowlers do in this state.",
    "play_delivery": "Face the ball, not knowing what comes. Left out, intent is normal and the shot natural.",
    "review": "Send the umpire's decision upstairs, or not. A review that fails is lost unless it is umpire's call.",
    "choose_batter": "Who comes in next; with retire, who leaves now.",
    "choose_next_over_plan": "Your settings for the over that comes next; each delivery may still differ.",
}


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
        listed.append({"name": name, "description": _DESCRIPTIONS[name], "parameters": schema})
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
        return {"bowler": _enum(_bowlers(state, side), "the overs left are in the position")}
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
        plan = {"bowler": _enum(_bowlers(state, side, next_over=True), "who bowls it"), "field": _FIELD["preset"]}
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


def _bowlers(state: ContestState, side: int, next_over: bool = False) -> list[str]:
    innings, team = state.now, state.teams[side]
    names = [p.name for i, p in enumerate(team.players) if innings.may_bowl(i, team.keeper) is None]
    if next_over and innings.bowler is not None:
        now = team.players[innings.bowler].name
        last = None if innings.last_bowler is None else team.players[innings.last_bowler].name
        names = [name for name in (*names, last) if name is not None and name != now]
    return names
