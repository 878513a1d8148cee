"""A talking bot's answers to a person's questions about others and itself: from the seat's knowledge, never false."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from grandstand.games.diplomacy.bots.talking.board import (
    deed_words,
    is_against,
    number_words,
    place_words,
    power_words,
    strength_at,
    target_of,
    unit_words,
    units_of,
    within_reach,
)
from grandstand.games.diplomacy.bots.talking.deals import WILLING
from grandstand.games.diplomacy.bots.talking.letters.reading import Act
from grandstand.games.diplomacy.bots.talking.mind import Mind
from grandstand.games.diplomacy.bots.talking.statements import Statement
from grandstand.games.diplomacy.rules.map import CENTERS, POWERS, PROVINCE, REACH_PROVINCES
from grandstand.games.diplomacy.rules.orders import MOVE, Order

Answer = Callable[[Mind, int, Act, Random], Iterator[Statement]]
HOSTILE = frozenset(("enemy", "target", "victim"))
GUARDED = 0.5
"""The honesty below which a character does not speak for its own word."""
_ABOUT_ME = re.compile(r"\b(?:true|your|you)\b")


def about_third(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    """Yield an opinion of a third power, or what the seat itself has agreed with it."""
    powers = [power for power in act.powers if power not in (mind.power, other)]
    if not powers:
        yield _leading(mind, other)
        return
    power = powers[0]
    slots = {"power": power_words(power), "number": number_words(mind.centers[power])}
    if _ABOUT_ME.search(act.words) and re.search(r"\btrue\b|\byou and\b|\byou\b.*\bally\b|\byour support\b", act.words):
        bound = mind.accords[power] is not None or _has_promised(mind, power)
        yield Statement("third_bound" if bound else "third_denied", other, 9, slots)
        return
    yield Statement(_opinion(mind, power), other, 9, slots)


def _opinion(mind: Mind, power: int) -> str:
    if power == mind.leader:
        return "third_lead"
    attitude = mind.attitudes.get(power, "far")
    kinds = {
        "ally": "third_friend",
        "enemy": "third_foe",
        "target": "third_foe",
        "far": "third_far",
        "gone": "third_far",
    }
    return kinds.get(attitude, "third_even")


def _leading(mind: Mind, other: int) -> Statement:
    """Return a statement on the leader."""
    first = max(mind.others, key=mind.centers.__getitem__, default=mind.power)
    if mind.leader in (None, mind.power) and mind.centers[first] < 6:
        return Statement("third_level", other, 9)
    slots = {"power": power_words(first), "number": number_words(mind.centers[first])}
    return Statement("third_lead", other, 9, slots)


def _has_promised(mind: Mind, power: int) -> bool:
    """Return whether the seat has promised the power an order of this season."""
    return any(
        message.promises and message.sender == mind.seat and POWERS[power] in message.recipients
        for message in mind.mail
        if message.turn == mind.state.name
    )


def about_past(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    """Yield the reason of an own order or attack, or a denial if the record has none."""
    moved = _own_moves(mind) & set(act.places)
    attacked = (mind.power, other) in mind.game.relations.attacks
    if moved:
        yield Statement("past_move", other, 9, {"place": place_words(min(moved))})
    elif attacked:
        yield Statement("past_attack", other, 9, {"power": power_words(mind.third(other))})
    else:
        yield Statement("past_none", other, 9)


def _own_moves(mind: Mind) -> set[int]:
    """Return the provinces into which the seat ordered a unit in the last movement phase."""
    recent = mind.game.recent
    orders = recent[0].orders.get(mind.seat, ()) if recent else ()
    return {PROVINCE[order["to"][:3]] for order in orders if order["kind"] == "move" and "to" in order}


def about_choice(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    """Yield a statement on which of two places is worth more to the seat."""
    if len(act.places) < 2:
        yield from about_third(mind, other, act, rng)
        return

    def worth(place: int) -> tuple[float, int]:
        own = mind.state.centers.get(place) == mind.power
        danger = max((strength_at(mind.state, power, place) for power in mind.others), default=0)
        reached = strength_at(mind.state, mind.power, place)
        return (2.0 + min(danger, 3) if own else 1.0 * bool(reached) * (place in mind.state.centers), reached)

    yield Statement("choice", other, 9, {"place": place_words(max(act.places, key=worth))})


def about_trust(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    """Yield a statement on the seat's trustworthiness: an honest character points to its record, another to its
    interest."""
    frank = mind.character.honesty >= GUARDED and mind.attitudes[other] not in HOSTILE
    yield Statement("trust_yes" if frank else "trust_guarded", other, 9)


def about_move(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    """Yield a statement on whether a unit of the seat goes to a place, or a refusal to say."""
    if not act.places:
        yield from about_trust(mind, other, act, rng)
        return
    open_ = mind.attitudes[other] not in HOSTILE and mind.trust[other] > WILLING
    held = [place for place in act.places if place in mind.draft]
    place = next((place for place in act.places if place not in mind.draft), act.places[0])
    slots = {"place": place_words(place)}
    entering = [order for order in mind.draft.values() if target_of(order) == place]
    if open_ and held and place in held:
        yield from _told(mind, other, mind.draft[place], slots)
    elif open_ and not entering:
        yield Statement("whether_no", other, 9, slots)
    elif open_:
        yield from _told(mind, other, entering[0], slots)
    else:
        yield Statement("whether_closed", other, 9, slots)


def _told(mind: Mind, other: int, order: Order, slots: dict[str, str]) -> Iterator[Statement]:
    """Yield an own order, as a promise, if it does not harm the one who asks."""
    at = next(place for place, own in mind.draft.items() if own == order)
    if is_against(order, mind.state, mind.power, other) or mind.promised.get(at, order) != order:
        yield Statement("whether_closed", other, 9, slots)
    else:
        deed = deed_words(order, mind.state, mind.power, other)
        yield Statement("whether_yes", other, 9, slots | {"deed": deed}, (order,))


def about_unit(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    """Yield the next order of a named unit, if the seat may reveal it."""
    own = [place for place in act.places if place in mind.draft]
    if own and mind.attitudes[other] not in HOSTILE:
        yield from _told(mind, other, mind.draft[own[0]], {"place": place_words(own[0])})
    elif own:
        yield Statement("whether_closed", other, 9, {"place": place_words(own[0])})


def wish(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    """Yield the seat's wish to a power that asks: a support, a province left to it, or nothing."""
    state = mind.state
    for order in mind.draft.values():
        target = target_of(order)
        if order[0] != MOVE or target is None or state.centers.get(target) == mind.power:
            continue
        for at, helper in units_of(state, other):
            if at != target and target in CENTERS and target in REACH_PROVINCES[helper]:
                slots = {"theirs": unit_words(helper), "mine": unit_words(order[1]), "place": place_words(target)}
                yield Statement("want_support", other, 9, slots, mentioned=(order,))
                return
    near = within_reach(mind.state, other, mind.power)
    if near:
        yield Statement("want_quiet", other, 9, {"place": place_words(near[0])})
    else:
        yield Statement("want_nothing", other, 9)
