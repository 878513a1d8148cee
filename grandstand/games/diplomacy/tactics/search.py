"""The search behind the tactics set: all orders of a power against all replies of the others, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.rules.map import POWER, POWERS, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import (
    CONVOY,
    SUPPORT,
    SUPPORT_MOVE,
    WAIVE,
    Order,
    order_text,
)
from grandstand.games.diplomacy.rules.position import read_orders
from grandstand.games.diplomacy.rules.state import WINTER, State
from grandstand.games.diplomacy.tactics.positions import Reply, Tactic, reached, refutation, settled

MOST_SETS = 300_000
"""Sets of orders, of either side, up to which the search is exact; a larger position is refused."""


def own_sets(state: State, seat: SeatId) -> Iterator[dict[int, Order]]:
    """Yield every legal set of orders of a power, by province."""
    legal, power = state.legal_orders(), POWER[seat]
    places = state.orderable(power)
    if state.phase != WINTER:
        for orders in product(*(legal[place] for place in places)):
            yield dict(zip(places, orders, strict=True))
        return
    count = state.counts.get(power, 0)
    for number in range(count + 1) if count > 0 else [-count]:
        for sites in combinations(places, number):
            for orders in product(*(legal[place] for place in sites)):
                yield dict(zip(sites, orders, strict=True))


def reply_sets(state: State, seat: SeatId, known: Mapping[SeatId, Sequence[str]]) -> Iterator[dict[SeatId, list[str]]]:
    """Yield every legal set of orders of the other powers, without supports and convoys for units of `seat`, which only
    help it. Powers in `known` give the orders named there."""
    if state.phase == WINTER:
        yield {}
        return
    own = POWER[seat]
    legal = state.legal_orders()
    units = state.dislodged or state.units
    places = [place for power in range(len(POWERS)) if power != own for place in state.orderable(power)]
    places = [place for place in places if POWERS[units[place][0]] not in known]
    options = [[order for order in legal[place] if not _helps(order, own, state)] for place in places]
    for orders in product(*options):
        reply = {power: list(texts) for power, texts in known.items()}
        for place, order in zip(places, orders, strict=True):
            reply.setdefault(POWERS[units[place][0]], []).append(order_text(order))
        yield reply


def _helps(order: Order, own: int, state: State) -> bool:
    if order[0] not in (SUPPORT, SUPPORT_MOVE, CONVOY):
        return False
    return state.units[UNIT_PROVINCE[order[2]]][0] == own


def all_replies(tactic: Tactic, orders: Mapping[int, Order]) -> Iterator[Reply]:
    """Yield every reply to the power's orders: in the first phase and, where the tactic goes on, in the later ones."""
    for first in reply_sets(tactic.state, tactic.seat, tactic.known):
        if not tactic.then:
            yield (first,)
            continue
        book = {**read_orders(tactic.state, {"orders": first}).orders, **orders}
        yield from ((first, *later) for later in _later(tactic, settled(tactic.state.resolve(book).after), 0))


def _later(tactic: Tactic, state: State, index: int) -> Iterator[Reply]:
    if index == len(tactic.then):
        yield ()
        return
    for theirs in reply_sets(state, tactic.seat, {}):
        own = {tactic.seat: list(tactic.then[index])}
        after = settled(state.resolve(read_orders(state, {"orders": {**theirs, **own}}).orders).after)
        yield from ((theirs, *rest) for rest in _later(tactic, after, index + 1))


def forced(tactic: Tactic, orders: Mapping[int, Order]) -> Reply | None:
    """Return a legal reply against which the orders miss the aim; None if there is none."""
    return next((reply for reply in all_replies(tactic, orders) if not reached(tactic, orders, reply)), None)


def searched(tactic: Tactic) -> Tactic:
    """Return the tactic with a sufficient set of replies, and the number of the orders that force its aim."""
    sets, solving = 0, 0
    replies: list[Reply] = []
    for orders in own_sets(tactic.state, tactic.seat):
        sets += 1
        if sets > MOST_SETS:
            raise ValueError(f"{tactic.id}: more than {MOST_SETS} sets of orders; make the position smaller")
        if refutation(replace(tactic, replies=tuple(replies)), orders) is not None:
            continue
        reply = forced(tactic, orders)
        if reply is None:
            solving += 1
        else:
            replies.append(reply)
    return replace(tactic, replies=tuple(replies), sets=sets, solving=solving)


def parsed(tactic: Tactic, texts: Iterable[str]) -> dict[int, Order]:
    """Return the power's orders with these texts, by province. Raises ValueError if one is illegal."""
    book = read_orders(tactic.state, {"orders": {tactic.seat: list(texts)}})
    if book.void:
        raise ValueError(f"{tactic.id}: illegal orders for {', '.join(sorted(book.void))}")
    return {place: order for place, order in book.orders.items() if order[0] != WAIVE}
