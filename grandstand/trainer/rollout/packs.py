"""Measure a version and the base on a game's sets of situations.

The situations are the same in every run, and so are the random draws of their matches: two policies differ by their
decisions alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf
from statistics import fmean

from grandstand.campaigns.evaluation.trials import seed_of
from grandstand.games.base import Task
from grandstand.games.spec import GameSpec
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.matchmaking import GroupPlan
from grandstand.trainer.rollout.evaluation import PairedResult
from grandstand.trainer.rollout.rollouts import Group, GroupPlayer, OnProgress, ignore_progress


def plan_pack(config: TrainConfig, spec: GameSpec, label: str, pack: str) -> list[GroupPlan]:
    """Plan the situations of a pack, with the game's reference bot in the other seats."""
    against = spec.learning.comparison.reference if spec.learning.comparison else spec.bots.default
    return [
        _plan(config, spec, f"e-{label}-g{number:03d}", task, against) for number, task in enumerate(tasks(spec, pack))
    ]


def tasks(spec: GameSpec, pack: str) -> Sequence[Task]:
    """Return the situations of a pack."""
    return spec.learning.tasks[pack]()


def _plan(config: TrainConfig, spec: GameSpec, id: str, task: Task, against: str) -> GroupPlan:
    return GroupPlan(
        id=id,
        title=f"{config.run.shown_as}, {task.id}",
        seed=seed_of(0, task, 0),
        trained_seats=(task.seat,),
        opponents={seat: against for seat in spec.seats(task.options) if seat != task.seat},
        warmup=0,
        horizon=inf,
        options=task.options,
    )


def evaluate_pack(
    player: GroupPlayer,
    config: TrainConfig,
    spec: GameSpec,
    version: int,
    *,
    label: str,
    pack: str,
    games: int,
    progress: OnProgress = ignore_progress,
) -> PairedResult:
    """Play the situations of a pack with `version` and with the base in the seat that is compared.

    Each is played equally often, with other draws of the policy, so that each side plays at least `games` matches. The
    result's values are means of a situation, and its intervals are over situations.
    """
    plans = plan_pack(config, spec, label, pack)
    repeats = ceil(games / len(plans))
    sides = {"own": version, "base": 0}
    ids = {
        (plan.id, side): [f"{config.run.name}-{plan.id}-v{version:06d}-{side}{repeat:03d}" for repeat in range(repeats)]
        for plan in plans
        for side in sides
    }
    groups = [Group(plan, number, ids[plan.id, side], record=False) for plan in plans for side, number in sides.items()]
    scores = player.play_groups(groups, progress)

    def mean(plan: GroupPlan, side: str) -> float:
        return fmean(scores[episode_id][plan.trained_seats[0]] for episode_id in ids[plan.id, side])

    return PairedResult.of([(mean(plan, "own"), mean(plan, "base")) for plan in plans])
