"""A bot that plays uniformly at random, as a baseline."""

from __future__ import annotations

from random import Random

from grandstand.games.diplomacy.rules.orders import Order
from grandstand.games.diplomacy.rules.state import WINTER, State


def play(state: State, power: int, rng: Random) -> dict[int, Order]:
    """Random: each unit draws one of its legal orders, all equally likely; so does each build and removal."""
    legal = state.legal_orders()
    places = state.orderable(power)
    if state.phase == WINTER:
        places = rng.sample(places, abs(state.counts.get(power, 0)))
    return {place: rng.choice(legal[place]) for place in places}
