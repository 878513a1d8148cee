"""Everything that a captain may choose now: a tool, then its arguments.

Choices that the rules refuse are not offered. Two checks are left to `apply`: while the bowler of an over is not named,
the calls that only some bowlers can bowl, because the natural bowler is not known yet; and, in a plan, bowlers who
cannot bowl that over. An argument that may be left out has a word for it, unless another word means the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, Final

from grandstand.games.base import Action, IllegalAction, SeatId
from grandstand.games.choices import Chosen, Many, Option, Pick, Slot, Text, Value, default_value, offers, picks
from grandstand.games.cricket.agent import actions, menu, over_slots
from grandstand.games.cricket.agent.over_slots import NOBODY, OWN, field_options
from grandstand.games.cricket.laws.field import PLACES, PRESETS, legal, moves_to_correct
from grandstand.games.cricket.match import over_plan
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.vocab import GROUPS, INTENTS, SEATS, SHOTS, VARIATIONS

AS_PLANNED: Final = "as planned"
"""The word for the call in the side's plan for the over."""
NO_PLAN: Final = "no plan"
LATER: Final = "later"
_OMITTED: Final = (AS_PLANNED, NO_PLAN, LATER, NOBODY, OWN, actions.KEEP, actions.SIDE)
"""Words for which the action has no argument."""
_PLAN: Final = "choose_next_over_plan"

DESCRIPTIONS: Final = {
    "analyze_situation": "The scorer's numbers for this moment; free, but counted.",
    "set_toss": "You won the toss: bat or field first.",
    "choose_bowler": "Who bowls this over. Left out, the natural choice within the quota bowls.",
    "set_field": "A preset or nine positions; stays until changed. Breaking a restriction is a no-ball each time.",
    "bowl_delivery": "Bowl the ball. What is left out is natural: what real bowlers do in this state.",
    "play_delivery": "Face the ball, not knowing what comes. Left out, intent is normal and the shot natural.",
    "review": "Send the umpire's decision upstairs, or not. A review that fails is lost unless it is umpire's call.",
    "choose_batter": "Who comes in next; with retire, who leaves now.",
    actions.IMPACT: "Once in the match: a substitute comes in for one of the eleven, who takes no further part.",
    actions.PLAN_OVER: "Plan the rest of the over: every ball is called by it. Left out, all is natural or stays.",
    _PLAN: "Your settings for the over that comes next; each delivery may still differ.",
}
"""Tool -> what it does."""
_PROMPTS: Final = {
    "decision": "Bat or field first",
    "take": "Whether to ask for a review",
    "bowler": "Who bowls the over",
    "batter": "Who comes in next",
    "retire": "Who leaves now, which is a wicket",
    "preset": "Where the fielders stand from now on",
    "field": "Where the fielders stand in that over",
    "positions": "Nine positions; bowler and wicket-keeper stand anyway",
    "length": "Where the ball pitches",
    "line": "The line of the ball",
    "variation": "The kind of ball",
    "intent": "How much risk to take",
    "shot": "The stroke",
}
_USUAL: Final = {"length": "natural", "line": "natural", "variation": "natural", "intent": "normal", "shot": "natural"}
"""The defaults of a ball's calls."""
_LENGTHS: Final = {True: actions.LENGTH_WORDS, False: actions.LENGTH_WORDS[:-1]}
"""The lengths with and without a bouncer."""
_ANY_VARIATION: Final = ("natural", *(word for word in VARIATIONS[GROUPS[0]] if word in VARIATIONS[GROUPS[1]]))
_FIELDS: Final = ("standard", *PRESETS)
_PRESET_OF: Final = {places: name for name, places in PRESETS.items()}
_Planned = tuple[str | None, ...]
"""The calls of a plan in the order of the slots; None where it has none."""


def choices(state: ContestState, seat: SeatId, chosen: Chosen) -> Sequence[Slot]:
    """Return the tools; after one of them the slots for its arguments."""
    side = SEATS.index(seat)
    if chosen:
        return _ARGUMENTS[str(chosen["tool"])](state, side, chosen)
    return _tool_slot(_tools(state, side)) if seat in menu.to_act(state) else ()


def action(chosen: Chosen) -> Action:
    """Return the chosen tool call."""
    arguments: dict[str, Any] = {}
    positions: list[str] = []
    for name, value in chosen.items():
        if not isinstance(value, str | int):
            positions += value
        elif name == "take":
            arguments[name] = value == "true"
        elif name == "ask":
            arguments[name] = value == "yes"
        elif value if name == "note" else name != "tool" and value not in _OMITTED:
            arguments[name] = value
    if positions:
        arguments["field" if chosen["tool"] in (_PLAN, actions.PLAN_OVER) else "positions"] = positions
    return {"tool": chosen["tool"], "arguments": arguments}


