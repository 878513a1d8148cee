"""A position: phase, units, dislodged units, supply centres. Immutable, so sharing it is copying it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from grandstand.games.choices import Slot
from grandstand.games.diplomacy.rules.adjudicate import Movement, Retreat, retreat_options
from grandstand.games.diplomacy.rules.legal import (
    Adjustment,
    adjustment_counts,
    adjustment_orders,
    movement_orders,
    retreat_orders,
    vacant_homes,
)
from grandstand.games.diplomacy.rules.map import (
    CENTERS,
    HOMES,
    POWERS,
    PROVINCES,
    START_UNITS,
    START_YEAR,
    UNIT,
    UNIT_PROVINCE,
    UNITS,
)
from grandstand.games.diplomacy.rules.orders import Order

SPRING, SPRING_RETREATS, FALL, FALL_RETREATS, WINTER = range(5)
RETREATS = (SPRING_RETREATS, FALL_RETREATS)
PHASE_CODES = ("SM", "SR", "FM", "FR", "WA")
"""The letters around the year for each phase: `S1901M`."""

SOLO_CENTERS = 18


class State:
    """The position at the start of a phase. It is immutable; `resolve` returns the next one.

    Attributes: `year`; `phase`, one of SPRING .. WINTER; `units`, province -> (power, unit) in ascending order;
    `dislodged`, province -> (power, unit, the units it can become by retreating), empty outside retreat phases;
    `centers`, supply centre -> the power that owns it, ascending, those without an owner left out.
    """

    __slots__ = ("_counts", "_hash", "_legal", "centers", "dislodged", "phase", "slots", "units", "year")

    def __init__(
        self,
        year: int,
        phase: int,
        units: dict[int, tuple[int, int]],
        dislodged: dict[int, tuple[int, int, tuple[int, ...]]],
        centers: dict[int, int],
    ) -> None:
        self.year = year
        self.phase = phase
        self.units = units
        self.dislodged = dislodged
        self.centers = centers
        self._legal: dict[int, list[Order]] | None = None
        self._counts: dict[int, int] | None = None
        self._hash: int | None = None
        self.slots: dict[int, Sequence[Slot]] = {}
        """The choices of the powers that were asked for, which `rules/choices.py` makes."""

    @classmethod
    def start(cls) -> State:
        """Return the opening position of spring 1901."""
        units = {
            UNIT_PROVINCE[UNIT[name]]: (power, UNIT[name])
            for power, owner in enumerate(POWERS)
            for name in START_UNITS[owner]
        }
        centers = {home: power for power, homes in enumerate(HOMES) for home in homes}
        return cls(START_YEAR, SPRING, dict(sorted(units.items())), {}, dict(sorted(centers.items())))

    @property
    def name(self) -> str:
        """`S1901M`."""
        code = PHASE_CODES[self.phase]
        return f"{code[0]}{self.year}{code[1]}"

    @property
    def counts(self) -> dict[int, int]:
        """Return, in winter, the number of builds (+) or removals (-) of each power with orders to give."""
        if self._counts is None:
            self._counts = adjustment_counts(self.units, self.centers) if self.phase == WINTER else {}
        return self._counts

    def legal_orders(self) -> dict[int, list[Order]]:
        """Return every legal order, by the province of its unit, dislodged unit or building site.

        Shared: do not change it. In winter a power plays at most `counts` of its provinces.
        """
        if self._legal is None:
            if self.phase == WINTER:
                self._legal = adjustment_orders(self.units, self.centers, self.counts)
            elif self.phase in RETREATS:
                self._legal = retreat_orders(self.dislodged)
            else:
                self._legal = movement_orders(self.units)
        return self._legal

    def orderable(self, power: int) -> list[int]:
        """Return the provinces for which `power` may give orders in this phase, ascending."""
        if self.phase == WINTER:
            count = self.counts.get(power, 0)
            if count > 0:
                return vacant_homes(power, self.units, self.centers)
            return [at for at, (owner, _) in self.units.items() if owner == power] if count else []
        units = self.dislodged if self.phase in RETREATS else self.units
        return [province for province, unit in units.items() if unit[0] == power]

    def to_act(self) -> list[int]:
        """Return the powers with a choice to make in this phase, ascending."""
        if self.phase == WINTER:
            return sorted(self.counts)
        if self.phase in RETREATS:
            return sorted({power for power, _, options in self.dislodged.values() if options})
        return sorted({power for power, _ in self.units.values()})

    def center_counts(self) -> list[int]:
        """Return the number of supply centres per power."""
        counts = [0] * len(POWERS)
        for power in self.centers.values():
            counts[power] += 1
        return counts

    def in_play(self, power: int) -> bool:
        """Return whether the power has a unit or a centre left."""
        units = (*self.units.values(), *self.dislodged.values())
        return any(unit[0] == power for unit in units) or power in self.centers.values()

    def solo(self) -> int | None:
        """Return the power that owns 18 centres or more, if any."""
        return next((power for power, count in enumerate(self.center_counts()) if count >= SOLO_CENTERS), None)

    def resolve(self, orders: Mapping[int, Order]) -> Resolution:
        """Return the resolution of `orders`, legal orders by province. Without an order a unit holds, a dislodged unit
        is disbanded, a build is waived, and civil disorder removes units. The next phase is the next in which somebody
        has a choice."""
        return Resolution(self, orders)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._key() == other._key()

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.year, self.phase, tuple(self.units.items()), tuple(self.centers.items())))
        return self._hash

    def __repr__(self) -> str:
        return f"State({json.dumps(self.to_json())})"

    def _key(self) -> tuple[object, ...]:
        return self.year, self.phase, self.units, self.dislodged, self.centers

    def digest(self) -> str:
        """Return 32 hexadecimal digits, the same in every process: equal if and only if the positions are equal."""
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()[:32]

    def to_json(self) -> dict[str, Any]:
        """Return the position in saved-game notation: `{"phase", "units", "retreats", "centers"}`. Dislodged units are
        in `retreats` only. `position.read_state` is the inverse."""
        units: dict[str, list[str]] = {power: [] for power in POWERS}
        for power, unit in self.units.values():
            units[POWERS[power]].append(UNITS[unit])
        retreats: dict[str, dict[str, list[str]]] = {}
        for power, unit, options in self.dislodged.values():
            retreats.setdefault(POWERS[power], {})[UNITS[unit]] = [UNITS[there][2:] for there in options]
        centers: dict[str, list[str]] = {power: [] for power in POWERS}
        for center, power in self.centers.items():
            centers[POWERS[power]].append(PROVINCES[center])
        return {"phase": self.name, "units": units, "retreats": retreats, "centers": centers}


class Resolution:
    """A resolved phase: `before`, the `orders`, the details in `movement`, `retreat` or `adjustment`, and `after`."""

    __slots__ = ("adjustment", "after", "before", "movement", "orders", "retreat")

    def __init__(self, before: State, orders: Mapping[int, Order]) -> None:
        self.before = before
        self.orders = orders
        self.movement: Movement | None = None
        self.retreat: Retreat | None = None
        self.adjustment: Adjustment | None = None
        if before.phase == WINTER:
            self.adjustment = Adjustment(before.units, before.centers, before.counts, orders)
            self.after = State(before.year + 1, SPRING, self.adjustment.units, {}, before.centers)
        elif before.phase in (SPRING, FALL):
            self.movement = Movement(before.units, orders)
            self.after = self._after_movement(self.movement)
        else:
            self.retreat = Retreat(before.units, before.dislodged, orders)
            self.after = self._after_season(self.retreat.units)

    def _after_movement(self, movement: Movement) -> State:
        before, moved = self.before, movement.moved
        standing = {}
        for province, unit in before.units.items():
            if province in moved:
                standing[movement.target[province]] = (unit[0], self.orders[province][2])
            elif province not in movement.dislodged_by:
                standing[province] = unit
        units = dict(sorted(standing.items()))
        dislodged = retreat_options(movement, units)
        if any(options for _, _, options in dislodged.values()):
            return State(before.year, before.phase + 1, units, dislodged, before.centers)
        return self._after_season(units)

    def _after_season(self, units: dict[int, tuple[int, int]]) -> State:
        before = self.before
        if before.phase in (SPRING, SPRING_RETREATS):
            return State(before.year, FALL, units, {}, before.centers)
        centers = dict(before.centers)
        centers.update((center, units[center][0]) for center in CENTERS if center in units)
        winter = State(before.year, WINTER, units, {}, dict(sorted(centers.items())))
        return winter if winter.counts else State(before.year + 1, SPRING, units, {}, winter.centers)
