"""Random orders that belong together: moves first, some of them by convoy with their fleets, then supports of what was
ordered. Uniformly random orders hardly ever dislodge anybody."""

from __future__ import annotations

from random import Random

from grandstand.games.diplomacy.rules.convoys import chain_fleets, has_chain, mask_of, provinces_of
from grandstand.games.diplomacy.rules.map import UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import CONVOY, HOLD, MOVE, SUPPORT, SUPPORT_MOVE, VIA, Order
from grandstand.games.diplomacy.rules.state import RETREATS, WINTER, State


def coherent_orders(state: State, rng: Random) -> dict[int, Order]:
    """Orders for every power, all legal."""
    legal = state.legal_orders()
    if state.phase == WINTER:
        chosen = [at for power, due in state.counts.items() for at in rng.sample(state.orderable(power), abs(due))]
        return {at: rng.choice(legal[at]) for at in chosen}
    if state.phase in RETREATS:
        return {at: rng.choice(orders) for at, orders in legal.items()}
    orders: dict[int, Order] = {}
    places = list(legal)
    rng.shuffle(places)
    for place in places:
        if place not in orders and rng.random() < 0.4:
            _convoy(state, place, orders, rng)
    for place in places:
        if place not in orders and rng.random() < 0.5:
            moves = [order for order in legal[place] if order[0] == MOVE]
            orders[place] = rng.choice(moves or legal[place][:1])
    for place in places:
        if place not in orders:
            orders[place] = rng.choice(_supports(legal[place], orders) or legal[place][:1])
    return orders


def _convoy(state: State, place: int, orders: dict[int, Order], rng: Random) -> None:
    """Sends the army in `place` by sea, if fleets without orders can carry it."""
    legal = state.legal_orders()
    ways = [order for order in legal[place] if order[0] == VIA]
    if not ways:
        return
    kind, army, there, none = rng.choice(ways)
    free = mask_of(at for at in legal if at not in orders and (CONVOY, state.units[at][1], army, there) in legal[at])
    for fleet in rng.sample(provinces_of(free), free.bit_count()):
        if rng.random() < 0.7 and has_chain(place, UNIT_PROVINCE[there], free & ~(1 << fleet)):
            free &= ~(1 << fleet)
    for fleet in provinces_of(chain_fleets(place, UNIT_PROVINCE[there], free)):
        orders[fleet] = (CONVOY, state.units[fleet][1], army, there)
        orders[place] = (kind, army, there, none)
    by_land = (MOVE, army, there, none)
    if place in orders and by_land in legal[place] and rng.random() < 0.3:
        orders[place] = by_land


def _supports(legal: list[Order], orders: dict[int, Order]) -> list[Order]:
    """The supports among `legal` that match `orders`, and the hold."""
    fitting = []
    for order in legal:
        kind, _, other, there = order
        report = orders.get(UNIT_PROVINCE[other]) if kind in (SUPPORT, SUPPORT_MOVE) else None
        moves = report is not None and report[0] in (MOVE, VIA)
        if (kind == SUPPORT and not moves) or (
            kind == SUPPORT_MOVE and moves and report is not None and report[2] == there
        ):
            fitting.append(order)
    return fitting + [order for order in legal if order[0] == HOLD and not fitting]
