"""Paired evaluation: a player and a reference play the same matches from the same random seeds.

Every trial is a task of the game (a situation and the evaluated seat) under one seed. The player and the reference face
the same opponents there, and every random draw is keyed by its position in the match, so that their difference has far
less variance than either score. Intervals are over situations: they cover the result of another such set of
situations.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from statistics import fmean
from typing import Any

from grandstand.games.base import OptionError, SeatId, Task
from grandstand.games.spec import GameSpec, game_options
from grandstand.play.ratings.intervals import Interval, bounded_interval, mean_interval


@dataclass(frozen=True)
class Trial:
    """One match: `player` sits in the task's seat, `against` in all others."""

    game: str
    task: Task
    seed: int
    player: str
    against: str
    unit: str
    """Trials of one unit are not independent: one situation, in either role."""

    def seated(self, seat: SeatId) -> str:
        """Return the name of the player in `seat`."""
        return self.player if seat == self.task.seat else self.against


Measures = Mapping[str, float]
"""Measured results of a trial's player: `score`, `win`, and the game's own measures, by name."""

BOUNDED = ("score", "win")
"""Measures between 0 and 1."""


def trials_of(
    spec: GameSpec,
    pack: str,
    options: Mapping[str, Any],
    seats: tuple[str, str],
    *,
    repeats: int = 1,
    limit: int = 0,
    seed: int = 0,
) -> list[Trial]:
    """Return a trial for every task of a pack and repeat; if `pack` is empty, for every seat from the game's start.

    `seats` are the names of the evaluated player and of the player in all other seats; `limit` is the maximum number
    of situations, 0 for no limit. Raises OptionError naming the field.
    """
    player, against = seats
    if not pack:
        tasks: Sequence[Task] = [Task(seat, seat, {}) for seat in spec.seats(options)]
    elif pack in spec.learning.tasks:
        tasks = spec.learning.tasks[pack]()
    else:
        raise OptionError(f"pack: {spec.name} has no {pack!r}; there are {', '.join(spec.learning.tasks) or 'none'}")
    trials = []
    situations: dict[str, None] = {}
    for task in tasks:
        task = Task(task.id, task.seat, {**options, **task.options})
        game_options(spec, task.options)
        situation = json.dumps(task.options, sort_keys=True) if pack else task.id
        situations.setdefault(situation)
        if limit and len(situations) > limit:
            break
        for repeat in range(repeats):
            unit = situation if pack else f"{task.id}/{repeat}"
            trials.append(Trial(spec.name, task, seed_of(seed, task, repeat), player, against, unit))
    return trials


def seed_of(seed: int, task: Task, repeat: int) -> int:
    """Return the seed of one trial, which does not depend on the player."""
    return int.from_bytes(blake2b(f"{seed}/{task.id}/{repeat}".encode(), digest_size=4).digest(), "big")


# --- summary ----------------------------------------------------------------------------------------------------------


def over_units(trials: Sequence[Trial], values: Sequence[float | None]) -> list[float]:
    """Return the mean of each unit that has a value; with a single unit, the values of its trials."""
    units: dict[str, list[float]] = {}
    for trial, value in zip(trials, values, strict=True):
        if value is not None:
            units.setdefault(trial.unit, []).append(value)
    groups = list(units.values())
    return groups[0] if len(groups) == 1 else [fmean(group) for group in groups]


def compared(
    trials: Sequence[Trial], player: Sequence[Measures | None], reference: Sequence[Measures | None]
) -> dict[str, dict[str, Interval]]:
    """Return measure -> player, reference, difference; each difference is taken within one trial.

    None is a trial that was not played, or in which another player made some of the decisions.
    """
    names = dict.fromkeys(name for measures in (*player, *reference) if measures for name in measures)
    out = {}
    for name in names or BOUNDED:
        own, other = ([_value(measures, name) for measures in side] for side in (player, reference))
        gained = [None if a is None or b is None else a - b for a, b in zip(own, other, strict=True)]
        rows = {"player": own, "reference": other, "difference": gained}
        out[name] = {row: _interval(name, row, over_units(trials, values)) for row, values in rows.items()}
    return out


def _value(measures: Measures | None, name: str) -> float | None:
    return None if measures is None else measures.get(name)


def _interval(name: str, row: str, values: Sequence[float]) -> Interval:
    if name not in BOUNDED:
        return mean_interval(values)
    return mean_interval(values, bounds=(-1.0, 1.0)) if row == "difference" else bounded_interval(values)
