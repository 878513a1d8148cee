"""The latest movement phases, from public information, for players that model the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grandstand.games.base import Json
from grandstand.games.diplomacy.press.relations import Relations, read_relations
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.rules.orders import Order, order_text
from grandstand.games.diplomacy.rules.position import read_orders, read_state
from grandstand.games.diplomacy.rules.state import State

REMEMBERED = 4
"""The most movement phases that a game keeps: those of two years."""


@dataclass(frozen=True, slots=True)
class PlayedMovement:
    """A movement phase and its orders."""

    state: State
    relations: Relations
    """The public record before the phase."""
    orders: Mapping[int, Order]
    """Province -> order; units without one held."""

    def to_json(self) -> Json:
        orders: dict[str, list[str]] = {}
        for place, order in self.orders.items():
            orders.setdefault(POWERS[self.state.units[place][0]], []).append(order_text(order))
        return {"state": self.state.to_json(), "relations": self.relations.to_json(), "orders": orders}


def read_movement(data: Mapping[str, Json]) -> PlayedMovement:
    """Return the movement phase that `PlayedMovement.to_json` wrote."""
    state = read_state(data["state"])
    return PlayedMovement(state, read_relations(data["relations"]), read_orders(state, data).orders)
