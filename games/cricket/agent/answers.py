"""A captain's answers piece by piece: the tool, then each of its arguments, as one call in the form of `reply.py`.

The menu is narrower than the rules: it leaves out what no captain has a reason to do. There is no call for the
scorer's numbers, which tell nothing new, and no plan for the next over, whose note is free text and whose settings
each ball names anyway. Fields are presets that break no restriction, one a ball; nobody bowls a bouncer more than the
over allows; a batter is named when one has to come in, and none is retired.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from grandstand.games.base import Action, IllegalAction, SeatId
from grandstand.games.cricket.agent import actions, menu
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.field import PRESETS, field_of
from grandstand.games.cricket.vocab import GROUPS, INTENTS, LENGTHS, LINES, SEATS, SHOTS, VARIATIONS
from grandstand.games.training import Option, Slot

BATTERS: Final = tuple(f"batter_{place}" for place in range(11))
BOWLERS: Final = tuple(f"bowler_{place}" for place in range(11))
"""Words for players, by their place in the side's usual batting order."""

_LEAD: Final = '{"calls": [{"tool": "'
_END: Final = "}}]}"
_ARGUMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "set_toss": ("decision",),
    "review": ("take",),
    "choose_bowler": ("bowler",),
    "set_field": ("preset",),
    "bowl_delivery": ("length", "line", "variation"),
    "play_delivery": ("intent", "shot"),
    "choose_batter": ("batter",),
}
_FLAGS: Final = ("true", "false")
_NATURAL: Final = "natural"
Said = tuple[str, ...] | None
"""The words after the tool; None where the menu has none."""


def _slot(words: Sequence[str], following: str = "", values: Sequence[str] | None = None) -> tuple[Option, ...]:
    """Options whose values are strings, the words themselves unless given; `following` is the argument after this."""
    after = f'", "{following}": "' if following else '"' + _END
    inner = (json.dumps(value)[1:-1] for value in (values or words))
    return tuple(Option(word, text + after) for word, text in zip(words, inner, strict=True))


@lru_cache
def _tool_slot(tools: tuple[str, ...]) -> Slot:
    quote = {tool: "" if tool == "review" else '"' for tool in tools}
    return tuple(Option(tool, f'{tool}", "arguments": {{"{_ARGUMENTS[tool][0]}": {quote[tool]}') for tool in tools)


_TOSS: Final = (_slot(("bat", "field")),)
_REVIEW: Final = (tuple(Option(flag, flag + _END) for flag in _FLAGS),)
_STROKE: Final = (_slot(tuple(INTENTS), "shot"), _slot(SHOTS))
_LENGTHS: Final = _slot(actions.LENGTH_WORDS, "line")
_NO_BOUNCER: Final = _LENGTHS[:-1]
_LINES: Final = _slot(actions.LINE_WORDS, "variation")
_VARIATIONS: Final = {group: _slot((_NATURAL, *VARIATIONS[group])) for group in GROUPS}
_ANY_VARIATION: Final = _slot((_NATURAL,))
_FIELD_NAMES: Final = ("standard", *PRESETS)
_PRESET_OF: Final = {places: name for name, places in PRESETS.items()}

WORDS: Final = tuple(
    dict.fromkeys(
        (*_ARGUMENTS, "bat", "field", *_FLAGS, *INTENTS, *SHOTS, *LENGTHS, *LINES, *actions.ALL_VARIATIONS,
         *_FIELD_NAMES, *BOWLERS, *BATTERS)
    )
)  # fmt: skip
"""Every word that an answer can be made of."""


# --- the menu ---------------------------------------------------------------------------------------------------------


def lead(game: CricketGame, seat: SeatId) -> str:
    return _LEAD


def slots(game: CricketGame, seat: SeatId, chosen: Sequence[str]) -> Sequence[Slot]:
    """The tools; after one of them a slot for each of its arguments."""
    side = SEATS.index(seat)
    if not chosen:
        return (_tool_slot(_tools(game, side)),)
    return () if len(chosen) > 1 else _SLOTS[chosen[0]](game, side)


def _tools(game: CricketGame, side: int) -> tuple[str, ...]:
    """The tool that moves the match on, then the free ones that have something to say."""
    must = menu.allowed(game.state, side)[0]
    free = menu.free_calls_left(game.state, side) > 0
    innings = game.state.now if game.state.stage == "play" else None
    if innings is None or not free:
        return (must,)
    if side == innings.batting_side:
        vacant = innings.striker is None or innings.non_striker is None
        return (must, "choose_batter") if vacant and len(innings.waiting()) > 1 else (must,)
    if innings.bowler is None:
        return (must, "choose_bowler")
    once = game.state.calls[side] < 1 + (not innings.over_log)  # the first call of an over names its bowler
    return (must, "set_field") if once and not game.state.field_locked else (must,)


def _bowlers(game: CricketGame, side: int) -> Sequence[Slot]:
    team = game.state.teams[side]
    free = [i for i in range(11) if game.state.now.may_bowl(i, team.keeper) is None]
    return (_slot([BOWLERS[i] for i in free], values=[team.players[i].name for i in free]),)


