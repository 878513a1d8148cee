"""A learner on a node does what one in this process does, to the bit, and gives every error as its own."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from grandstand.trainer.learning.learner import Learner, Mismatch
from grandstand.trainer.model.policy import Policy, load, with_adapter
from grandstand.trainer.ray.learner import RayLearner
from tests.support.trainer.records import same
from tests.support.trainer.tiny import tiny
from tests.support.trainer.training_setup import TrainingSetup

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("connection")]


def test_steps_and_resets_are_those_of_a_learner_here(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    config = tiny(
        rollout={"batch_groups": 1},
        kl={"reference": "ema", "beta": 0.05},
        backend={"engine": "ray", "learner": "actor", "learner_cpus": 0.1},
    )
    setup = TrainingSetup(config, tmp_path)
    setup.base(setup.spec).save(tmp_path / "base")
    samples = setup.batch().samples

    def policy() -> Policy:
        return with_adapter(load(config.policy, setup.spec, tmp_path / "base"), config.policy, seed=2)

    here, there = policy(), policy()
    local, remote = Learner(config, here), RayLearner(config, there, tmp_path / "base")
    first = {name: tensor.clone() for name, tensor in here.adapter().items()}

    def step(number: int) -> None:
        expected = local.step(samples, number, lambda version: first)
        metrics = remote.step(samples, number, lambda version: first)
        assert metrics.pop("workers/learner_restarted") == 0
        assert metrics == expected
        assert same(local.state_dict(), remote.state_dict())
        assert same(here.adapter(), there.adapter())

    try:
        step(1)
        saved = remote.state_dict()
        assert not same(here.adapter(), first)
        step(2)
        remote.load_state_dict(saved)
        local.load_state_dict(saved)
        step(2)
        local.reset(first)
        remote.reset(first)
        assert same(there.adapter(), first)
        step(3)
        with pytest.raises(Mismatch, match="do not compute the same policy"):
            remote.step(samples, 1, lambda version: first)
    finally:
        remote.close()
