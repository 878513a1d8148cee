"""Plan the groups of a step from the run's seed, the step and the group's number alone."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from random import Random

from grandstand.games.base import SeatId
from grandstand.games.spec import GameSpec
from grandstand.trainer.config.settings import TrainConfig

SELF, BASE, PAST = "self", "base", "past"
"""Opponents that are the policy: its present version, the base, one of its past versions."""

PAST_KEPT = 16
"""Versions that past opponents are drawn from."""


def keyed(*parts: object) -> int:
    """Return a 63-bit seed derived from the parts."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, parts)).encode()).digest()[:8], "big") >> 1


@dataclass(frozen=True)
class GroupPlan:
    """The match that the siblings of a group fork from, and its players."""

    id: str
    """`s000012-g003`; part of the ids of its episodes."""
    title: str
    seed: int
    """Seed of the match and its bots, the same for all siblings."""
    trained_seats: tuple[SeatId, ...]
    """Seats of the version that is trained or evaluated."""
    opponents: Mapping[SeatId, str]
    """A bot's name, `self`, or a version as `@12`."""
    warmup: int
    """Turns that bots play before the fork."""
    horizon: float


def past_versions(version: int, every: int) -> list[int]:
    """Return the versions that past opponents of `version` are drawn from: the newest of one in `every` steps."""
    return list(range(every, version + 1, every))[-PAST_KEPT:]


def needed_versions(done: int, depth: int, every: int) -> set[int]:
    """Return the versions needed in the steps after `done` by a run that plays `depth` steps ahead."""
    playing = range(max(0, done - depth), done + 1)
    return {0, *playing, *(past for version in playing for past in past_versions(version, every))}


def plan_step(config: TrainConfig, spec: GameSpec, step: int, past: Sequence[int]) -> list[GroupPlan]:
    """Plan the groups of a step; `past` are the versions that a past opponent may be."""
    rollout = config.rollout
    return [
        _Situation(
            id=f"s{step:06d}-g{number:03d}",
            title=f"{config.run.name}, step {step}, group {number + 1}",
            turn=step * rollout.groups + number,
            trained_seats=config.game.trained_seats,
            opponents=rollout.opponents,
        ).plan(config, spec, past)
        for number in range(rollout.groups)
    ]


def plan_evaluation(
    config: TrainConfig, spec: GameSpec, label: str, games: int, opponents: Mapping[str, float], past: Sequence[int]
) -> list[GroupPlan]:
    """Plan situations like those in training, with one seat at a time in turn; the same ones for the same `label`.

    They are whole matches if the settings say so.
    """
    if config.run.eval_whole:
        whole = config.rollout.model_copy(update={"warmup": 0, "horizon": inf, "long_horizon_chance": 0.0})
        config = config.model_copy(update={"rollout": whole})
    title = f"{config.run.name}, evaluation {label}"
    return [
        _Situation(f"e-{label}-g{number:03d}", title, number, 1, opponents).plan(config, spec, past)
        for number in range(games)
    ]


@dataclass(frozen=True)
class _Situation:
    """A group before its random draws."""

    id: str
    title: str
    turn: int
    """Number of the situation: seats are trained in turn."""
    trained_seats: int
    opponents: Mapping[str, float]

    def plan(self, config: TrainConfig, spec: GameSpec, past: Sequence[int]) -> GroupPlan:
        """Draw the seats, the opponents and the fork; `past` are the versions that a past opponent may be."""
        rollout = config.rollout
        rng = Random(keyed(config.run.seed, self.id))
        first = config.game.only_seat or spec.seats[self.turn % len(spec.seats)]
        trained = {first, *rng.sample([seat for seat in spec.seats if seat != first], self.trained_seats - 1)}
        names, weights = list(self.opponents), list(self.opponents.values())
        others = {seat: rng.choices(names, weights)[0] for seat in spec.seats if seat not in trained}
        none = rng.random() < rollout.warmup_none_chance
        long = rng.random() < rollout.long_horizon_chance
        return GroupPlan(
            id=self.id,
            title=self.title,
            seed=rng.getrandbits(48),
            trained_seats=tuple(seat for seat in spec.seats if seat in trained),
            opponents={seat: _addressed(name, past, rng) for seat, name in others.items()},
            warmup=0 if none else rng.randint(0, rollout.warmup),
            horizon=rollout.long_horizon if long else rollout.horizon,
        )


def _addressed(name: str, past: Sequence[int], rng: Random) -> str:
    if name == BASE or (name == PAST and not past):
        return "@0"
    return f"@{rng.choice(past)}" if name == PAST else name
