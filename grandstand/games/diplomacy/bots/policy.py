"""Policies over integers, and their conversion to players of matches."""

from __future__ import annotations

from functools import wraps
from random import Random

from grandstand.games.base import Action, SeatId
from grandstand.games.diplomacy.bots.stance import Planner, Policy, public_stance
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.rules.map import POWER
from grandstand.games.diplomacy.rules.orders import order_text
from grandstand.games.spec import Bot


def as_bot(policy: Policy) -> Bot[DiplomacyGame]:
    """Return the policy as a player of matches, with its docstring."""

    @wraps(policy)
    def play(game: DiplomacyGame, seat: SeatId, rng: Random) -> Action:
        return {"orders": [order_text(order) for order in policy(game.state, POWER[seat], rng).values()]}

    return play


def as_diplomat(planner: Planner) -> Bot[DiplomacyGame]:
    """Return the planner as a player of matches, with the stance of the public record."""

    @wraps(planner)
    def play(game: DiplomacyGame, seat: SeatId, rng: Random) -> Action:
        power = POWER[seat]
        stance = public_stance(game.state, power, game.relations)
        return {"orders": [order_text(order) for order in planner(game.state, power, rng, stance).values()]}

    return play
