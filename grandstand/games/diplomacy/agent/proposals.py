"""A search at play time over the proposals of a policy: the interface to trained players.

It predicts the orders of the other powers from their earlier orders (`bots/search/opponents.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from grandstand.games.base import Action, SeatId
from grandstand.games.diplomacy.bots.search.opponents import expected, mixtures_after
from grandstand.games.diplomacy.bots.search.planner import ITERATIONS, plan, searched
from grandstand.games.diplomacy.bots.stance import Plan, public_stance
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.rules.map import POWER, POWERS
from grandstand.games.diplomacy.rules.orders import order_text
from grandstand.games.diplomacy.rules.position import read_orders
from grandstand.games.diplomacy.rules.state import FALL, SPRING
from grandstand.games.training import Searched


def choose(game: DiplomacyGame, seat: SeatId, proposals: Sequence[Action], rng: Random) -> Searched:
    """Return the orders that do best in rollouts against the expected orders of the others.

    Candidates are the seat's proposals, and the orders of each model of play for the seat. Retreats and adjustments are
    those of the bot `search`.
    """
    state, power = game.state, POWER[seat]
    stance = public_stance(state, power, game.relations)
    if state.phase not in (SPRING, FALL):
        return _answer(plan(state, power, rng, stance))
    own = [_plan(game, seat, action) for action in proposals]
    mixtures = mixtures_after(game.movements)
    outlook = expected(state, game.relations, mixtures).with_candidates(power, own)
    return _answer(searched(state, power, rng, stance, ITERATIONS, outlook), _thought(game, power, mixtures))


def _answer(orders: Plan, thought: str = "") -> Searched:
    return Searched({"orders": [order_text(order) for order in orders.values()]}, thought)


def _thought(game: DiplomacyGame, power: int, mixtures: Sequence[Mapping[str, float]]) -> str:
    """Return, as text, the model that fits each other power best; empty before the first orders."""
    others = [other for other in game.state.to_act() if other != power] if game.movements else []
    likeliest = []
    for other in others:
        share, name = max((share, name) for name, share in mixtures[other].items())
        likeliest.append(f"{POWERS[other]} plays most like {name} ({share:.0%})")
    return f"{', '.join(likeliest)}." if likeliest else ""


def _plan(game: DiplomacyGame, seat: SeatId, action: Action) -> Plan:
    return read_orders(game.state, {"orders": {seat: action["orders"]}}).orders
