"""The statements with which a talking bot answers messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from grandstand.games.base import MessageSent
from grandstand.games.diplomacy.bots.pacts.draws import objection_to_draw
from grandstand.games.diplomacy.bots.talking import deals
from grandstand.games.diplomacy.bots.talking.board import (
    deed_words,
    kind_words,
    listed,
    place_words,
    power_words,
    target_of,
    unit_words,
)
from grandstand.games.diplomacy.bots.talking.deals import WILLING
from grandstand.games.diplomacy.bots.talking.history import last_said
from grandstand.games.diplomacy.bots.talking.letters.own_words import is_own
from grandstand.games.diplomacy.bots.talking.mind import Mind
from grandstand.games.diplomacy.bots.talking.reader import Reading, moods_of, read
from grandstand.games.diplomacy.bots.talking.replies import ANSWERS
from grandstand.games.diplomacy.bots.talking.statements import Statement
from grandstand.games.diplomacy.bots.talking.voice import apart_from_bargains, kinds_of
from grandstand.games.diplomacy.events import PromiseBroken
from grandstand.games.diplomacy.rules.map import POWER, POWERS, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import MOVE, NONE, SUPPORT_MOVE, Order

SETTLED = frozenset(("accept", "refuse"))
"""Moods of a message that is itself an answer."""


def answers(mind: Mind, round: int, rng: Random) -> Iterator[Statement]:
    """Yield an answer to every message of a character that the seat has not answered before this round and that asks
    for one. `letters/responses.py` answers people."""
    for message in unanswered(mind, round):
        sender = POWER[message.sender]
        if mind.state.in_play(sender) and is_own(message.text):
            text = apart_from_bargains(message.text)
            if not text:
                continue
            if message.turn == mind.state.name:
                reading = read(text, mind.state, sender, mind.power)
            else:
                reading = Reading(moods_of(text), question="?" in text)
            yield from _answer(mind, sender, message, reading, rng)


def unanswered(mind: Mind, round: int) -> list[MessageSent]:
    """Return the secret messages to the seat, of this turn and the last with messages, that it has not answered before
    this round.

    Messages of one round are written at the same time. So a message counts as answered by a message of a later round,
    or by a later one in the same round that is itself an answer; a message of the first round cannot be answered in it.
    """
    numbered = in_rounds(mind.mail)
    turns = list(dict.fromkeys(message.turn for message, _ in numbered))[-2:]
    own = [
        (at, message, (message.turn, number))
        for at, (message, number) in enumerate(numbered)
        if message.sender == mind.seat and not message.public
    ]
    waiting = []
    for at, (message, number) in enumerate(numbered):
        if message.sender == mind.seat or message.public or message.turn not in turns:
            continue
        replied = any(
            after > at and message.sender in reply.recipients and (when != (message.turn, number) or is_answer(reply))
            for after, reply, when in own
        )
        if not replied or (round == 2 and message.turn == mind.state.name):
            waiting.append(message)
    return waiting


def is_answer(message: MessageSent) -> bool:
    return bool(moods_of(message.text) & SETTLED) or any(kind in ANSWERS for kind in kinds_of(message.text))


def in_rounds(mail: Sequence[MessageSent]) -> list[tuple[MessageSent, int]]:
    """Return each message with the number of its round within the turn: the messages of a round are in seat order, so
    a round ends where the order starts again."""
    numbered = []
    turn, round, last = "", 0, -1
    for message in mail:
        sender = POWER[message.sender]
        if message.turn != turn:
            turn, round, last = message.turn, 1, sender
        elif sender < last:
            round += 1
        last = sender
        numbered.append((message, round))
    return numbered


def _answer(mind: Mind, other: int, message: MessageSent, reading: Reading, rng: Random) -> Iterator[Statement]:
    kinds = kinds_of(apart_from_bargains(message.text))
    if kinds and all(kind in ANSWERS for kind in kinds):
        return
    moods = reading.moods
    bargains: list[Statement] = []
    if not moods & _QUARREL:
        bargains = [*support_asked(mind, other, reading, rng), *support_offered(mind, other, reading)]
    yield from bargains
    if "leave" in moods and reading.places and not moods & _NO_REQUEST:
        yield zone(mind, other, reading.places[0], rng)
    for mood, respond in RESPONSES.items():
        if mood not in moods or (mood in _FRIENDLY and moods & SETTLED):
            continue
        statement = respond(mind, other, reading, rng)
        if statement is not None:
            yield statement
        return


def support_asked(mind: Mind, other: int, reading: Reading, rng: Random) -> Iterator[Statement]:
    """Yield the answer to a request for support."""
    legal = mind.state.legal_orders()
    for order in reading.asked[:1]:
        province = UNIT_PROVINCE[order[1]]
        if order not in legal.get(province, ()):
            continue
        goal = target_of(order)
        place = place_words(UNIT_PROVINCE[order[2]] if goal is None else goal)
        deed = deed_words(order, mind.state, mind.power, other)
        reason = deals.refusal(mind, order, other, rng)
        if not reason and mind.attitudes[other] in ("victim", "target"):
            reason = f"my {unit_words(order[1])} has other orders"
        if not reason:
            yield Statement("yes_support", other, 9, {"deed": deed}, (order,))
        elif mind.attitudes[other] in ("victim", "target") and mind.deceives(other) and province not in mind.promised:
            yield Statement("yes_support", other, 9, {"deed": deed}, (order,), lies=True)
        else:
            slots = {"mine": kind_words(order[1]), "place": place, "reason": reason}
            yield Statement("no_support", other, 8, slots)


def support_offered(mind: Mind, other: int, reading: Reading) -> Iterator[Statement]:
    """Yield the answer to an offer of support."""
    for kind, _, unit, there in reading.offered[:1]:
        province = UNIT_PROVINCE[unit]
        if kind != SUPPORT_MOVE or reading.moods & SETTLED:
            continue
        move: Order = (MOVE, unit, there, NONE)
        holder = mind.state.units.get(UNIT_PROVINCE[there], (NONE,))[0]
        owner = mind.state.centers.get(UNIT_PROVINCE[there], NONE)
        friends = [power for power in (holder, owner) if power != NONE and mind.attitudes.get(power, "ally") == "ally"]
        free = province not in mind.promised or mind.promised[province] == move
        if free and not friends and mind.trust[other] > 0 and mind.attitudes[other] in ("ally", "neutral"):
            deed = deed_words(move, mind.state, mind.power, other)
            slots = {"deed": deed, "Deed": deed[0].upper() + deed[1:]}
            yield Statement("take_offer", other, 8.5, slots, (move,))
        else:
            yield Statement("no_offer", other, 5, {"theirs": unit_words(unit)})


def zone(mind: Mind, other: int, place: int, rng: Random) -> Statement:
    """Return the answer to a request to keep out of a place."""
    slots = {"place": place_words(place)}
    entering = [order for order in mind.draft.values() if target_of(order) == place]
    hostile = mind.attitudes[other] in ("enemy", "target", "victim")
    if place in mind.state.centers and mind.state.centers[place] == mind.power:
        return Statement("no_leave", other, 6, slots)
    if not entering and (not hostile or mind.deceives(other)):
        return Statement("yes_leave", other, 6, slots, deals.pledge(mind, place))
    if entering and mind.deceives(other) and mind.attitudes[other] == "victim" and entering[0][0] == MOVE:
        feigned = deals.feigned_orders(mind, other)
        return Statement("yes_leave", other, 6, slots, tuple(feigned[:1]), lies=True)
    return Statement("no_leave", other, 6, slots)


def friendship(mind: Mind, other: int, reading: Reading, rng: Random) -> Statement:
    """Return the answer to an offer of alliance or peace."""
    attitude = mind.attitudes[other]
    wish = "ally" if "ally" in reading.moods else "peace"
    if last_said(mind, other, frozenset(("ally", "peace"))) == mind.season and attitude in ("neutral", "enemy"):
        return Statement("yes_peace" if attitude == "enemy" else f"yes_{wish}", other, 7)
    targets = [power for power in reading.powers if mind.attitudes.get(power) in ("enemy", "target")]
    if attitude in ("victim", "target"):
        open_ = mind.deceives(other) or mind.trust[other] > 0.1
        return Statement(f"yes_{wish}" if open_ else f"no_{wish}", other, 7)
    if attitude == "enemy":
        tired = mind.character.forgiveness > 0.5 and mind.trust[other] > -0.6 and mind.centers[mind.power] <= 6
        return Statement("yes_peace" if tired else "no_peace", other, 7)
    friends = [power for power in reading.powers if mind.attitudes.get(power) == "ally"]
    if wish == "ally" and friends and mind.trust[friends[0]] > mind.trust[other]:
        return Statement("no_ally", other, 7)
    if wish == "ally" and targets:
        return Statement("yes_attack", other, 7, {"power": power_words(targets[0])})
    return Statement(f"yes_{wish}", other, 7)


def _is_innocent(mind: Mind, other: int) -> bool:
    """Return whether the seat never attacked `other` nor broke a promise to it."""
    broken = any(
        isinstance(verdict, PromiseBroken) and verdict.power == mind.seat and POWERS[other] in verdict.recipients
        for verdict in mind.game.verdicts
    )
    return not broken and (mind.power, other) not in mind.game.relations.attacks


def _reproached(mind: Mind, other: int, reading: Reading, rng: Random) -> Statement:
    if _is_innocent(mind, other):
        return Statement("answer_untrue", other, 6)
    sorry = rng.random() < mind.character.honesty and mind.attitudes[other] != "enemy"
    kind = "answer_reproach_sorry" if sorry else "answer_reproach_cold"
    return Statement(kind, other, 6, {"power": power_words(mind.third(other))})


def _protested(mind: Mind, other: int, reading: Reading, rng: Random) -> Statement:
    if _is_innocent(mind, other):
        return Statement("answer_untrue", other, 6)
    place = place_words(reading.places[0]) if reading.places else "our border"
    friendly = mind.attitudes[other] in ("ally", "neutral", "victim")
    kind = "answer_protest_sorry" if friendly else "answer_protest_cold"
    return Statement(kind, other, 6, {"place": place, "power": power_words(mind.third(other))})


def _threatened(mind: Mind, other: int, reading: Reading, rng: Random) -> Statement:
    stronger = mind.centers[mind.power] >= mind.centers[other]
    defies = stronger or rng.random() < mind.character.aggression
    return Statement("answer_threat_defy" if defies else "answer_threat_calm", other, 5.5)


def _asked_for_plans(mind: Mind, other: int, reading: Reading, rng: Random) -> Statement:
    if mind.attitudes[other] in ("ally", "neutral") and mind.trust[other] > WILLING:
        orders = deals.harmless_orders(mind, other)[:2]
        if orders:
            deeds = listed([deed_words(order, mind.state, mind.power, other) for order in orders])
            slots = {"deeds": deeds, "Deeds": deeds[0].upper() + deeds[1:]}
            return Statement("plans_open", other, 6, slots, tuple(orders))
    return Statement("plans_closed", other, 6)


def _apologised(mind: Mind, other: int, reading: Reading, rng: Random) -> Statement:
    forgives = rng.random() < mind.character.forgiveness
    return Statement("answer_sorry" if forgives else "answer_sorry_cold", other, 3)


def _warned(mind: Mind, other: int, reading: Reading, rng: Random) -> Statement | None:
    powers = [power for power in reading.powers if power != mind.power]
    if not powers or rng.random() > mind.character.talkativeness:
        return None
    return Statement("answer_warning", other, 3, {"power": power_words(powers[0])})


def _offered_draw(mind: Mind, other: int, reading: Reading, rng: Random) -> Statement:
    return Statement("answer_draw_no" if objection_to_draw(mind) else "draw_yes", other, 6)


def _simply(kind: str, weight: float, share: float = 1.0) -> Callable[[Mind, int, Reading, Random], Statement | None]:
    """Return a response of one kind. Its probability grows with the character's talkativeness."""

    def respond(mind: Mind, other: int, reading: Reading, rng: Random) -> Statement | None:
        return Statement(kind, other, weight) if rng.random() < max(share, 0.0) else None

    return respond


_QUARREL = frozenset(("reproach", "protest", "threat"))
"""Moods of a message that names supports of the past."""
_NO_REQUEST = frozenset(("accept", "refuse", "threat", "protest"))
_FRIENDLY = frozenset(("ally", "peace", "ask", "thanks"))
RESPONSES: dict[str, Callable[[Mind, int, Reading, Random], Statement | None]] = {
    "draw": _offered_draw,
    "break": _simply("answer_break", 5),
    "reproach": _reproached,
    "protest": _protested,
    "threat": _threatened,
    "insult": _simply("answer_insult", 5),
    "ally": friendship,
    "peace": friendship,
    "ask": _asked_for_plans,
    "sorry": _apologised,
    "warn": _warned,
    "congratulate": _simply("answer_congratulate", 2.5, 0.5),
    "thanks": _simply("answer_thanks", 2.4, 0.4),
    "greet": _simply("answer_greet", 5),
}
"""Mood -> the response to it; the first that a message shows counts."""
