"""Pacts: orders of several powers for one to three seasons, offered by one and accepted by the others.

A pact is written in lines, beside the text of a message to the other parties:

    A PAR - BUR                    an order of this phase; the unit's owner is bound to it
    F1901M FRANCE A BUR - BEL      an order of a later phase, with the power that gives it
    ZONE BUR                       a place that no party enters
    UNTIL F1902M                   the last phase of the pact; by default that of its last order
    ELSE WAR                       what follows if it is broken; by default the rest of it is void
    COUNTER FG1                    this pact replaces that offer, which lapses
    ACCEPT FG1 or REFUSE FG1       the answer to an offer

Orders in force are promises of the power that gives them (`promises.py`), and the pact as a whole is judged with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from grandstand.games.base import GameEvent, IllegalAction, Json, MessageSent, SeatId
from grandstand.games.diplomacy.events import (
    OrdersResolved,
    PactAccepted,
    PactBroken,
    PactKept,
    PactOffered,
    PactRefused,
)
from grandstand.games.diplomacy.press.promises import keeps
from grandstand.games.diplomacy.rules.map import POWERS, PROVINCE, REACH_PROVINCES, START_YEAR, UNIT
from grandstand.games.diplomacy.rules.notation import parse_order
from grandstand.games.diplomacy.rules.orders import order_text
from grandstand.games.diplomacy.rules.state import State
from grandstand.games.diplomacy.rules.words import OrderError, order_words, standard
from grandstand.games.diplomacy.types import KnownPact, PactTerm

SEASONS = 3
"""Movement phases of the longest pact."""
MOST_LINES, LONGEST_LINE = 24, 300

Standing = Literal["open", "countered", "lapsed", "refused", "accepted", "kept", "broken"]


@dataclass(frozen=True, slots=True)
class Pact:
    """An offer of a pact, and its state."""

    offer: PactOffered
    state: Standing = "open"
    accepted: tuple[SeatId, ...] = ()
    """The parties that have accepted it; the power that offers it is bound by its offer."""

    @property
    def waiting(self) -> list[SeatId]:
        """Return the parties that have to answer."""
        if self.state != "open":
            return []
        return [power for power in self.offer.parties if power not in (self.offer.power, *self.accepted)]

    def seen(self) -> KnownPact:
        offer = self.offer
        return {
            "pact": offer.pact,
            "phase": offer.phase,
            "power": offer.power,
            "parties": [*offer.parties],
            "terms": [{**term} for term in offer.terms],
            "zones": [*offer.zones],
            "until": offer.until,
            "penalty": offer.penalty,
            "counters": offer.counters,
            "state": self.state,
            "accepted": [*self.accepted],
        }


Pacts = Mapping[str, Pact]
"""By name."""


def read_pacts(data: Sequence[Json]) -> dict[str, Pact]:
    """Return the pacts that `Pact.seen` wrote."""
    pacts = {}
    for fields in data:
        offer = {name: value for name, value in fields.items() if name not in ("state", "accepted")}
        pacts[offer["pact"]] = Pact(PactOffered(**offer), fields["state"], tuple(fields["accepted"]))
    return pacts


def season_after(turn: str, count: int) -> str:
    """Return the movement phase `count` after that of a turn: `F1901M` is 1 after `S1901M`."""
    number = 2 * (int(turn[1:5]) - START_YEAR) + (turn[0] != "S") + count
    return f"{'SF'[number % 2]}{START_YEAR + number // 2}M"


def _order_of(turn: str) -> tuple[int, bool]:
    return int(turn[1:5]), turn[0] != "S"


def after(pacts: Pacts, event: GameEvent) -> dict[str, Pact]:
    """Return the pacts after an event."""
    changed = dict(pacts)
    if isinstance(event, PactOffered):
        if event.counters is not None:
            changed[event.counters] = replace(changed[event.counters], state="countered")
        changed[event.pact] = Pact(event)
    elif isinstance(event, PactAccepted):
        pact = changed[event.pact]
        pact = replace(pact, accepted=(*pact.accepted, event.power))
        changed[event.pact] = pact if pact.waiting else replace(pact, state="accepted")
    elif isinstance(event, PactRefused):
        changed[event.pact] = replace(changed[event.pact], state="refused")
    elif isinstance(event, PactKept):
        changed[event.pact] = replace(changed[event.pact], state="kept")
    elif isinstance(event, PactBroken):
        changed[event.pact] = replace(changed[event.pact], state="broken")
    return changed


def lapsed(pacts: Pacts) -> dict[str, Pact]:
    """Return the pacts at the end of a phase: offers that were not answered lapse."""
    return {name: replace(pact, state="lapsed") if pact.state == "open" else pact for name, pact in pacts.items()}


def in_force(pacts: Pacts, turn: str) -> list[Pact]:
    """Return the accepted pacts that bind in a phase."""
    return [
        pact for pact in pacts.values() if pact.state == "accepted" and _order_of(turn) <= _order_of(pact.offer.until)
    ]


def due(pact: Pact, state: State) -> Iterator[tuple[SeatId, str]]:
    """Yield (power, order) of the orders of a pact for the phase of a position. An order lapses if its unit is not
    there, or the unit that it helps."""
    for term in pact.offer.terms:
        if term["turn"] == state.name:
            words = order_words(term["order"])
            unit = state.units.get(PROVINCE[words.place[:3]])
            useful = words.verb not in ("S", "C") or PROVINCE[words.at[:3]] in state.units
            if unit is not None and POWERS[unit[0]] == term["power"] and useful:
                yield term["power"], term["order"]


def bound(pacts: Pacts, state: State) -> Iterator[tuple[SeatId, str, list[SeatId]]]:
    """Yield (power, order, other parties) of every order that pacts in force bind a power to in a phase."""
    for pact in in_force(pacts, state.name):
        for power, order in due(pact, state):
            yield power, order, [party for party in pact.offer.parties if party != power]


def judged(pacts: Pacts, played: OrdersResolved, before: State) -> list[PactKept | PactBroken]:
    """Return an event for each pact that was broken in the resolved phase, by each power that broke it, or that ended
    with it and was kept."""
    ordered = {
        power: {order_words(order["order"]).place[:3]: order["order"] for order in orders}
        for power, orders in played.orders.items()
    }
    events: list[PactKept | PactBroken] = []
    for pact in in_force(pacts, played.phase):
        offer = pact.offer
        breaches = [breach for power in offer.parties
                    if (breach := _breach(pact, power, ordered.get(power, {}), before))]  # fmt: skip
        events += [PactBroken(offer.pact, played.phase, power, offer.parties, term, order)
                   for power, term, order in breaches]  # fmt: skip
        if not breaches and _order_of(offer.until) <= _order_of(played.phase):
            events.append(PactKept(offer.pact, played.phase, offer.parties))
    return events


def _breach(pact: Pact, power: SeatId, ordered: Mapping[str, str], before: State) -> tuple[SeatId, str, str] | None:
    """Return (power, term, order given instead) of the first breach of a pact by a power, if any."""
    others = [other for other in pact.offer.parties if other != power]
    for term in [order for party, order in due(pact, before) if party == power]:
        words = order_words(term)
        order = ordered.get(words.place[:3])
        if order is not None and not keeps(words, order_words(order), others, before):
            return power, term, order
    for order in ordered.values():
        words = order_words(order)
        if words.verb == "-" and words.to[:3] in pact.offer.zones:
            return power, f"ZONE {words.to[:3]}", order
    return None


def read_lines(lines: Any, message: MessageSent, state: State, pacts: Pacts) -> list[GameEvent]:
    """Return the events of the lines of a pact in a message. Raises IllegalAction naming the line."""
    if not isinstance(lines, Sequence) or isinstance(lines, str) or len(lines) > MOST_LINES:
        raise IllegalAction("message.pact", f"must be a list of up to {MOST_LINES} lines")
    if not lines:
        return []
    if message.public:
        raise IllegalAction("message.pact", "a pact is between the sender and the powers that are named; not with all")
    reader = _Lines(message, state, pacts)
    for index, line in enumerate(lines):
        if not isinstance(line, str) or len(line) > LONGEST_LINE:
            raise IllegalAction(f"message.pact[{index}]", f"must be a text of up to {LONGEST_LINE} characters")
        try:
            reader.add(line.strip())
        except OrderError as error:
            raise IllegalAction(f"message.pact[{index}]", str(error)) from error
    return reader.events()


_ANSWER = re.compile(r"(ACCEPT|REFUSE|COUNTER)\s+(\w+)", re.IGNORECASE)
_ZONE = re.compile(r"ZONE\s+([A-Z]{3})", re.IGNORECASE)
_UNTIL = re.compile(r"UNTIL\s+([SF]\d{4}M)", re.IGNORECASE)
_ELSE = re.compile(r"ELSE\s+(VOID|WAR)", re.IGNORECASE)
_TERM = re.compile(r"(?:([SF]\d{4}M)\s+)?(?:(" + "|".join(POWERS) + r")[:\s]\s*)?(\S.*)", re.IGNORECASE)


class _Lines:
    """The lines of one message."""

    def __init__(self, message: MessageSent, state: State, pacts: Pacts) -> None:
        self.message, self.state, self.pacts = message, state, pacts
        self.parties = [message.sender, *message.recipients]
        self.terms: list[PactTerm] = []
        self.zones: list[str] = []
        self.until = ""
        self.penalty = "void"
        self.counters: str | None = None
        self.answers: list[GameEvent] = []

    def add(self, line: str) -> None:
        if match := _ANSWER.fullmatch(line):
            self._answer(match[1].lower(), match[2].upper())
        elif match := _ZONE.fullmatch(line):
            place = match[1].upper()
            if place not in PROVINCE:
                raise OrderError(f"{place!r} is no place on the map")
            self.zones.append(place)
        elif match := _UNTIL.fullmatch(line):
            self.until = self._turn(match[1])
        elif match := _ELSE.fullmatch(line):
            self.penalty = match[1].lower()
        else:
            match = _TERM.fullmatch(line)
            if match is None:
                raise OrderError("is no line of a pact")
            self._term(self._turn(match[1] or self.message.turn), (match[2] or "").upper(), match[3])

    def events(self) -> list[GameEvent]:
        if not self.terms and not self.zones:
            if self.answers and self.counters is None:
                return self.answers
            raise IllegalAction("message.pact", "a pact has at least one order or one zone")
        last = max((term["turn"] for term in self.terms), key=_order_of, default=self.message.turn)
        until = max(self.until or last, last, key=_order_of)
        name = pact_name(self.pacts, self.parties)
        message = self.message
        return [
            *self.answers,PactOffered(name, message.turn, message.sender, self.parties, self.terms, self.zones, until,
                            self.penalty, self.counters)]  # fmt: skip

    def _turn(self, turn: str) -> str:
        turn = turn.upper()
        turns = [season_after(self.message.turn, count) for count in range(SEASONS)]
        if turn not in turns:
            raise OrderError(f"a pact made in {self.message.turn} may name {', '.join(turns)}, not {turn}")
        return turn

    def _answer(self, answer: str, name: str) -> None:
        pact = self.pacts.get(name)
        sender = self.message.sender
        if pact is None or sender not in pact.waiting:
            raise OrderError(f"there is no offer {name} that waits for an answer of {sender}")
        others = {power for power in pact.offer.parties if power != sender}
        if not others <= set(self.message.recipients):
            raise OrderError(f"an answer to {name} goes to its parties, {', '.join(sorted(others))}")
        if answer == "counter":
            self.counters = name
        else:
            kind = PactAccepted if answer == "accept" else PactRefused
            self.answers.append(kind(name, self.message.turn, sender, pact.offer.parties))

    def _term(self, turn: str, power: str, text: str) -> None:
        words = order_words(text)
        if words.verb not in ("H", "-", "S", "C"):
            raise OrderError(f"{text!r}: a pact has orders of movement phases")
        if turn == self.message.turn:
            unit = self.state.units.get(PROVINCE[words.place[:3]])
            if unit is None:
                raise OrderError(f"{text!r}: there is no unit in {words.place}")
            power = POWERS[unit[0]]
            text = order_text(parse_order(text, self.state, unit[0]))
        else:
            text = standard(words)
            unit_there = UNIT.get(f"{words.kind} {words.place}")
            aim = PROVINCE[(words.to or words.at or words.place)[:3]]
            if words.verb == "S" and unit_there is not None and aim not in REACH_PROVINCES[unit_there]:
                raise OrderError(f"{text!r}: a support goes where its unit could move")
            power = power or self._owner(words.place[:3])
        if power not in self.parties:
            raise OrderError(f"{text!r}: {power or 'its power'} is no party; write to it, or name the power")
        if any((term["turn"], order_words(term["order"]).place[:3]) == (turn, words.place[:3]) for term in self.terms):
            raise OrderError(f"{text!r}: there is a second order for that place; give one")
        self.terms.append({"turn": turn, "power": power, "order": text})

    def _owner(self, place: str) -> str:
        """Return the party whose unit goes to a place by an earlier line, or stands there now."""
        for term in self.terms:
            words = order_words(term["order"])
            if words.verb == "-" and words.to[:3] == place:
                return term["power"]
        unit = self.state.units.get(PROVINCE[place])
        return "" if unit is None else POWERS[unit[0]]


def pact_name(pacts: Pacts, parties: Sequence[SeatId]) -> str:
    """Return the name of the next pact between some powers: `FG3` for the third of France and Germany. It reveals
    nothing about the pacts of others."""
    letters = "".join(sorted(power[0] for power in parties))
    number = 1 + sum(sorted(pact.offer.parties) == sorted(parties) for pact in pacts.values())
    return f"{letters}{number}"


def known(pacts: Pacts, seat: SeatId) -> dict[str, Pact]:
    """Return the pacts that a power is a party of."""
    return {name: pact for name, pact in pacts.items() if seat in pact.offer.parties}
