"""The statements that a talking bot makes of its own accord: about the last season, and about this one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from grandstand.games.diplomacy.bots.talking import deals
from grandstand.games.diplomacy.bots.talking.board import (
    deed_words,
    listed,
    number_words,
    place_words,
    power_words,
    promise_words,
    strength_at,
)
from grandstand.games.diplomacy.bots.talking.history import LastSeason, last_said
from grandstand.games.diplomacy.bots.talking.mind import Mind
from grandstand.games.diplomacy.bots.talking.statements import ALL, Statement
from grandstand.games.diplomacy.press.pacts import in_force
from grandstand.games.diplomacy.rules.map import CENTERS, POWERS
from grandstand.games.diplomacy.rules.state import SPRING


def initiative(mind: Mind, rng: Random) -> Iterator[Statement]:
    """Yield everything that the seat could say of its own accord now."""
    past = LastSeason.of(mind)
    for other in mind.others:
        yield from _about_the_past(mind, other, past, rng)
        if mind.attitudes[other] != "far":
            yield from _proposals(mind, other, rng)
            yield from _assurances(mind, other, rng)
    yield from _to_all(mind, past, rng)


def _about_the_past(mind: Mind, other: int, past: LastSeason, rng: Random) -> Iterator[Statement]:
    character, attitude = mind.character, mind.attitudes[other]
    third = {"power": power_words(mind.third(other))}
    broken = past.broken_to_us.get(other, [])
    if broken:
        yield Statement("reproach_broken", other, 9, {"promise": promise_words(broken[0].meant)})
    if past.broken_by_us.get(other) and attitude != "far":
        yield Statement("own_up" if character.honesty >= 0.6 else "excuse", other, 6.5, third)
    attacked = past.attacked_us.get(other)
    if attacked is not None:
        place = {"place": place_words(attacked)}
        long_war = mind.game.relations.since_attack(mind.power, other, past.season) is not None
        if not broken and not long_war:
            yield Statement("protest_attack", other, 7, place)
        if rng.random() < character.aggression * (0.3 if long_war else 0.6):
            yield Statement("threat", other, 5.5, place)
    if other in past.helped_us:
        yield Statement("thank_support", other, 6)
    elif past.kept_to_us.get(other) and not broken and rng.random() < 0.2:
        yield Statement("thank_kept", other, 3.2)
    if attitude in ("ally", "neutral", "victim") and other in past.gained and rng.random() < 0.25:
        yield Statement("congratulate", other, 2.2, {"place": place_words(past.gained[other])})
    if attitude in ("ally", "neutral") and other in past.lost:
        place_lost, taker = past.lost[other]
        if taker not in (mind.power, other):
            yield Statement("condole", other, 2.6, {"place": place_words(place_lost), "power": power_words(taker)})


def _proposals(mind: Mind, other: int, rng: Random) -> Iterator[Statement]:
    """Yield offers of friendship, or notices that end one."""
    attitude, character = mind.attitudes[other], mind.character
    season = mind.season
    agreed = mind.accords[other] is not None
    if attitude == "victim" and not mind.deceives(other) and agreed and not _is_bound(mind, other):
        yield Statement("give_notice", other, 8)
        return
    lately = last_said(mind, other, frozenset(("ally", "peace")))
    if lately is not None and season - lately < 4:
        return
    enemy = _common_enemy(mind, other)
    if attitude in ("ally", "neutral") and not (agreed and attitude == "ally"):
        weight = 5.0 + 2 * mind.trust[other]
        if enemy is not None:
            yield Statement("propose_ally", other, weight + 0.5, {"power": power_words(enemy)})
        else:
            yield Statement("propose_pact" if mind.trust[other] > 0 else _peace(mind, other), other, weight)
    elif attitude in ("target", "victim") and mind.deceives(other) and rng.random() < 1 - character.honesty:
        yield Statement(_peace(mind, other), other, 5.0)
    elif attitude in ("enemy", "target") and mind.centers[mind.power] <= min(2, mind.centers[other] - 1):
        yield Statement("plea", other, 7.0, {"power": power_words(mind.third(other))})
    elif attitude == "enemy" and _wants_peace(mind, other) and rng.random() < 0.6:
        yield Statement("propose_truce", other, 4.5)


def _is_bound(mind: Mind, other: int) -> bool:
    """Return whether a pact with another power is in force."""
    return any(POWERS[other] in pact.offer.parties for pact in in_force(mind.pacts, mind.state.name))


def _peace(mind: Mind, other: int) -> str:
    """Return the kind of an offer of peace: a truce where one of the two has attacked the other within two years."""
    attacks = mind.game.relations.attacks
    last = max(attacks.get(pair, -5) for pair in ((mind.power, other), (other, mind.power)))
    return "propose_truce" if mind.season - last <= 4 else "propose_peace"


def _wants_peace(mind: Mind, other: int) -> bool:
    """Return whether the seat has too many wars, or this one is against the stronger side."""
    wars = sum(attitude == "enemy" for attitude in mind.attitudes.values())
    weaker = mind.centers[mind.power] < mind.centers[other]
    return mind.character.forgiveness > 0.3 and (wars > 1 or weaker)


def _common_enemy(mind: Mind, other: int) -> int | None:
    """Return the power that both can reach and that the seat trusts least, if it is hostile to it."""
    hostile = [
        third
        for third, attitude in mind.attitudes.items()
        if attitude in ("enemy", "target") and third != other and mind.contact_between(other, third)
    ]
    return min(hostile, key=mind.trust.__getitem__) if hostile else None


def _assurances(mind: Mind, other: int, rng: Random) -> Iterator[Statement]:
    """Yield a promise of orders near the other power: true orders, or false ones to a victim."""
    attitude = mind.attitudes[other]
    if attitude in ("victim", "target"):
        if mind.deceives(other):
            feigned = deals.feigned_orders(mind, other)
            if feigned:
                deeds = listed([deed_words(order, mind.state, mind.power, other) for order in feigned])
                yield Statement("assure", other, 8, {"deeds": deeds}, tuple(feigned), lies=True)
    elif attitude in ("ally", "neutral") and not mind.united and rng.random() < (0.8 if attitude == "ally" else 0.5):
        orders = deals.harmless_orders(mind, other)[: 2 if attitude == "ally" else 1]
        if orders:
            deeds = listed([deed_words(order, mind.state, mind.power, other) for order in orders])
            yield Statement("assure", other, 3.5 if attitude == "ally" else 2.8, {"deeds": deeds}, tuple(orders))


def _to_all(mind: Mind, past: LastSeason, rng: Random) -> Iterator[Statement]:
    season, leader = mind.season, mind.leader
    lately = last_said(mind, ALL, frozenset(("warn",)))
    if leader not in (None, mind.power) and (lately is None or season - lately >= 4) and rng.random() < 0.6:
        assert leader is not None
        slots = {"power": power_words(leader), "number": number_words(mind.centers[leader])}
        yield Statement("warn_all", ALL, 5.2, slots)
    for other, broken in past.broken_to_us.items():
        if len(broken) > 1 or rng.random() < 0.5 * mind.character.talkativeness:
            yield Statement("denounce", ALL, 4.8, {"power": power_words(other), "year": broken[0].phase[1:5]})
    if mind.state.phase == SPRING and rng.random() < 0.25 * mind.character.talkativeness:
        for other in mind.others:
            if mind.attitudes[other] in ("ally", "neutral"):
                yield from _warnings(mind, other)


def _warnings(mind: Mind, other: int) -> Iterator[Statement]:
    """Yield a warning to a friend of a third power's units near one of its centres."""
    for center in CENTERS:
        if mind.state.centers.get(center) != other:
            continue
        for third in mind.others:
            if third == other or mind.attitudes[third] in ("ally", "victim"):
                continue
            strength = strength_at(mind.state, third, center)
            if strength > max(1, strength_at(mind.state, other, center)):
                slots = {
                    "power": power_words(third),
                    "place": place_words(center),
                    "number": number_words(strength),
                }
                yield Statement("warn_friend", other, 2.5, slots)
                return
