"""A small model with an adapter."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from grandstand.games.registry import game_spec
from grandstand.trainer.config.sections import PolicySettings
from grandstand.trainer.model.policy import Policy, nano, with_adapter
from tests.support.trainer.training_setup import bold

SPEC = game_spec("diplomacy")

CPU = PolicySettings(device="cpu", lora_rank=4)

IDS = torch.arange(2, 18)[None]


@torch.no_grad()
def logits(policy: Policy) -> Tensor:
    """Return the policy's logits for some tokens."""
    result: Tensor = policy.hidden(IDS).last_hidden_state @ policy.head.T
    return result


def adapted(seed: int = 1, **settings: Any) -> Policy:
    return with_adapter(bold(nano(SPEC, seed=0)), CPU.model_copy(update=settings), seed)
