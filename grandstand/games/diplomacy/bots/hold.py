"""A bot that holds every unit, as a lower bound in evaluations."""

from __future__ import annotations

from random import Random

from grandstand.games.diplomacy.rules.map import UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import DISBAND, HOLD, NONE, Order
from grandstand.games.diplomacy.rules.state import WINTER, State


def play(state: State, power: int, rng: Random) -> dict[int, Order]:
    """Hold: every unit stays where it is, nothing is built, and the dislodged are disbanded."""
    if state.phase == WINTER:
        return {}
    kind, units = (DISBAND, state.dislodged) if state.dislodged else (HOLD, state.units)
    return {UNIT_PROVINCE[unit[1]]: (kind, unit[1], NONE, NONE) for unit in units.values() if unit[0] == power}
