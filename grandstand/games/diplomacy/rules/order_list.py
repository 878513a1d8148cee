"""Reading the orders of a power for one phase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grandstand.games.base import IllegalAction
from grandstand.games.diplomacy.rules.map import POWERS, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.notation import parse_order
from grandstand.games.diplomacy.rules.orders import WAIVE, Order
from grandstand.games.diplomacy.rules.state import WINTER, State
from grandstand.games.diplomacy.rules.words import OrderError


def read_orders(texts: Any, state: State, power: int) -> tuple[Order, ...]:
    """Return the orders of `power` in `texts`. Raises IllegalAction naming the one at fault."""
    if not isinstance(texts, Sequence) or isinstance(texts, str):
        raise IllegalAction("orders", f"must be a list of orders such as 'A PAR - BUR', not {texts!r}")
    orders: list[Order] = []
    ordered: set[int] = set()
    for index, text in enumerate(texts):
        field = f"orders[{index}]"
        if not isinstance(text, str):
            raise IllegalAction(field, f"must be an order such as 'A PAR - BUR', not {text!r}")
        try:
            order = parse_order(text, state, power)
        except OrderError as error:
            raise IllegalAction(field, str(error)) from error
        if order[0] != WAIVE and UNIT_PROVINCE[order[1]] in ordered:
            raise IllegalAction(field, f"{text!r}: there is a second order for that place; give one")
        orders.append(order)
        ordered.add(UNIT_PROVINCE[order[1]])
    due = abs(state.counts.get(power, 0))
    if state.phase == WINTER and len(orders) > due:
        raise IllegalAction(f"orders[{due}]", f"{POWERS[power]} may order {due} in {state.name}, not {len(orders)}")
    return tuple(orders)
