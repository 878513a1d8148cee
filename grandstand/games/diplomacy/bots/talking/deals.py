"""Bargains over orders: whom it helps, possible promises, supports to ask for and to give, zones to keep empty."""

from __future__ import annotations

from random import Random

from grandstand.games.diplomacy.bots.talking import trust
from grandstand.games.diplomacy.bots.talking.board import (
    is_against,
    place_words,
    strength_at,
    target_of,
    unit_words,
    units_of,
)
from grandstand.games.diplomacy.bots.talking.mind import Mind
from grandstand.games.diplomacy.rules.map import CENTERS, REACH, REACH_PROVINCES, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import HOLD, MOVE, NONE, VIA, Order

WILLING = -0.1
"""Trust from which another power may be helped, and is offered something."""


def grievance(mind: Mind, other: int) -> str:
    """Return why the seat does nothing for a power that it does not trust, in words; empty if it trusts it."""
    if mind.attitudes[other] not in ("enemy", "far") and mind.trust[other] >= WILLING:
        return ""
    grown = not mind.united and mind.trust[other] - trust.by_map(other, mind.centers) >= WILLING
    return "you are growing and nobody is behind you" if grown else "too much lies between us"


def supposed(mind: Mind, other: int) -> float:
    """Return the trust that a power probably has in the seat: the seat's own in it, but for the map."""
    if mind.united:
        return mind.trust[other]
    return mind.trust[other] + trust.by_map(mind.power, mind.centers) - trust.by_map(other, mind.centers)


def holdings_of(mind: Mind, other: int) -> set[int]:
    """Return the provinces that a power owns as centres or has units in."""
    places = {center for center, owner in mind.state.centers.items() if owner == other}
    return places | {province for province, _ in units_of(mind.state, other)}


def harmless_orders(mind: Mind, other: int) -> list[Order]:
    """Return the draft's orders of units near `other` that are not against it, those nearest first.

    Supports are left out: they are worth nothing if the supported unit gets another order.
    """
    places = holdings_of(mind, other)
    orders = []
    for province, order in mind.draft.items():
        near = len(REACH_PROVINCES[order[1]] & places)
        peaceful = order[0] in (HOLD, MOVE) and not is_against(order, mind.state, mind.power, other)
        if near and peaceful and province not in mind.promised:
            orders.append((near, province, order))
    return [order for _, _, order in sorted(orders, reverse=True)]


def feigned_orders(mind: Mind, victim: int) -> list[Order]:
    """Return false orders, at most two, for units that the draft sends against `victim`."""
    state = mind.state
    feigned: list[Order] = []
    for province, order in mind.draft.items():
        if order[0] not in (MOVE, VIA) or not is_against(order, state, mind.power, victim):
            continue
        if province in mind.promised:
            continue
        away: list[Order] = [
            (MOVE, order[1], there, NONE)
            for there in REACH[order[1]]
            if not is_against((MOVE, order[1], there, NONE), state, mind.power, victim)
            and UNIT_PROVINCE[there] not in state.units
            and not REACH_PROVINCES[there] & holdings_of(mind, victim)
        ]
        feigned.append(away[0] if away else (HOLD, order[1], NONE, NONE))
    return feigned[:2]


def is_needed(mind: Mind, province: int) -> bool:
    """Return whether a unit guards a centre of ours that an enemy can reach."""
    if mind.state.centers.get(province) != mind.power:
        return False
    hostile = [other for other in mind.others if mind.attitudes[other] in ("enemy", "target", "victim")]
    return any(strength_at(mind.state, other, province) for other in hostile)


def pledge(mind: Mind, place: int) -> tuple[Order, ...]:
    """Return the draft's order of a unit that could enter `place` but holds, or moves to a vacant place."""
    state = mind.state
    for at, order in mind.draft.items():
        target = target_of(order)
        vacant = target is None or (target not in state.units and state.centers.get(target, mind.power) == mind.power)
        if at not in mind.promised and place in REACH_PROVINCES[order[1]] and target != place and vacant:
            return (order,)
    return ()


def refusal(mind: Mind, order: Order, other: int, rng: Random) -> str:
    """Return the reason why the seat does not give the support that `other` asks for; empty if it gives it.

    Reasons are in plain words.
    """
    state, helper = mind.state, order[1]
    province = UNIT_PROVINCE[helper]
    attitude = mind.attitudes[other]
    target = target_of(order)
    if province in mind.promised and mind.promised[province] != order:
        return f"my {unit_words(helper)} has other orders"
    if reason := grievance(mind, other):
        return reason
    if target is not None:
        owners = {state.centers.get(target, NONE), state.units.get(target, (NONE,))[0]}
        if mind.power in owners:
            return f"{place_words(target)} is mine"
        friends = [owner for owner in owners if owner not in (NONE, other) and mind.attitudes[owner] == "ally"]
        if friends and mind.trust[friends[0]] >= mind.trust[other]:
            return f"I keep the peace in {place_words(target)}"
    if is_needed(mind, province):
        return f"I would leave {place_words(province)} open"
    doing = mind.draft.get(province)
    if doing is not None and doing[0] in (MOVE, VIA) and target_of(doing) in CENTERS:
        generous = attitude == "ally" and rng.random() < mind.character.loyalty - 0.3
        if not generous:
            return f"my {unit_words(helper)} has other orders"
    if attitude == "neutral" and rng.random() > 0.55 + mind.trust[other]:
        return "that fight is not mine"
    return ""
