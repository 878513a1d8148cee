"""How good is a player? The same matches, with the same luck, played by it and by a reference in its place.

Every trial is a task of the game (a situation and the seat that is compared) under one seed. The player and the
reference face the same opponents there, and all luck is keyed by the place in the match, so that the difference of the
two is far less noisy than either. Intervals are over situations: what another set of such situations could give.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import sqrt
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from typing import Any

from games.base import GameSpec, OptionError, SeatId, Task
from games.match import Match, game_options
from games.registry import game_spec
from models import Draft, flat_drafts
from players.base import Player
from players.roster import roster_of
from players.seated import SeatedPlayer
from players.table import Table


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
    roster: Path | None = None


@dataclass(frozen=True)
class Showing:
    """How the player of a trial did: `score` and `win`, and the game's own measures."""

    measures: dict[str, float]
    choices: int
    faults: int
    """Choices that its fallback made for it."""


@dataclass(frozen=True)
class Interval:
    """A mean and half the width of its 95 per cent interval; None where one value gives none."""

    mean: float
    half: float | None


def trials_of(
    spec: GameSpec,
    pack: str,
    options: Mapping[str, Any],
    seats: tuple[str, str],
    *,
    repeats: int = 1,
    limit: int = 0,
    seed: int = 0,
    roster: Path | None = None,
) -> list[Trial]:
    """Every task of a pack, so many times; or every seat from the start where `pack` is empty. `seats` are the player
    and who sits in all other seats, `limit` the most situations, if any. Raises OptionError naming the field."""
    player, against = seats
    if not pack:
        tasks: Sequence[Task] = [Task(seat, seat, {}) for seat in spec.seats]
    elif pack in spec.tasks:
        tasks = spec.tasks[pack]()
    else:
        raise OptionError(f"pack: {spec.name} has no {pack!r}; there are {', '.join(spec.tasks) or 'none'}")
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
            trials.append(Trial(spec.name, task, seed_of(seed, task, repeat), player, against, unit, roster))
    return trials


def seed_of(seed: int, task: Task, repeat: int) -> int:
    """The seed of one trial: the same for whoever plays it."""
    return int.from_bytes(blake2b(f"{seed}/{task.id}/{repeat}".encode(), digest_size=4).digest(), "big")


def check_players(spec: GameSpec, names: Sequence[str], roster: Path | None) -> None:
    """Raises OptionError where one of them cannot be seated or would wait for somebody outside."""
    seating = roster_of(roster).episode(spec)
    for name in names:
        if isinstance(seating.player(name, spec.seats[0]), SeatedPlayer):
            raise OptionError(f"player: {name} is played from outside, and nobody can answer without a server")


def play_trial(trial: Trial) -> Showing:
    """Play the match to its end."""
    return asyncio.run(_play(trial))


async def _play(trial: Trial) -> Showing:
    spec = game_spec(trial.game)
    seating = roster_of(trial.roster).episode(spec)
    players: dict[SeatId, Player] = {
        seat: seating.player(trial.player if seat == trial.task.seat else trial.against, seat) for seat in spec.seats
    }
    table = Table(Match(spec, trial.task.options, trial.seed), players)
    drafts: list[Draft] = table.started()
    while not table.match.over:
        async for some in table.play_round():
            drafts += some
    return _showing(spec, table.match, list(flat_drafts(drafts)), trial.task.seat)


def _showing(spec: GameSpec, match: Match, drafts: Sequence[Draft], seat: SeatId) -> Showing:
    outcome = match.game.outcome
    assert outcome is not None
    kinds = {kind.__name__ for kind in spec.events}
    events = [(draft.type, draft.data) for draft in drafts if draft.type in kinds]
    chosen = [draft.data for draft in drafts if draft.type == "ActionChosen" and draft.data["seat"] == seat]
    measures = {"score": outcome.scores[seat], "win": float(outcome.winners == [seat])}
    if spec.comparison is not None:
        measures |= spec.comparison.measures(events, seat)
    return Showing(measures, len(chosen), sum(choice["source"] == "fallback" for choice in chosen))


# --- summing up -------------------------------------------------------------------------------------------------------


def interval(values: Sequence[float]) -> Interval:
    """The mean of independent values and its 95 per cent interval by Student's t."""
    n = len(values)
    if n < 2:
        return Interval(fmean(values), None)
    return Interval(fmean(values), student(n - 1) * stdev(values) / sqrt(n))


def student(freedom: int) -> float:
    """The two-sided 95 per cent point of Student's t, by Cornish and Fisher's expansion beyond the first four."""
    if freedom <= len(_FIRST):
        return _FIRST[freedom - 1]
    z, f = NormalDist().inv_cdf(0.975), float(freedom)
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / f + second / f**2 + third / f**3


_FIRST = (12.706, 4.303, 3.182, 2.776)


def over_units(trials: Sequence[Trial], values: Sequence[float]) -> Interval:
    """The mean over units of each unit's mean; with one unit, over its trials."""
    units: dict[str, list[float]] = {}
    for trial, value in zip(trials, values, strict=True):
        units.setdefault(trial.unit, []).append(value)
    groups = list(units.values())
    return interval(groups[0] if len(groups) == 1 else [fmean(group) for group in groups])


def compared(
    trials: Sequence[Trial], player: Sequence[Showing], reference: Sequence[Showing]
) -> dict[str, dict[str, Interval]]:
    """Measure -> player, reference, difference; the differences are of the same trial."""
    out = {}
    for name in player[0].measures:
        own = [showing.measures[name] for showing in player]
        other = [showing.measures[name] for showing in reference]
        gained = [a - b for a, b in zip(own, other, strict=True)]
        out[name] = {
            "player": over_units(trials, own),
            "reference": over_units(trials, other),
            "difference": over_units(trials, gained),
        }
    return out
