"""Measures of a power's press over a whole match: messages, promises kept and broken, lies, and stabs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.rules.words import order_words

MEASURES: Final = {
    "messages": "messages sent",
    "kept": "promises kept, of those that were judged",
    "broken": "promises broken",
    "lied": "broken promises that were not meant: noted as lies, or promised otherwise to another power",
    "stabs": "attacks with gain on a power that had supported it or kept a promise to it within a year",
}

YEAR = 2
"""Movement phases of a year."""

Events = Sequence[tuple[str, Mapping[str, Any]]]


def measures(events: Events, seat: SeatId) -> dict[str, float]:
    """Return `MEASURES` for one seat of a finished match, from its game events as (type, data); none where nobody
    sent a message."""
    if not any(type_ == "MessageSent" for type_, _ in events):
        return {}
    count = dict.fromkeys(MEASURES, 0.0)
    for type_, data in events:
        if type_ == "MessageSent":
            count["messages"] += data["sender"] == seat
        elif type_ == "PromiseKept":
            count["kept"] += data["power"] == seat
        elif type_ == "PromiseBroken":
            count["broken"] += data["power"] == seat
    count["lied"] = float(sum(power == seat for power, _ in lies(events)))
    count["stabs"] = float(sum(power == seat for _, power, _ in stabs(events)))
    return count


def lies(events: Events) -> list[tuple[SeatId, Mapping[str, Any]]]:
    """Return (power, data of the verdict) of every broken promise that was a lie."""
    noted = {
        (data["power"], data["phase"], data["promise"], tuple(data["recipients"]))
        for type_, data in events
        if type_ == "LieNoted"
    }
    promised: dict[tuple[SeatId, str, str], set[str]] = defaultdict(set)
    verdicts = [(type_, data) for type_, data in events if type_ in ("PromiseKept", "PromiseBroken")]
    for _, data in verdicts:
        promised[_unit_of(data)].add(data["meant"])
    return [
        (data["power"], data)
        for type_, data in verdicts
        if type_ == "PromiseBroken"
        and (
            (data["power"], data["phase"], data["promise"], tuple(data["recipients"])) in noted
            or len(promised[_unit_of(data)]) > 1
        )
    ]


def _unit_of(verdict: Mapping[str, Any]) -> tuple[SeatId, str, str]:
    return verdict["power"], verdict["phase"], order_words(verdict["order"]).place[:3]


@dataclass
class _Record:
    """The dealings of the powers so far, by number of the movement phase."""

    phase: int = 0
    name: str = ""
    favours: dict[tuple[SeatId, SeatId], int] = field(default_factory=dict)
    """(who gave, who got) -> the last phase with a support or a kept promise."""
    gains: dict[tuple[SeatId, SeatId], int] = field(default_factory=dict)
    """(attacker, victim) -> the last phase in which the attacker gained from the victim."""
    stabs: list[tuple[str, SeatId, SeatId]] = field(default_factory=list)

    def gain(self, attacker: SeatId, victim: SeatId) -> None:
        """Record a gain: a stab if the victim recently did the attacker a favour, and they were not at war."""
        pair = attacker, victim
        friendly = self.phase - self.favours.get((victim, attacker), -YEAR - 1) <= YEAR
        at_war = pair in self.gains and self.phase - self.gains[pair] <= YEAR
        if friendly and not at_war:
            self.stabs.append((self.name, attacker, victim))
        self.gains[pair] = self.phase


def stabs(events: Events) -> list[tuple[str, SeatId, SeatId]]:
    """Return (phase, attacker, victim) of every stab.

    An attacker gains by dislodging a unit of the victim or by taking one of its centres. A favour counts from its own
    phase on, which may be that of the attack. An attack within a year of another is part of the same war.
    """
    record = _Record()
    for type_, data in events:
        if type_ == "OrdersResolved" and data["phase"].endswith("M"):
            record.phase += 1
            record.name = data["phase"]
            _note_orders(record, data["orders"])
        elif type_ == "PromiseKept" and not data["public"]:
            for recipient in data["recipients"]:
                record.favours[data["power"], recipient] = record.phase
        elif type_ == "CentersChanged":
            for capture in data["captured"]:
                if capture["from"] is not None:
                    record.gain(capture["to"], capture["from"])
    return record.stabs


def _note_orders(record: _Record, orders: Mapping[SeatId, Sequence[Mapping[str, Any]]]) -> None:
    """Record the supports of a movement phase, and then the dislodgements."""
    at = {order["from"][:3]: power for power, listed in orders.items() for order in listed if "from" in order}
    for power, listed in orders.items():
        for order in listed:
            helped = at.get(order["target"][2:5]) if "target" in order else None
            if helped is not None and helped != power and "void" not in order["results"]:
                record.favours[power, helped] = record.phase
    for power, listed in orders.items():
        for order in listed:
            attacker = at.get(order["dislodged_by"]) if "dislodged_by" in order else None
            if attacker is not None and attacker != power:
                record.gain(attacker, power)
