"""The orders in a letter: in any notation, in words, or as a support that only the board can tell in full."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from grandstand.games.diplomacy.rules.map import (
    IS_FLEET,
    NEIGHBOURS,
    PROVINCE,
    REACH,
    REACH_PROVINCES,
    UNIT_PROVINCE,
)
from grandstand.games.diplomacy.rules.orders import CONVOY, HOLD, MOVE, NONE, SUPPORT, SUPPORT_MOVE, Order
from grandstand.games.diplomacy.rules.state import State

_UNIT = r"(?:army |fleet |unit )?(?:(?:in|of|from) )?(?:the )?"
_GO = r"(?:go|going to|take|attack)"
_TO = rf"(?:(?:(?:be |will )?(?:{_GO}|hold|support)(?: from)? )?(?:>|to|in)|{_GO}) (?:the )?"
_SUPPORT = (
    rf"@([A-Z]{{3}}) (?:\w+ )?support (?:hold )?(?:my |your |the )?{_UNIT}@([A-Z]{{3}})(?: (?:{_TO})@([A-Z]{{3}}))?"
)
_CONVOY = rf"@([A-Z]{{3}}) c {_UNIT}@([A-Z]{{3}}) (?:>|to) @([A-Z]{{3}})"
_MOVE = rf"@([A-Z]{{3}}) (?:{_TO})@([A-Z]{{3}})"
_HELD = r"@([A-Z]{3}) hold|\bhold (?:in |at )?(?:the )?@([A-Z]{3})"
_BACKED = rf"@([A-Z]{{3}}) (?:{_TO})@([A-Z]{{3}}) (?:(?:did )?support by|with support from) {_UNIT}@([A-Z]{{3}})"
_ORDERS = re.compile("|".join((_CONVOY, _BACKED, _SUPPORT, _MOVE, _HELD)))


def written_orders(words: str, state: State) -> list[tuple[int, Order]]:
    """Return (power, order) of every order that a gloss writes out, as far as the units are there and it is legal."""
    found: list[tuple[int, Order]] = []
    for match in _ORDERS.finditer(words):
        codes = [None if code is None else PROVINCE[code] for code in match.groups()]
        for helper, mover, goal, kind in _meant(codes):
            order = _order(state, helper, mover, goal, kind)
            if order is not None and order not in [other for _, other in found]:
                found.append((state.units[UNIT_PROVINCE[order[1]]][0], order))
    return found


def _meant(codes: Sequence[int | None]) -> Iterable[tuple[int, int, int | None, int]]:
    """Yield (unit, unit that it helps or itself, destination, kind) of the orders that a match stands for."""
    fleet, army, landing, mover, goal, backer, helper, helped, into, leaver, there, held, also = codes
    if fleet is not None and army is not None:
        yield fleet, army, landing, CONVOY
    elif mover is not None and backer is not None:
        yield mover, mover, goal, MOVE
        yield backer, mover, goal, SUPPORT_MOVE
    elif helper is not None and helped is not None:
        yield helper, helped, into, SUPPORT if into is None else SUPPORT_MOVE
    elif leaver is not None:
        yield leaver, leaver, there, MOVE
    else:
        holder = held if held is not None else also
        assert holder is not None
        yield holder, holder, None, HOLD


def _order(state: State, at: int, mover: int, goal: int | None, kind: int) -> Order | None:
    """Return the legal order of the unit in `at`, if there is one."""
    if at not in state.units or mover not in state.units:
        return None
    for order in state.legal_orders().get(at, ()):
        if order[0] != kind:
            continue
        if kind == HOLD:
            return order
        if kind == MOVE and UNIT_PROVINCE[order[2]] == goal:
            return order
        if kind == SUPPORT and UNIT_PROVINCE[order[2]] == mover:
            return order
        if kind in (SUPPORT_MOVE, CONVOY) and UNIT_PROVINCE[order[2]] == mover and UNIT_PROVINCE[order[3]] == goal:
            return order
    return None


def supports(state: State, named: Sequence[int], helper: int, helped: int, fleet: bool | None = None) -> list[Order]:
    """Return the support that units of `helper` could give to a unit of `helped`, by the places that a clause names.

    `fleet` is whether a fleet is meant to give it, None if either may.
    """
    movers = [at for at in named if state.units.get(at, (NONE,))[0] == helped]
    helpers = [at for at in named if state.units.get(at, (NONE,))[0] == helper]
    for mover in movers:
        unit = state.units[mover][1]
        reach = {UNIT_PROVINCE[there]: there for there in REACH[unit]}
        for target in reversed(named):
            if target == mover or target not in reach:
                continue
            order = _first_helper(state, helper, helpers, mover, target, fleet)
            if order is not None:
                return [(SUPPORT_MOVE, order, unit, reach[target])]
            if target not in helpers:
                break
        if len(set(named)) <= 2:
            order = _first_helper(state, helper, helpers, mover, mover, fleet)
            if order is not None:
                return [(SUPPORT, order, unit, NONE)]
    if not movers and 1 <= len(set(named)) <= 2:
        goals = [place for place in named if place not in helpers] or list(named)
        return _into(state, goals[0], helper, helped, helpers if goals[0] not in helpers else [], fleet)
    return []


def _first_helper(
    state: State, helper: int, named: Sequence[int], mover: int, target: int, fleet: bool | None = None
) -> int | None:
    """Return a unit of `helper` that can support into `target`: one of those named, or any where none is named."""
    candidates = named or [at for at in NEIGHBOURS[target] if state.units.get(at, (NONE,))[0] == helper]
    for at in candidates:
        unit = state.units[at][1]
        if at not in (mover, target) and target in REACH_PROVINCES[unit] and fleet in (None, bool(IS_FLEET[unit])):
            return unit
    return None


def _into(
    state: State, target: int, helper: int, helped: int, helpers: Sequence[int], fleet: bool | None
) -> list[Order]:
    """Return a support into a place if the text does not name the unit that moves: `help me into Serbia`."""
    for at in NEIGHBOURS[target]:
        owner, unit = state.units.get(at, (NONE, NONE))
        if owner != helped:
            continue
        there = next((there for there in REACH[unit] if UNIT_PROVINCE[there] == target), None)
        order = _first_helper(state, helper, helpers, at, target, fleet) if there is not None else None
        if order is not None and there is not None:
            return [(SUPPORT_MOVE, order, unit, there)]
    return []


def moves(state: State, named: Sequence[int], speaker: int) -> list[Order]:
    """Return the move from one named place to another, or the hold, of a unit of the speaker."""
    at = next((at for at in named if state.units.get(at, (NONE,))[0] == speaker), None)
    if at is None:
        return []
    unit = state.units[at][1]
    for there in REACH[unit]:
        if UNIT_PROVINCE[there] in named and UNIT_PROVINCE[there] != at:
            return [(MOVE, unit, there, NONE)]
    return [(HOLD, unit, NONE, NONE)] if len(set(named)) == 1 else []
