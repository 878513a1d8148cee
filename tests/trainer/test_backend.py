"""Groups are played in parts of a fixed size, and again if the sampler fails."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import torch

from grandstand.spectator.replay import read
from grandstand.trainer import backend
from grandstand.trainer.backend import (
    Destination,
    LocalBackend,
    match_count,
    parts,
)
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.model.sampler import Ask, Sampled, SamplerError
from grandstand.trainer.rollout.rollouts import Group
from tests.support.trainer.samplers import SamplerWrapper, content
from tests.support.trainer.tiny import tiny
from tests.support.trainer.training_setup import TrainingSetup


class Sometimes(SamplerWrapper):
    """Fails in its n-th call, for each n in `fails`."""

    fails: Sequence[int] = ()

    def sample(self, asks: Sequence[Ask], version: int, greedy: bool = False) -> list[Sampled]:
        result = super().sample(asks, version, greedy)
        if self.calls in self.fails:
            raise SamplerError("the engine is away")
        return result


def cut(batch_groups: int) -> TrainConfig:
    return tiny(rollout={"groups": 4, "samples": 3, "batch_groups": batch_groups, "retries": 1})


def groups_of(setup: TrainingSetup) -> list[Group]:
    plans = setup.plans(1)
    return [Group(plan, 0, [f"{plan.id}-f{number}" for number in range(3)]) for plan in plans]


@pytest.mark.parametrize(("batch_groups", "sizes"), [(0, [4]), (1, [1, 1, 1, 1]), (2, [2, 2]), (3, [3, 1]), (9, [4])])
def test_parts_have_the_size_that_is_set(batch_groups: int, sizes: list[int], tmp_path: Path) -> None:
    setup = TrainingSetup(cut(batch_groups), tmp_path)
    groups = groups_of(setup)
    result = parts(setup.config, groups)
    assert [len(part) for part in result] == sizes
    assert [group for part in result for group in part] == groups
    assert parts(setup.config, []) == []


def test_small_groups_share_a_part(tmp_path: Path) -> None:
    """Those of an evaluation have one match each."""
    setup = TrainingSetup(cut(1), tmp_path)
    groups = [Group(setup.plans(1)[0], 0, [f"e{number}"]) for number in range(8)]
    assert [match_count(part) for part in parts(setup.config, groups)] == [3, 3, 2]


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[TrainingSetup, Sometimes, LocalBackend]:
    torch.set_num_threads(1)
    setup = TrainingSetup(cut(1), tmp_path)
    sampler = Sometimes(setup.sampler)
    monkeypatch.setattr(backend, "open_sampler", lambda *arguments: sampler)
    return setup, sampler, LocalBackend(setup.config, setup.spec, setup.policy.codec, None, tmp_path)


Local = tuple[TrainingSetup, Sometimes, LocalBackend]


@pytest.mark.long
def test_a_part_is_played_again_if_the_sampler_fails(local: Local) -> None:
    setup, sampler, opened = local
    groups = groups_of(setup)
    progress: list[tuple[int, int]] = []
    player = opened.player(Destination(setup.bus, setup.recorder))
    scores = player.play_groups(groups, lambda done, whole: progress.append((done, whole)))
    assert list(scores) == [episode_id for group in groups for episode_id in group.episode_ids]
    assert progress == sorted(progress)
    assert progress[-1] == (12, 12)
    calls, first = sampler.calls, {name: content(read(setup.recorder, name)) for name in scores}
    setup.recorder.delete(list(scores))
    sampler.fails = [calls + 2]
    assert player.play_groups(groups) == scores
    assert sampler.calls == 2 * calls + 2, "only the part that failed was played again"
    assert {name: content(read(setup.recorder, name)) for name in scores} == first


def test_a_sampler_that_fails_too_often_leaves_nothing_of_the_part(local: Local) -> None:
    setup, sampler, opened = local
    sampler.fails = [2, 4]
    with pytest.raises(SamplerError, match="the engine is away"):
        opened.player(Destination(setup.bus, setup.recorder)).play_groups(groups_of(setup))
    assert setup.recorder.episode_ids() == []
