"""Our losses against TRL 1.16.0's own code: the same loss and the same gradients, on the same tokens.

Where the two differ by design, the case says how one maps to the other:

- TRL's cispo has no lower bound and names its upper one as it is: our epsilon_low is 1, its epsilon_high 1 + ours.
- TRL's gspo is its grpo with ratios by sequence.
- TRL has no switch for clipping: bounds that no ratio reaches are our `clip = false`.
- TRL's mask has bounds of its own: 1/cap and cap are ours. Its truncation has the upper one alone, as ours.
- A sequence without a choice counts in TRL's mean over sequences, and not in ours (`test_no_choice`).
- TRL divides by the sample standard deviation + 1e-4, we by the population's (`test_normalized_advantages`).
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch

from grandstand.trainer.config.objective_settings import AdvantageSettings, LossSettings
from grandstand.trainer.learning.advantages import advantages
from grandstand.trainer.learning.losses import Tokens, extent, kl_k3, policy_loss, summarize
from grandstand.trainer.rollout.trajectories import PolicyDecision, Trajectory, TrajectoryGroup
from tests.support.live_server import ROOT
from tests.support.requirements import file

pytestmark = pytest.mark.long

PYTHON = ROOT / ".cache" / "trl" / "bin" / "python"
ORACLE = ROOT / "tests/support/trainer/trl_oracle.py"
GROUP = 3
UNREACHED = 1e9
"""A bound that no ratio reaches."""
EXACT: dict[str, Any] = {"rtol": 1e-9, "atol": 1e-12}

Case = tuple[LossSettings, float, int]
"""Settings, beta, seed of the tokens."""


def cases() -> list[Case]:
    made: list[Case] = []
    variants = ("grpo", "dr_grpo", "dapo", "gspo", "cispo")
    importances = [("off", "token"), *product(("truncate", "mask"), ("token", "sequence"))]
    for seed, (variant, (importance, level)) in enumerate(product(variants, importances)):
        for beta, entropy, delta, clip in (
            (0.0, 0.0, 0.0, True),
            (0.3, 0.02, 0.0, True),
            (0.1, 0.0, 1.4, True),
            (0.1, 0.0, 0.0, False),
        ):
            if delta and variant == "cispo":
                continue
            settings = LossSettings.model_validate(
                {
                    "variant": variant,
                    "clip": clip,
                    "epsilon_low": 1.0 if variant == "cispo" else 0.1,
                    "epsilon_high": 0.15,
                    "delta": delta,
                    "importance": importance,
                    "importance_level": level,
                    "importance_cap": 1.5,
                    "entropy": entropy,
                    "dr_grpo_length": 7,
                }
            )
            made.append((settings, beta, seed))
    return made


def tokens(seed: int) -> dict[str, Any]:
    """Two groups of siblings. Forced tokens have log-probability and entropy 0, whoever asks."""
    draw = np.random.default_rng(seed)
    choice = [[int(c) for c in draw.random(draw.integers(2, 8)) < 0.6] for _ in range(2 * GROUP)]
    for row in choice:
        row[0] = 1

    def values(around: Sequence[Sequence[float]], spread: float) -> list[list[float]]:
        return [
            [c * min(value + spread * draw.normal(), -0.01) for c, value in zip(chosen, row, strict=True)]
            for chosen, row in zip(choice, around, strict=True)
        ]

    logp = values([[-1.2] * len(row) for row in choice], 0.4)
    old = values(logp, 0.25)
    return {
        "choice": choice,
        "logp": logp,
        "old": old,
        "sampler": values(old, 0.35),
        "reference": values(logp, 0.6),
        "entropies": [[c * draw.uniform(0.1, 2) for c in row] for row in choice],
        "rewards": draw.normal(size=2 * GROUP).tolist(),
    }


def asked(case: Case, scale_rewards: str = "none") -> dict[str, Any]:
    """The case in TRL's words."""
    settings, beta, seed = case
    cispo, masked = settings.variant == "cispo", settings.importance == "mask"
    return tokens(seed) | {
        "loss_type": "grpo" if settings.variant == "gspo" else settings.variant,
        "level": "sequence" if settings.variant == "gspo" else "token",
        "epsilon_low": settings.epsilon_low if settings.clip else UNREACHED,
        "epsilon_high": settings.epsilon_high + cispo if settings.clip else UNREACHED,
        "delta": settings.delta or None,
        "beta": beta,
        "entropy": settings.entropy,
        "importance": None if settings.importance == "off" else f"{settings.importance_level}_{settings.importance}",
        "cap": settings.importance_cap,
        "cap_min": 1 / settings.importance_cap if masked else None,
        "length": settings.dr_grpo_length,
        "group": GROUP,
        "scale_rewards": scale_rewards,
    }


def no_choice() -> dict[str, Any]:
    """A case in which the last sequence has no choice."""
    case = asked((LossSettings(variant="grpo", importance="off"), 0.2, 50))
    for name in ("choice", "logp", "old", "sampler", "reference", "entropies"):
        case[name][-1] = [0, 0] if name == "choice" else [0.0, 0.0]
    return case


