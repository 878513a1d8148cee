"""A captain's replies piece by piece: the tool, then each of its arguments, as one call in the form of `reply.py`.

The menu is narrower than the rules: it leaves out actions that no captain has a reason for. There is no call for the
scorer's numbers, which are in the prompt, and no plan for the next over, whose note is free text and whose settings
each ball names anyway. Fields are presets that break no restriction, at most one a ball. There are no more bouncers
than the over allows. A batter is named only when one has to come in, and none is retired.
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
ReplyWords = tuple[str, ...] | None
"""The words after the tool; None where the menu has none."""


def _slot(words: Sequence[str], following: str = "", values: Sequence[str] | None = None) -> tuple[Option, ...]:
    """Return options for the string `values` (the words themselves by default); `following` is the next argument."""
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
"""Every word of replies."""


# --- the menu ---------------------------------------------------------------------------------------------------------


def lead(game: CricketGame, seat: SeatId) -> str:
    return _LEAD


def slots(game: CricketGame, seat: SeatId, chosen: Sequence[str]) -> Sequence[Slot]:
    """Return the tools; after one of them a slot for each of its arguments."""
    side = SEATS.index(seat)
    if not chosen:
        return (_tool_slot(_tools(game, side)),)
    return () if len(chosen) > 1 else _SLOTS[chosen[0]](game, side)


def _tools(game: CricketGame, side: int) -> tuple[str, ...]:
    """Return the tool that moves the match on, then the free ones that can change something."""
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
    once = game.state.calls[side] < 1 + (not innings.over_log)  # the first call of an over chooses its bowler
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
    """Return `standard`, which follows the play, and the presets that are legal now, without the present choice."""
    legal = [name for name, places in PRESETS.items() if field_of(places).breach(most) is None]
    return (_slot([name for name in ("standard", *legal) if choice not in (name, PRESETS.get(name))]),)


def _ball(game: CricketGame, side: int) -> Sequence[Slot]:
    """Return the calls that the bowler can bowl, or those that every bowler can while the natural bowler is unknown."""
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


def _decision_words(game: CricketGame, side: int, arguments: Mapping[str, Any]) -> ReplyWords:
    return (actions.word(arguments, "decision", ("bat", "field")) or "field",)


def _review_words(game: CricketGame, side: int, arguments: Mapping[str, Any]) -> ReplyWords:
    return (_FLAGS[0 if actions.flag(arguments, "take", True) else 1],)


def _bowler_words(game: CricketGame, side: int, arguments: Mapping[str, Any]) -> ReplyWords:
    return _player_words(game, side, arguments.get("bowler"), BOWLERS)


def _batter_words(game: CricketGame, side: int, arguments: Mapping[str, Any]) -> ReplyWords:
    return None if "retire" in arguments else _player_words(game, side, arguments.get("batter"), BATTERS)


def _player_words(game: CricketGame, side: int, name: Any, words: Sequence[str]) -> ReplyWords:
    player = game.state.teams[side].index(name) if isinstance(name, str) else None
    return None if player is None else (words[player],)


def _field_words(game: CricketGame, side: int, arguments: Mapping[str, Any]) -> ReplyWords:
    choice = actions.set_field_choice(arguments)
    name = choice if isinstance(choice, str) else _PRESET_OF.get(choice)
    return None if name is None else (name,)


def _ball_words(game: CricketGame, side: int, arguments: Mapping[str, Any]) -> ReplyWords:
    bowler = game.state.now.bowler
    call = actions.bowling_choice(arguments, None if bowler is None else game.state.teams[side].players[bowler].group)
    return _call_words(game, side, call, {"length": _NATURAL, "line": _NATURAL, "variation": _NATURAL})


def _stroke_words(game: CricketGame, side: int, arguments: Mapping[str, Any]) -> ReplyWords:
    return _call_words(game, side, actions.batting_choice(arguments), {"intent": "normal", "shot": _NATURAL})


def _call_words(game: CricketGame, side: int, call: Mapping[str, str], usual: Mapping[str, str]) -> ReplyWords:
    """Return the call in full; None if the side's plan for this over would complete it."""
    plan = game.state.plans[side]
    if (
        plan is not None
        and plan["over"] == game.state.now.over
        and any(name in plan and name not in call for name in usual)
    ):
        return None
    return tuple({**usual, **call}.values())


_REPLY_WORDS: Final[Mapping[str, Callable[[CricketGame, int, Mapping[str, Any]], ReplyWords]]] = {
    "set_toss": _decision_words,
    "review": _review_words,
    "choose_bowler": _bowler_words,
    "set_field": _field_words,
    "bowl_delivery": _ball_words,
    "play_delivery": _stroke_words,
    "choose_batter": _batter_words,
}


def words(game: CricketGame, seat: SeatId, action: Action) -> Sequence[str] | None:
    """Return the words of the reply with the same effect as `action`; None if it is illegal or not on the menu."""
    side = SEATS.index(seat)
    try:
        tool, arguments = actions.parse(action)
        reply_words = _REPLY_WORDS[tool](game, side, arguments) if tool in _REPLY_WORDS else None
    except IllegalAction:
        return None
    if reply_words is None or tool not in _tools(game, side):
        return None
    offered = zip(reply_words, _SLOTS[tool](game, side), strict=True)
    return (tool, *reply_words) if all(word in {option.word for option in slot} for word, slot in offered) else None
