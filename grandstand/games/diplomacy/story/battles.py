"""A movement phase read from its resolved orders: attacks, standoffs and supports that were cut."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.rules.map import POWERS, PROVINCE
from grandstand.games.diplomacy.rules.results import BOUNCE, CUT, DISBAND, DISLODGED, DISRUPTED, NO_CONVOY
from grandstand.games.diplomacy.types import ResolvedOrder


class Ordered(NamedTuple):
    """A unit with its order. Places are provinces, without coasts."""

    power: SeatId
    unit: str
    """`A` or `F`."""
    at: str
    kind: str
    to: str
    """The destination of a move, or of the move that is supported; empty for none."""
    target: str
    """The place of the unit that is supported or convoyed; empty for none."""
    via: bool
    results: Sequence[str]

    @property
    def moves(self) -> bool:
        return self.kind == "move"

    @property
    def moved(self) -> bool:
        return self.moves and not self.results

    @property
    def bounced(self) -> bool:
        return self.moves and BOUNCE in self.results


class Helper(NamedTuple):
    """A unit whose support made an attack stronger."""

    power: SeatId
    at: str


class Attack(NamedTuple):
    """A move against a unit of another power that stayed, or into a centre of another power."""

    power: SeatId
    unit: str
    origin: str
    place: str
    victim: SeatId
    strength: int
    defence: int
    """The strength of the unit in the place; 0 without one."""
    helpers: tuple[Helper, ...]
    outcome: str
    """`dislodged`, `destroyed` where the dislodged unit could not retreat, `entered` or `repelled`."""
    defended: str
    """`A` or `F` where a unit of the victim stood in the place, else empty."""

    @property
    def gains(self) -> bool:
        return self.outcome != "repelled"


class Standoff(NamedTuple):
    """Moves of two powers or more to a place that nobody holds, none of which succeeded."""

    place: str
    powers: tuple[SeatId, ...]


class SupportCut(NamedTuple):
    """A support that an attack on the supporter cut."""

    power: SeatId
    at: str
    by: SeatId
    origin: str


@dataclass(frozen=True, slots=True)
class Battles:
    """The conflicts of a movement phase."""

    orders: Mapping[str, Ordered]
    """Orders by province of the unit."""
    attacks: Sequence[Attack]
    standoffs: Sequence[Standoff]
    cuts: Sequence[SupportCut]
    aid: Sequence[tuple[SeatId, SeatId, str]]
    """Useful supports and convoys for units of other powers: giver, receiver, place of the receiver."""

    @property
    def moves(self) -> list[Ordered]:
        return [order for order in self.orders.values() if order.moves]


def read_battles(orders: Mapping[SeatId, Sequence[ResolvedOrder]], owners: Mapping[int, int]) -> Battles:
    """Return the battles of a movement phase; `owners` are the owners of the centres at its start."""
    ordered = {unit.at: unit for power, listed in orders.items() for unit in _ordered(power, listed)}
    helpers: dict[tuple[str, str], list[Helper]] = defaultdict(list)
    backing: dict[str, int] = defaultdict(int)
    for unit in ordered.values():
        if unit.kind == "support" and not unit.results:
            if unit.to:
                helpers[unit.target, unit.to].append(Helper(unit.power, unit.at))
            else:
                backing[unit.target] += 1
    attacks = [
        attack
        for unit in ordered.values()
        if unit.moves and NO_CONVOY not in unit.results
        for attack in [_attack(unit, ordered, tuple(helpers[unit.at, unit.to]), backing, owners)]
        if attack is not None
    ]
    return Battles(ordered, attacks, _standoffs(ordered), _cuts(ordered), _aid(ordered))


def _ordered(power: SeatId, orders: Sequence[ResolvedOrder]) -> list[Ordered]:
    return [
        Ordered(
            power,
            order["unit"][0],
            order["from"][:3],
            order["kind"],
            order.get("to", "")[:3],
            order.get("target", "")[2:5],
            order.get("via", False),
            order["results"],
        )
        for order in orders
        if "unit" in order and "from" in order
    ]


def _attack(
    unit: Ordered,
    ordered: Mapping[str, Ordered],
    helpers: tuple[Helper, ...],
    backing: Mapping[str, int],
    owners: Mapping[int, int],
) -> Attack | None:
    occupant = ordered.get(unit.to)
    owner = owners.get(PROVINCE[unit.to])
    stays = occupant is not None and not occupant.moved
    if stays and occupant is not None:
        victim = occupant.power
    elif owner is not None:
        victim = POWERS[owner]
    else:
        return None
    if victim == unit.power:
        return None
    outcome = "repelled" if not unit.moved else "entered"
    defence = 0
    if stays and occupant is not None:
        defence = 1 + (0 if occupant.moves else backing.get(unit.to, 0))
        if unit.moved:
            outcome = "destroyed" if DISBAND in occupant.results else "dislodged"
    defended = occupant.unit if stays and occupant is not None else ""
    return Attack(
        unit.power, unit.unit, unit.at, unit.to, victim, 1 + len(helpers), defence, helpers, outcome, defended
    )


def _standoffs(ordered: Mapping[str, Ordered]) -> list[Standoff]:
    movers: dict[str, list[SeatId]] = defaultdict(list)
    entered = {unit.to for unit in ordered.values() if unit.moved}
    for unit in ordered.values():
        if unit.bounced:
            movers[unit.to].append(unit.power)
    return [
        Standoff(place, tuple(sorted(set(powers))))
        for place, powers in movers.items()
        if len(set(powers)) > 1 and place not in entered and (place not in ordered or ordered[place].moved)
    ]


def _cuts(ordered: Mapping[str, Ordered]) -> list[SupportCut]:
    cuts = []
    for unit in ordered.values():
        if CUT in unit.results and DISLODGED not in unit.results:
            attackers = [
                other
                for other in ordered.values()
                if other.moves
                and other.to == unit.at
                and other.power != unit.power
                and other.at != unit.to
                and NO_CONVOY not in other.results
            ]
            if attackers:
                cuts.append(SupportCut(unit.power, unit.at, attackers[0].power, attackers[0].at))
    return cuts


def _aid(ordered: Mapping[str, Ordered]) -> list[tuple[SeatId, SeatId, str]]:
    """Return the useful supports and convoys for units of other powers."""
    return [
        (unit.power, ordered[unit.target].power, unit.target)
        for unit in ordered.values()
        if unit.kind in ("support", "convoy")
        and unit.target in ordered
        and ordered[unit.target].power != unit.power
        and not set(unit.results) - {CUT, DISLODGED, DISRUPTED}
    ]
