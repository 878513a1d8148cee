"""The loss of a step on flat tokens: GRPO, Dr. GRPO, DAPO, GSPO, CISPO, with importance correction, KL and entropy.

Only real choices count. A token that had no alternative has log-probability exactly 0 under every policy, so it has no
gradient; it is removed before anything is counted, or sequences with many such tokens would weigh less.

There are three policies: the one that sampled (`sampler_logp`, as recorded, maybe some versions ago and by another
engine), the learner at the step's start (`old_logp`) and the learner now (`logp`). The ratio of now to old is clipped;
that of old to sampler is a weight. All log-probabilities are over the legal tokens at the sampling temperature.

Sources: GRPO arXiv:2402.03300, Dr. GRPO 2503.20783, DAPO 2503.14476, GSPO 2507.18071, CISPO 2506.13585, two-sided clip
1912.09729.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import inf

import torch
from torch import Tensor

from grandstand.trainer.config.objective_settings import LossSettings
from grandstand.trainer.model.legal_softmax import LegalTokens

Stats = Mapping[str, Tensor]
"""Detached values of one micro-batch, one for each token or sequence; `summarize` makes metrics of all of a step's."""


@dataclass(frozen=True)
class Tokens:
    """Tokens of whole sequences, in any order. Each field is [T], but `advantages` is [S], and some may be None."""

    sequence: Tensor
    """Long: the sequence that a token belongs to, 0 to S - 1."""
    advantages: Tensor
    logp: Tensor
    """Log-probabilities of the learner now, with gradient."""
    old_logp: Tensor
    """Log-probabilities of the learner when the step began."""
    sampler_logp: Tensor
    """Log-probabilities of the sampler, as recorded."""
    entropy: Tensor
    """Entropy over the legal tokens now, with gradient if it has a bonus."""
    kl: Tensor | None = None
    """`kl_exact` or `kl_k3` towards the reference, with gradient; None if beta is 0 and it was not measured."""
    choice: Tensor | None = None
    """Bool: whether a token had an alternative. None where all had."""


@dataclass(frozen=True)
class Extent:
    """Size of one optimizer step over all its micro-batches, by which the loss is divided.

    Because each micro-batch divides by the whole, its gradients add up to those of one big batch.
    """

    sequences: int = 0
    """Number of sequences with a choice."""
    tokens: int = 0
    """Number of choices."""

    def __add__(self, other: Extent) -> Extent:
        return Extent(self.sequences + other.sequences, self.tokens + other.tokens)


def extent(sequence: Tensor, choice: Tensor | None = None) -> Extent:
    """Return the extent of one micro-batch, from `Tokens.sequence` and `Tokens.choice`."""
    chosen = sequence if choice is None else sequence[choice]
    return Extent(int(torch.bincount(chosen).count_nonzero()), chosen.numel())


def policy_loss(tokens: Tokens, settings: LossSettings, beta: float, whole: Extent) -> tuple[Tensor, Stats]:
    """Return the loss of a micro-batch as a part of the step of extent `whole`: a scalar with gradient.

        sum over tokens of w * (surrogate * importance + beta * kl) - entropy weight * mean entropy

    w, by variant: 1 / (length of the sequence * sequences) for grpo and gspo, 1 / (dr_grpo_length * sequences) for
    dr_grpo, 1 / tokens for dapo and cispo. The KL is each token's own and added token by token: never a function of a
    sequence's summed log-ratio, which grows exponentially with its length. The entropy is a mean over tokens in every
    variant. Raises ValueError where shapes do not fit, the step has no choices, or beta has no KL to weigh.
    """
    tokens = _choices(tokens)
    if beta and tokens.kl is None:
        raise ValueError(f"beta is {beta:g} and there is no KL to weigh: measure it, or set beta = 0")
    if not whole.tokens:
        raise ValueError("nothing to learn from: no token of the step had an alternative")
    lengths = tokens.logp.new_zeros(len(tokens.advantages)).index_add(
        0, tokens.sequence, torch.ones_like(tokens.logp).detach()
    )
    surrogate, stats = _surrogate(tokens, lengths, settings)
    weight, of_weight = _importance(tokens, lengths, settings)
    per_token = surrogate * weight
    if tokens.kl is not None:
        stats["kl"] = tokens.kl.detach()
        if beta:
            per_token = per_token + beta * tokens.kl
    loss = (per_token * _shares(lengths[tokens.sequence], settings, whole)).sum()
    if settings.entropy:
        loss = loss - settings.entropy * tokens.entropy.sum() / whole.tokens
    stats |= of_weight | {
        "entropy": tokens.entropy.detach(),
        "logp": tokens.logp.detach(),
        "diff": (tokens.old_logp - tokens.sampler_logp).abs().detach(),
    }
    return loss, stats


