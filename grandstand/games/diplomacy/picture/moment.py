"""The position at a moment: owners, units, and the orders that led to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.picture.map import drawing
from grandstand.games.diplomacy.types import Position, ResolvedOrder
from grandstand.games.picture import Scene

HOME_LANDS: Final = {
    land: power
    for power, lands in {
        "AUSTRIA": "BOH GAL TYR",
        "ENGLAND": "CLY WAL YOR",
        "FRANCE": "BUR GAS PIC",
        "GERMANY": "PRU RUH SIL",
        "ITALY": "APU PIE TUS",
        "RUSSIA": "FIN LVN UKR",
        "TURKEY": "ARM SYR",
    }.items()
    for land in lands.split()
}
"""Province without a supply centre -> the power that it belongs to at the start."""
EMPTY: Position = {"phase": "", "units": {}, "retreats": {}, "centers": {}}


@dataclass(slots=True)
class MapMoment:
    """The position at a moment."""

    state: Position = field(default_factory=lambda: EMPTY)
    control: dict[str, SeatId] = field(default_factory=lambda: dict(HOME_LANDS))
    """Province without a supply centre -> the power that occupied it last."""
    season: list[tuple[str, Mapping[SeatId, Sequence[ResolvedOrder]]]] = field(default_factory=list)
    """(phase, orders) of the phases since the last movement phase, that one first."""

    @property
    def owners(self) -> dict[str, SeatId]:
        """Return the owner of each province."""
        owned = {center: seat for seat, centers in self.state["centers"].items() for center in centers}
        return {**self.control, **owned}


def moment(scene: Scene) -> MapMoment:
    """Return the position at `scene`."""
    result = MapMoment()
    for kind, data in scene:
        if kind == "PhaseAdvanced":
            result.state = cast(Position, data["state"])
            _occupy(result.control, result.state)
        elif kind == "CentersChanged":
            result.state = _counted(result.state, data["captured"])
        elif kind == "OrdersResolved":
            if data["phase"].endswith("M"):
                result.season = []
            result.season.append((data["phase"], data["orders"]))
    return result


def _counted(state: Position, captured: Sequence[Mapping[str, str]]) -> Position:
    """Return the position after the centres were counted; that of the next phase follows."""
    taken = {change["center"]: change["to"] for change in captured}
    kept = {seat: [each for each in own if each not in taken] for seat, own in state["centers"].items()}
    new = {seat: [each for each, to in taken.items() if to == seat] for seat in taken.values()}
    return {**state, "centers": {seat: kept.get(seat, []) + new.get(seat, []) for seat in {**kept, **new}}}


def _occupy(control: dict[str, SeatId], state: Position) -> None:
    provinces = drawing()["provinces"]
    for seat, units in state["units"].items():
        for unit in units:
            place = provinces[unit[2:5]]
            if place["kind"] != "sea" and not place["center"]:
                control[unit[2:5]] = seat
