"""The answers of a talking bot to people and language models: at least one for every letter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from grandstand.games.base import MessageSent
from grandstand.games.diplomacy.bots.talking import deals
from grandstand.games.diplomacy.bots.talking.answers import (
    RESPONSES,
    friendship,
    is_answer,
    support_asked,
    support_offered,
    unanswered,
    zone,
)
from grandstand.games.diplomacy.bots.talking.board import (
    deed_words,
    is_against,
    listed,
    place_words,
    power_words,
    strength_at,
    target_of,
    unit_words,
    units_of,
)
from grandstand.games.diplomacy.bots.talking.deals import grievance
from grandstand.games.diplomacy.bots.talking.letters import opinions
from grandstand.games.diplomacy.bots.talking.letters.opinions import HOSTILE, Answer
from grandstand.games.diplomacy.bots.talking.letters.own_words import is_own
from grandstand.games.diplomacy.bots.talking.letters.reading import Act, acts_of
from grandstand.games.diplomacy.bots.talking.mind import CLOSED, Mind
from grandstand.games.diplomacy.bots.talking.reader import Reading
from grandstand.games.diplomacy.bots.talking.statements import Statement
from grandstand.games.diplomacy.rules.map import CENTERS, NEIGHBOURS, POWER, PROVINCE, REACH, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import MOVE, NONE, SUPPORT, SUPPORT_MOVE, VIA, Order

MOST = 2
"""Acts of one letter that are answered."""
_COURTESIES = frozenset(
    ("accept", "sorry", "thanks", "congratulate", "condole", "small_talk", "greet", "announce", "assure", "report")
)
"""Acts that are answered only if the letter has no other."""
_ORDERS = frozenset(("ask_support", "offer_support", "plan", "bounce"))
_OF_A_PACT = re.compile(r"(I offer you a pact|Not so, but thus|I accept|I refuse your pact): ")
"""The letters that the page writes beside the lines of a pact, which say more than the words: the bargain answers."""
_OUT_OF = re.compile(
    r"\byou\b[^@]*\b(?:stay out of|not (?:go|take|going to)|leave|out of)\b[^@]*@([A-Z]{3})"
    r"|\bhold you from (?:the )?@([A-Z]{3}) out of"
)


def answers_to_people(mind: Mind, round: int, rng: Random) -> Iterator[Statement]:
    """Yield the answers to the letters of people that the seat has not answered yet."""
    for message in unanswered(mind, round):
        sender = POWER[message.sender]
        if is_own(message.text) or not mind.state.in_play(sender) or _is_answered(mind, message):
            continue
        if _OF_A_PACT.match(message.text) and _has_dealt(mind, message):
            continue
        acts = acts_of(message.text, mind.state, sender, mind.power)
        yield from answers_to(mind, sender, acts, rng, late=message.turn != mind.state.name)


def _has_dealt(mind: Mind, message: MessageSent) -> bool:
    """Return whether the writer has offered the seat a pact in the season of a letter, or answered one."""
    between = [pact for pact in mind.pacts.values() if message.sender in pact.offer.parties]
    return any(
        pact.offer.phase == message.turn and (pact.offer.power == message.sender or not pact.waiting)
        for pact in between
    )


def _is_answered(mind: Mind, message: MessageSent) -> bool:
    """Return whether the seat has answered the writer since."""
    at = next(at for at, other in enumerate(mind.mail) if other is message)
    return any(
        reply.sender == mind.seat and message.sender in reply.recipients and is_answer(reply)
        for reply in mind.mail[at + 1 :]
    )


def answers_to(mind: Mind, other: int, acts: tuple[Act, ...], rng: Random, late: bool = False) -> Iterator[Statement]:
    """Yield the answers to the acts of a letter, the most important one first."""
    weighty = [act for act in acts if act.kind not in _COURTESIES] or acts[:1]
    for number, act in enumerate(weighty[:MOST]):
        if late and act.kind in _ORDERS:
            statements = [Statement("answer_late", other, 6)]
        else:
            statements = list(_ANSWERS[act.kind](mind, other, act, rng))
        for statement in statements[:1]:
            yield replace(statement, weight=9.5 - number, owed=True)


def _said(kind: str) -> Answer:
    """Return an answer of one kind."""

    def answer(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
        yield Statement(kind, other, 9)

    return answer


def _as_read(mood: str, otherwise: str = "answer_noted") -> Answer:
    """Return the answer that a letter of a character in the mood gets."""

    def answer(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
        reading = Reading(frozenset((mood,)), act.places, act.powers)
        yield RESPONSES[mood](mind, other, reading, rng) or Statement(otherwise, other, 9)

    return answer


def _friendship(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    yield friendship(mind, other, Reading(frozenset((act.kind,)), act.places, act.powers), rng)


def _support(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    asked = tuple(order for order in act.yours if order[0] in (SUPPORT, SUPPORT_MOVE))
    yield from support_asked(mind, other, Reading(asked=asked), rng)
    yield Statement("no_way", other, 6)


def _offer(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    yield from support_offered(mind, other, Reading(offered=act.mine))
    yield Statement("ask_which", other, 6)


def _zone(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    if act.places:
        yield _kept_out(mind, other, act.places[0], rng)
    else:
        yield Statement("ask_where", other, 6)


def _kept_out(mind: Mind, other: int, place: int, rng: Random) -> Statement:
    """Return the answer to a request to keep out of a place, or to leave it where a unit of the seat stands there."""
    if place not in mind.draft:
        return zone(mind, other, place, rng)
    order = mind.draft[place]
    if order[0] in (MOVE, VIA) and mind.attitudes[other] not in HOSTILE and mind.promised.get(place, order) == order:
        deed = deed_words(order, mind.state, mind.power, other)
        return Statement("whether_yes", other, 9, {"deed": deed}, (order,))
    return Statement("no_leave", other, 6, {"place": place_words(place)})


def _bargain(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    """Yield the answer to a conditional offer: to the half that is asked of the seat, if it can be told."""
    if any(order[0] in (SUPPORT, SUPPORT_MOVE) for order in act.yours):
        yield from _support(mind, other, act, rng)
    mine = tuple(order for order in act.mine if order[0] == SUPPORT_MOVE)
    if mine and len(act.places) <= 3 and not re.search(r"\bgive\b", act.words):
        yield from support_offered(mind, other, Reading(offered=mine))
    match = _OUT_OF.search(act.words)
    if match is not None:
        yield _kept_out(mind, other, PROVINCE[match[1] or match[2]], rng)
    for kind in ("ally", "peace"):
        if re.search(rf"\b{kind}\b", act.words):
            yield friendship(mind, other, Reading(frozenset((kind,)), act.places, act.powers), rng)
    yield Statement("terms", other, 6)


def _bounce(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    """Yield the answer to a request to bounce in a place."""
    if not act.places:
        yield Statement("ask_where", other, 6)
        return
    place = act.places[0]
    slots = {"place": place_words(place)}
    reason = grievance(mind, other)
    if not reason:
        reason = f"no unit of mine reaches {place_words(place)}"
        for at, unit in units_of(mind.state, mind.power):
            there = next((there for there in REACH[unit] if UNIT_PROVINCE[there] == place), None)
            if there is None or at not in NEIGHBOURS[place] or place in mind.draft:
                continue
            order: Order = (MOVE, unit, there, NONE)
            reason = _objection(mind, at, order, other) or ("" if _meets(mind, other, place) else "you cannot be there")
            if not reason and mind.attitudes[other] == "target":
                reason = "I gain nothing by it"
            if not reason:
                deed = deed_words(order, mind.state, mind.power, other)
                yield Statement("yes_bounce", other, 9, slots | {"deed": deed}, (order,))
                return
    yield Statement("no_bounce", other, 9, slots | {"reason": reason})


def _meets(mind: Mind, other: int, place: int) -> bool:
    return strength_at(mind.state, other, place) > 0 and place not in mind.state.units


def _plan(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    """Yield the orders of a proposed plan that the seat agrees to give."""
    asked = act.yours or _suggested(mind, act)
    agreed: dict[int, Order] = {}
    reason = "no unit of mine can do it"
    for order in asked:
        at = UNIT_PROVINCE[order[1]]
        objection = (
            deals.refusal(mind, order, other, rng)
            if order[0] in (SUPPORT, SUPPORT_MOVE) and _supports(order, mind, other)
            else _objection(mind, at, order, other)
        )
        if mind.attitudes[other] in HOSTILE:
            objection = objection or f"my {unit_words(order[1])} has other orders"
        if objection:
            reason = objection
        else:
            agreed.setdefault(at, order)
    if not agreed:
        yield Statement("no_plan", other, 9, {"reason": reason})
        return
    deeds = listed([deed_words(order, mind.state, mind.power, other) for order in agreed.values()])
    slots = {"deeds": deeds, "Deeds": deeds[0].upper() + deeds[1:]}
    kind = "yes_plan" if len(agreed) == len(asked) else "part_plan"
    yield Statement(kind, other, 9, slots, tuple(agreed.values()))


def _supports(order: Order, mind: Mind, other: int) -> bool:
    return mind.state.units[UNIT_PROVINCE[order[2]]][0] == other


def _suggested(mind: Mind, act: Act) -> tuple[Order, ...]:
    """Return the move into a place that a plan names without the unit: `you should take Sweden`."""
    for place in act.places:
        for _, unit in units_of(mind.state, mind.power):
            for there in REACH[unit]:
                if UNIT_PROVINCE[there] == place and place not in mind.draft:
                    return ((MOVE, unit, there, NONE),)
    return ()


def _objection(mind: Mind, at: int, order: Order, other: int) -> str:
    """Return the reason against giving a unit of the seat this order; empty if there is none."""
    unit = unit_words(order[1])
    if order not in mind.state.legal_orders().get(at, ()):
        return f"my {unit} cannot do that"
    if mind.promised.get(at, order) != order:
        return f"my {unit} has other orders"
    draft = mind.draft.get(at)
    if draft == order:
        return ""
    if mind.stance.bounced.get(order, 0) >= CLOSED:
        return f"I have said that I keep out of {place_words(UNIT_PROVINCE[order[2]])}"
    if reason := grievance(mind, other):
        return reason
    friends = [power for power, attitude in mind.attitudes.items() if attitude == "ally" and power != other]
    harmed = next((power for power in friends if is_against(order, mind.state, mind.power, power)), None)
    if harmed is not None:
        return f"I have no quarrel with {power_words(harmed)}"
    if draft is not None and draft[0] in (MOVE, VIA) and target_of(draft) in CENTERS:
        return f"my {unit} has other orders"
    return ""


def _refused(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    place = {"place": place_words(act.places[0])} if act.places else {}
    yield Statement("hear_no_place" if place else "hear_no", other, 9, place)


def _news(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    powers = [power for power in act.powers if power != mind.power]
    if powers:
        yield Statement("answer_news", other, 9, {"power": power_words(powers[0])})
    else:
        yield Statement("answer_noted", other, 9)


def _bot(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    yield Statement("answer_bot", other, 9, {"name": mind.character.name})


def _plans(mind: Mind, other: int, act: Act, rng: Random) -> Iterator[Statement]:
    yield from opinions.about_unit(mind, other, act, rng)
    yield from _as_read("ask")(mind, other, act, rng)


_ANSWERS: Mapping[str, Answer] = {
    "ask_bot": _bot,
    "threat": _as_read("threat"),
    "break": _as_read("break"),
    "ask_past": opinions.about_past,
    "ask_third": opinions.about_third,
    "plan": _plan,
    "ask_support": _support,
    "offer_support": _offer,
    "bargain": _bargain,
    "bounce": _bounce,
    "leave": _zone,
    "ally": _friendship,
    "peace": _friendship,
    "draw": _as_read("draw"),
    "ask_price": opinions.wish,
    "ask_choice": opinions.about_choice,
    "offer_help": opinions.wish,
    "ask_trust": opinions.about_trust,
    "ask_whether": opinions.about_move,
    "ask_plans": _plans,
    "refuse": _refused,
    "reproach": _as_read("reproach"),
    "protest": _as_read("protest"),
    "insult": _said("answer_insult"),
    "warn": _news,
    "report": _news,
    "assure": _said("answer_assured"),
    "announce": _said("answer_noted"),
    "accept": _said("hear_yes"),
    "sorry": _as_read("sorry"),
    "thanks": _said("answer_thanks"),
    "congratulate": _said("answer_congratulate"),
    "condole": _said("chat"),
    "small_talk": _said("chat"),
    "greet": _said("answer_greet"),
    "unknown": _said("unknown_letter"),
}
"""Kind of act -> the function that answers it; its first statement is used."""