def _choices(tokens: Tokens) -> Tokens:
    """Return the tokens that had an alternative."""
    flat = {f.name: value for f in fields(tokens) if (value := getattr(tokens, f.name)) is not None}
    for name, value in flat.items():
        if name != "advantages" and value.shape != tokens.logp.shape:
            raise ValueError(f"{name} has shape {tuple(value.shape)}, and logp {tuple(tokens.logp.shape)}")
    choice = flat.pop("choice", None)
    if choice is None:
        return tokens
    return replace(tokens, choice=None, **{n: v[choice] for n, v in flat.items() if n != "advantages"})


def _surrogate(tokens: Tokens, lengths: Tensor, settings: LossSettings) -> tuple[Tensor, dict[str, Tensor]]:
    """Return each token's loss before weights [T], and statistics of the clipping.

    The gradient is -A * ratio * grad logp inside the clip and 0 outside; with cispo it is -A * clipped
    ratio * grad logp everywhere; with gspo each token of a sequence has the sequence's ratio and a length-th of its
    gradient. At ratio 1 all are -A * grad logp, but for the weights of lengths. Without `clip` there are no bounds.
    """
    low, high = (1 - settings.epsilon_low, 1 + settings.epsilon_high) if settings.clip else (0.0, inf)
    advantage = tokens.advantages[tokens.sequence]
    log_ratio = tokens.logp - tokens.old_logp.detach()
    stats = {"ratio": log_ratio.detach().exp()}
    if settings.variant == "gspo":
        means = _sums(log_ratio, tokens.sequence, lengths) / lengths.clamp(min=1)
        log_ratio = means[tokens.sequence]
    ratio = log_ratio.exp()
    bounded = ratio.clamp(low, high)
    if settings.variant == "cispo":
        stats["clipped"] = (ratio != bounded).detach()
        return -bounded.detach() * advantage * tokens.logp, stats
    free = ratio.clamp(max=settings.delta) if settings.delta else ratio
    struck = ((ratio < low) & (advantage < 0)) | ((ratio > high) & (advantage > 0))
    if settings.delta:
        struck = struck | ((ratio > settings.delta) & (advantage < 0))
    stats["clipped"] = struck.detach()
    if settings.variant == "gspo":
        there = lengths > 0
        stats["sequence_log_ratio"] = means.detach()[there]
        stats["sequence_ratio"] = means.detach()[there].exp()
        stats["sequence_clipped"] = _sums(struck.to(ratio.dtype), tokens.sequence, lengths)[there] > 0
    return -torch.minimum(free * advantage, bounded * advantage), stats


def _importance(tokens: Tokens, lengths: Tensor, settings: LossSettings) -> tuple[Tensor, dict[str, Tensor]]:
    """Return the weight of each token [T], without gradient: its probability at the step's start over that when
    sampled."""
    log_ratio = (tokens.old_logp - tokens.sampler_logp).detach()
    by_sequence = settings.importance_level == "sequence"
    if by_sequence:
        log_ratio = _sums(log_ratio, tokens.sequence, lengths)
    ratio, cap = log_ratio.exp(), settings.importance_cap
    struck = torch.zeros_like(ratio, dtype=torch.bool)
    weight = torch.ones_like(ratio)
    if settings.importance == "truncate":
        struck, weight = ratio > cap, ratio.clamp(max=cap)
    elif settings.importance == "mask":
        struck = (ratio > cap) | (ratio < 1 / cap)
        weight = ratio.masked_fill(struck, 0.0)
    if not by_sequence:
        return weight, {"is_ratio": ratio, "is_struck": struck}
    there = lengths > 0
    return weight[tokens.sequence], {"is_ratio": ratio[there], "is_struck": struck[there]}


def _shares(lengths: Tensor, settings: LossSettings, whole: Extent) -> Tensor:
    """Return the factor of each token's loss [T] by the length of its sequence [T]."""
    if settings.variant in ("grpo", "gspo"):
        return 1 / (lengths * whole.sequences)
    divisor = settings.dr_grpo_length * whole.sequences if settings.variant == "dr_grpo" else whole.tokens
    return torch.ones_like(lengths) / divisor


