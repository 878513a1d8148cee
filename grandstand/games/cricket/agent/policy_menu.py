"""The choices of policies, fewer than the captain's own (`choices.py`), and their words in the shorthand.

Actions that no captain would want are left out. There is no call for the scorer's numbers, which are in the
prompt, and no setting for the next over, whose note is free text and whose calls each ball names anyway. Fields are
presets that break no restriction, at most one a ball. There are no more bouncers than the over allows. A batter is
named only when one has to come in, and none is retired; substitutes stay on the bench. Where overs are planned, a
policy answers one plan an over like everybody, without its note; words of a plan that the vocabulary lacks are spelled
by the nearest that it has, so that policies that were saved before there were plans can read and write them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from grandstand.games.base import SeatId
from grandstand.games.choices import Chosen, Pick, Slot, picks
from grandstand.games.cricket.agent import actions, menu, over_slots
from grandstand.games.cricket.agent.actions import PLAN_OVER
from grandstand.games.cricket.agent.choices import (
    ball_slots,
    batter_slots,
    batters,
    bowler_slots,
    bowlers,
    pick,
    stroke_slots,
)
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.field import PRESETS, field_of
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.vocab import GROUPS, INTENTS, LENGTHS, LINES, SEATS, SHOTS

BATTERS: Final = tuple(f"batter_{place}" for place in range(11))
BOWLERS: Final = tuple(f"bowler_{place}" for place in range(11))
"""Words for players, by their place in the side's usual batting order."""
_PLAYERS: Final = {"batter": BATTERS, "bowler": BOWLERS}

PLAN_WORDS: Final[Mapping[str, str]] = {
    PLAN_OVER: "next",
    actions.SIDE: "natural",
    actions.KEEP: "natural",
    "hard_length": "back_of_length",
    "yorkers": "yorker",
    "change_of_pace": "slower_ball",
    "yes": "true",
    "no": "false",
}
"""Words of a plan as the shorthand spells them."""

_TOSS: Final = (pick("decision", ("bat", "field")),)
_REVIEW: Final = (pick("take", ("true", "false")),)
_UNKNOWN_BOWLER: Final = (*ball_slots(None, bouncer=False)[:2], pick("variation", ("natural",)))


def slots(game: CricketGame, seat: SeatId, chosen: Chosen) -> Sequence[Slot]:
    """Return the tools; after one of them a slot for each of its arguments."""
    side = SEATS.index(seat)
    if not chosen:
        return _tool_slot(_tools(game.state, side)) if seat in game.to_act() else ()
    return () if len(chosen) > 1 else _SLOTS[str(chosen["tool"])](game.state, side)


def spell(game: CricketGame, seat: SeatId, slot: str, word: str) -> str:
    """Return the word of the shorthand: a player's by the place in the batting order."""
    if slot not in _PLAYERS or word in PLAN_WORDS:
        return PLAN_WORDS.get(word, word)
    side = SEATS.index(seat)
    player = game.state.teams[side].index(word)
    assert player is not None
    return _PLAYERS[slot][place_of(game.state, side, player)]


def place_of(state: ContestState, side: int, player: int) -> int:
    """Return the place by which a player is spelled: an impact player has that of the one whom he replaced."""
    replaced = state.impact[side]
    return replaced[2] if replaced is not None and player == replaced[1] else player


@lru_cache
def _tool_slot(tools: tuple[str, ...]) -> Sequence[Slot]:
    return (Pick("tool", picks(*tools)),)


def _tools(state: ContestState, side: int) -> tuple[str, ...]:
    """Return the tool that moves the match on, then the free ones that can change something."""
    must = menu.allowed(state, side)[0]
    free = menu.free_calls_left(state, side) > 0
    innings = state.now if state.stage == "play" else None
    if innings is None or not free or must == PLAN_OVER:
        return (must,)
    if side == innings.batting_side:
        vacant = innings.striker is None or innings.non_striker is None
        return (must, "choose_batter") if vacant and len(innings.waiting()) > 1 else (must,)
    if innings.bowler is None:
        return (must, "choose_bowler")
    once = state.calls[side] < 1 + (not innings.over_log)  # the first call of an over chooses its bowler
    return (must, "set_field") if once and not state.field_locked else (must,)


def _fields(state: ContestState, side: int) -> Sequence[Slot]:
    return _field_slots(state.field_choice, state.now.max_outside)


@lru_cache(maxsize=4096)
def _field_slots(choice: str | tuple[str, ...], most: int) -> Sequence[Slot]:
    """Return `standard`, which follows the play, and the presets that are legal now, without the present choice."""
    legal = [name for name, places in PRESETS.items() if field_of(places).breach(most) is None]
    return (pick("preset", [name for name in ("standard", *legal) if choice not in (name, PRESETS.get(name))]),)


def _ball(state: ContestState, side: int) -> Sequence[Slot]:
    """Return the calls that the bowler can bowl, or those that every bowler can while the natural bowler is unknown."""
    innings = state.now
    if innings.bowler is None:
        return _UNKNOWN_BOWLER
    group = state.teams[side].players[innings.bowler].group
    return ball_slots(group, group == GROUPS[0] and innings.bouncers < innings.rules.bouncers_per_over)


def _plan(state: ContestState, side: int) -> Sequence[Slot]:
    """Return the slots of a plan for the over, without the note and nine positions of one's own."""
    who = ((), batters(state, side)) if side == state.now.batting_side else (bowlers(state, side), ())
    slots = over_slots.slots(state, side, {"tool": PLAN_OVER}, *who)
    return tuple(_without_own(slot) for slot in slots if isinstance(slot, Pick))


@lru_cache(maxsize=4096)
def _without_own(slot: Pick) -> Pick:
    return replace(slot, options=tuple(option for option in slot.options if option.word != over_slots.OWN))


_SLOTS: Final[Mapping[str, Callable[[ContestState, int], Sequence[Slot]]]] = {
    "set_toss": lambda state, side: _TOSS,
    "review": lambda state, side: _REVIEW,
    "choose_bowler": lambda state, side: bowler_slots(over_slots.bowler_options(state, bowlers(state, side))),
    "set_field": _fields,
    "bowl_delivery": _ball,
    "play_delivery": lambda state, side: stroke_slots(),
    "choose_batter": lambda state, side: batter_slots(batters(state, side)),
    PLAN_OVER: _plan,
}
_TOOLS: Final = tuple(tool for tool in _SLOTS if tool not in PLAN_WORDS)
WORDS: Final = tuple(
    dict.fromkeys(
        (*_TOOLS, "bat", "field", "true", "false", *INTENTS, *SHOTS, *LENGTHS, *LINES, *actions.ALL_VARIATIONS,
         "standard", *PRESETS, *BOWLERS, *BATTERS)
    )
)  # fmt: skip
"""Every word of answers, as policies read and write them."""