def chosen_call(state: ContestState, seat: SeatId, call: Action) -> Chosen | None:
    """Return the choices with the same effect as `call`; None if no choices make it."""
    side = SEATS.index(seat)
    try:
        tool, arguments = actions.parse(call)
        given = {"tool": tool, **_values(state, side, arguments)}
    except IllegalAction:
        return None
    chosen: dict[str, Value] = {}
    while slots := choices(state, seat, chosen):
        for slot in slots:
            required = isinstance(slot, Pick | Many) and slot.default is None
            value = given.get(slot.name, None if required else default_value(slot))
            if value is None or not offers(slot, value):
                return None
            chosen[slot.name] = value
    return chosen if given.keys() <= chosen.keys() else None


# --- tools ------------------------------------------------------------------------------------------------------------


def _tools(state: ContestState, side: int) -> tuple[str, ...]:
    """Return the tool that continues the match, then the free tools that have choices."""
    tools = menu.allowed(state, side)
    if tools[0] == actions.PLAN_OVER:
        return tools[:1]
    if menu.free_calls_left(state, side) <= 0:
        return tools[:1]
    if state.stage != "play":
        return tools
    if side == state.now.batting_side:
        return tools if state.now.waiting() else _without(tools, "choose_batter")
    return _without(tools, "set_field") if state.field_locked and state.breached is None else tools


