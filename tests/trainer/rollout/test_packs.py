"""Policies on a game's sets of situations: which are played, by whom, and what the result is."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import pytest

from grandstand.games.registry import game_spec
from grandstand.trainer.rollout.packs import evaluate_pack, plan_pack
from grandstand.trainer.rollout.rollouts import Group, OnProgress, Scores, ignore_progress
from tests.support.trainer.tiny import tiny

SPEC = game_spec("diplomacy")


class Known:
    """A player with known scores: the version solves one situation always, and the base half the time."""

    def __init__(self, solved: str) -> None:
        self.solved = solved
        self.groups: list[Group] = []

    def play_groups(
        self, groups: Sequence[Group], progress: OnProgress = ignore_progress, seconds: float = inf
    ) -> Scores:
        self.groups += groups
        scores = {}
        for group in groups:
            right = group.plan.options is not None and group.plan.options["tactic"] == self.solved
            for number, episode_id in enumerate(group.episode_ids):
                score = float(right and (group.version > 0 or number % 2 == 0))
                scores[episode_id] = dict.fromkeys(group.plan.trained_seats, score)
        return scores


def test_each_situation_is_played_equally_often_by_both() -> None:
    player, config = Known("black-sea"), tiny()
    result = evaluate_pack(player, config, SPEC, 3, label="x", pack="tactics", games=100)
    tasks = SPEC.learning.tasks["tactics"]()
    repeats = -(-100 // len(tasks))
    assert [len(group.episode_ids) for group in player.groups] == [repeats] * 2 * len(tasks)
    assert [group.version for group in player.groups] == [3, 0] * len(tasks)
    ids = [episode_id for group in player.groups for episode_id in group.episode_ids]
    assert len(set(ids)) == len(ids)
    assert not any(group.record for group in player.groups)
    assert result.games == len(tasks)
    assert result.mean == pytest.approx(1 / len(tasks))
    assert result.gain == pytest.approx(0.5 / len(tasks))
    assert sum(own == 1.0 for own, _ in result.pairs) == 1
    assert result.elo is None


def test_situations_do_not_depend_on_the_run() -> None:
    first, other = (plan_pack(tiny(run={"seed": seed}), SPEC, "x", "tactics") for seed in (1, 2))
    assert [(plan.seed, plan.trained_seats, plan.options) for plan in first] == [
        (plan.seed, plan.trained_seats, plan.options) for plan in other
    ]
    assert {plan.warmup for plan in first} == {0}


def test_the_packs_of_cricket_are_for_both_roles() -> None:
    spec = game_spec("cricket")
    plans = plan_pack(tiny(game={"name": "cricket", "options": {}}, clone={"bots": ()}), spec, "x", "death-overs")
    assert {plan.trained_seats for plan in plans} == {("home",), ("away",)}
    assert {name for plan in plans for name in plan.opponents.values()} == {spec.learning.comparison.reference}  # type: ignore[union-attr]
