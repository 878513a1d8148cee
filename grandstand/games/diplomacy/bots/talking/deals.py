"""Bargains over orders: what may be promised, supports to ask for and to offer, zones to keep empty."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from grandstand.games.diplomacy.bots.talking.board import (
    contact,
    is_against,
    place_words,
    strength_at,
    target_of,
    unit_words,
    units_of,
)
from grandstand.games.diplomacy.bots.talking.mind import Mind
from grandstand.games.diplomacy.bots.talking.reader import moods_of, places_of
from grandstand.games.diplomacy.bots.talking.statements import Statement
from grandstand.games.diplomacy.bots.talking.trust import season_of
from grandstand.games.diplomacy.rules.map import CENTERS, NEIGHBOURS, POWERS, REACH, REACH_PROVINCES, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import HOLD, MOVE, NONE, SUPPORT, SUPPORT_MOVE, VIA, Order
from grandstand.games.diplomacy.rules.state import FALL


def holdings_of(mind: Mind, other: int) -> set[int]:
    """Return the provinces that a power owns as centres or has units in."""
    places = {center for center, owner in mind.state.centers.items() if owner == other}
    return places | {province for province, _ in units_of(mind.state, other)}


def harmless_orders(mind: Mind, other: int) -> list[Order]:
    """Return the draft's orders of units near `other` that are not against it, those nearest first.

    Supports of the seat's own units are left out: they are worth nothing if the supported unit gets another order.
    """
    places = holdings_of(mind, other)
    orders = []
    for province, order in mind.draft.items():
        near = len(REACH_PROVINCES[order[1]] & places)
        if near and province not in mind.promised and not is_against(order, mind.state, mind.power, other):
            foreign = order[0] in (SUPPORT, SUPPORT_MOVE) and UNIT_PROVINCE[order[2]] not in mind.draft
            if order[0] in (HOLD, MOVE) or foreign:
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


def support_requests(mind: Mind, rng: Random) -> Iterator[Statement]:
    """Yield requests for supports without which an attack of ours would probably fail."""
    state, power = mind.state, mind.power
    asked: set[int] = set()
    for province, unit in units_of(state, power):
        if province in mind.pledged:
            continue
        for there in REACH[unit]:
            target = UNIT_PROVINCE[there]
            if target not in CENTERS or not _is_prey(mind, target) or target in asked:
                continue
            worth = _odds(mind, target)
            if worth <= 0:
                continue
            for near in NEIGHBOURS[target]:
                owner, helper = state.units.get(near, (NONE, NONE))
                if owner in (power, NONE) or near == province or mind.attitudes.get(owner) not in ("ally", "neutral"):
                    continue
                if target not in REACH_PROVINCES[helper] or mind.trust[owner] < 0:
                    continue
                asked.add(target)
                if _asked_lately(mind, owner, target) and rng.random() < 0.75:
                    break
                move: Order = (MOVE, unit, there, NONE)
                promises = (move,) if mind.draft.get(province) == move and province not in mind.promised else ()
                slots = {"theirs": unit_words(helper), "mine": unit_words(unit), "place": place_words(target)}
                yield Statement(
                    "ask_support", owner, 5.6 + worth + mind.trust[owner], slots, promises, mentioned=(move,)
                )
                break
    yield from _requests_to_hold(mind)


def _asked_lately(mind: Mind, other: int, place: int) -> bool:
    """Return whether the seat asked `other` for a support into the place within the last year."""
    return any(
        message.sender == mind.seat
        and POWERS[other] in message.recipients
        and mind.season - season_of(message.turn) <= 2
        and "support" in moods_of(message.text)
        and place in places_of(message.text)
        for message in mind.mail
    )


def _is_prey(mind: Mind, target: int) -> bool:
    """Return whether the seat would take a place: one that belongs to nobody, or to a power that is not a friend."""
    state = mind.state
    owners = {state.centers.get(target, NONE), state.units.get(target, (NONE,))[0]}
    if mind.power in owners:
        return False
    return all(owner == NONE or mind.attitudes[owner] in ("target", "victim", "enemy", "gone") for owner in owners)


def _odds(mind: Mind, target: int) -> float:
    """Return the value of one more support into a place: 0 if it could change nothing, more in the fall."""
    ours = strength_at(mind.state, mind.power, target)
    theirs = max(strength_at(mind.state, other, target) for other in mind.others if mind.attitudes[other] != "ally")
    if not 0 <= theirs - ours <= 1:
        return 0.0
    return 1.0 if mind.state.phase == FALL else 0.6


def _requests_to_hold(mind: Mind) -> Iterator[Statement]:
    """Yield a request to support a unit of ours in a centre of ours that is outnumbered."""
    state, power = mind.state, mind.power
    for province, unit in units_of(state, power):
        if state.centers.get(province) != power:
            continue
        hostile = [other for other in mind.others if mind.attitudes[other] in ("enemy", "target")]
        danger = max((strength_at(state, other, province) for other in hostile), default=0)
        if danger < 2 or danger < strength_at(state, power, province):
            continue
        for near in NEIGHBOURS[province]:
            owner, helper = state.units.get(near, (NONE, NONE))
            if (
                owner not in (power, NONE)
                and mind.attitudes.get(owner) == "ally"
                and province in REACH_PROVINCES[helper]
            ):
                slots = {"theirs": unit_words(helper), "mine": unit_words(unit)}
                hold: Order = (HOLD, unit, NONE, NONE)
                promises = (hold,) if mind.draft.get(province) == hold and province not in mind.promised else ()
                yield Statement("ask_support_hold", owner, 5.2, slots, promises, mentioned=(hold,))
                return


def support_offers(mind: Mind) -> Iterator[Statement]:
    """Yield an offer to support a friend's unit into a foreign centre with an idle unit."""
    state = mind.state
    for province, order in mind.draft.items():
        if order[0] not in (HOLD, SUPPORT, SUPPORT_MOVE) or province in mind.promised or _is_needed(mind, province):
            continue
        helper = order[1]
        for target in REACH_PROVINCES[helper]:
            if target not in CENTERS or not _is_prey(mind, target):
                continue
            for near in NEIGHBOURS[target]:
                owner, unit = state.units.get(near, (NONE, NONE))
                if owner in (mind.power, NONE) or mind.attitudes.get(owner) != "ally" or near == province:
                    continue
                there = next((there for there in REACH[unit] if UNIT_PROVINCE[there] == target), None)
                if there is None or state.centers.get(target) == owner:
                    continue
                support: Order = (SUPPORT_MOVE, helper, unit, there)
                slots = {"theirs": unit_words(unit), "mine": unit_words(helper), "place": place_words(target)}
                yield Statement("offer_support", owner, 4.6, slots, (support,))
                return


