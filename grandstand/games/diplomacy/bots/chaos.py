"""A bot that moves without a plan, as noise for evaluations."""

from __future__ import annotations

from random import Random

from grandstand.games.diplomacy.bots import random
from grandstand.games.diplomacy.rules.map import UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import MOVE, RETREAT, VIA, Order
from grandstand.games.diplomacy.rules.state import WINTER, State


def play(state: State, power: int, rng: Random) -> dict[int, Order]:
    """Chaos: every unit moves by itself, against a foreign unit if one is in reach."""
    if state.phase == WINTER:
        return random.play(state, power, rng)
    legal = state.legal_orders()
    orders = {}
    for place in state.orderable(power):
        moves = [order for order in legal[place] if order[0] in (MOVE, VIA, RETREAT)]
        attacks = [order for order in moves if state.units.get(UNIT_PROVINCE[order[2]], (power,))[0] != power]
        orders[place] = rng.choice(attacks or moves or legal[place])
    return orders
