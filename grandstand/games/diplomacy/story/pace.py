"""The time that viewers need for the events of a match: the page draws a movement phase conflict by conflict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PACE = 8.0
"""Seconds of the usual pace, which rests are multiples of."""

_ORDERS, _MOVES, _END = 3.5, 2.9, 2.0
"""Seconds for what the powers have chosen, for the moves without a conflict, and for the words about them."""
_CONFLICT, _DISLODGEMENT = 1.0, 1.2
"""Seconds of each conflict, and the seconds that a dislodgement takes longer, on which the map leans in."""
_CONFLICTS, _DISLODGEMENTS = 5, 2
"""Conflicts that are drawn one by one, and those of them on which the map leans in."""
_SECONDS = {"CentersChanged": 2.2, "PhaseAdvanced": 2.0, "TurnStarted": 1.0, "NegotiationHeld": 4.0}
"""Type of event -> its seconds; those of a phase that begins are for the promises that were broken before it."""
_SMALL_PHASE = 3.2
"""Seconds for the orders of a phase of retreats or of adjustments."""


def rest(kind: str, data: Mapping[str, Any]) -> float:
    """Return the time that viewers need for an event, as a multiple of the usual pace."""
    seconds = _orders(data) if kind == "OrdersResolved" else _SECONDS.get(kind, 0.0)
    return seconds / PACE


def _orders(data: Mapping[str, Any]) -> float:
    """Return the seconds for the outcome of a phase."""
    if not data["phase"].endswith("M"):
        return _SMALL_PHASE
    orders = [order for of_power in data["orders"].values() for order in of_power]
    dislodged = {order["from"][:3] for order in orders if "dislodged" in order["results"]}
    bounced = {order["to"][:3] for order in orders if "to" in order and "bounce" in order["results"]}
    conflicts = min(len(dislodged | bounced), _CONFLICTS)
    leans = min(len(dislodged), _DISLODGEMENTS)
    return _ORDERS + _MOVES + _CONFLICT * conflicts + _DISLODGEMENT * leans + _END
