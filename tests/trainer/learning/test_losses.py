"""The losses, by hand: one number for every formula, and what must hold for all of them."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any, get_args

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from torch import Tensor

from grandstand.trainer.config.objective_settings import LossSettings
from grandstand.trainer.learning.losses import Extent, Tokens, extent, kl_exact, kl_k3, policy_loss, summarize
from grandstand.trainer.model.legal_softmax import LegalTokens, entropy, legal_logprobs

VARIANTS = get_args(LossSettings.model_fields["variant"].annotation)
OFF: dict[str, Any] = {"importance": "off", "epsilon_low": 0.2, "epsilon_high": 0.3}
SEQUENCE = [0, 0, 1]
RATIOS = [1.5, 1.1, 0.5]
ADVANTAGES = [2.0, -1.0]


def f64(values: Any) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


def batch(
    ratios: list[float] = RATIOS,
    sequence: list[int] = SEQUENCE,
    advantages: list[float] = ADVANTAGES,
    weights: list[float] | None = None,
) -> Tokens:
    """Tokens with the ratios of now to old, and of old to sampler, that are asked for."""
    old = f64([-0.7 - 0.1 * at for at in range(len(ratios))])
    return Tokens(
        sequence=torch.tensor(sequence),
        advantages=f64(advantages),
        logp=(old + f64(ratios).log()).requires_grad_(),
        old_logp=old,
        sampler_logp=old - f64(weights or [1.0] * len(ratios)).log(),
        entropy=f64([0.5] * len(ratios)).requires_grad_(),
    )


def loss_of(tokens: Tokens, beta: float = 0.0, **fields: Any) -> tuple[float, list[float], dict[str, float]]:
    """Loss, gradient by log-probability, metrics."""
    chosen = LossSettings.model_validate(OFF | fields)
    loss, stats = policy_loss(tokens, chosen, beta, extent(tokens.sequence, tokens.choice))
    (grad,) = torch.autograd.grad(loss, tokens.logp, retain_graph=True)
    return loss.item(), grad.tolist(), summarize([stats])


def test_grpo() -> None:
    """Token 0 is clipped at 1.3, token 2 keeps 0.8: mean over sequences of the mean over tokens."""
    loss, grad, metrics = loss_of(batch(), variant="grpo")
    assert loss == pytest.approx(-((1.3 * 2 + 1.1 * 2) / 2 + 0.8 * -1) / 2)
    assert grad == pytest.approx([0, -1.1 * 2 / 2 / 2, 0])
    assert metrics["ppo/clip_fraction"] == pytest.approx(2 / 3)
    assert metrics["ppo/ratio_mean"] == pytest.approx(sum(RATIOS) / 3)


def test_dr_grpo() -> None:
    loss, grad, _ = loss_of(batch(), variant="dr_grpo", dr_grpo_length=10)
    assert loss == pytest.approx(-(1.3 * 2 + 1.1 * 2 + 0.8 * -1) / (2 * 10))
    assert grad == pytest.approx([0, -1.1 * 2 / 20, 0])


def test_dapo() -> None:
    loss, grad, _ = loss_of(batch(), variant="dapo")
    assert loss == pytest.approx(-(1.3 * 2 + 1.1 * 2 + 0.8 * -1) / 3)
    assert grad == pytest.approx([0, -1.1 * 2 / 3, 0])


def test_gspo() -> None:
    """Sequence 0 has the ratio sqrt(1.5 * 1.1) = 1.2845 on both of its tokens; sequence 1 is clipped."""
    loss, grad, metrics = loss_of(batch(), variant="gspo")
    ratio = math.sqrt(1.5 * 1.1)
    assert loss == pytest.approx(-(ratio * 2 + 0.8 * -1) / 2)
    assert grad == pytest.approx([-ratio * 2 / 2 / 2, -ratio * 2 / 2 / 2, 0])
    assert metrics["gspo/sequence_ratio_mean"] == pytest.approx((ratio + 0.5) / 2)
    assert metrics["gspo/sequence_ratio_std"] == pytest.approx((ratio - 0.5) / 2)
    assert metrics["gspo/log_ratio_mean"] == pytest.approx((math.log(ratio) + math.log(0.5)) / 2)
    assert metrics["gspo/sequence_clipped_fraction"] == 0.5
    assert metrics["ppo/clip_fraction"] == pytest.approx(1 / 3)


def test_cispo() -> None:
    """The clipped ratio is a constant, and every token keeps a gradient."""
    tokens = batch()
    loss, grad, metrics = loss_of(tokens, variant="cispo")
    logp = tokens.logp.tolist()
    assert loss == pytest.approx(-(1.3 * 2 * logp[0] + 1.1 * 2 * logp[1] + 0.8 * -1 * logp[2]) / 3)
    assert grad == pytest.approx([-1.3 * 2 / 3, -1.1 * 2 / 3, 0.8 / 3])
    assert metrics["ppo/clip_fraction"] == pytest.approx(2 / 3)
    assert loss_of(tokens, variant="cispo", epsilon_low=1)[1][2] == pytest.approx(0.5 / 3)


def test_clip_only_where_it_went_too_far() -> None:
    """A ratio that moved against its advantage is never clipped: it must come back."""
    _, grad, metrics = loss_of(batch(advantages=[-2.0, 1.0]), variant="dapo")
    assert grad == pytest.approx([1.5 * 2 / 3, 1.1 * 2 / 3, -0.5 / 3])
    assert metrics["ppo/clip_fraction"] == 0


def test_delta() -> None:
    """The two-sided clip bounds what a bad token that became much likelier does."""
    tokens = batch(ratios=[5.0, 1.6], sequence=[0, 0], advantages=[-1.0])
    loss, grad, metrics = loss_of(tokens, variant="dapo", delta=2.0)
    assert loss == pytest.approx((2.0 + 1.6) / 2)
    assert grad == pytest.approx([0, 1.6 / 2])
    assert metrics["ppo/clip_fraction"] == 0.5
    assert loss_of(tokens, variant="dapo")[0] == pytest.approx((5.0 + 1.6) / 2)


def loss_in_numpy(tokens: Tokens, chosen: LossSettings, logp: NDArray[np.float64]) -> float:
    """The loss without clipping, sequence by sequence; where cispo has constants, they are those of `tokens`."""
    ids, advantages = tokens.sequence.numpy(), tokens.advantages.numpy()
    old, sampler = tokens.old_logp.numpy(), tokens.sampler_logp.numpy()
    at_first = tokens.logp.detach().numpy()
    total = 0.0
    for sequence, advantage in enumerate(advantages):
        own = np.flatnonzero(ids == sequence)
        weights = np.exp(old[own] - sampler[own])
        if chosen.importance_level == "sequence":
            weights = np.full(len(own), np.prod(weights))
        weights = np.minimum(weights, chosen.importance_cap)
        if chosen.variant == "cispo":
            terms = np.exp(at_first[own] - old[own]) * logp[own]
        elif chosen.variant == "gspo":
            terms = np.full(len(own), np.exp(np.mean(logp[own] - old[own])))
        else:
            terms = np.exp(logp[own] - old[own])
        divisor = {
            "grpo": len(own) * len(advantages),
            "gspo": len(own) * len(advantages),
            "dr_grpo": chosen.dr_grpo_length * len(advantages),
        }.get(chosen.variant, len(ids))
        total -= float(np.sum(advantage * weights * terms)) / divisor
    return total


@pytest.mark.parametrize("level", ["token", "sequence"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_without_clipping_the_loss_and_its_gradient_are_numpys(variant: str, level: str) -> None:
    """The ratios are from 0.05 to 20, far beyond the bounds of a clip."""
    draw = torch.Generator().manual_seed(11)
    whole = random_batch(draw, [4, 1, 3, 6])
    far = (whole.old_logp + torch.empty(14, dtype=torch.float64).uniform_(-3, 3, generator=draw)).requires_grad_()
    tokens = replace(whole, logp=far, kl=None)
    chosen = LossSettings.model_validate(
        {"variant": variant, "clip": False, "importance": "truncate", "importance_level": level, "dr_grpo_length": 9}
    )
    loss, stats = policy_loss(tokens, chosen, 0.0, extent(tokens.sequence))
    (grad,) = torch.autograd.grad(loss, far)
    at = far.detach().numpy()
    steps = 1e-6 * np.eye(len(at))
    slopes = [(loss_in_numpy(tokens, chosen, at + d) - loss_in_numpy(tokens, chosen, at - d)) / 2e-6 for d in steps]
    assert loss.item() == pytest.approx(loss_in_numpy(tokens, chosen, at), rel=1e-12)
    assert grad.tolist() == pytest.approx(slopes, rel=1e-6, abs=1e-8)
    assert grad.abs().min() > 0
    assert summarize([stats])["ppo/clip_fraction"] == 0
    clipped, _ = policy_loss(tokens, chosen.model_copy(update={"clip": True}), 0.0, extent(tokens.sequence))
    assert clipped.item() != pytest.approx(loss.item(), rel=1e-3)


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant != "gspo"])
def test_without_clipping_every_token_variant_has_the_gradient_of_cispo(variant: str) -> None:
    """It is -A * ratio * grad logp, but for the weights of lengths."""
    _, grad, metrics = loss_of(batch(), variant=variant, clip=False, dr_grpo_length=1)
    scale = {"grpo": [1 / 4, 1 / 4, 1 / 2], "dr_grpo": [1 / 2] * 3}.get(variant, [1 / 3] * 3)
    assert grad == pytest.approx([-1.5 * 2 * scale[0], -1.1 * 2 * scale[1], 0.5 * scale[2]])
    assert metrics["ppo/clip_fraction"] == 0


@pytest.mark.parametrize(
    ("kind", "level", "weights", "fraction"),
    [
        ("truncate", "token", [2.0, 0.25, 1.6], 1 / 3),
        ("mask", "token", [0.0, 0.0, 1.6], 2 / 3),
        ("truncate", "sequence", [1.0, 1.0, 1.6], 0),
        ("mask", "sequence", [1.0, 1.0, 1.6], 0),
        ("off", "token", [1.0, 1.0, 1.0], 0),
    ],
)
def test_importance(kind: str, level: str, weights: list[float], fraction: float) -> None:
    """Old over sampler is 4, 1/4 and 1.6, its product over the first sequence 1; the cap is 2."""
    tokens = batch(ratios=[1.0, 1.0, 1.0], weights=[4.0, 0.25, 1.6])
    loss, grad, metrics = loss_of(tokens, variant="dapo", importance=kind, importance_level=level, importance_cap=2.0)
    expected = [-weight * advantage / 3 for weight, advantage in zip(weights, [2, 2, -1], strict=True)]
    assert loss == pytest.approx(sum(expected))
    assert grad == pytest.approx(expected)
    assert metrics["ppo/is_masked_fraction"] == pytest.approx(fraction)
    ratios = [1.0, 1.6] if level == "sequence" else [4.0, 0.25, 1.6]
    assert metrics["ppo/is_ratio_max"] == pytest.approx(max(ratios))
    assert metrics["ppo/is_ratio_min"] == pytest.approx(min(ratios))
    assert metrics["ppo/is_ratio_mean"] == pytest.approx(sum(ratios) / len(ratios))
    assert metrics["logprob/diff_max"] == pytest.approx(math.log(4))


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_other_two_policies_are_constants(variant: str) -> None:
    tokens = random_batch(torch.Generator().manual_seed(8), [3, 2])
    others = [tokens.old_logp.requires_grad_(), tokens.sampler_logp.detach().requires_grad_()]
    tokens = replace(tokens, sampler_logp=others[1])
    loss, _ = policy_loss(tokens, some_settings(variant, "token"), 0.2, Extent(2, 5))
    grads = torch.autograd.grad(loss, others, allow_unused=True, materialize_grads=True)
    assert not grads[0].any()
    assert not grads[1].any()


@pytest.mark.parametrize("variant", VARIANTS)
def test_at_lag_0_all_are_the_policy_gradient(variant: str) -> None:
    tokens = batch(ratios=[1.0, 1.0, 1.0])
    _, grad, metrics = loss_of(tokens, variant=variant, importance="truncate", dr_grpo_length=1)
    shares = {"grpo": [1 / 4, 1 / 4, 1 / 2], "gspo": [1 / 4, 1 / 4, 1 / 2], "dr_grpo": [1 / 2] * 3}
    weights = shares.get(variant, [1 / 3] * 3)
    assert grad == pytest.approx([-2 * weights[0], -2 * weights[1], weights[2]])
    assert metrics["ppo/ratio_mean"] == 1
    assert metrics["ppo/ratio_std"] == metrics["ppo/clip_fraction"] == metrics["logprob/diff_max"] == 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_entropy_bonus_is_a_mean_over_tokens(variant: str) -> None:
    tokens = batch()
    with_bonus = LossSettings.model_validate(OFF | {"variant": variant, "entropy": 0.3})
    loss, _ = policy_loss(tokens, with_bonus, 0.0, extent(tokens.sequence))
    (grad,) = torch.autograd.grad(loss, tokens.entropy, retain_graph=True)
    assert grad.tolist() == pytest.approx([-0.1] * 3)
    assert loss.item() == pytest.approx(loss_of(tokens, variant=variant)[0] - 0.3 * 0.5)


def test_kl_is_added_token_by_token() -> None:
    """A sequence of 200 tokens, each 0.1 nats from the reference, is no further from it than one token: the sum's k3
    would be exp(20)."""
    for length in (1, 200):
        tokens = batch([1.0] * length, [0] * length, [0.0])
        far = replace(tokens, kl=kl_k3(tokens.logp, tokens.logp.detach() + 0.1))
        for variant in ("grpo", "dapo", "gspo", "cispo"):
            loss, _, metrics = loss_of(far, beta=2.0, variant=variant)
            assert loss == pytest.approx(2 * (math.exp(0.1) - 1.1))
            assert metrics["kl/max"] == pytest.approx(math.exp(0.1) - 1.1)


def random_batch(draw: torch.Generator, lengths: list[int]) -> Tokens:
    def normal(scale: float) -> Tensor:
        return scale * torch.randn(sum(lengths), generator=draw, dtype=torch.float64)

    logp = -1 + normal(0.3)
    logp.requires_grad_()
    old = logp.detach() + normal(0.3)
    return Tokens(
        sequence=torch.tensor([at for at, length in enumerate(lengths) for _ in range(length)]),
        advantages=torch.randn(len(lengths), generator=draw, dtype=torch.float64),
        logp=logp,
        old_logp=old,
        sampler_logp=old + normal(0.5),
        entropy=logp**2,
        kl=kl_k3(logp, logp.detach() + normal(0.4)),
    )


def some_settings(variant: str, level: str) -> LossSettings:
    return LossSettings.model_validate(
        {"variant": variant, "importance": "mask", "importance_level": level, "entropy": 0.1}
    )


@pytest.mark.few(2)
@pytest.mark.parametrize("variant", VARIANTS)
@given(data=st.data(), level=st.sampled_from(("token", "sequence")))
@settings(max_examples=25, deadline=None)
def test_forced_tokens_change_nothing(variant: str, level: str, data: st.DataObject) -> None:
    """Wherever they stand, how many there are, and even in a sequence that has nothing else."""
    seed = data.draw(st.integers(0, 2**31))
    whole = random_batch(
        torch.Generator().manual_seed(seed), data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    )
    forced = data.draw(st.lists(st.integers(0, len(whole.advantages)), max_size=12))
    order = torch.tensor(data.draw(st.permutations(range(len(whole.logp) + len(forced)))))
    zeros = f64([0.0] * len(forced))

    def mixed(name: str) -> Tensor:
        value: Tensor = getattr(whole, name)
        return torch.cat([value, torch.tensor(forced, dtype=torch.long) if name == "sequence" else zeros])[order]

    flat = {f.name: mixed(f.name) for f in fields(whole) if f.name not in ("advantages", "choice")}
    choice = torch.cat([torch.ones(len(whole.logp)), torch.zeros(len(forced))]).bool()[order]
    more = Tokens(**flat, advantages=torch.cat([whole.advantages, f64([7.0])]), choice=choice)
    chosen = some_settings(variant, level)
    assert extent(more.sequence, more.choice) == extent(whole.sequence)
    losses = [policy_loss(tokens, chosen, 0.2, extent(tokens.sequence, tokens.choice)) for tokens in (whole, more)]
    grads = [torch.autograd.grad(loss, whole.logp, retain_graph=True)[0] for loss, _ in losses]
    torch.testing.assert_close(losses[0][0], losses[1][0], rtol=1e-12, atol=1e-14)
    torch.testing.assert_close(*grads, rtol=1e-12, atol=1e-14)
    first, second = (summarize([stats]) for _, stats in losses)
    assert first == pytest.approx(second, abs=1e-12)


@pytest.mark.parametrize("level", ["token", "sequence"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_micro_batches_add_up_to_one_batch(variant: str, level: str) -> None:
    chosen = some_settings(variant, level)
    whole = random_batch(torch.Generator().manual_seed(3), [5, 1, 3, 2, 4])
    step = extent(whole.sequence)
    loss, stats = policy_loss(whole, chosen, 0.2, step)
    (at_once,) = torch.autograd.grad(loss, whole.logp, retain_graph=True)
    parts, extents, losses = [], Extent(), 0.0
    accumulated = torch.zeros_like(at_once)
    for sequences in ([0, 1], [2], [3, 4]):
        here = torch.isin(whole.sequence, torch.tensor(sequences))
        flat = {f.name: getattr(whole, f.name)[here] for f in fields(whole) if f.name not in ("advantages", "choice")}
        part = Tokens(**flat, advantages=whole.advantages[sequences])
        part = replace(part, sequence=part.sequence - sequences[0])
        extents += extent(part.sequence)
        loss_here, stats_here = policy_loss(part, chosen, 0.2, step)
        accumulated += torch.autograd.grad(loss_here, whole.logp, retain_graph=True)[0]
        losses += loss_here.item()
        parts.append(stats_here)
    assert extents == step == Extent(sequences=5, tokens=15)
    assert losses == pytest.approx(loss.item(), rel=1e-12)
    torch.testing.assert_close(accumulated, at_once, rtol=1e-12, atol=1e-14)
    assert summarize(parts) == pytest.approx(summarize([stats]), rel=1e-12)


def policies(seed: int, allowed: list[list[int]]) -> tuple[Tensor, Tensor, Tensor, LegalTokens]:
    """A head [V, H] to be learned, log-probabilities of it and of another one, and the legal."""
    draw = torch.Generator().manual_seed(seed)
    hidden = torch.randn(len(allowed), 4, generator=draw)
    head = torch.randn(9, 4, generator=draw).requires_grad_()
    other = torch.randn(9, 4, generator=draw)
    legal = LegalTokens.of(allowed)
    return head, legal_logprobs(hidden, head, legal, 0.8), legal_logprobs(hidden, other, legal, 0.8), legal


LEGAL = [[1, 4, 7], [0, 2], [3, 5, 6, 8]]


def test_exact_kl_is_the_sum_over_the_legal_tokens() -> None:
    _, policy, reference, legal = policies(1, LEGAL)
    expected = [
        sum(math.exp(p) * (p - q) for p, q in zip(row[:n].tolist(), other[:n].tolist(), strict=True))
        for row, other, n in zip(policy.detach(), reference, map(len, LEGAL), strict=True)
    ]
    assert kl_exact(policy, reference, legal).tolist() == pytest.approx(expected, rel=1e-5)


@given(seed=st.integers(0, 2**31))
@settings(max_examples=50, deadline=None)
def test_kl_is_not_negative_and_0_to_itself(seed: int) -> None:
    head, policy, reference, legal = policies(seed, LEGAL)
    assert (kl_exact(policy, reference, legal) >= -1e-6).all()
    assert not kl_exact(policy, policy, legal).any()
    (grad,) = torch.autograd.grad(kl_exact(policy, policy.detach(), legal).sum(), head, retain_graph=True)
    assert grad.abs().max() < 1e-5
    token = policy[:, 0]
    assert (kl_k3(token, reference[:, 0]) >= -1e-6).all()
    assert not kl_k3(token, token).any()


def test_another_reference_is_another_loss() -> None:
    """And no gradient goes into the reference."""
    _, policy, reference, legal = policies(2, LEGAL)
    reference = reference.detach().requires_grad_()
    values = []
    for towards in (policy.detach(), reference):
        tokens = Tokens(
            sequence=torch.tensor([0, 0, 1]),
            advantages=torch.tensor([1.0, -1.0]),
            logp=policy[:, 0],
            old_logp=policy[:, 0].detach(),
            sampler_logp=policy[:, 0].detach(),
            entropy=entropy(policy, legal),
            kl=kl_exact(policy, towards, legal),
        )
        loss, stats = policy_loss(tokens, LossSettings(), 0.5, Extent(2, 3))
        values.append((loss, summarize([stats])["kl/mean"]))
    assert values[0][1] == 0
    assert values[1][1] > 0.1
    assert values[1][0].item() == pytest.approx(values[0][0].item() + 0.5 * values[1][1], rel=1e-5)
    (grad,) = torch.autograd.grad(values[1][0], reference, allow_unused=True, materialize_grads=True)
    assert not grad.any()


def test_what_the_estimate_k3_is_right_about() -> None:
    """Over the policy's own samples its mean is the KL; the mean of its gradient is that of the opposite direction."""
    allowed = [[1, 4, 7, 8]]
    head, policy, reference, legal = policies(5, allowed)
    chances = policy.detach().exp()[0]
    forward = kl_exact(policy, reference, legal).sum()
    backward = (reference.exp() * (reference - policy)).sum()
    estimates = kl_k3(policy[0], reference[0])
    assert (chances * estimates).sum().item() == pytest.approx(forward.item(), rel=1e-4)
    grads = [
        torch.autograd.grad(value, head, retain_graph=True)[0]
        for value in ((chances * estimates).sum(), backward, forward)
    ]
    torch.testing.assert_close(grads[0], grads[1], rtol=1e-4, atol=1e-5)
    assert not torch.allclose(grads[0], grads[2], atol=1e-2)


