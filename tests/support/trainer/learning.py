"""Decisions, changes and adapters for tests of the learner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from torch import Tensor

from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.learning.learner import Learner
from grandstand.trainer.model.batch import TrainingSample
from grandstand.trainer.model.policy import Policy, with_adapter
from tests.support.trainer.training_setup import TrainingSetup, stir

Changes = dict[str, dict[str, Any]]

ANY_GAP = {"max_logprob_gap": 1e9}
"""For samples that the policy has left behind."""


class Played:
    """A step that version 1 of a policy has played."""

    def __init__(self, config: Callable[..., TrainConfig], folder: Path) -> None:
        self.config = config
        self.setup = TrainingSetup(config(), folder)
        self.first = adapter(self.setup.policy)
        stir(self.setup.policy, 1)
        self.second = adapter(self.setup.policy)
        self.setup.publish(1)
        self.samples = self.setup.batch(step=2, version=1).samples

    def learner(self, **changes: dict[str, Any]) -> Learner:
        """With the policy as it played, under other settings."""
        config = self.config(**changes)
        made = TrainingSetup.base(self.setup.spec)
        policy = with_adapter(made, config.policy, seed=2)
        policy.load_adapter(self.second)
        return Learner(config, policy)


def adapter(policy: Policy) -> dict[str, Tensor]:
    return {name: tensor.detach().clone() for name, tensor in policy.adapter().items()}


def never(version: int) -> NoReturn:
    raise AssertionError(f"nobody needs version {version}")


def another_temperature(sample: TrainingSample) -> TrainingSample:
    return replace(sample, temperature=sample.temperature * 1.5)
