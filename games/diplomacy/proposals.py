"""A search at play time over what a policy proposes: the interface to trained players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from grandstand.games.base import Action, SeatId
from grandstand.games.diplomacy.bots.search.forecast import proposals_of
from grandstand.games.diplomacy.bots.search.planner import FAST_ITERATIONS, searched
from grandstand.games.diplomacy.bots.stance import Plan, public_stance
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.map import POWER, POWERS
from grandstand.games.diplomacy.orders import order_text
from grandstand.games.diplomacy.position import read_orders
from grandstand.games.diplomacy.state import FALL, SPRING


def seats(game: DiplomacyGame, seat: SeatId) -> Sequence[SeatId]:
    """Return the powers whose orders are forecast: all with units, in a movement phase; none in the others."""
    return [POWERS[power] for power in game.state.to_act()] if game.state.phase in (SPRING, FALL) else []


def choose(game: DiplomacyGame, seat: SeatId, proposals: Mapping[SeatId, Sequence[Action]], rng: Random) -> Action:
    """Return the orders that do best in rollouts against a forecast that the proposals are candidates of."""
    plans = [[_plan(game, power, action) for action in proposals.get(power, ())] for power in POWERS]
    stance = public_stance(game.state, POWER[seat], game.relations)
    orders = searched(game.state, POWER[seat], rng, stance, FAST_ITERATIONS, proposals_of(plans))
    return {"orders": [order_text(order) for order in orders.values()]}


def _plan(game: DiplomacyGame, seat: SeatId, action: Action) -> Plan:
    return read_orders(game.state, {"orders": {seat: action["orders"]}}).orders
