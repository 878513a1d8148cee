"""The correction for a sampler that is not the learner, in a policy whose true gradient is known."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor

from grandstand.trainer.config.objective_settings import LossSettings
from grandstand.trainer.learning.losses import Extent, Tokens, policy_loss

TOKENS = 3
SEQUENCES = torch.tensor(list(product(range(TOKENS), repeat=2)))
"""Every answer of two tokens."""
EXACT = 1e-12


def logits(seed: int, amount: float) -> Tensor:
    """The first token's, and the second's after each first one: [1 + TOKENS, TOKENS]."""
    generator = torch.Generator().manual_seed(seed)
    return amount * torch.randn(1 + TOKENS, TOKENS, generator=generator, dtype=torch.float64)


def token_logprobs(table: Tensor) -> Tensor:
    """Log-probabilities of both tokens of each answer [answers, 2]."""
    logs = table.log_softmax(dim=1)
    return torch.stack([logs[0, SEQUENCES[:, 0]], logs[1 + SEQUENCES[:, 0], SEQUENCES[:, 1]]], dim=1)


LEARNER = logits(1, 1.0)
WORTH = torch.linspace(-1.0, 2.0, len(SEQUENCES), dtype=torch.float64).flip(0).roll(3)
"""The advantage of each answer."""


def expected_gradient(sampler: Tensor, **settings: Any) -> Tensor:
    """Return the expectation of the loss's gradient over all that `sampler` samples, less the sign."""
    policy = LEARNER.clone().requires_grad_()
    logp, recorded = token_logprobs(policy), token_logprobs(sampler)
    chance = recorded.sum(dim=1).exp()
    tokens = Tokens(
        sequence=torch.arange(len(SEQUENCES)).repeat_interleave(2),
        advantages=WORTH * chance,
        logp=logp.flatten(),
        old_logp=logp.detach().flatten(),
        sampler_logp=recorded.flatten(),
        entropy=torch.zeros(2 * len(SEQUENCES), dtype=torch.float64),
    )
    chosen = LossSettings.model_validate({"variant": "dr_grpo", "dr_grpo_length": 1, **settings})
    loss, _ = policy_loss(tokens, chosen, 0.0, Extent(1, 2))
    (gradient,) = torch.autograd.grad(loss, policy)
    return -gradient


def true_gradient() -> Tensor:
    policy = LEARNER.clone().requires_grad_()
    value = (token_logprobs(policy).sum(dim=1).exp() * WORTH).sum()
    (gradient,) = torch.autograd.grad(value, policy)
    return gradient


def error(sampler: Tensor, **settings: Any) -> float:
    """Return the relative error of the expected gradient."""
    truth = true_gradient()
    return float((expected_gradient(sampler, **settings) - truth).norm() / truth.norm())


@pytest.mark.parametrize("kind", ["truncate", "mask"])
@pytest.mark.parametrize("level", ["token", "sequence"])
def test_it_is_off_where_sampler_and_learner_agree(kind: str, level: str) -> None:
    """To the bit: every weight is 1."""
    plain = expected_gradient(LEARNER, importance="off")
    assert torch.equal(expected_gradient(LEARNER, importance=kind, importance_level=level), plain)
    assert error(LEARNER, importance="off") < EXACT


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", ["truncate", "mask"])
def test_the_bias_of_another_sampler_is_corrected(kind: str, seed: int) -> None:
    """A sequence's weight is exact below the cap; a token's leaves what the other token changed."""
    sampler = LEARNER + logits(10 + seed, 0.2)
    biased = error(sampler, importance="off")
    assert biased > 0.02
    whole = error(sampler, importance=kind, importance_level="sequence", importance_cap=10.0)
    assert whole < EXACT
    by_token = error(sampler, importance=kind, importance_cap=10.0)
    assert by_token < 0.75 * biased


@pytest.mark.parametrize("seed", range(5))
def test_a_cap_trades_bias_for_bounded_weights(seed: int) -> None:
    sampler = LEARNER + logits(10 + seed, 0.6)
    errors = [
        error(sampler, importance="truncate", importance_level="sequence", importance_cap=cap)
        for cap in (1.2, 2.0, 5.0, 100.0)
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < EXACT < errors[0] < error(sampler, importance="off")
