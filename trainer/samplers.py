"""The sampler that a run's settings ask for."""

from __future__ import annotations

from pathlib import Path

from games.base import GameSpec
from trainer.config import TrainConfig
from trainer.policy import load, with_adapter
from trainer.sampler import Sampler
from trainer.torch_sampler import TorchSampler


def open_sampler(config: TrainConfig, spec: GameSpec, base: Path | None, folder: Path) -> Sampler:
    """A sampler of the run in `folder`, over the policy in `base` (or the model as it comes), without versions yet."""
    policy = with_adapter(load(config.policy, spec, base), config.policy, config.run.seed)
    return TorchSampler(policy, config.sampler.batch)
