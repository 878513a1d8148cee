"""The public record of who attacked and who helped whom, and of moves that keep bouncing: folded phase by phase.

It follows from public orders, so every power may use it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grandstand.games.base import Json
from grandstand.games.diplomacy.rules.map import POWER, POWERS, START_YEAR, UNIT, UNIT_PROVINCE, UNITS
from grandstand.games.diplomacy.rules.orders import CONVOY, MOVE, NONE, SUPPORT, SUPPORT_MOVE, VIA, Order
from grandstand.games.diplomacy.rules.state import FALL, Resolution, State

Pair = tuple[int, int]
"""(power that acted, power it concerned)."""


def season_of(state: State) -> int:
    """Return the number of the state's season: 0 for spring 1901, 1 for fall 1901, and so on. Winter is of the fall."""
    return 2 * (state.year - START_YEAR) + (state.phase >= FALL)


@dataclass(frozen=True, slots=True)
class Relations:
    """The attacks and supports between powers so far. Immutable; `after` returns the record with one more phase."""

    attacks: Mapping[Pair, int] = field(default_factory=dict)
    """The season in which a power last ordered or supported a move to another's unit or centre."""
    supports: Mapping[Pair, int] = field(default_factory=dict)
    """The season in which a power last gave a useful support or convoy to a unit of another."""
    bounced: Mapping[Order, int] = field(default_factory=dict)
    """Moves that failed in the last movement phase -> the number of successive seasons in which they failed."""

    def __hash__(self) -> int:
        return hash(tuple(frozenset(deeds.items()) for deeds in (self.attacks, self.supports, self.bounced)))

    def after(self, resolution: Resolution) -> Relations:
        """Return the record with a resolved phase; only movement phases change it."""
        movement = resolution.movement
        if movement is None:
            return self
        season = season_of(resolution.before)
        attacks, supports = dict(self.attacks), dict(self.supports)
        for province, order in resolution.orders.items():
            if province not in movement.units:
                continue
            power, helped = movement.units[province][0], _helped(resolution.before, order)
            if province not in movement.void and helped is not None and helped != power:
                supports[power, helped] = season
            for victim in _attacked(resolution.before, order, power, helped):
                attacks[power, victim] = season
        bounced = {
            resolution.orders[mover]: self.bounced.get(resolution.orders[mover], 0) + 1
            for mover in movement.target
            if mover not in movement.moved
        }
        return Relations(attacks, supports, bounced)

    def since_attack(self, power: int, victim: int, season: int) -> int | None:
        """Return how many seasons ago `power` last attacked `victim`; None if it never did."""
        last = self.attacks.get((power, victim))
        return None if last is None else season - last

    def since_support(self, power: int, helped: int, season: int) -> int | None:
        """Return how many seasons ago `power` last helped a unit of `helped`; None if it never did."""
        last = self.supports.get((power, helped))
        return None if last is None else season - last

    def to_json(self) -> Json:
        return {
            "attacks": _rows(self.attacks),
            "supports": _rows(self.supports),
            "bounced": [
                [UNITS[unit], UNITS[there], kind == VIA, count]
                for (kind, unit, there, _), count in sorted(self.bounced.items())
            ],
        }


def read_relations(data: Mapping[str, Json]) -> Relations:
    """Return the record that `Relations.to_json` wrote; an empty one for an empty object."""
    return Relations(
        dict(_pairs(data.get("attacks", ()))),
        dict(_pairs(data.get("supports", ()))),
        {
            (VIA if via else MOVE, UNIT[unit], UNIT[there], NONE): count
            for unit, there, via, count in data.get("bounced", ())
        },
    )


def _rows(seasons: Mapping[Pair, int]) -> list[list[str | int]]:
    return [[POWERS[power], POWERS[other], season] for (power, other), season in sorted(seasons.items())]


def _pairs(rows: Json) -> Iterator[tuple[Pair, int]]:
    for power, other, season in rows:
        yield (POWER[power], POWER[other]), season


def _helped(state: State, order: Order) -> int | None:
    """Return the power whose unit the order supports or convoys."""
    if order[0] not in (SUPPORT, SUPPORT_MOVE, CONVOY):
        return None
    unit = state.units.get(UNIT_PROVINCE[order[2]])
    return None if unit is None else unit[0]


def _attacked(state: State, order: Order, power: int, helped: int | None) -> set[int]:
    """Return the powers against which a move, or the support or convoy of a move, is directed."""
    kind, _, a, b = order
    if kind in (MOVE, VIA):
        target = UNIT_PROVINCE[a]
    elif kind in (SUPPORT_MOVE, CONVOY):
        target = UNIT_PROVINCE[b]
    else:
        return set()
    holders = {state.centers.get(target, power)}
    if target in state.units:
        holders.add(state.units[target][0])
    return holders - {power, helped}
