"""Positions and orders as plain data in saved-game notation: parsing, validation and adjudication of one phase."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Sized
from typing import Any

from grandstand.games.base import OptionError
from grandstand.games.diplomacy.rules.map import (
    ANY_COAST,
    CENTERS,
    POWER,
    POWERS,
    PROVINCE,
    PROVINCES,
    REACH,
    START_YEAR,
    UNIT,
    UNIT_PROVINCE,
    UNITS,
)
from grandstand.games.diplomacy.rules.notation import IllegalOrder, parse_order
from grandstand.games.diplomacy.rules.orders import NONE, WAIVE, Order
from grandstand.games.diplomacy.rules.results import VOID, result_words
from grandstand.games.diplomacy.rules.state import PHASE_CODES, RETREATS, WINTER, Resolution, State
from grandstand.games.diplomacy.rules.words import NotAnOrder, OrderWords, order_words

_PHASE = re.compile(r"([SFW])([0-9]{4})([MRA])")


class PositionError(ValueError):
    """An invalid position; the message names the field and the problem."""


def read_state(position: Mapping[str, Any]) -> State:
    """Return the state with the `phase`, `units`, `retreats` and `centers` of `position`, as `State.to_json` writes it.

    Powers may be missing, and so may `retreats` and `centers`. Units marked `*A BUR` are skipped: they are the
    dislodged units of `retreats`. Raises PositionError.
    """
    year, phase = _read_phase(position.get("phase"))
    if position.get("units") is None:
        raise PositionError("units: is missing; it lists the units by power")
    units: dict[int, tuple[int, int]] = {}
    for power, names in _per_power(position, "units"):
        for field, name in _listed(f"units.{POWERS[power]}", names):
            if isinstance(name, str) and name.startswith("*"):
                continue
            unit = _read_unit(field, name)
            province = UNIT_PROVINCE[unit]
            if province in units:
                raise PositionError(f"{field}: {name} and {UNITS[units[province][1]]} stand in the same province")
            units[province] = (power, unit)
    centers: dict[int, int] = {}
    for power, names in _per_power(position, "centers"):
        for field, name in _listed(f"centers.{POWERS[power]}", names):
            center = PROVINCE.get(name.upper(), NONE) if isinstance(name, str) else NONE
            if center not in CENTERS:
                raise PositionError(f"{field}: {name!r} is not a supply centre")
            if center in centers:
                raise PositionError(f"{field}: {name} is listed for two powers, or twice")
            centers[center] = power
    dislodged = _read_retreats(position, phase)
    return State(year, phase, dict(sorted(units.items())), dislodged, dict(sorted(centers.items())))


def _read_phase(name: object) -> tuple[int, int]:
    match = _PHASE.fullmatch(name.upper()) if isinstance(name, str) else None
    if match is None or match[1] + match[3] not in PHASE_CODES:
        raise PositionError(f"phase: {name!r} is not a phase such as 'S1901M', 'F1901R' or 'W1901A'")
    return int(match[2]), PHASE_CODES.index(match[1] + match[3])


def _per_power(position: Mapping[str, Any], field: str) -> list[tuple[int, Any]]:
    """Return the entries of a field by power, without those that are null."""
    entries = position.get(field)
    if entries is None:
        return []
    if not isinstance(entries, Mapping):
        raise PositionError(f"{field}: must be an object with powers as keys, not {entries!r}")
    unknown = [name for name in entries if name not in POWER]
    if unknown:
        raise PositionError(f"{field}.{unknown[0]}: no such power; there are {', '.join(POWERS)}")
    return [(POWER[name], entry) for name, entry in entries.items() if entry is not None]


def _listed(field: str, entries: object) -> list[tuple[str, Any]]:
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        raise PositionError(f"{field}: must be a list, not {entries!r}")
    return [(f"{field}[{index}]", entry) for index, entry in enumerate(entries)]


def _read_unit(field: str, name: object) -> int:
    unit = UNIT.get(name.upper(), NONE) if isinstance(name, str) else NONE
    if not 0 <= unit < ANY_COAST:
        raise PositionError(f"{field}: {name!r} is not a unit such as 'A PAR', 'F BRE' or 'F STP/SC'{_why_none(name)}")
    return unit


def _why_none(name: object) -> str:
    """Return the fault in the name of a unit, if it can be determined: the province, its terrain or the coast."""
    kind, _, place = name.upper().partition(" ") if isinstance(name, str) else ("", "", "")
    if kind not in ("A", "F") or not place:
        return ""
    if place[:3] not in PROVINCE:
        return f": there is no province {place}"
    if UNIT.get(f"{kind} {place}", NONE) >= ANY_COAST:
        return f": name the coast, {' or '.join(unit for unit in UNITS if unit.startswith(f'F {place}/'))}"
    return f": {'an army' if kind == 'A' else 'a fleet'} cannot stand in {place}"


def _read_retreats(position: Mapping[str, Any], phase: int) -> dict[int, tuple[int, int, tuple[int, ...]]]:
    dislodged: dict[int, tuple[int, int, tuple[int, ...]]] = {}
    for power, entries in _per_power(position, "retreats"):
        field = f"retreats.{POWERS[power]}"
        if not isinstance(entries, Mapping):
            raise PositionError(f"{field}: must be an object such as {{'A BUR': ['GAS']}}, not {entries!r}")
        if entries and phase not in RETREATS:
            raise PositionError(f"{field}: there are no retreats in {position['phase']}")
        for name, places in entries.items():
            unit = _read_unit(f"{field}.{name}", name)
            options = {UNITS[there][2:]: there for there in REACH[unit]}
            for _, place in _listed(f"{field}.{name}", places):
                if not isinstance(place, str) or place not in options:
                    raise PositionError(f"{field}.{name}: {name} cannot retreat to {place!r}")
            if UNIT_PROVINCE[unit] in dislodged:
                raise PositionError(f"{field}.{name}: there is a second dislodged unit in the same province")
            dislodged[UNIT_PROVINCE[unit]] = (power, unit, tuple(sorted(options[place] for place in places)))
    return dict(sorted(dislodged.items()))


class OrderBook:
    """The orders of a phase by a judge's rules. An order that a unit cannot carry out is void, and the unit does
    nothing. The later of two orders for one unit counts; the earlier of two builds in one place, or of more builds than
    are due."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.orders: dict[int, Order] = {}
        self.void: set[str] = set()
        """Units with a void order, by their name on the board or in the order."""
        self._left = {power: abs(count) for power, count in state.counts.items()}

    def add(self, power: int, text: str) -> None:
        """Add an order. Raises NotAnOrder if the text is not an order at all."""
        try:
            order = parse_order(text, self.state, power)
        except IllegalOrder:
            self._refuse(power, order_words(text))
            return
        province = UNIT_PROVINCE[order[1]]
        if self.state.phase != WINTER:
            self.orders[province] = order
            self.void.discard(UNITS[order[1]])
        elif order[0] == WAIVE:
            self._left[power] -= 1
        elif province not in self.orders and self._left[power] > 0:
            self._left[power] -= 1
            self.orders[province] = order
        elif self.orders.get(province) != order:
            self.void.add(UNITS[order[1]])

    def _refuse(self, power: int, words: OrderWords) -> None:
        if words.verb == "WAIVE":
            return
        units = self.state.dislodged if self.state.phase in RETREATS else self.state.units
        province = PROVINCE.get(words.place[:3], NONE)
        holder = units.get(province)
        if holder is None or self.state.phase == WINTER:
            self.void.add(f"{words.kind or 'A'} {words.place}")
        elif holder[0] == power:
            self.void.add(UNITS[holder[1]])
            self.orders.pop(province, None)


