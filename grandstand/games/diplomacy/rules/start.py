"""Reads a start position other than the opening. It is strict, because a match is played from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import Any

from grandstand.games.base import OptionError
from grandstand.games.diplomacy.rules.map import CENTERS, POWERS, PROVINCES, START_YEAR, UNIT_PROVINCE, UNITS
from grandstand.games.diplomacy.rules.position import PositionError, read_state
from grandstand.games.diplomacy.rules.state import RETREATS, WINTER, State

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
