"""The first spring as people play it: openings drawn by how often they were played in human games."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from random import Random

from grandstand.games.diplomacy.bots.interests import Interests
from grandstand.games.diplomacy.bots.stance import Plan, Stance
from grandstand.games.diplomacy.rules.map import POWER, POWERS, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.notation import parse_order
from grandstand.games.diplomacy.rules.state import State

TABLE = Path(__file__).parents[1] / "data" / "openings.csv"


@cache
def book() -> tuple[tuple[tuple[Plan, int], ...], ...]:
    """Return per power its openings, each with the number of games in which it was played."""
    start = State.start()
    openings: list[list[tuple[Plan, int]]] = [[] for _ in POWERS]
    with TABLE.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            power = POWER[row["power"]]
            orders = [parse_order(text, start, power) for text in row["orders"].split("; ")]
            openings[power].append(({UNIT_PROVINCE[order[1]]: order for order in orders}, int(row["games"])))
    return tuple(map(tuple, openings))


def opening(state: State, power: int, rng: Random, stance: Stance) -> Plan | None:
    """Return an opening that keeps all pledges and betrays no ally; None if none does, or away from the start."""
    if state != State.start():
        return None
    interests = Interests(state, power, stance)
    fitting = [
        (plan, games)
        for plan, games in book()[power]
        if all(plan.get(at) == order for at, order in interests.pledged.items())
        and not any(interests.price(order) for order in plan.values())
    ]
    if not fitting:
        return None
    plans, weights = zip(*fitting, strict=True)
    return dict(rng.choices(plans, weights)[0])
