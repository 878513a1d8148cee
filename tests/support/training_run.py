"""A training run made up for tests: plausible numbers under the trainer's own names, without a policy behind them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

from grandstand.models import Draft, EpisodeCreated, EpisodeEnded, EpisodeStarted, SeatInfo, TrainStepped

STEPS = 30
EVERY = 5
"""Steps from one evaluation to the next."""

CONFIG = {
    "run": {"name": "nano-diplomacy", "seed": 7, "folder": "runs", "steps": STEPS, "eval_every": EVERY},
    "policy": {"model": "nano", "lora_rank": 16, "lora_targets": "both", "dtype": "float32"},
    "game": {"name": "diplomacy", "options": {"last_year": 1906}, "heroes": 1},
    "rollout": {"groups": 8, "samples": 8, "horizon": 2.0, "opponents": {"base": 2.0, "past": 1.0, "random": 1.0}},
    "loss": {"variant": "dapo", "epsilon_low": 0.2, "epsilon_high": 0.28},
    "kl": {"reference": "base", "estimator": "exact", "beta": 0.01, "target": 0.0},
    "optimiser": {"learning_rate": 1e-4, "max_grad_norm": 1.0, "max_logprob_gap": 1e-4},
}
SHARES = {"centers": 0.46, "units": 0.2, "dislodgement": 0.14, "territory": 0.12, "score": 0.08}


def opening(title: str = "Training nano-diplomacy") -> list[Draft]:
    """Return the run's first two events."""
    created = EpisodeCreated(
        game="training",
        title=title,
        options=CONFIG,
        seats=[SeatInfo(seat="policy", player="nano-diplomacy", kind="trained")],
        origin="trainer",
    )
    return [Draft.of(created), Draft.of(EpisodeStarted())]


def steps(count: int = STEPS, seed: int = 1) -> Iterator[Draft]:
    """Yield one event per gradient step, of a run that learns."""
    luck = random.Random(seed)
    for step in range(1, count + 1):
        yield Draft.of(TrainStepped(step=step, version=step, metrics=metrics(step, luck)))


def ending() -> Draft:
    return Draft.of(EpisodeEnded(status="finished", message=f"{STEPS} steps"))


def metrics(step: int, luck: random.Random) -> dict[str, float]:
    """Return the trainer's metrics of `step`."""

    def about(value: float, spread: float) -> float:
        return float(f"{luck.gauss(value, spread):.5g}")

    learned = 1 - math.exp(-step / 12)
    kl = 0.9 * learned
    result = {
        "benchmark/step": float(step),
        "benchmark/loss": about(-0.02 * learned, 0.006),
        "benchmark/kl": about(kl, 0.03),
        "benchmark/reward_mean": about(0.12 + 0.95 * learned, 0.09),
        "benchmark/reward_std": about(0.62 - 0.1 * learned, 0.04),
        "benchmark/rollout_time_s": about(3.1, 0.3),
        "benchmark/training_time_s": about(1.4, 0.1),
        "benchmark/trajectories": 64.0,
        "benchmark/grad_norm": abs(about(0.8, 0.2)),
        "kl/mean": about(kl, 0.03),
        "kl/max": about(1.2 + 4 * kl, 0.5),
        "kl/min": 0.0,
        "kl/std": about(0.4 * kl, 0.02),
        "kl/beta": 0.01 * min(1.0, step / 5),
        "kl/warmup_progress": min(1.0, step / 5),
        "advantage/mean": about(0, 0.01),
        "advantage/std": about(1, 0.02),
        "advantage/min": about(-2.4, 0.2),
        "advantage/max": about(2.5, 0.2),
        "advantage/clipped_count": float(luck.randrange(3)),
        "processing/skip_rate": abs(about(0.12, 0.05)),
        "processing/skipped_zero_variance": float(luck.randrange(3)),
        "processing/effective_batch_size": float(luck.randrange(420, 512)),
        "ppo/ratio_mean": about(1, 0.002),
        "ppo/ratio_std": abs(about(0.05 + 0.05 * learned, 0.01)),
        "ppo/clip_fraction": abs(about(0.04 + 0.08 * learned, 0.01)),
        "policy/entropy_mean": about(1.35 - 0.5 * learned, 0.02),
        "policy/entropy_std": about(0.5, 0.02),
        "logprob/diff_mean": abs(about(2e-7, 5e-8)),
        "logprob/diff_max": abs(about(3e-6, 5e-7)),
        "buffer/depth": 1.0,
        "buffer/dropped_stale": 0.0,
        "rollout/failed_count": 0.0,
        "rollout/straggler_count": float(step == 17),
        "rollout/masked_turns": float(luck.randrange(2)),
        "optimiser/learning_rate": 1e-4 * (1 - step / (2 * STEPS)),
        "game/centers": about(0.3 + 1.4 * learned, 0.15),
        "game/turns_mean": about(5.2, 0.1),
        "game/score_mean": about(0.143 + 0.07 * learned, 0.01),
        "opponent/base/score_mean": about(0.13 + 0.06 * learned, 0.008),
        "opponent/base/game_count": 32.0,
        "opponent/past/score_mean": about(0.14 + 0.03 * learned, 0.01),
        "opponent/past/game_count": 16.0,
        "opponent/random/score_mean": about(0.19 + 0.08 * learned, 0.01),
        "opponent/random/game_count": 16.0,
    }
    weights = {name: share * luck.uniform(0.8, 1.2) for name, share in SHARES.items()}
    total = sum(weights.values())
    result |= {f"reward/{name}_share": float(f"{weight / total:.5g}") for name, weight in weights.items()}
    result |= {
        "reward/final_share": result["reward/score_share"],
        "reward/step_share": 1 - result["reward/score_share"],
    }
    if step % EVERY == 0:
        gain = about(0.09 * learned, 0.008)
        result |= {
            "eval/vs_base/mean": 0.141 + gain,
            "eval/vs_base/base": 0.141,
            "eval/vs_base/gain": gain,
            "eval/vs_base/ci95": 0.021,
            "eval/vs_base/games": 70.0,
            "eval/vs_base/elo": 900 * gain,
            "eval/vs_base/elo_ci95": 38.0,
            "eval/vs_field/mean": 0.165 + 0.6 * gain,
            "eval/vs_field/base": 0.165,
            "eval/vs_field/gain": 0.6 * gain,
            "eval/vs_field/ci95": 0.024,
            "eval/vs_field/games": 70.0,
        }
    return result