def read_orders(state: State, orders: Mapping[str, Any]) -> OrderBook:
    """Return the order book of `{"orders": {"FRANCE": ["A PAR - BUR"]}}`. Raises PositionError."""
    book = OrderBook(state)
    for power, texts in _per_power(orders, "orders"):
        for field, text in _listed(f"orders.{POWERS[power]}", texts):
            if not isinstance(text, str):
                raise PositionError(f"{field}: must be an order such as 'A PAR - BUR', not {text!r}")
            try:
                book.add(power, text)
            except NotAnOrder as error:
                raise PositionError(f"{field}: {error}") from error
    return book


def unit_results(resolution: Resolution, void: Iterable[str] = ()) -> dict[str, list[str]]:
    """Return the results of each unit's order in saved-game notation; `void` names units whose order was refused."""
    holders = resolution.before.dislodged if resolution.retreat is not None else resolution.before.units
    words = {}
    for province, results in result_words(resolution).items():
        unit = holders[province][1] if province in holders else resolution.orders[province][1]
        words[UNITS[unit]] = results
    for name in sorted(void):
        words[name] = [VOID, *words.get(name, [])]
    return words


def adjudicate_line(line: Mapping[str, Any]) -> dict[str, Any]:
    """Adjudicate one phase: return the next position with the results of the orders.

    In: `{"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "retreats": {}, "centers": {...}, "orders": {"FRANCE": ["A
    PAR - BUR"]}}`. Out: `{"phase", "units", "retreats", "centers", "results": {"A PAR": []}}`; phases in which nobody
    has a choice are skipped. An order that its unit cannot carry out is `void`. Raises PositionError for a line that
    cannot be read.
    """
    if not isinstance(line, Mapping):
        raise PositionError(f"line: must be an object, not {line!r}")
    state = read_state(line)
    book = read_orders(state, line)
    resolution = state.resolve(book.orders)
    return {**resolution.after.to_json(), "results": unit_results(resolution, book.void)}


