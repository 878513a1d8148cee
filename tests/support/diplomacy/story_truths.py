"""The true statements about a match of Diplomacy, read from its record by a program of its own.

For each form of sentence of the story, `truths` yields all fillings of its slots that the record supports. It shares
with the story the map, the names of places and the constructions, which say what stands for what, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.map import (
    CENTERS,
    HOMES,
    POWERS,
    PROVINCE_NAMES,
    PROVINCES,
    REACH,
    REACH_PROVINCES,
    UNIT,
    UNIT_PROVINCE,
    UNITS,
)
from grandstand.games.diplomacy.story.forms import FORMS
from grandstand.games.story import StoryEvent

Filling = Mapping[str, Any]
CENTRES = {PROVINCES[center] for center in CENTERS}
HOME = {power: {PROVINCES[home] for home in homes} for power, homes in zip(POWERS, HOMES, strict=True)}
LAND = {name[2:5] for name in UNIT if name[0] == "A"}
BORDERS = {
    name[2:5]: {PROVINCES[province] for province in REACH_PROVINCES[unit]}
    for name, unit in UNIT.items()
    if name[0] == "F"
}
"""Per sea, what lies beside it."""
NAME = {name.lower(): code for name, code in zip(PROVINCE_NAMES, PROVINCES, strict=True)}
KIND = {"army": "A", "fleet": "F", "unit": ""}
DIGITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
NUMBER = {word: value for value, word in enumerate(DIGITS)} | {"no": 0, "thirty": 30}
NUMBER |= {
    f"{tens}-{DIGITS[item]}": ten + item for tens, ten in (("twenty", 20), ("thirty", 30)) for item in range(1, 10)
}
ORDINAL = {
    word: number
    for number, word in enumerate(
        (
            *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
            *("eleventh", "twelfth"),
        ),
        1,
    )
}
SEASON = {"S": "spring", "F": "fall", "W": "winter"}

POWER_SLOTS = {"a", "v", "b"}
PLACE_SLOTS = {"place", "origin", "target"}
LISTS = {"powers", "places", "helpers", "allies", "others"}
WORDS = {"clause", "deed", "text", "headline"}
"""Slots that hold a sentence or a quotation."""
NUMBER_SLOTS = {"strength", "defence", "count", "centres", "needed", "solo", "before", "after", "moves"}


@dataclass
class Phase:
    """A phase that was played: its orders, the positions before and after, and what followed from it."""

    name: str
    seq: int
    orders: Mapping[str, Sequence[Mapping[str, Any]]]
    before: Mapping[str, Any]
    after: Mapping[str, Any] = field(default_factory=dict)
    after_seq: int = -1
    captured: Mapping[str, Any] | None = None
    captured_seq: int = -1
    eliminated: list[str] = field(default_factory=list)
    verdicts: list[StoryEvent] = field(default_factory=list)

    @property
    def season(self) -> int:
        return 2 * (int(self.name[1:5]) - 1901) + (self.name[0] != "S")

    def units(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        return ((power, order) for power, orders in self.orders.items() for order in orders if "unit" in order)

    def at(self, code: str) -> tuple[str, Mapping[str, Any]] | None:
        """Return the power and the order of the unit in a province."""
        return next(((power, order) for power, order in self.units() if order["from"][:3] == code), None)

    def owner(self, code: str) -> str | None:
        return next((power for power, codes in self.before["centers"].items() if code in codes), None)

    def supporters(self, origin: str, target: str) -> list[tuple[str, str]]:
        """Return the supports of a move that counted: power, place."""
        return [
            (power, order["from"][:3])
            for power, order in self.units()
            if order["kind"] == "support"
            and not order["results"]
            and order["target"][2:5] == origin
            and order.get("to", "")[:3] == target
        ]


class Record:
    """A match as its phases, with its other events by number."""

    def __init__(self, events: Sequence[StoryEvent]) -> None:
        self.events = events
        self.phases: list[Phase] = []
        self.start: Mapping[str, Any] = {}
        self.options: Mapping[str, Any] = {}
        self.outcome: Mapping[str, Any] | None = None
        self.position: Mapping[str, Any] = {}
        """The last position."""
        for event in events:
            data = event.data
            if event.type == "EpisodeCreated":
                self.options = {"last_year": DiplomacyOptions().last_year, **data["options"]}
            elif event.type == "OrdersResolved":
                self.phases.append(Phase(data["phase"], event.seq, data["orders"], self.position))
            elif event.type == "CentersChanged":
                self.phases[-1].captured, self.phases[-1].captured_seq = data, event.seq
            elif event.type == "PowerEliminated":
                if self.phases[-1].after:  # a phase that nobody ordered in, as in games that were broken off
                    self.phases.append(Phase(data["phase"], event.seq, {}, self.position))
                self.phases[-1].eliminated.append(data["power"])
            elif event.type in ("PromiseKept", "PromiseBroken"):
                self.phases[-1].verdicts.append(event)
            elif event.type == "PhaseAdvanced":
                before, self.position = self.position, data["state"]
                self.start = self.start or self.position
                if self.phases and self.phases[-1].after:
                    self.phases.append(Phase(before["phase"], event.seq, {}, before))
                if self.phases and not self.phases[-1].after:
                    self.phases[-1].after, self.phases[-1].after_seq = self.position, event.seq
            elif event.type == "EpisodeEnded":
                self.outcome = data.get("outcome")

    def phase(self, rests_on: Sequence[int]) -> Phase:
        """Return the phase to which the last of these events belongs."""
        return [phase for phase in self.phases if phase.seq <= rests_on[-1]][-1]

    def movements(self, until: Phase) -> list[Phase]:
        """Return the movement phases up to this one."""
        return [phase for phase in self.phases if phase.name.endswith("M") and phase.seq <= until.seq]


def attacks(phase: Phase) -> Iterator[dict[str, Any]]:
    """Yield every move against a unit that stays or into a centre of another power."""
    for power, order in phase.units():
        if order["kind"] != "move" or "no convoy" in order["results"]:
            continue
        origin, target = order["from"][:3], order["to"][:3]
        occupant = phase.at(target)
        stays = occupant is not None and not (occupant[1]["kind"] == "move" and not occupant[1]["results"])
        victim = occupant[0] if stays and occupant else phase.owner(target)
        if victim is None or victim == power:
            continue
        supporters = phase.supporters(origin, target)
        yield {
            "a": power,
            "v": victim,
            "place": target,
            "origin": origin,
            "unit": order["unit"][0],
            "stays": stays,
            "victim_unit": occupant[1]["unit"][0] if stays and occupant else "",
            "victim_results": occupant[1]["results"] if stays and occupant else [],
            "succeeds": not order["results"],
            "strength": 1 + len(supporters),
            "defence": _defence(phase, target) if stays else 0,
            "helpers": {code for _, code in supporters},
            "allies": {ally for ally, _ in supporters if ally != power},
        }


def _defence(phase: Phase, code: str) -> int:
    occupant = phase.at(code)
    if occupant is None or occupant[1]["kind"] == "move":
        return 1
    backing: int = sum(
        order["kind"] == "support" and not order["results"] and order["target"][2:5] == code and "to" not in order
        for _, order in phase.units()
    )
    return 1 + backing


def _dislodged(phase: Phase) -> Iterator[dict[str, Any]]:
    for attack in attacks(phase):
        if attack["stays"] and attack["succeeds"] and "dislodged" in attack["victim_results"]:
            yield {**attack, "unit": attack["victim_unit"]}


def _plain_dislodged(record: Record, phase: Phase) -> Iterator[Filling]:
    return (item for item in _dislodged(phase) if "disband" not in item["victim_results"] and not item["allies"])


def _joint_dislodged(record: Record, phase: Phase) -> Iterator[Filling]:
    return (item for item in _dislodged(phase) if "disband" not in item["victim_results"] and item["allies"])


def _destroyed(record: Record, phase: Phase) -> Iterator[Filling]:
    return (item for item in _dislodged(phase) if "disband" in item["victim_results"])


def _entered(record: Record, phase: Phase) -> Iterator[Filling]:
    return (item for item in attacks(phase) if not item["stays"] and item["succeeds"] and item["place"] in CENTRES)


def _repelled(record: Record, phase: Phase) -> Iterator[Filling]:
    return (item for item in attacks(phase) if item["stays"] and not item["succeeds"] and item["strength"] == 1)


def _repelled_in_strength(record: Record, phase: Phase) -> Iterator[Filling]:
    return (item for item in attacks(phase) if item["stays"] and not item["succeeds"] and item["strength"] > 1)


def _bounced(phase: Phase) -> dict[str, set[str]]:
    """Return the powers whose moves to a province bounced, for each into which nobody came."""
    targets: dict[str, set[str]] = {}
    entered = set()
    for power, order in phase.units():
        if order["kind"] == "move":
            if "bounce" in order["results"]:
                targets.setdefault(order["to"][:3], set()).add(power)
            elif not order["results"]:
                entered.add(order["to"][:3])
    return {code: powers for code, powers in targets.items() if code not in entered}


def _standoff(record: Record, phase: Phase) -> Iterator[Filling]:
    for code, powers in _bounced(phase).items():
        occupant = phase.at(code)
        left = occupant is None or (occupant[1]["kind"] == "move" and not occupant[1]["results"])
        if len(powers) > 1 and left:
            yield {"place": code, "powers": powers}


def _gridlock(record: Record, phase: Phase) -> Iterator[Filling]:
    yield {"places": _AtMost(_bounced(phase))}


class _AtMost(set[str]):
    """Names of which a list may hold some."""


def _support_cut(record: Record, phase: Phase) -> Iterator[Filling]:
    for victim, order in phase.units():
        if order["kind"] == "support" and "cut" in order["results"]:
            for power, other in phase.units():
                if power != victim and other["kind"] == "move" and other["to"][:3] == order["from"][:3]:
                    yield {"a": power, "v": victim, "place": order["from"][:3], "origin": other["from"][:3]}


def _landing(record: Record, phase: Phase) -> Iterator[Filling]:
    for power, order in phase.units():
        if order["kind"] == "move" and order.get("via") and not order["results"]:
            yield {"a": power, "place": order["to"][:3], "origin": order["from"][:3]}


def _repeated(record: Record, phase: Phase) -> Iterator[Filling]:
    def failures(at: Phase) -> set[tuple[str, str, str]]:
        return {
            (power, order["from"][:3], order["to"][:3])
            for power, order in at.units()
            if order["kind"] == "move" and "bounce" in order["results"]
        }

    movements = record.movements(phase)
    for power, origin, target in failures(phase):
        count = 0
        while count < len(movements) and (power, origin, target) in failures(movements[-1 - count]):
            count += 1
        yield {"a": power, "origin": origin, "place": target, "count": count, "nth": count}


def _first_blood(record: Record, phase: Phase) -> Iterator[Filling]:
    earlier = record.movements(phase)[:-1]
    if not any("dislodged" in order["results"] for other in earlier for _, order in other.units()):
        yield from _dislodged(phase)


def hostile(phase: Phase) -> set[tuple[str, str]]:
    """Return (attacker or supporter of an attack, victim)."""
    return {
        (power, attack["v"])
        for attack in attacks(phase)
        for power in {attack["a"], *attack["allies"]}
        if power != attack["v"]
    }


def _quiet_for(record: Record, phase: Phase, pair: tuple[str, str]) -> int:
    """Return the number of seasons since an attack between two powers, before this phase."""
    for other in reversed(record.movements(phase)[:-1]):
        if {pair, pair[::-1]} & hostile(other):
            return phase.season - other.season
    return 1000


def _new_front(record: Record, phase: Phase) -> Iterator[Filling]:
    return (item for item in attacks(phase) if _quiet_for(record, phase, (item["a"], item["v"])) == 1000)


def aid(phase: Phase) -> Iterator[dict[str, Any]]:
    """Yield the supports and convoys of units of other powers that matched their orders."""
    for power, order in phase.units():
        if order["kind"] in ("support", "convoy") and not {"void", "no convoy"} & set(order["results"]):
            other = phase.at(order["target"][2:5])
            if other is not None and other[0] != power:
                yield {"a": power, "b": other[0], "place": order["target"][2:5]}


def _help(record: Record, phase: Phase) -> Iterator[Filling]:
    return aid(phase)


def _gains(attack: Mapping[str, Any]) -> bool:
    return bool(attack["succeeds"])


def _stab(record: Record, phase: Phase) -> Iterator[Filling]:
    for attack in attacks(phase):
        pair = (attack["a"], attack["v"])
        helped = any(
            (item["a"], item["b"]) == pair
            for other in record.movements(phase)
            if 0 < phase.season - other.season <= 2
            for item in aid(other)
        )
        if helped and _gains(attack) and _quiet_for(record, phase, pair) > 2:
            yield attack


def _stab_by_word(record: Record, phase: Phase) -> Iterator[Filling]:
    for attack in attacks(phase):
        pair = (attack["a"], attack["v"])
        broken = any(_verdict(event, "PromiseBroken", pair) for event in phase.verdicts)
        promised = any(
            _verdict(event, "PromiseKept", pair)
            for other in record.phases
            if 0 < phase.season - other.season <= 2
            for event in other.verdicts
        )
        if promised and (broken or _gains(attack)) and _quiet_for(record, phase, pair) > 2:
            yield attack


def _verdict(event: StoryEvent, kind: str, pair: tuple[str, str]) -> bool:
    return event.type == kind and event.data["power"] == pair[0] and pair[1] in event.data["recipients"]


def _alliance(record: Record, phase: Phase) -> Iterator[Filling]:
    gave = {
        (item["a"], item["b"])
        for other in record.movements(phase)
        if phase.season - other.season < 4
        for item in aid(other)
    }
    for a, b in gave:
        recent = [other for other in record.movements(phase) if phase.season - other.season <= 2]
        if (b, a) in gave and not any({(a, b), (b, a)} & hostile(other) for other in recent):
            yield {"a": a, "b": b}


def _alliance_over(record: Record, phase: Phase) -> Iterator[Filling]:
    allies = {
        frozenset((item["a"], item["b"])) for other in record.movements(phase)[:-1] for item in _alliance(record, other)
    }
    return (item for item in attacks(phase) if frozenset((item["a"], item["v"])) in allies)


def _calm(record: Record, phase: Phase) -> Iterator[Filling]:
    if not any(True for _ in attacks(phase)):
        yield {"moves": sum(order["kind"] == "move" for _, order in phase.units())}


def _reach(name: str) -> set[str]:
    unit = UNIT[name]
    return {PROVINCES[province] for province in REACH_PROVINCES[unit] | {UNIT_PROVINCE[unit]}}


def _encirclement(record: Record, phase: Phase) -> Iterator[Filling]:
    for power in POWERS:
        homes = [code for code in phase.after["centers"].get(power, ()) if code in HOME[power]]
        near = {
            code: {other for other, units in phase.after["units"].items() for unit in units if code in _reach(unit)}
            - {power}
            for code in homes
        }
        if homes and all(near.values()):
            yield {"v": power, "powers": set().union(*near.values())}


def _counts(position: Mapping[str, Any]) -> dict[str, int]:
    return {power: len(position["centers"].get(power, ())) for power in POWERS}


def _captures(kind: str) -> Callable[[Record, Phase], Iterator[Filling]]:
    def fillings(record: Record, phase: Phase) -> Iterator[Filling]:
        groups: dict[tuple[str, str | None], set[str]] = {}
        for center in CENTRES:
            loser, winner = phase.owner(center), _owner(phase.after, center)
            if winner is not None and winner != loser and _capture_kind(center, loser, winner) == kind:
                groups.setdefault((winner, loser), set()).add(center)
        for (winner, loser), places in groups.items():
            yield {"a": winner, "v": loser, "places": places}
            for place in places:
                yield {"a": winner, "v": loser, "places": {place}}

    return fillings


def _owner(position: Mapping[str, Any], code: str) -> str | None:
    return next((power for power, codes in position["centers"].items() if code in codes), None)


def _capture_kind(center: str, loser: str | None, winner: str) -> str:
    if loser is None:
        return "capture_free"
    return "regained" if center in HOME[winner] else "capture_home" if center in HOME[loser] else "capture"


def _last_home(record: Record, phase: Phase) -> Iterator[Filling]:
    for power in POWERS:
        had = {code for code in HOME[power] if phase.owner(code) == power}
        if had and not any(_owner(phase.after, code) == power for code in HOME[power]):
            yield {"v": power, "places": had}


def _elimination(record: Record, phase: Phase) -> Iterator[Filling]:
    for power in phase.eliminated:
        if not phase.after["units"].get(power) and not phase.after["centers"].get(power):
            takers = {
                capture["to"] for capture in (phase.captured or {}).get("captured", ()) if capture["from"] == power
            }
            yield {"v": power, "others": takers}


def _leaders(counts: Mapping[str, int]) -> set[str]:
    return {power for power in POWERS if counts[power] == max(counts.values())}


def _lead_change(record: Record, phase: Phase) -> Iterator[Filling]:
    counts = _counts(phase.after)
    leaders = _leaders(counts)
    if len(leaders) != 1:
        return
    former = _leaders(_counts(record.start))
    for other in record.phases:
        if other.seq < phase.seq and other.captured is not None:
            now = _leaders(_counts(other.after))
            former = now if len(now) == 1 else former
    (leader,) = leaders
    if former != leaders:
        for power in former:
            yield {"a": leader, "b": power, "centres": counts[leader], "others": counts[power]}


def _top(record: Record, phase: Phase) -> Iterator[Filling]:
    """Yield the power that leads alone, with the next one where that is one alone."""
    counts = _counts(phase.after)
    leaders = _leaders(counts)
    year = int(phase.name[1:5])
    if len(leaders) > 1:
        yield {"powers": leaders, "centres": max(counts.values()), "year": year}
        return
    (leader,) = leaders
    rest = {power: count for power, count in counts.items() if power != leader}
    best = max(rest.values())
    follower = [power for power in rest if rest[power] == best]
    base = {"a": leader, "centres": counts[leader], "year": year, "count": counts[leader] - best}
    yield {**base, "b": follower[0], "others": best} if len(follower) == 1 else base


def _threat(record: Record, phase: Phase) -> Iterator[Filling]:
    position, counts = phase.after, _counts(phase.after)
    acts = {power: set[str]() if _is_out(position, power) else _acts(position, power) for power in POWERS}
    for power in POWERS:
        contested = {code for code in CENTRES if code in acts[power] or _owner(position, code) == power}
        near = {other for other in POWERS if other != power and contested & acts[other]}
        prey = {code for code in CENTRES if code in acts[power] and _owner(position, code) != power}
        yield {
            "a": power, "centres": counts[power], "needed": 18 - counts[power], "powers": near, "count": len(near),
            "when": _when(position["phase"]), "prey": len(prey), "places": prey,
            "place": next(iter(prey)) if len(prey) == 1 else None,
        }  # fmt: skip


def _when(phase: str) -> str:
    if phase[0] + phase[-1] in ("SR", "FM"):
        return "this autumn"
    return "by autumn" if phase[0] == "S" else "by next autumn"


def _is_out(position: Mapping[str, Any], power: str) -> bool:
    return not any(position[part].get(power) for part in ("units", "centers", "retreats"))


def _acts(position: Mapping[str, Any], power: str) -> set[str]:
    """Return where units of a power can stand, move or give support until centres are counted."""
    phase = position["phase"]
    places = set(position["units"].get(power, ()))
    for unit, options in position["retreats"].get(power, {}).items():
        places |= {f"{unit[0]} {option}" for option in options}
    occupied = {unit[2:5] for units in position["units"].values() for unit in units}
    if (phase[-1] == "A" and position.get("builds", {}).get(power, 0) > 0) or phase[0] + phase[-1] == "FR":
        empty = [code for code in position["centers"].get(power, ()) if code in HOME[power] and code not in occupied]
        places |= {name for name in UNIT if name[2:5] in empty}
    for _ in range(1 if phase[0] + phase[-1] in ("SR", "FM") else 2):
        places = _moved(places)
    return {place[2:5] for place in places}


def _moved(places: set[str]) -> set[str]:
    """Return `places` with where one move more leads, also by convoy of fleets among them."""
    seas = {place[2:5] for place in places if place[0] == "F"} - LAND
    more = {UNITS[there] for place in places for there in REACH[UNIT[place]]}
    for army in [place for place in places if place[0] == "A"]:
        fleet = {sea for sea in seas if army[2:5] in BORDERS[sea]}
        while further := {sea for sea in seas for other in fleet if other in BORDERS[sea]} - fleet:
            fleet |= further
        more |= {f"A {code}" for sea in fleet for code in BORDERS[sea] if code in LAND}
    return places | more


def _standstill(record: Record, phase: Phase) -> Iterator[Filling]:
    year = int(phase.name[1:5])
    captures = [int(other.name[1:5]) for other in record.phases if other.captured and other.seq <= phase.seq]
    quiet = year - max(captures, default=int(record.start["phase"][1:5]) - 1)
    if quiet > 0:
        yield {"year": year, "count": quiet}


def _year_change(sign: int) -> Callable[[Record, Phase], Iterator[Filling]]:
    def fillings(record: Record, phase: Phase) -> Iterator[Filling]:
        first = next(other for other in record.phases if other.name[1:5] == phase.name[1:5])
        before, after = _counts(first.before), _counts(phase.after)
        changes = {power: sign * (after[power] - before[power]) for power in POWERS}
        best = [power for power in POWERS if changes[power] == max(changes.values())]
        if len(best) == 1:
            (power,) = best
            yield {
                "a": power,
                "v": power,
                "count": changes[power],
                "centres": after[power],
                "before": before[power],
            }

    return fillings


def _retreat(record: Record, phase: Phase) -> Iterator[Filling]:
    for power, order in phase.units():
        if order["kind"] == "retreat" and not order["results"]:
            yield {"v": power, "unit": order["unit"][0], "origin": order["from"][:3], "place": order["to"][:3]}


def _retreat_lost(record: Record, phase: Phase) -> Iterator[Filling]:
    for power, order in phase.units():
        if order["kind"] == "disband" or order["results"]:
            yield {"v": power, "unit": order["unit"][0], "origin": order["from"][:3]}


def _adjusted(kind: str) -> Callable[[Record, Phase], Iterator[Filling]]:
    def fillings(record: Record, phase: Phase) -> Iterator[Filling]:
        for power in phase.orders:
            before, after = (
                {unit[2:5] for unit in position["units"].get(power, ())} for position in (phase.before, phase.after)
            )
            yield {"a": power, "v": power, "places": after - before if kind == "build" else before - after}

    return fillings


BY_PHASE: Mapping[str, Callable[[Record, Phase], Iterator[Filling]]] = {
    "dislodged": _plain_dislodged,
    "dislodged_jointly": _joint_dislodged,
    "destroyed": _destroyed,
    "entered": _entered,
    "repelled": _repelled,
    "repelled_in_strength": _repelled_in_strength,
    "standoff": _standoff,
    "gridlock": _gridlock,
    "support_cut": _support_cut,
    "landing": _landing,
    "repeated": _repeated,
    "first_blood": _first_blood,
    "new_front": _new_front,
    "help": _help,
    "stab": _stab,
    "stab_by_word": _stab_by_word,
    "alliance": _alliance,
    "alliance_over": _alliance_over,
    "calm": _calm,
    "encirclement": _encirclement,
    "capture": _captures("capture"),
    "capture_free": _captures("capture_free"),
    "capture_home": _captures("capture_home"),
    "regained": _captures("regained"),
    "last_home": _last_home,
    "elimination": _elimination,
    "elimination_by": _elimination,
    "lead_change": _lead_change,
    "lead_alone": _top,
    "lead_shared": _top,
    "year": _top,
    "year_alone": _top,
    "year_level": _top,
    "threat": _threat,
    **dict.fromkeys(
        (
            form
            for form in FORMS
            if form.startswith(("headline_place", "headline_any", "headline_of", "headline_more", "headline_far"))
        ),
        _threat,
    ),
    **dict.fromkeys((form for form in FORMS if form.endswith(("_rise", "_fall"))), _top),
    "headline_level": _top,
    "headline_lead": _top,
    "headline_lead_alone": _top,
    "threat_one": _threat,
    "threat_open": _threat,
    "standstill": _standstill,
    "standstill_long": _standstill,
    "gain": _year_change(1),
    "loss": _year_change(-1),
    "retreat": _retreat,
    "retreat_lost": _retreat_lost,
    "build": _adjusted("build"),
    "removal": _adjusted("removal"),
}


@cache
def patterns() -> Sequence[tuple[str, re.Pattern[str]]]:
    """Return every construction as a pattern with its slots as groups."""
    result = []
    for form, constructions in FORMS.items():
        for text in constructions:
            escaped = re.sub(r"\\\{(\w+)\\\}", _group, re.escape(text))
            result.append((form, re.compile(_named_once(escaped) + "$", re.IGNORECASE)))
    return result


def _group(match: re.Match[str]) -> str:
    slot = match[1]
    if slot in POWER_SLOTS:
        return f"(?P<{slot}>{'|'.join(POWERS)})"
    if slot in PLACE_SLOTS:
        return f"(?P<{slot}>(?:the )?(?:{'|'.join(map(re.escape, NAME))}))"
    if slot == "when":
        return "(?P<when>this spring|this autumn|by autumn|by next autumn)"
    if slot in LISTS:
        return f"(?P<{slot}>[A-Za-z ,-]+?)"
    return f"(?P<{slot}>.+?)" if slot in WORDS else f"(?P<{slot}>[A-Za-z0-9 -]+?)"


def _named_once(pattern: str) -> str:
    """Return the pattern with further uses of a slot as references to its first."""
    used: set[str] = set()

    def once(match: re.Match[str]) -> str:
        if match[1] in used:
            return f"(?P={match[1]})"
        used.add(match[1])
        return match[0]

    return re.sub(r"\(\?P<(\w+)>(?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", once, pattern)


def readings(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the forms of which a sentence can be, with what fills their slots."""
    for form, pattern in patterns():
        match = pattern.match(text)
        if match is not None:
            yield form, match.groupdict()


def value_of(slot: str, text: str, form: str) -> Any:
    """Return what a slot says: a power, the code of a place, a set of either, or a number."""
    word = text.lower()
    if slot in POWER_SLOTS:
        return text.upper()
    if slot in PLACE_SLOTS:
        return NAME[word.removeprefix("the ")]
    if slot in LISTS and not (slot == "others" and word in NUMBER):
        names = [name.removeprefix("the ") for name in re.split(r", | and ", word)]
        if slot in ("places", "helpers"):
            return {NAME[name] for name in names}
        return {name.upper() for name in names}
    if slot == "when":
        return word
    if slot == "unit":
        return KIND[word]
    if slot == "nth":
        return ORDINAL.get(word) or int(re.sub(r"\D", "", word))
    return NUMBER[word] if word in NUMBER else int(word)


def agrees(filling: Filling, slots: Mapping[str, Any]) -> bool:
    """Return whether all that a sentence says is in one filling."""
    for slot, value in slots.items():
        true = filling.get(slot)
        if isinstance(true, _AtMost):
            if not value <= true:
                return False
        elif true != value:
            return False
    return True