def _is_needed(mind: Mind, province: int) -> bool:
    """Return whether a unit guards a centre of ours that an enemy can reach."""
    if mind.state.centers.get(province) != mind.power:
        return False
    hostile = [other for other in mind.others if mind.attitudes[other] in ("enemy", "target", "victim")]
    return any(strength_at(mind.state, other, province) for other in hostile)


def neutral_zones(mind: Mind, rng: Random) -> Iterator[Statement]:
    """Yield a proposal to keep a vacant place between two powers empty, with our orders near it as a pledge."""
    state, power = mind.state, mind.power
    for other in mind.others:
        if mind.attitudes[other] not in ("ally", "neutral") or contact(state, power, other) < 2:
            continue
        zones = [
            place
            for place in range(len(NEIGHBOURS))
            if place not in state.units
            and place not in CENTERS
            and strength_at(state, power, place)
            and strength_at(state, other, place)
            and not any(target_of(order) == place for order in mind.draft.values())
        ]
        if not zones or rng.random() > 0.4 * mind.character.talkativeness:
            continue
        place = rng.choice(zones)
        yield Statement("ask_leave", other, 3.0 + rng.random(), {"place": place_words(place)}, pledge(mind, place))


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
    if attitude in ("enemy", "far") or mind.trust[other] < -0.1:
        return "too much lies between us"
    if target is not None:
        owners = {state.centers.get(target, NONE), state.units.get(target, (NONE,))[0]}
        if mind.power in owners:
            return f"{place_words(target)} is mine"
        friends = [owner for owner in owners if owner not in (NONE, other) and mind.attitudes[owner] == "ally"]
        if friends and mind.trust[friends[0]] >= mind.trust[other]:
            return f"I keep the peace in {place_words(target)}"
    if _is_needed(mind, province):
        return f"I would leave {place_words(province)} open"
    doing = mind.draft.get(province)
    if doing is not None and doing[0] in (MOVE, VIA) and target_of(doing) in CENTERS:
        generous = attitude == "ally" and rng.random() < mind.character.loyalty - 0.3
        if not generous:
            return f"my {unit_words(helper)} has other orders"
    if attitude == "neutral" and rng.random() > 0.55 + mind.trust[other]:
        return "that fight is not mine"
    return ""
