"""Rewards of one power, computed from the events of a match: changes in each phase, and the final position.

Amounts are positive if the power is better off, so that ordinary weights are positive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.rules.map import HOMES, NEIGHBOURS, POWER, POWERS, PROVINCE
from grandstand.games.diplomacy.rules.scoring import sum_of_squares
from grandstand.games.diplomacy.rules.state import SOLO_CENTERS
from grandstand.games.training import Component, Entry, Rewards

COMPONENTS: Mapping[str, Component] = {
    "centers": Component("change of the number of supply centres"),
    "units": Component("change of the number of units on the board"),
    "dislodgement": Component("foreign units that the power dislodged, less its own that were dislodged"),
    "territory": Component("change of the number of provinces that the power was the last to hold"),
    "threat": Component("change, turned round, of the number of its centres that a foreign unit stands in or next to"),
    "forward": Component("change of the number of units outside the home centres"),
    "position": Component("bonus by rank, powers with equally many centres sharing the better rank", final=True),
    "win": Component("1 for the sole leader, if it has `win_threshold` centres", final=True),
    "solo": Component("1 for 18 centres", final=True),
    "elimination": Component("-1 without centres and units", final=True),
    "leader_gap": Component("-(gap - `leader_gap_threshold`) / 18 where the leader is further ahead", final=True),
    "balance": Component(
        "of one who does not lead: 1 less the variation of the powers' centres, at least 0", final=True
    ),
    "score": Component("share of the squares of the centres", final=True),
}

SETTINGS: Mapping[str, float] = {
    "win_threshold": 5,
    "leader_gap_threshold": 3,
    **{f"position_{rank}": bonus for rank, bonus in enumerate((50, 25, 15, 10, 5, 2, 0), 1)},
}


def ledger(
    events: Iterable[tuple[int, str, Mapping[str, Any]]], seat: SeatId, settings: Mapping[str, float]
) -> list[Entry]:
    """Return every reward entry of `seat`. Raises KeyError if a setting is missing."""
    entries: list[Entry] = []
    occupants: dict[int, str] = {}
    before: dict[str, float] | None = None
    position: Mapping[str, Any] | None = None
    seq = 0
    for seq, kind, data in events:
        if kind == "OrdersResolved":
            entries += [Entry(seq, "dislodgement", amount) for amount in _dislodgements(data["orders"], seat)]
        elif kind == "PhaseAdvanced":
            position = data["state"]
            now = _levels(position, seat, occupants)
            if before is not None:
                entries += [
                    Entry(seq, name, level - before[name]) for name, level in now.items() if level != before[name]
                ]
            before = now
    if position is not None:
        entries += [Entry(seq, name, amount) for name, amount in _final(position, seat, settings).items() if amount]
    return entries


def _dislodgements(orders: Mapping[SeatId, Sequence[Mapping[str, Any]]], seat: SeatId) -> list[float]:
    """Count +1 for each foreign unit that `seat` dislodged, and -1 for each of its own units that was dislodged."""
    at = {order["from"][:3]: power for power, listed in orders.items() for order in listed if "from" in order}
    return [
        -1.0 if power == seat else 1.0
        for power, listed in orders.items()
        for order in listed
        if "dislodged_by" in order and seat in (power, at[order["dislodged_by"]])
    ]


def _levels(position: Mapping[str, Any], seat: SeatId, occupants: dict[int, str]) -> dict[str, float]:
    """Return the quantities whose differences are the steps; `held` maps each province to its last occupant."""
    at: dict[int, str] = {}
    for power, units in position["units"].items():
        at.update((PROVINCE[unit[2:5]], power) for unit in units)
    occupants.update(at)
    own = [PROVINCE[center] for center in position["centers"][seat]]
    threatened = sum(any(at.get(near, seat) != seat for near in (center, *NEIGHBOURS[center])) for center in own)
    units = [province for province, power in at.items() if power == seat]
    return {
        "centers": len(own),
        "units": len(units),
        "territory": sum(power == seat for power in occupants.values()),
        "threat": -threatened,
        "forward": sum(province not in HOMES[POWER[seat]] for province in units),
    }


def _final(position: Mapping[str, Any], seat: SeatId, settings: Mapping[str, float]) -> dict[str, float]:
    """Return the components for the final position."""
    counts = [len(position["centers"][power]) for power in POWERS]
    own, most = counts[POWER[seat]], max(counts)
    rank = 1 + sum(count > own for count in counts)
    gone = _gone(position, seat)
    gap = most - own - settings["leader_gap_threshold"]
    return {
        "position": 0.0 if gone else settings[f"position_{rank}"],
        "win": float(own == most and counts.count(most) == 1 and own >= settings["win_threshold"]),
        "solo": float(own >= SOLO_CENTERS),
        "elimination": -float(gone),
        "leader_gap": -max(gap, 0.0) / SOLO_CENTERS,
        "balance": 0.0 if own == most or not own else max(0.0, 1.0 - _variation([n for n in counts if n])),
        "score": sum_of_squares(counts, {})[POWER[seat]],
    }


def results(events: Iterable[tuple[int, str, Mapping[str, Any]]], seat: SeatId) -> dict[str, float]:
    """Return the power's centres, its rank from 1, its shares of the first place and of the first three, and survival.

    Powers with equally many centres share their places: each has the mean rank, and an equal part of the places that
    count. So the first places of a match sum to 1, and the first three to 3.
    """
    position: Mapping[str, Any] | None = None
    for _, kind, data in events:
        if kind == "PhaseAdvanced":
            position = data["state"]
    if position is None:
        return {}
    counts = [len(position["centers"][power]) for power in POWERS]
    own = counts[POWER[seat]]
    ahead, level = sum(count > own for count in counts), counts.count(own)
    return {
        "centers": float(own),
        "rank": ahead + (level + 1) / 2,
        "first": _share_of_places(1, ahead, level),
        "top3": _share_of_places(3, ahead, level),
        "survived": float(not _gone(position, seat)),
    }


def _share_of_places(places: int, ahead: int, level: int) -> float:
    """Return the share of the first `places` places of each of `level` tied powers, with `ahead` before them."""
    return min(max(places - ahead, 0), level) / level


def _gone(position: Mapping[str, Any], seat: SeatId) -> bool:
    """Return whether the power has neither centres nor units, nor a unit to retreat."""
    return not (position["centers"][seat] or position["units"][seat] or position["retreats"].get(seat))


def _variation(counts: Sequence[int]) -> float:
    """Return the standard deviation divided by the mean."""
    mean = sum(counts) / len(counts)
    return sqrt(sum((count - mean) ** 2 for count in counts) / len(counts)) / mean


REWARDS = Rewards(COMPONENTS, SETTINGS, ledger, results)
