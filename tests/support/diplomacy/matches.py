"""Whole matches for tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from random import Random
from typing import Any

from grandstand.games.base import Action, GameEvent, SeatId
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.map import POWER, POWERS, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import order_text
from grandstand.games.diplomacy.rules.state import RETREATS, State
from tests.support.diplomacy.coherent import coherent_orders


def actions(game: DiplomacyGame, rng: Random) -> Iterator[tuple[SeatId, Action]]:
    """Coherent orders for every seat that the phase waits for; now and then a message or a vote before them."""
    orders = coherent_orders(game.state, rng)
    for seat in list(game.to_act()):
        if rng.random() < 0.1:
            others = [power for power in POWERS if power != seat]
            to = rng.choice(["all", rng.sample(others, 2)])
            yield seat, {"message": {"to": to, "text": f"{seat} says {rng.random()}", "promises": ["A PAR H"]}}
        if rng.random() < 0.05:
            yield seat, {"vote": rng.choice(["draw", "none"])}
        own = set(game.state.orderable(POWER[seat]))
        yield seat, {"orders": [order_text(order) for place, order in orders.items() if place in own]}


def play(seed: int, **options: Any) -> tuple[DiplomacyGame, list[GameEvent], list[tuple[SeatId, Action]]]:
    """A match played to its end: the game, its events, the actions."""
    rng = Random(seed)
    game = DiplomacyGame(DiplomacyOptions(**options))
    events, report = game.opening(), []
    while game.outcome is None:
        for seat, action in actions(game, rng):
            events += game.apply(seat, action)
            report.append((seat, action))
    return game, events, report


def states(seed: int, last_year: int) -> Iterator[State]:
    """The positions of a game of coherent random play."""
    rng = Random(seed)
    state = State.start()
    while state.year <= last_year and state.solo() is None:
        yield state
        state = state.resolve(coherent_orders(state, rng)).after


def as_data(events: list[GameEvent]) -> list[tuple[str, dict[str, Any]]]:
    """Events as a recording gives them to an export."""
    return [(type(event).__name__, asdict(event)) for event in events]


def standing(state: State) -> set[int]:
    """The provinces of the units that orders are for."""
    return {UNIT_PROVINCE[unit[1]] for unit in (state.dislodged if state.phase in RETREATS else state.units).values()}
