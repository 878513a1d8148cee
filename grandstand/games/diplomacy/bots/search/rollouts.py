"""Rollouts: the results of joint orders at the end of this or the next year's fall."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from grandstand.games.diplomacy.bots.search.boards import PLACES, BoardRows, Boards, Floats
from grandstand.games.diplomacy.bots.search.crowd import blur, crowd_moves
from grandstand.games.diplomacy.bots.search.field import field_of
from grandstand.games.diplomacy.bots.search.movement import NONE, Moves, moved, retreat
from grandstand.games.diplomacy.bots.search.winter import adjusted
from grandstand.games.diplomacy.bots.search.worth import worth
from grandstand.games.diplomacy.bots.stance import Plan
from grandstand.games.diplomacy.bots.values import FALL_WEIGHTS, SPRING_WEIGHTS, Weights
from grandstand.games.diplomacy.rules.map import UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import CONVOY, MOVE, SUPPORT, SUPPORT_MOVE, VIA
from grandstand.games.diplomacy.rules.state import FALL, State


def results(state: State, profiles: Sequence[Plan], rng: np.random.Generator, blocks: int = 1) -> Floats:
    """Return [profiles, powers]: each power's expected score after a rollout from the orders of each profile.

    A rollout from a spring ends with that year's fall, one from a fall with the next year's. The profiles are divided
    into `blocks` blocks of equal length. The profiles of a block share their noise, so that luck does not distinguish
    them.
    """
    start, value = _start(state)
    boards = start.repeated(len(profiles))
    _play_profiles(boards, state, profiles, np.repeat(value, len(profiles), axis=0))
    if state.phase != FALL:
        _play_crowd(boards, FALL_WEIGHTS, rng, blocks)
        boards.capture()
        return worth(boards)
    boards.capture()
    now = worth(boards)
    adjusted(boards)
    for weights in (SPRING_WEIGHTS, FALL_WEIGHTS):
        _play_crowd(boards, weights, rng, blocks)
    solo = (now == 1.0).any(axis=1, keepdims=True)
    boards.capture()
    later: Floats = np.where(solo, now, worth(boards))
    return later


@lru_cache(maxsize=4)
def _start(state: State) -> tuple[Boards, Floats]:
    """Return the position as a batch of one, and the values of its places."""
    boards = Boards.of([state])
    return boards, field_of(boards, FALL_WEIGHTS if state.phase == FALL else SPRING_WEIGHTS).value


def _play_crowd(boards: Boards, weights: Weights, rng: np.random.Generator, blocks: int) -> None:
    field = field_of(boards, weights)
    moved(boards, crowd_moves(boards, field, blur(rng, blocks)), field.value)


def _play_profiles(boards: Boards, state: State, profiles: Sequence[Plan], values: Floats) -> None:
    """Resolve the first phase: profiles with convoys by the rules, the others as arrays."""
    places = list(state.units)
    number = {place: index for index, place in enumerate(places)}
    there: list[int] = []
    backed: list[int] = []
    by_sea: list[int] = []
    for index, profile in enumerate(profiles):
        first = index * len(places)
        for place in places:
            kind, _, a, b = profile.get(place, (0, 0, 0, 0))
            there.append(a if kind == MOVE else NONE)
            backed.append(first + number[UNIT_PROVINCE[a]] if _helps(profile, kind, a, b) else NONE)
            if kind in (VIA, CONVOY) and (not by_sea or by_sea[-1] != index):
                by_sea.append(index)
    moved(boards, Moves(boards.rows(), np.array(there), np.array(backed)), values)
    for index in by_sea:
        _resolve(boards, index, state, profiles[index], values)


def _helps(profile: Plan, kind: int, a: int, b: int) -> bool:
    """Return whether the order is a support of the order of unit `a`."""
    if kind not in (SUPPORT, SUPPORT_MOVE):
        return False
    order = profile.get(UNIT_PROVINCE[a])
    going = UNIT_PROVINCE[order[2]] if order is not None and order[0] in (MOVE, VIA) else NONE
    return going == (UNIT_PROVINCE[b] if kind == SUPPORT_MOVE else NONE)


def _resolve(boards: Boards, index: int, state: State, profile: Plan, values: Floats) -> None:
    """Resolve one profile by the rules, with retreats as on the other boards."""
    resolution = state.resolve(profile)
    movement = resolution.movement
    assert movement is not None
    after = Boards.of([resolution.after])
    boards.unit[index], boards.power[index] = after.unit[0], after.power[0]
    beaten = [(place, *entry[:2]) for place, entry in resolution.after.dislodged.items()]
    if beaten:
        place, power, unit = np.array(beaten).T
        rows = BoardRows(index * PLACES + place, power, unit)
        closed = index * PLACES + np.array([movement.dislodged_by[at] for at, _, _ in beaten])
        contested = np.zeros(boards.unit.size, dtype=np.bool_)
        contested[[index * PLACES + at for at in movement.contested()]] = True
        retreat(boards, rows, closed, contested, values)
