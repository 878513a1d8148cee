"""Who plays what: the groups of a step, decided by the run's seed, the step and the group's number alone."""

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
"""Opponents that are the policy: as it is now, as it began, as it was at some step."""

PAST_KEPT = 16
"""Versions that past opponents are drawn from."""


def keyed(*parts: object) -> int:
    """A 63-bit seed of its own for whatever the parts name."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, parts)).encode()).digest()[:8], "big") >> 1


@dataclass(frozen=True)
class GroupPlan:
    """What the siblings of one group play."""

    id: str
    """`s000012-g003`: in its episodes' ids."""
    title: str
    seed: int
    """Of the match, and so of its bots: the same for all siblings."""
    heroes: tuple[SeatId, ...]
    """The seats of the version that is trained, or measured."""
    opponents: Mapping[SeatId, str]
    """A bot's name, `self`, or a version as `@12`."""
    warmup: int
    """Turns that bots play before the fork."""
    horizon: float


def past_versions(version: int, every: int) -> list[int]:
    """The versions that past opponents of `version` are drawn from: of the newest checkpoints, one in `every` steps."""
    return list(range(every, version + 1, every))[-PAST_KEPT:]


def needed_versions(done: int, depth: int, every: int) -> set[int]:
    """The versions that are played, or compared with, in the steps after `done`, by a run that plays `depth` steps
    ahead."""
    playing = range(max(0, done - depth), done + 1)
    return {0, *playing, *(past for version in playing for past in past_versions(version, every))}


def plan_step(config: TrainConfig, spec: GameSpec, step: int, past: Sequence[int]) -> list[GroupPlan]:
    """The groups of a step; `past` are the versions that a past opponent may be."""
    rollout = config.rollout
    return [
        _plan(
            config,
            spec,
            f"s{step:06d}-g{number:03d}",
            f"{config.run.name}, step {step}, group {number + 1}",
            step * rollout.groups + number,
            config.game.heroes,
            rollout.opponents,
            past,
        )
        for number in range(rollout.groups)
    ]


def plan_evaluation(
    config: TrainConfig, spec: GameSpec, label: str, games: int, opponents: Mapping[str, float], past: Sequence[int]
) -> list[GroupPlan]:
    """Fresh situations of the kind that is trained on, one seat at a time in turn; the same for the same `label`.

    Whole matches where the settings say so.
    """
    title = f"{config.run.name}, evaluation {label}"
    if config.run.eval_whole:
        whole = config.rollout.model_copy(update={"warmup": 0, "horizon": inf, "long_horizon_chance": 0.0})
        config = config.model_copy(update={"rollout": whole})
    return [
        _plan(config, spec, f"e-{label}-g{number:03d}", title, number, 1, opponents, past) for number in range(games)
    ]


def _plan(
    config: TrainConfig,
    spec: GameSpec,
    plan_id: str,
    title: str,
    turn: int,
    heroes: int,
    opponents: Mapping[str, float],
    past: Sequence[int],
) -> GroupPlan:
    game, rollout = config.game, config.rollout
    rng = Random(keyed(config.run.seed, plan_id))
    first = game.hero or spec.seats[turn % len(spec.seats)]
    trained = {first, *rng.sample([seat for seat in spec.seats if seat != first], heroes - 1)}
    names, weights = list(opponents), list(opponents.values())
    others = {seat: rng.choices(names, weights)[0] for seat in spec.seats if seat not in trained}
    none = rng.random() < rollout.warmup_none_chance
    long = rng.random() < rollout.long_horizon_chance
    return GroupPlan(
        id=plan_id,
        title=title,
        seed=rng.getrandbits(48),
        heroes=tuple(seat for seat in spec.seats if seat in trained),
        opponents={seat: _addressed(name, past, rng) for seat, name in others.items()},
        warmup=0 if none else rng.randint(0, rollout.warmup),
        horizon=rollout.long_horizon if long else rollout.horizon,
    )


def _addressed(name: str, past: Sequence[int], rng: Random) -> str:
    if name == BASE or (name == PAST and not past):
        return "@0"
    return f"@{rng.choice(past)}" if name == PAST else name
