"""Changes of a position by hand: the unit of a province, and the owner of its supply centre."""

from __future__ import annotations

from collections.abc import Sequence

from grandstand.games.choices import Chosen, Option, Pick, Slot, picks
from grandstand.games.diplomacy.rules.map import (
    ANY_COAST,
    CENTERS,
    IMPASSABLE,
    POWER,
    POWERS,
    PROVINCE,
    PROVINCE_NAMES,
    PROVINCES,
    UNIT,
    UNIT_PROVINCE,
    UNITS,
)
from grandstand.games.diplomacy.rules.state import RETREATS, State

NOBODY = "none"
_PLACES = tuple(
    Option(name, full, target=name)
    for name, full in zip(PROVINCES, PROVINCE_NAMES, strict=True)
    if name not in IMPASSABLE
)


def edit_slots(state: State, chosen: Chosen) -> Sequence[Slot]:
    """Return the next slots of a change: the province, then what stands there and who owns it. None of a position with
    dislodged units, whose retreats follow from what happened."""
    if state.phase in RETREATS or "unit" in chosen:
        return ()
    if "province" not in chosen:
        return (Pick("province", _PLACES, "The province to change"),)
    province = PROVINCE[str(chosen["province"])]
    names = [UNITS[unit] for unit in range(ANY_COAST) if UNIT_PROVINCE[unit] == province]
    units = [NOBODY, *(f"{power} {name}" for power in POWERS for name in names)]
    standing = state.units.get(province)
    now = NOBODY if standing is None else f"{POWERS[standing[0]]} {UNITS[standing[1]]}"
    slots: list[Slot] = [Pick("unit", picks(*units), "The unit that stands there", now)]
    if province in CENTERS:
        owner = state.centers.get(province)
        default = NOBODY if owner is None else POWERS[owner]
        slots.append(Pick("owner", picks(NOBODY, *POWERS), "The owner of the supply centre", default))
    return slots


def edited(state: State, chosen: Chosen) -> State:
    """Return the position after a change, which is a whole answer to `edit_slots`."""
    province = PROVINCE[str(chosen["province"])]
    units = {at: unit for at, unit in state.units.items() if at != province}
    power, _, name = str(chosen["unit"]).partition(" ")
    if name:
        units[province] = (POWER[power], UNIT[name])
    centers = {at: owner for at, owner in state.centers.items() if at != province}
    if (owner := str(chosen.get("owner", NOBODY))) != NOBODY:
        centers[province] = POWER[owner]
    return State(state.year, state.phase, dict(sorted(units.items())), {}, dict(sorted(centers.items())))