def _batters(game: CricketGame, side: int) -> Sequence[Slot]:
    players, waiting = game.state.teams[side].players, game.state.now.waiting()
    return (_slot([BATTERS[i] for i in waiting], values=[players[i].name for i in waiting]),)


def _fields(game: CricketGame, side: int) -> Sequence[Slot]:
    innings = game.state.now
    return _field_slots(game.state.field_choice, innings.rules.max_outside(innings.legal))


@lru_cache(maxsize=4096)
def _field_slots(choice: str | tuple[str, ...], most: int) -> Sequence[Slot]:
    """`standard`, which follows the play, and the presets that are legal now; not the choice that stands."""
    legal = [name for name, places in PRESETS.items() if field_of(places).breach(most) is None]
    return (_slot([name for name in ("standard", *legal) if choice not in (name, PRESETS.get(name))]),)


def _ball(game: CricketGame, side: int) -> Sequence[Slot]:
    """What the bowler can do; what every bowler can where the natural one is to bowl, who is not known yet."""
    innings = game.state.now
    if innings.bowler is None:
        return _NO_BOUNCER, _LINES, _ANY_VARIATION
    group = game.state.teams[side].players[innings.bowler].group
    bouncer = group == GROUPS[0] and innings.bouncers < innings.rules.bouncers_per_over
    return _LENGTHS if bouncer else _NO_BOUNCER, _LINES, _VARIATIONS[group]


_SLOTS: Final[Mapping[str, Callable[[CricketGame, int], Sequence[Slot]]]] = {
    "set_toss": lambda game, side: _TOSS,
    "review": lambda game, side: _REVIEW,
    "choose_bowler": _bowlers,
    "set_field": _fields,
    "bowl_delivery": _ball,
    "play_delivery": lambda game, side: _STROKE,
    "choose_batter": _batters,
}


# --- the inverse ------------------------------------------------------------------------------------------------------


def _said_decision(game: CricketGame, side: int, given: Mapping[str, Any]) -> Said:
    return (actions.word(given, "decision", ("bat", "field")) or "field",)


def _said_review(game: CricketGame, side: int, given: Mapping[str, Any]) -> Said:
    return (_FLAGS[0 if actions.flag(given, "take", True) else 1],)


def _said_bowler(game: CricketGame, side: int, given: Mapping[str, Any]) -> Said:
    return _said_player(game, side, given.get("bowler"), BOWLERS)


def _said_batter(game: CricketGame, side: int, given: Mapping[str, Any]) -> Said:
    return None if "retire" in given else _said_player(game, side, given.get("batter"), BATTERS)


def _said_player(game: CricketGame, side: int, name: Any, words: Sequence[str]) -> Said:
    found = game.state.teams[side].index(name) if isinstance(name, str) else None
    return None if found is None else (words[found],)


def _said_field(game: CricketGame, side: int, given: Mapping[str, Any]) -> Said:
    choice = actions.set_field_choice(given)
    name = choice if isinstance(choice, str) else _PRESET_OF.get(choice)
    return None if name is None else (name,)


def _said_ball(game: CricketGame, side: int, given: Mapping[str, Any]) -> Said:
    bowler = game.state.now.bowler
    call = actions.bowling_choice(given, None if bowler is None else game.state.teams[side].players[bowler].group)
    return _said_call(game, side, call, {"length": _NATURAL, "line": _NATURAL, "variation": _NATURAL})


def _said_stroke(game: CricketGame, side: int, given: Mapping[str, Any]) -> Said:
    return _said_call(game, side, actions.batting_choice(given), {"intent": "normal", "shot": _NATURAL})


def _said_call(game: CricketGame, side: int, call: Mapping[str, str], usual: Mapping[str, str]) -> Said:
    """The call in full. One that leaves something to the side's plan for this over has no such answer."""
    plan = game.state.plans[side]
    if (
        plan is not None
        and plan["over"] == game.state.now.over
        and any(name in plan and name not in call for name in usual)
    ):
        return None
    return tuple({**usual, **call}.values())


_SAID: Final[Mapping[str, Callable[[CricketGame, int, Mapping[str, Any]], Said]]] = {
    "set_toss": _said_decision,
    "review": _said_review,
    "choose_bowler": _said_bowler,
    "set_field": _said_field,
    "bowl_delivery": _said_ball,
    "play_delivery": _said_stroke,
    "choose_batter": _said_batter,
}


def words(game: CricketGame, seat: SeatId, action: Action) -> Sequence[str] | None:
    """The words of the answer that does what `action` does; None where it is illegal or not on the menu."""
    side = SEATS.index(seat)
    try:
        tool, given = actions.parse(action)
        said = _SAID[tool](game, side, given) if tool in _SAID else None
    except IllegalAction:
        return None
    if said is None or tool not in _tools(game, side):
        return None
    offered = zip(said, _SLOTS[tool](game, side), strict=True)
    return (tool, *said) if all(word in {option.word for option in slot} for word, slot in offered) else None
