"""Three faults of an earlier project's trainer, made on purpose, and what they do to the conclusions of experiments.

- The reference was never used: although a moving average was kept, the cached log-probabilities of the rollouts stood
  in for it. The penalty then has no gradient, so arms with and without it are the same run.
- The cached path: what was reported as the KL was the difference of two engines, summed over whole sequences and
  put into an exponential, which explodes though nothing drifts.
- The leak: decisions were grouped by the centres at the end, which are the outcome. The variance within groups falls,
  and the signal falls further.
"""

from __future__ import annotations

from random import Random
from statistics import fmean, pstdev, pvariance
from typing import Literal

import pytest
import torch
from torch import Tensor

from grandstand.trainer.config.objective_settings import AdvantageSettings, LossSettings
from grandstand.trainer.learning.advantages import advantages
from grandstand.trainer.learning.losses import Tokens, extent, kl_k3, policy_loss
from grandstand.trainer.rollout.trajectories import PolicyDecision, Trajectory, TrajectoryGroup
from grandstand.trainer.sweep.verdict import Verdict, judge

SEEDS = range(1, 7)
PLACES, CHOICES, FORKS, STEPS = 4, 5, 16, 40
Reference = Literal["base", "cached"]


def drift(seed: int, beta: float, reference: Reference, mismatch: float = 0.0) -> float:
    """Train a small policy by the project's loss, and return the KL from its base, in nats a token.

    `cached` measures the penalty to the log-probabilities of the rollouts; `mismatch` is the standard deviation of the
    difference between sampler and learner.
    """
    luck = torch.Generator().manual_seed(seed)
    worth = torch.randn(PLACES, CHOICES, generator=luck)
    logits = torch.zeros(PLACES, CHOICES, requires_grad=True)
    base = logits.detach().log_softmax(1)
    optimizer = torch.optim.SGD([logits], lr=2.0)
    places = torch.arange(PLACES).repeat(FORKS)
    sequence = torch.arange(FORKS).repeat_interleave(PLACES)
    for _ in range(STEPS):
        sampled = torch.multinomial(logits.detach().softmax(1), FORKS, replacement=True, generator=luck).T.reshape(-1)
        rewards = worth[places, sampled].view(FORKS, PLACES).sum(1)
        logp = logits.log_softmax(1)[places, sampled]
        rollout = logp.detach() + mismatch * torch.randn(len(logp), generator=luck)
        kept = {"base": base[places, sampled], "cached": rollout}[reference]
        loss = _loss(logp, sequence, rewards, kl_k3(logp, kept), beta)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    policy = logits.detach().log_softmax(1)
    return float((policy.exp() * (policy - base)).sum(1).mean())


def _loss(logp: Tensor, sequence: Tensor, rewards: Tensor, kl: Tensor, beta: float) -> Tensor:
    scores = (rewards - rewards.mean()) / rewards.std(correction=0)
    before = logp.detach()
    tokens = Tokens(sequence, scores, logp, before, before, torch.zeros_like(logp), kl)
    return policy_loss(tokens, LossSettings(importance="off"), beta, extent(sequence))[0]


def penalty_verdict(reference: Reference, mismatch: float) -> Verdict:
    """Decide whether a penalty of 0.2 makes the policy drift less than none does, by at least 0.1 nats."""
    differences = [drift(seed, 0.2, reference, mismatch) - drift(seed, 0.0, reference, mismatch) for seed in SEEDS]
    return judge(differences, len(SEEDS), "less", 0.1, 0.05)


@pytest.mark.long
def test_with_the_named_reference_the_effect_of_the_penalty_is_seen() -> None:
    assert penalty_verdict("base", 0.02).word == "supported"


@pytest.mark.long
def test_without_it_arms_with_and_without_a_penalty_are_the_same_run() -> None:
    assert [drift(seed, 0.2, "cached") for seed in SEEDS] == [drift(seed, 0.0, "cached") for seed in SEEDS]
    verdict = penalty_verdict("cached", 0.0)
    assert (verdict.word, verdict.reason) == ("refuted", "the difference is 0 in every seed")