def test_metrics_of_tokens() -> None:
    tokens = replace(batch(), kl=f64([0.1, 0.2, 0.6]))
    *_, metrics = loss_of(tokens, variant="grpo")
    logp = tokens.logp.tolist()
    assert metrics["logprob/token_min"] == pytest.approx(min(logp))
    assert metrics["logprob/token_max"] == pytest.approx(max(logp))
    assert metrics["logprob/token_mean"] == pytest.approx(sum(logp) / 3)
    assert (metrics["kl/mean"], metrics["kl/min"], metrics["kl/max"]) == pytest.approx((0.3, 0.1, 0.6))
    assert metrics["kl/std"] == pytest.approx(math.sqrt((0.04 + 0.01 + 0.09) / 3))
    assert (metrics["policy/entropy_mean"], metrics["policy/entropy_std"]) == (0.5, 0)
    assert not [name for name in metrics if name.startswith("gspo/")]
    assert summarize([]) == {}


def test_beta_without_a_kl_is_refused() -> None:
    with pytest.raises(ValueError, match=r"beta is 0\.1 and there is no KL"):
        loss_of(batch(), beta=0.1)


def test_a_step_without_choices_is_refused() -> None:
    tokens = replace(batch(), choice=torch.zeros(3, dtype=torch.bool))
    with pytest.raises(ValueError, match="no token of the step had an alternative"):
        loss_of(tokens)


def test_a_micro_batch_without_choices_adds_nothing() -> None:
    tokens = replace(batch(), choice=torch.zeros(3, dtype=torch.bool))
    loss, stats = policy_loss(tokens, LossSettings(), 0.0, Extent(2, 3))
    assert loss.item() == 0
    assert not torch.autograd.grad(loss, tokens.logp)[0].any()
    assert summarize([stats]) == {}


def test_shapes_that_do_not_fit_are_named() -> None:
    with pytest.raises(ValueError, match=r"old_logp has shape \(2,\), and logp \(3,\)"):
        loss_of(replace(batch(), old_logp=f64([-1.0, -1.0])))
