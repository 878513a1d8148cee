"""The sampler that a run's settings ask for."""

from __future__ import annotations

import sys
from pathlib import Path

from grandstand.games.spec import GameSpec
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.model.policy import load, with_adapter
from grandstand.trainer.model.sampler import Sampler
from grandstand.trainer.model.torch_sampler import TorchSampler
from grandstand.trainer.vllm.launch import VllmOptions
from grandstand.trainer.vllm.sampler import VllmSampler
from grandstand.trainer.vllm.server import VllmServer


def open_sampler(config: TrainConfig, spec: GameSpec, base: Path | None, folder: Path) -> Sampler:
    """Return a sampler of the run in `folder`, over the policy in `base` (or the model as it comes), without versions.

    Raises SamplerError if its engine does not start.
    """
    if config.sampler.engine == "torch":
        policy = with_adapter(load(config.policy, spec, base), config.policy, config.run.seed)
        return TorchSampler(policy, config.sampler.batch, merge=config.policy.dtype == "float32")
    options = config.sampler.vllm.model_dump()
    server = VllmServer(
        VllmOptions(
            **{**options, "python": options["python"] or sys.executable},
            model=str(base or config.policy.model),
            folder=folder / "vllm",
            name=config.run.name,
            max_lora_rank=config.policy.lora_rank,
        )
    )
    return VllmSampler([server], concurrency=config.sampler.batch)