def _sums(values: Tensor, sequence: Tensor, lengths: Tensor) -> Tensor:
    """Return the sums by sequence: [T] -> [S]."""
    return torch.zeros_like(lengths).index_add(0, sequence, values)


def kl_exact(logprobs: Tensor, reference: Tensor, legal: LegalTokens) -> Tensor:
    """Return KL(policy, reference) at each choice, in nats [N]: the sum over its legal tokens of p * (log p - log q).

    `logprobs` and `reference` [N, K] are from `legal_logprobs`, at the same temperature. Where both are the
    same it is exactly 0; its gradient is exact, whatever was sampled.
    """
    policy = logprobs.masked_fill(~legal.mask, 0.0)
    gap = policy - reference.detach().masked_fill(~legal.mask, 0.0)
    return (policy.exp() * gap).masked_fill(~legal.mask, 0.0).sum(dim=1)


def kl_k3(logp: Tensor, reference: Tensor) -> Tensor:
    """Estimate KL(policy, reference) from the sampled tokens alone [T]: exp(d) - d - 1, d = log q - log p.

    Never negative; its mean over the policy's own samples is the KL. The mean of its *gradient* is that of the other
    direction, KL(reference, policy): it has the same minimum and the same curvature there, and pulls harder where the
    policy has given up what the reference likes. Prefer `kl_exact`.
    """
    gap = reference.detach() - logp
    return gap.exp() - gap - 1


def _std(values: Tensor) -> Tensor:
    return values.std(correction=0)


_METRICS: Mapping[str, tuple[str, Callable[[Tensor], Tensor]]] = {
    "ppo/ratio_mean": ("ratio", torch.mean),
    "ppo/ratio_std": ("ratio", _std),
    "ppo/clip_fraction": ("clipped", torch.mean),
    "ppo/is_ratio_mean": ("is_ratio", torch.mean),
    "ppo/is_ratio_std": ("is_ratio", _std),
    "ppo/is_ratio_min": ("is_ratio", torch.min),
    "ppo/is_ratio_max": ("is_ratio", torch.max),
    "ppo/is_masked_fraction": ("is_struck", torch.mean),
    "gspo/sequence_ratio_mean": ("sequence_ratio", torch.mean),
    "gspo/sequence_ratio_std": ("sequence_ratio", _std),
    "gspo/sequence_clipped_fraction": ("sequence_clipped", torch.mean),
    "gspo/log_ratio_mean": ("sequence_log_ratio", torch.mean),
    "policy/entropy_mean": ("entropy", torch.mean),
    "policy/entropy_std": ("entropy", _std),
    "logprob/token_min": ("logp", torch.min),
    "logprob/token_max": ("logp", torch.max),
    "logprob/token_mean": ("logp", torch.mean),
    "logprob/diff_mean": ("diff", torch.mean),
    "logprob/diff_std": ("diff", _std),
    "logprob/diff_max": ("diff", torch.max),
    "kl/mean": ("kl", torch.mean),
    "kl/max": ("kl", torch.max),
    "kl/min": ("kl", torch.min),
    "kl/std": ("kl", _std),
}


def summarize(parts: Sequence[Stats]) -> dict[str, float]:
    """Return the metrics over the choices of all micro-batches, as if they were one.

    `ppo/ratio_*` now over old, token by token; `ppo/clip_fraction` the tokens that the clip left without gradient (with
    cispo: with a clipped weight); `ppo/is_ratio_*` old over sampler, before the cap, and `is_masked_fraction` the share
    that the cap masked or reduced; `logprob/diff_*` |old - sampler|; `gspo/*` by sequence, with gspo alone. Metrics
    that were not measured are left out.
    """
    joined = {key: torch.cat([part[key] for part in parts]).double() for key in _keys(parts)}
    return {
        name: float(reduced(joined[key]))
        for name, (key, reduced) in _METRICS.items()
        if key in joined and joined[key].numel()
    }


def _keys(parts: Iterable[Stats]) -> list[str]:
    """Return the keys that every micro-batch measured."""
    measured = [list(part) for part in parts]
    return [key for key in measured[0] if all(key in keys for keys in measured)] if measured else []