FIELDS = ("phase", "units", "retreats", "centers")
LONGEST_NAME = 9
"""Characters of the longest name of a unit: `*F STP/SC`."""
LONGEST_ERROR = 300
"""Maximum characters of an error, which quotes the position."""


def read_start(position: object, last_year: int) -> State:
    """Return the state of a position in the form of docs/diplomacy-rules.md. Raises OptionError naming the field.

    Stricter than `read_state`: it refuses a position that cannot begin a phase of a match up to `last_year`.
    """
    try:
        return _checked(position, last_year)
    except PositionError as error:
        text = f"start.{error}"
        raise OptionError(text if len(text) <= LONGEST_ERROR else f"{text[:LONGEST_ERROR]}…") from None


def _checked(position: object, last_year: int) -> State:
    if not isinstance(position, Mapping):
        raise OptionError(f"start: must be an object with {', '.join(FIELDS)}, not {type(position).__name__}")
    for name in position:
        if name not in FIELDS:
            raise PositionError(f"{str(name)[:40]}: a position has {', '.join(FIELDS)}; leave this out")
    if position.get("centers") is None:
        raise PositionError("centers: is missing; it lists the supply centres by power")
    _check_size(position)
    state = read_state(position)
    _check_turn(state, last_year)
    _check_counts(state)
    _check_retreats(state)
    if not state.to_act():
        raise PositionError(f"phase: nobody has anything to order in {state.name}; name the next phase")
    return state


def _check_size(position: Mapping[str, Any]) -> None:
    """Refuse lists longer than any position has, before they are read and recorded."""
    for field in FIELDS[1:]:
        entries = position.get(field)
        for power, listed in entries.items() if isinstance(entries, Mapping) else ():
            places = listed.values() if isinstance(listed, Mapping) else ()
            longest = max((len(part) for part in (listed, *places) if isinstance(part, Sized)), default=0)
            if longest > len(CENTERS):
                raise PositionError(f"{field}.{str(power)[:40]}: has {longest} entries; {len(CENTERS)} are the most")
            for entry in listed if isinstance(listed, Sequence) else ():
                if isinstance(entry, str) and len(entry) > LONGEST_NAME:
                    raise PositionError(
                        f"{field}.{str(power)[:40]}: {entry[:LONGEST_NAME]}… is no unit and no province"
                    )


def _check_turn(state: State, last_year: int) -> None:
    if not START_YEAR <= state.year <= last_year:
        raise PositionError(f"phase: {state.name} is not in the years {START_YEAR} to {last_year}; see last_year")
    solo = state.solo()
    if solo is not None:
        held = state.center_counts()[solo]
        raise PositionError(f"centers.{POWERS[solo]}: with {held} supply centres the match would be over")


def _check_counts(state: State) -> None:
    """Refuse a power with more units than supply centres, except in winter, when the surplus is removed."""
    if state.phase == WINTER:
        _check_winter(state)
        return
    units = [0] * len(POWERS)
    for power in [unit[0] for unit in state.units.values()] + [unit[0] for unit in state.dislodged.values()]:
        units[power] += 1
    for power, (held, owned) in enumerate(zip(units, state.center_counts(), strict=True)):
        if held > owned:
            raise PositionError(f"units.{POWERS[power]}: {held} units for {owned} supply centres; only in winter")


def _check_winter(state: State) -> None:
    """Refuse a supply centre that is not owned by the unit in it: in winter it has been captured."""
    for center in CENTERS:
        holder = state.units[center][0] if center in state.units else state.centers.get(center)
        if holder is not None and state.centers.get(center) != holder:
            raise PositionError(f"centers.{POWERS[holder]}: must have {PROVINCES[center]}, where its unit winters")


def _check_retreats(state: State) -> None:
    if state.phase not in RETREATS:
        return
    for province, (power, unit, options) in state.dislodged.items():
        field = f"retreats.{POWERS[power]}.{UNITS[unit]}"
        attacker = state.units.get(province)
        if attacker is None or attacker[0] == power:
            raise PositionError(f"{field}: no unit of another power stands in {PROVINCES[province]} to dislodge it")
        taken = next((there for there in options if UNIT_PROVINCE[there] in state.units), None)
        if taken is not None:
            raise PositionError(f"{field}: {UNITS[taken][2:]} is occupied, so it cannot retreat there")
