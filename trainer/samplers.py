"""The sampler that a run's settings ask for."""

from __future__ import annotations

import sys
from pathlib import Path

from games.base import GameSpec
from trainer.config import TrainConfig
from trainer.policy import load, with_adapter
from trainer.sampler import Sampler
from trainer.torch_sampler import TorchSampler
from trainer.vllm_launch import VllmOptions
from trainer.vllm_sampler import VllmSampler
from trainer.vllm_server import VllmServer


def open_sampler(config: TrainConfig, spec: GameSpec, base: Path | None, folder: Path) -> Sampler:
    """A sampler of the run in `folder`, over the policy in `base` (or the model as it comes), without versions yet.

    Raises SamplerError where its engine does not start.
    """
    if config.sampler.engine == "torch":
        policy = with_adapter(load(config.policy, spec, base), config.policy, config.run.seed)
        return TorchSampler(policy, config.sampler.batch)
    given = config.sampler.vllm.model_dump()
    server = VllmServer(
        VllmOptions(
            **{**given, "python": given["python"] or sys.executable},
            model=str(base or config.policy.model),
            folder=folder / "vllm",
            name=config.run.name,
            max_lora_rank=config.policy.lora_rank,
        )
    )
    return VllmSampler([server], concurrency=config.sampler.batch)