@pytest.fixture(scope="module")
def trl() -> list[dict[str, Any]]:
    """TRL's answers to all cases, then to the one without a choice, then with advantages on its scale."""
    file(PYTHON, remedy="run scripts/setup/trl")
    lines = [*map(asked, cases()), no_choice(), asked(cases()[0], "group")]
    done = subprocess.run(
        [PYTHON, "-P", ORACLE],
        input="".join(json.dumps(line) + "\n" for line in lines),
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(lines)
    return answers


def flat(rows: Sequence[Sequence[float]]) -> torch.Tensor:
    return torch.tensor([value for row in rows for value in row], dtype=torch.float64)


def ours(
    case: dict[str, Any], settings: LossSettings, beta: float, advantage: Sequence[float]
) -> tuple[float, torch.Tensor, torch.Tensor, dict[str, float]]:
    """Loss, gradients by log-probability and by entropy, metrics."""
    logp, entropies = flat(case["logp"]).requires_grad_(), flat(case["entropies"]).requires_grad_()
    batch = Tokens(
        sequence=torch.tensor([at for at, row in enumerate(case["logp"]) for _ in row]),
        advantages=torch.tensor(advantage, dtype=torch.float64),
        logp=logp,
        old_logp=flat(case["old"]),
        sampler_logp=flat(case["sampler"]),
        entropy=entropies,
        kl=kl_k3(logp, flat(case["reference"])),
        choice=flat(case["choice"]).bool(),
    )
    loss, stats = policy_loss(batch, settings, beta, extent(batch.sequence, batch.choice))
    grads = torch.autograd.grad(loss, (logp, entropies), allow_unused=True, materialize_grads=True)
    return loss.item(), grads[0], grads[1], summarize([stats])


def name(case: Case) -> str:
    settings, beta, _ = case
    correction = f"{settings.importance}_{settings.importance_level}"
    clip = "" if settings.clip else "-unclipped"
    return f"{settings.variant}-{correction}-{beta:g}-{settings.entropy:g}-{settings.delta:g}{clip}"


@pytest.mark.parametrize("at", range(len(cases())), ids=map(name, cases()))
def test_the_same_loss_and_gradients(trl: list[dict[str, Any]], at: int) -> None:
    (settings, beta, _), theirs = cases()[at], trl[at]
    loss, grad, entropy_grad, metrics = ours(asked(cases()[at]), settings, beta, theirs["advantages"])
    assert loss == pytest.approx(theirs["loss"], rel=1e-9, abs=1e-12)
    assert grad.abs().max() > 1e-3
    torch.testing.assert_close(grad, flat(theirs["grad"]), **EXACT)
    if settings.entropy:
        torch.testing.assert_close(entropy_grad, flat(theirs["entropy_grad"]), **EXACT)
    else:
        assert not entropy_grad.any()
    report = theirs["metrics"]
    assert metrics["policy/entropy_mean"] == pytest.approx(report["entropy"])
    if beta:
        assert metrics["kl/mean"] == pytest.approx(report["kl"])
    if settings.importance != "off":
        assert metrics["logprob/diff_mean"] == pytest.approx(report["sampling/sampling_logp_difference/mean"])
        assert metrics["logprob/diff_max"] == pytest.approx(report["sampling/sampling_logp_difference/max"])
    if not settings.delta and settings.variant != "cispo":
        fraction = "gspo/sequence_clipped_fraction" if settings.variant == "gspo" else "ppo/clip_fraction"
        assert metrics[fraction] == pytest.approx(report["clip_ratio/region_mean"])


def test_the_cases_meet_every_bound(trl: list[dict[str, Any]]) -> None:
    clipped, struck = set(), set()
    for case, theirs in zip(cases(), trl, strict=False):
        *_, metrics = ours(asked(case), case[0], case[1], theirs["advantages"])
        if metrics["ppo/clip_fraction"]:
            clipped.add((case[0].variant, bool(case[0].delta)))
        if metrics["ppo/is_masked_fraction"]:
            struck.add((case[0].importance, case[0].importance_level))
    assert len(clipped) == 9
    assert struck == set(product(("truncate", "mask"), ("token", "sequence")))


def test_no_choice(trl: list[dict[str, Any]]) -> None:
    """TRL's mean has the empty sequence in it: of six, where ours has five."""
    theirs = trl[-2]
    settings = LossSettings(variant="grpo", importance="off")
    loss, grad, _, _ = ours(no_choice(), settings, 0.2, theirs["advantages"])
    assert loss * 5 / 6 == pytest.approx(theirs["loss"])
    torch.testing.assert_close(grad * 5 / 6, flat(theirs["grad"]), **EXACT)


def own_advantages(rewards: Sequence[float], normalize: str) -> list[float]:
    groups = [
        TrajectoryGroup(
            str(at),
            [
                Trajectory(
                    f"{at}/{fork}", "ENGLAND", "policy", {}, [PolicyDecision(1, 0, 0, 1.0, (), (), (), (), {})], {}, {}
                )
                for fork in range(GROUP)
            ],
        )
        for at in range(2)
    ]
    returns = [[[reward] for reward in rewards[at * GROUP : (at + 1) * GROUP]] for at in range(2)]
    result = advantages(groups, returns, AdvantageSettings.model_validate({"normalize": normalize}), "sparse")
    return [value for group in result.values for (value,) in group if value is not None]


def test_advantages(trl: list[dict[str, Any]]) -> None:
    assert own_advantages(tokens(0)["rewards"], "none") == pytest.approx(trl[0]["advantages"])


def test_normalized_advantages(trl: list[dict[str, Any]]) -> None:
    rewards = np.array(tokens(0)["rewards"]).reshape(2, GROUP)
    mapped = np.array(own_advantages(rewards.ravel().tolist(), "group")).reshape(2, GROUP)
    mapped *= rewards.std(axis=1, keepdims=True) / (rewards.std(axis=1, ddof=1, keepdims=True) + 1e-4)
    assert mapped.ravel() == pytest.approx(np.array(trl[-1]["advantages"]))
