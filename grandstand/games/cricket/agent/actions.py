"""The captains' tools: names, arguments, and the errors that name the argument and the remedy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NoReturn

from grandstand.games.base import Action, IllegalAction
from grandstand.games.cricket.laws.field import KEEPER_UP, PLACES, PRESETS, parse_places
from grandstand.games.cricket.model.teams import Team
from grandstand.games.cricket.vocab import INTENTS, LENGTHS, LINES, SHOTS, VARIATIONS

ALL_VARIATIONS: Final = tuple(dict.fromkeys(("natural", *VARIATIONS["pace"], *VARIATIONS["spin"])))
LENGTH_WORDS: Final = ("natural", *LENGTHS)
LINE_WORDS: Final = ("natural", *LINES)

PLAN_OVER: Final = "plan_over"
IMPACT: Final = "use_impact_player"
SIDE: Final = "the side's choice"
"""For the bowler of a plan: the natural one."""
KEEP: Final = "keep"
"""For the field of a plan: the one that stands."""

ARGUMENTS: Final[dict[str, tuple[str, ...]]] = {
    "analyze_situation": (),
    PLAN_OVER: (
        "impact", "replaces", "bowler", "field", "theme", "zone", "batter", "striker", "non_striker", "shot", "ask",
        "note",
    ),
    "set_toss": ("decision",),
    "choose_bowler": ("bowler",),
    "set_field": ("preset", "positions"),
    "bowl_delivery": ("length", "line", "variation"),
    "play_delivery": ("intent", "shot"),
    "review": ("take",),
    "choose_batter": ("batter", "retire"),
    IMPACT: ("impact", "replaces"),
    "choose_next_over_plan": (
        "bowler", "field", "length", "line", "variation", "intent", "shot", "note"
    ),
}  # fmt: skip
"""Tool -> its arguments."""
MAX_NOTE: Final = 280
_KEEPER_UP: Final[Mapping[tuple[str, ...], str]] = {PRESETS[name]: name for name in KEEPER_UP}


def parse(action: Action) -> tuple[str, dict[str, Any]]:
    """Return (tool, arguments) of an action whose shape is right. Raise IllegalAction naming the field at fault."""
    tool = action.get("tool") if isinstance(action, dict | Mapping) else None
    if not isinstance(tool, str) or tool not in ARGUMENTS:
        raise IllegalAction("tool", f"unknown tool {tool!r}; there are {', '.join(ARGUMENTS)}")
    arguments = action.get("arguments")
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict | Mapping):
        raise IllegalAction("arguments", f"must be an object, not {type(arguments).__name__}")
    for name in arguments:
        if name not in ARGUMENTS[tool]:
            names = ", ".join(ARGUMENTS[tool]) or "none"
            raise IllegalAction(f"arguments.{name}", f"{tool} has no such argument; it takes {names}")
    return tool, {name: value for name, value in arguments.items() if value is not None}


def word(arguments: Mapping[str, Any], name: str, allowed: tuple[str, ...]) -> str | None:
    """Return the argument as one of `allowed`, or None where it is left out."""
    value = arguments.get(name)
    if value is None:
        return None
    if (word := spelled(value)) not in allowed:
        raise IllegalAction(f"arguments.{name}", f"unknown {name} {value!r}; there are {', '.join(allowed)}")
    return word


def spelled(value: Any) -> str:
    """Return a word with spelling variants removed."""
    return str(value).strip().lower().replace(" ", "_").replace("-", "_")


def flag(arguments: Mapping[str, Any], name: str, default: bool) -> bool:
    value = arguments.get(name, default)
    if not isinstance(value, bool):
        raise IllegalAction(f"arguments.{name}", f"must be true or false, not {value!r}")
    return value


def bowling_choice(arguments: Mapping[str, Any], group: str | None) -> dict[str, str]:
    """Return the length, line and variation of `arguments`. `group` is the bowler's, or None if unknown."""
    if not arguments:
        return {}
    choice = {
        "length": word(arguments, "length", LENGTH_WORDS),
        "line": word(arguments, "line", LINE_WORDS),
        "variation": word(arguments, "variation", ALL_VARIATIONS),
    }
    if group is not None:
        names = ("natural", *VARIATIONS[group])
        if choice["variation"] is not None and choice["variation"] not in names:
            reason = f"a {group} bowler has no {choice['variation']}; there are {', '.join(names)}"
            raise IllegalAction("arguments.variation", reason)
        if group == "spin" and choice["length"] == "bouncer":
            raise IllegalAction("arguments.length", "a spinner bowls no bouncer; the shortest is short")
    return {name: value for name, value in choice.items() if value is not None}


def within_reach(choice: Mapping[str, str], group: str) -> dict[str, str]:
    """Return a plan's bowling choice without calls that a bowler of `group` cannot bowl."""
    can = dict(choice)
    if can.get("variation") not in (None, "natural", *VARIATIONS[group]):
        del can["variation"]
    if group == "spin" and can.get("length") == "bouncer":
        can["length"] = "short"
    return can


def batting_choice(arguments: Mapping[str, Any]) -> dict[str, str]:
    if not arguments:
        return {}
    choice = {"intent": word(arguments, "intent", tuple(INTENTS)), "shot": word(arguments, "shot", SHOTS)}
    return {name: value for name, value in choice.items() if value is not None}


def field_choice(value: Any, name: str) -> str | tuple[str, ...]:
    """Return `standard`, a preset's name, or nine places. Raise IllegalAction for anything else.

    The nine places of a preset with the wicket-keeper up are that preset.
    """
    if isinstance(value, str):
        if value != "standard" and value not in PRESETS:
            raise IllegalAction(name, f"unknown preset {value!r}; there are standard, {', '.join(PRESETS)}")
        return value
    if not isinstance(value, list) or not all(isinstance(place, str) for place in value):
        raise IllegalAction(name, f"must be a preset or a list of nine positions out of {', '.join(PLACES)}")
    try:
        places = parse_places(value)
    except ValueError as error:
        raise IllegalAction(name, str(error)) from None
    return _KEEPER_UP.get(places, places)


def set_field_choice(arguments: Mapping[str, Any]) -> str | tuple[str, ...]:
    if len(arguments) != 1:
        raise IllegalAction("arguments", "give either preset or positions")
    name = next(iter(arguments))
    if name == "preset" and not isinstance(arguments[name], str):
        raise IllegalAction("arguments.preset", f"must be the name of a preset: standard, {', '.join(PRESETS)}")
    return field_choice(arguments[name], f"arguments.{name}")


def player(team: Team, name: Any, argument: str) -> int:
    """Return the place in the order of the player called `name`."""
    found = team.index(name) if isinstance(name, str) else None
    if found is None:
        names = ", ".join(p.name for p in team.players)
        raise IllegalAction(f"arguments.{argument}", f"unknown player {name!r}; there are {names}")
    return found


def note(arguments: Mapping[str, Any]) -> str | None:
    value = arguments.get("note")
    if value is not None and (not isinstance(value, str) or len(value) > MAX_NOTE):
        refuse("arguments.note", f"must be text of at most {MAX_NOTE} characters")
    return value


def refuse(name: str, reason: str) -> NoReturn:
    raise IllegalAction(name, reason)