def test_with_engines_that_differ_a_little_the_fault_refutes_what_is_true() -> None:
    """The noise makes the arms differ, so nothing warns: the penalty seems to do nothing, however strong it is."""
    verdict = penalty_verdict("cached", 0.02)
    assert verdict.word == "refuted"
    assert abs(verdict.difference.mean or 1.0) < 0.02


@pytest.mark.parametrize(("tokens", "summed"), [(1, 0.05), (10, 16.1), (40, 162_742)])
def test_a_sum_over_the_sequence_explodes_where_a_token_differs_by_little(tokens: int, summed: float) -> None:
    """0.3 nats of difference between two engines, in every token of an answer."""
    logp = torch.zeros(tokens, dtype=torch.double)
    cached = logp + 0.3
    assert float(kl_k3(logp.sum(), cached.sum())) == pytest.approx(summed, rel=0.01)
    assert float(kl_k3(logp, cached).mean()) == pytest.approx(0.05, rel=0.01)


# --- the leak ---------------------------------------------------------------------------------------------------------

EFFECT, DECISIONS = 1.0, 600
"""The worth of the good action above that of the bad one, and the number of decisions of a simulated batch."""


def batch(seed: int, leaked: bool) -> tuple[list[bool], list[float], list[float]]:
    """Return for each decision of a batch if it was good, its return, and its advantage among similar positions.

    The centres before a decision say nothing of what is still gained, as in the games of bots that were checked.
    `leaked` takes the centres at the end for those of the position.
    """
    luck = Random(seed)
    groups, goods, gains = [], [], []
    for number in range(DECISIONS):
        before, good = luck.randint(2, 6), luck.random() < 0.5
        gain = EFFECT * good + luck.gauss(0, 2)
        features = {"centers": before + gain if leaked else float(before)}
        decision = PolicyDecision(1, 0, 0, 1.0, (), (), (), (), features)
        groups.append(
            TrajectoryGroup(str(number), [Trajectory(str(number), "FRANCE", "policy", {}, [decision], {}, {})])
        )
        goods.append(good)
        gains.append(gain)
    settings = AdvantageSettings(baseline="stratified", strata={"centers": (3, 5)}, normalize="none")
    computed = advantages(groups, [[[gain]] for gain in gains], settings, "dense")
    return goods, gains, [value or 0.0 for of_group in computed.values for (values,) in [of_group] for value in values]


def reduction(seed: int, leaked: bool) -> float:
    """Return the share of the variance that stratification removes."""
    _, gains, computed = batch(seed, leaked)
    return 1 - pvariance(computed) / pvariance(gains)


def signal(seed: int, leaked: bool) -> tuple[float, float]:
    """Return the mean advantage of good decisions above that of bad ones, as it is and in standard deviations."""
    goods, _, computed = batch(seed, leaked)
    gap = fmean(value for good, value in zip(goods, computed, strict=True) if good) - fmean(
        value for good, value in zip(goods, computed, strict=True) if not good
    )
    return gap, gap / pstdev(computed)


def verdict(values: list[float], least: float) -> str:
    return judge(values, len(SEEDS), "greater", least, 0.05).word


def test_the_leak_is_taken_for_a_reduction_of_the_variance() -> None:
    """The claim of the earlier project: stratified groups have about a third less variance."""
    assert verdict([reduction(seed, leaked=True) - 0.2 for seed in SEEDS], 0.05) == "supported"
    assert verdict([reduction(seed, leaked=False) for seed in SEEDS], 0.05) == "refuted", "of a position it is none"


def test_the_leak_removes_the_signal_that_is_learned_from() -> None:
    kept, noise = zip(*(signal(seed, leaked=False) for seed in SEEDS), strict=True)
    left, leaked_noise = zip(*(signal(seed, leaked=True) for seed in SEEDS), strict=True)
    assert fmean(kept) == pytest.approx(EFFECT, abs=0.2)
    assert fmean(left) < 0.75 * fmean(kept)
    assert verdict([before - after for before, after in zip(noise, leaked_noise, strict=True)], 0.03) == "supported"
