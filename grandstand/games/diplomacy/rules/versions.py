"""Versions of the rules, and the reading of records made under older versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grandstand.games.diplomacy.rules.results import DISBAND, DISLODGED

RULES = 2
"""Version 1 compared promises word by word, and had no result for a unit that is destroyed at once."""

_PROMISES = ("PromiseReplaced", "PromiseKept", "PromiseBroken")


def as_of(rules: int, kind: str, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the part of an event that is equal in every version since `rules`; None if there is none.

    The choices in a match do not depend on the rest. Notes without aims are equal to those of a record that has no
    field for them.
    """
    if kind == "NotesTaken" and not data.get("aims"):
        return {name: value for name, value in data.items() if name != "aims"}
    if rules >= RULES:
        return data
    if kind in _PROMISES:
        return None
    if kind != "OrdersResolved":
        return data
    orders = {power: [_without_destruction(order) for order in listed] for power, listed in data["orders"].items()}
    return {**data, "orders": orders}


def _without_destruction(order: Mapping[str, Any]) -> Mapping[str, Any]:
    results = order["results"]
    if DISLODGED not in results:
        return order
    return {**order, "results": [result for result in results if result != DISBAND]}