def _without(tools: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(tool for tool in tools if tool != name)


@lru_cache
def _tool_slot(tools: tuple[str, ...]) -> tuple[Pick]:
    options = tuple(Option(tool, help=DESCRIPTIONS[tool]) for tool in tools)
    return (Pick("tool", options, "What to do", tools[0]),)


def pick(name: str, words: Iterable[str], default: str | None = None) -> Pick:
    """Return the slot of an argument."""
    return Pick(name, picks(*words), _PROMPTS[name], default)


# --- the calls of a ball ----------------------------------------------------------------------------------------------


def _ball(state: ContestState, side: int, chosen: Chosen) -> Sequence[Slot]:
    if len(chosen) > 1:
        return ()
    bowler = state.now.bowler
    group = None if bowler is None else state.teams[side].players[bowler].group
    bouncer = group == GROUPS[0] and "bouncer" not in state.now.fouls
    return ball_slots(group, bouncer, _planned(state, side, ("length", "line", "variation")))


@lru_cache
def ball_slots(group: str | None, bouncer: bool, planned: _Planned = (None, None, None)) -> Sequence[Slot]:
    """Return the slots of a ball by a bowler of `group`; for None, the choices that every bowler has."""
    variations = _ANY_VARIATION if group is None else ("natural", *VARIATIONS[group])
    length, line, variation = planned
    return (
        _call("length", _LENGTHS[bouncer], length),
        _call("line", actions.LINE_WORDS, line),
        _call("variation", variations, variation),
    )


def _stroke(state: ContestState, side: int, chosen: Chosen) -> Sequence[Slot]:
    return () if len(chosen) > 1 else stroke_slots(_planned(state, side, ("intent", "shot")))


@lru_cache
def stroke_slots(planned: _Planned = (None, None)) -> Sequence[Slot]:
    """Return the ways to play a ball."""
    intent, shot = planned
    return _call("intent", tuple(INTENTS), intent), _call("shot", SHOTS, shot)


def _planned(state: ContestState, side: int, names: Sequence[str]) -> _Planned:
    """Return what the side's plan says for this over."""
    if over_plan.in_force(state, side) is not None:
        return ("the plan of the over",) * len(names)
    plan: Mapping[str, Any] | None = state.plans[side]
    here = plan if plan is not None and plan["over"] == state.now.over else {}
    return tuple(here.get(name) for name in names)


def _call(name: str, words: Sequence[str], planned: str | None) -> Pick:
    """Return the slot of a call, whose default is the plan's call if there is one."""
    if planned is None:
        return pick(name, words, _USUAL[name])
    options = (Option(AS_PLANNED, planned), *picks(*words))
    return Pick(name, options, _PROMPTS[name], AS_PLANNED)


# --- players ----------------------------------------------------------------------------------------------------------


def _bowler(state: ContestState, side: int, chosen: Chosen) -> Sequence[Slot]:
    return () if len(chosen) > 1 else bowler_slots(over_slots.bowler_options(state, bowlers(state, side)))


@lru_cache(maxsize=4096)
def bowler_slots(options: tuple[Option, ...]) -> Sequence[Slot]:
    return (Pick("bowler", options, _PROMPTS["bowler"]),)


def bowlers(state: ContestState, side: int, next_over: bool = False) -> list[str]:
    """Return the names of those who may bowl this over, or with `next_over` the planned one."""
    innings, team = state.now, state.teams[side]
    names = [p.name for i, p in enumerate(team.players) if innings.may_bowl(i, team.keeper) is None]
    if next_over and innings.bowler is not None:
        now = team.players[innings.bowler].name
        last = [team.players[i].name for i in innings.elevens[side] if i == innings.last_bowler]
        names = [name for name in (*names, *last) if name != now]
    return names


def _batter(state: ContestState, side: int, chosen: Chosen) -> Sequence[Slot]:
    """Return the slots for the batter who leaves, if any may, then for the one who comes in."""
    if "batter" in chosen:
        return ()
    innings = state.now
    ends = (("striker", innings.striker), ("non_striker", innings.non_striker))
    leaving = tuple(end for end, batter in ends if batter is not None and state.choices[1 - side] is None)
    if leaving and "retire" not in chosen:
        return _retire_slots(leaving)
    return batter_slots(batters(state, side), chosen.get("retire", NOBODY) != NOBODY)


@lru_cache
def _retire_slots(ends: tuple[str, ...]) -> Sequence[Slot]:
    return (pick("retire", (NOBODY, *ends), NOBODY),)


@lru_cache(maxsize=4096)
def batter_slots(names: tuple[str, ...], may_wait: bool = False) -> Sequence[Slot]:
    """Return the slot for the batter who comes in; if `may_wait`, the end may stay vacant until the next call."""
    return (pick("batter", (LATER, *names), LATER) if may_wait else pick("batter", names),)


def batters(state: ContestState, side: int) -> tuple[str, ...]:
    """Return the names of those who may come in."""
    players = state.teams[side].players
    return tuple(players[i].name for i in state.now.waiting())


# --- the field --------------------------------------------------------------------------------------------------------

_PLACE_OPTIONS: Final = {place: Option(place, target=place) for place in PLACES}
_POSITIONS: Final = (Many("positions", tuple(_PLACE_OPTIONS.values()), 9, 9, _PROMPTS["positions"]),)
_ANY_FIELD: Final = (Pick("preset", field_options((*_FIELDS, OWN)), _PROMPTS["preset"]),)


def _field(state: ContestState, side: int, chosen: Chosen) -> Sequence[Slot]:
    """Return the presets, and nine positions. After a no-ball for the field the next one has to be legal, so that what
    may stand at a position depends on the ones before."""
    fouled = "field" in state.now.fouls
    if "preset" not in chosen:
        accepted = (*(name for name in _FIELDS if _accepted(state, name)), OWN)
        return (Pick("preset", field_options(accepted), _PROMPTS["preset"]),) if fouled else _ANY_FIELD
    if chosen["preset"] != OWN or "positions" in chosen:
        return ()
    if not fouled:
        return _POSITIONS
    places = tuple(str(place) for value in chosen.values() if not isinstance(value, str | int) for place in value)
    if len(places) == 9:
        return ()
    breached = state.breached if state.field_locked else None
    options = _legal_next(places, state.now.max_outside, breached)
    return (Many(f"position_{len(places) + 1}", options, 1, 1, "The next position of a legal field"),)


def _accepted(state: ContestState, choice: str) -> bool:
    return state.would_breach(choice) is None and not (state.field_locked and state.may_correct(choice))


@lru_cache(maxsize=512)
def _legal_next(places: tuple[str, ...], most: int, breached: tuple[str, ...] | None) -> tuple[Option, ...]:
    """Return the places with which a legal field of nine is still possible, by as few moves as a `breached` field
    needs. More than nine places are under no restriction, so that what is legal so far can be completed."""

    def possible(names: tuple[str, ...]) -> bool:
        if breached is None:
            return legal(names, most)
        new = [name for name in names if name not in breached]
        return any(
            len(some) + len(new) <= 9
            and legal((*some, *new), most)
            and all(name in some or name in new for name in names)
            for some in _staying(breached, most)
        )

    free = [place for place in PLACES if place not in places]
    return tuple(_PLACE_OPTIONS[place] for place in free if possible((*places, place)))


@lru_cache(maxsize=64)
def _staying(breached: tuple[str, ...], most: int) -> Sequence[tuple[str, ...]]:
    """Return the sets of places that can stay if the others move, as few as possible, to make the field legal."""
    count = 9 - moves_to_correct(breached, most)
    return [some for some in combinations(breached, count) if legal(some, most)]


# --- plans ------------------------------------------------------------------------------------------------------------


def _plan(state: ContestState, side: int, chosen: Chosen) -> Sequence[Slot]:
    if len(chosen) == 1:
        batting = side == state.now.batting_side
        return _batting_plan() if batting else _bowling_plan(tuple(bowlers(state, side, next_over=True)))
    return _POSITIONS if chosen.get("field") == OWN and "positions" not in chosen else ()


_NOTE: Final = Text("note", actions.MAX_NOTE, "The thought behind it, for yourself")


@lru_cache
def _batting_plan() -> Sequence[Slot]:
    return *(pick(name, (NO_PLAN, *words), NO_PLAN) for name, words in (("intent", INTENTS), ("shot", SHOTS))), _NOTE


@lru_cache(maxsize=512)
def _bowling_plan(names: tuple[str, ...]) -> Sequence[Slot]:
    words = {
        "bowler": names,
        "field": (*_FIELDS, OWN),
        "length": actions.LENGTH_WORDS,
        "line": actions.LINE_WORDS,
        "variation": actions.ALL_VARIATIONS,
    }
    return *(pick(name, (NO_PLAN, *some), NO_PLAN) for name, some in words.items()), _NOTE


def _over(state: ContestState, side: int, chosen: Chosen) -> Sequence[Slot]:
    slots, state, chosen = over_slots.before_plan(state, side, chosen)
    batting = side == state.now.batting_side
    who = ((), batters(state, side)) if batting else (bowlers(state, side), ())
    return slots or over_slots.slots(state, side, chosen, *who)


_TOSS: Final = (pick("decision", ("bat", "field"), "field"),)
_REVIEW: Final = (pick("take", ("true", "false"), "true"),)
_ARGUMENTS: Final[Mapping[str, Callable[[ContestState, int, Chosen], Sequence[Slot]]]] = {
    "analyze_situation": lambda state, side, chosen: (),
    "set_toss": lambda state, side, chosen: () if len(chosen) > 1 else _TOSS,
    "review": lambda state, side, chosen: () if len(chosen) > 1 else _REVIEW,
    "choose_bowler": _bowler,
    "set_field": _field,
    "bowl_delivery": _ball,
    "play_delivery": _stroke,
    "choose_batter": _batter,
    actions.IMPACT: lambda state, side, chosen: () if len(chosen) > 1 else over_slots.impact_now(state, side),
    _PLAN: _plan,
    actions.PLAN_OVER: _over,
}


# --- the inverse ------------------------------------------------------------------------------------------------------


def _values(state: ContestState, side: int, arguments: Mapping[str, Any]) -> dict[str, Value]:
    """Return the arguments of a call as values of slots. Raise IllegalAction for an invalid argument."""
    values: dict[str, Value] = {}
    for name, value in arguments.items():
        if name in ("preset", "positions"):
            fouled = state.stage == "play" and "field" in state.now.fouls
            values |= _field_values("preset", actions.set_field_choice(arguments), one_by_one=fouled)
        elif name == "field":
            values |= _field_values(name, actions.field_choice(value, name))
        elif name == "take":
            values[name] = "true" if actions.flag(arguments, name, True) else "false"
        elif name == "ask":
            values[name] = "yes" if actions.flag(arguments, name, True) else "no"
        elif name in ("bowler", "batter", "impact", "replaces"):
            player = state.teams[side].index(value) if isinstance(value, str) else None
            if player is None:
                actions.refuse(name, "unknown player")
            values[name] = state.teams[side].players[player].name
        elif name == "note":
            values[name] = actions.note(arguments) or ""
        else:
            values[name] = actions.spelled(value)
            if values[name] in _OMITTED:
                actions.refuse(name, "is a word of choices, not of calls")
    return values


def _field_values(name: str, choice: str | tuple[str, ...], one_by_one: bool = False) -> dict[str, Value]:
    """Return a field as values of slots; the nine places of a preset become the preset."""
    if isinstance(choice, str) or choice in _PRESET_OF:
        return {name: choice if isinstance(choice, str) else _PRESET_OF[choice]}
    if one_by_one:
        return {name: OWN, **{f"position_{number}": (place,) for number, place in enumerate(choice, 1)}}
    return {name: OWN, "positions": tuple(place for place in PLACES if place in choice)}
