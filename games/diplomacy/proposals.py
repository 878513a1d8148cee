"""A search at play time over what a policy proposes: the interface to trained players.

It thinks a level further than the bot `search` does: the other powers' orders are forecast by what such searches of
their own come to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from grandstand.games.base import Action, SeatId
from grandstand.games.diplomacy.bots.search.forecast import proposals_of
from grandstand.games.diplomacy.bots.search.planner import ITERATIONS, plan, searched
from grandstand.games.diplomacy.bots.stance import Plan, public_stance
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.map import POWER, POWERS
from grandstand.games.diplomacy.orders import order_text
from grandstand.games.diplomacy.position import read_orders
from grandstand.games.diplomacy.state import FALL, SPRING

FORESEEN = 2
"""Searches of each other power, with other draws, whose orders are candidates of the forecast."""


def seats(game: DiplomacyGame, seat: SeatId) -> Sequence[SeatId]:
    """Return the seat itself in a movement phase, and none in the others, which the search leaves to the bot."""
    return [seat] if game.state.phase in (SPRING, FALL) else []


def choose(game: DiplomacyGame, seat: SeatId, proposals: Mapping[SeatId, Sequence[Action]], rng: Random) -> Action:
    """Return the orders that do best in rollouts against a forecast that the proposals are candidates of.

    Candidates of the other powers are what they would order by a search of their own.
    """
    state, power = game.state, POWER[seat]
    plans = [[_plan(game, seat, action) for action in proposals.get(seat, ())] for seat in POWERS]
    if state.phase in (SPRING, FALL):
        for other in state.to_act():
            if other != power:
                plans[other] += [_foreseen(game, other, number) for number in range(FORESEEN)]
    stance = public_stance(state, power, game.relations)
    orders = searched(state, power, rng, stance, ITERATIONS, proposals_of(plans))
    return {"orders": [order_text(order) for order in orders.values()]}


def _foreseen(game: DiplomacyGame, power: int, number: int) -> Plan:
    """Return orders that the bot `search` would give; they follow from the position and the number alone."""
    rng = Random(f"{game.state.digest()}/{power}/{number}")
    return plan(game.state, power, rng, public_stance(game.state, power, game.relations))


def _plan(game: DiplomacyGame, seat: SeatId, action: Action) -> Plan:
    return read_orders(game.state, {"orders": {seat: action["orders"]}}).orders
