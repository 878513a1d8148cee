"""A training run made up for tests: plausible numbers under the trainer's own names, without a policy behind them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from grandstand.campaign_events import Estimate, LeaguePayoff, LeagueRated, RatedPlayer
from grandstand.events import EpisodeCreated, EpisodeEnded, EpisodeStarted, SeatInfo, TurnStarted
from grandstand.models import Draft
from grandstand.trainer.metrics import StepMetrics
from grandstand.trainer.run_report import RunReport

STEPS = 30
EVERY = 5
"""Steps from one evaluation to the next."""

CONFIG: dict[str, dict[str, Any]] = {
    "run": {"name": "nano-diplomacy", "seed": 7, "folder": "runs", "steps": STEPS, "eval_every": EVERY},
    "policy": {"model": "nano", "lora_rank": 16, "lora_targets": "both", "dtype": "float32"},
    "game": {"name": "diplomacy", "options": {"last_year": 1906}, "heroes": 1},
    "rollout": {"groups": 8, "samples": 8, "horizon": 2.0, "opponents": {"base": 2.0, "past": 1.0, "random": 1.0}},
    "loss": {"variant": "dapo", "epsilon_low": 0.2, "epsilon_high": 0.28},
    "kl": {"reference": "base", "estimator": "exact", "beta": 0.01, "target": 0.0},
    "optimizer": {"learning_rate": 1e-4, "max_grad_norm": 1.0, "max_logprob_gap": 1e-4},
    "health": {"kl_mean": 2.0},
}
SHARES = {"centers": 0.46, "units": 0.2, "dislodgement": 0.14, "territory": 0.12, "score": 0.08}


def opening(title: str = "Training nano-diplomacy", count: int = STEPS) -> list[Draft]:
    """Return the first two events of a run of `count` steps."""
    created = EpisodeCreated(
        game="training",
        title=title,
        options={**CONFIG, "run": {**CONFIG["run"], "steps": count}},
        seats=[SeatInfo(seat="policy", player="nano-diplomacy", kind="trained")],
        origin="trainer",
    )
    return [Draft.of(created), Draft.of(EpisodeStarted())]


def steps(count: int = STEPS, seed: int = 1) -> Iterator[StepMetrics]:
    """Yield the gradient steps of a run that learns."""
    luck = random.Random(seed)
    for step in range(1, count + 1):
        yield StepMetrics(step, metrics(step, luck))


def turn(taken: StepMetrics) -> Draft:
    """Return the event of a step."""
    return Draft.of(TurnStarted(index=taken.step, turn=str(taken.step), to_act=[], scores={}))


def turns(count: int = STEPS, seed: int = 1) -> Iterator[Draft]:
    """Yield the events of the steps of a run."""
    return map(turn, steps(count, seed))


def with_report(run: Iterable[Draft | StepMetrics]) -> Iterator[Draft]:
    """Yield the events of a run, with those of its report where a run publishes them."""
    report, rated = RunReport(CONFIG), None
    for draft in run:
        if isinstance(draft, StepMetrics):
            yield from report.step(draft, rated)
            rated = None
            yield turn(draft)
            continue
        if draft.type == "EpisodeCreated":
            report = RunReport(draft.data["options"])
        if draft.type == "EpisodeEnded":
            yield from report.end(draft.data["status"])
        yield draft
        if draft.type == "EpisodeStarted":
            yield from report.begin()
        if draft.type == "LeagueRated":
            rated = LeagueRated.model_validate(draft.data)


def ending(count: int = STEPS) -> Draft:
    return Draft.of(EpisodeEnded(status="finished", message=f"{count} steps"))


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
        "benchmark/step_time_s": 4.8,
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
        "optimizer/learning_rate": 1e-4 * (1 - step / (2 * STEPS)),
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


VERSIONS = 30
"""Versions of a large league."""
BOTS = {"dumbbot": 1640.0, "territorial": 1545.0, "random": 1180.0}
CHECKPOINT = 5
LANDMARK = 20


def league(count: int, every: int = CHECKPOINT, seed: int = 3) -> Iterator[Draft | StepMetrics]:
    """Yield the ratings and steps of a run of `count` steps with a league that is rated every `every` steps."""
    luck, chances = random.Random(seed), random.Random(seed + 1)
    for step in range(1, count + 1):
        if step % every == 0:
            yield Draft.of(rated(step, every, luck))
        versions = range(every, step, every)
        yield StepMetrics(step, metrics(step, luck) | _opponents(step, versions, count, chances))


def strength(version: int) -> float:
    """Return the rating that a version of the made-up policy has."""
    return 1500 + 190 * (1 - math.exp(-version / 30)) - (25 if version and version % 45 == 0 else 0)


def rated(step: int, every: int, luck: random.Random) -> LeagueRated:
    """Return ratings and payoffs of a league at a step, with intervals that narrow as matches are played."""
    versions = list(range(0, step, every))
    strengths = {f"v{version}": strength(version) for version in versions} | {"policy": strength(step)} | BOTS
    half = 260 / math.sqrt(1 + step / every)
    players = [_rated_player(label, points, half, step, every, luck) for label, points in strengths.items()]
    players.sort(key=lambda player: -(player.rating.mean or 0))
    names = [player.label for player in players]
    payoffs = [
        _payoff(a, b, strengths[a] - strengths[b], (step * 7 + 3 * names.index(b)) % (8 + step // 2) + 1, luck)
        for number, a in enumerate(names)
        for b in names[number + 1 :]
        if (names.index(a) + names.index(b)) % 5 or "policy" in (a, b)
    ]
    return LeagueRated(step=step, players=players, payoffs=payoffs)


def _rated_player(label: str, points: float, half: float, step: int, every: int, luck: random.Random) -> RatedPlayer:
    version = int(label[1:]) if label.startswith("v") else None
    wide = 0.0 if version == 0 else half * luck.uniform(0.8, 1.3)
    mean = points + (0 if version == 0 else luck.gauss(0, half / 4))
    return RatedPlayer(
        name=label if version is None else f"nano-diplomacy@v{version:06d}",
        label=label,
        kind="base" if version == 0 else "bot" if label in BOTS else "policy",
        version=version,
        landmark=bool(version and version % LANDMARK == 0),
        rating=Estimate(
            mean=round(mean, 1), low=round(mean - wide, 1), high=round(mean + wide, 1), n=step // every * 9
        ),
    )


def _payoff(player: str, opponent: str, gap: float, situations: int, luck: random.Random) -> LeaguePayoff:
    games = 8 * situations
    mean = min(1.0, max(0.0, 1 / (1 + 10 ** (-gap / 400)) + luck.gauss(0, 0.3 / math.sqrt(situations))))
    half = 0.9 / math.sqrt(situations)
    wins, draws = round(games * mean * 0.9), round(games * 0.1)
    few = situations < 5
    share = Estimate(
        mean=mean, low=None if few else max(0, mean - half), high=None if few else min(1, mean + half), n=situations
    )
    return LeaguePayoff(
        player=player,
        opponent=opponent,
        wins=wins,
        draws=draws,
        losses=max(0, games - wins - draws),
        games=games,
        share=share,
        differ=not few and abs(mean - 0.5) > 1.5 * half,
    )


def _opponents(step: int, versions: Sequence[int], count: int, luck: random.Random) -> dict[str, float]:
    """Return the league's metrics of a step."""
    newest = list(versions)[-4:]
    weights = {f"v{version}": 2.0 / max(1, len(newest)) for version in newest}
    weights |= {"v0": 2 * (1 - step / (2 * count)), "self": 1.0, **dict.fromkeys(BOTS, 1 - step / (2 * count))}
    whole = sum(weights.values())
    drawn = luck.choices(list(weights), list(weights.values()), k=96)
    result = {f"league/chance/{name}": weight / whole for name, weight in weights.items()}
    result |= {f"league/met/{name}": drawn.count(name) / 96 for name in sorted(set(drawn))}
    result |= {
        f"league/expected/{name}": 1 / (1 + 10 ** ((points - strength(step)) / 400)) for name, points in BOTS.items()
    }
    result |= {f"league/score/{name}": min(1.0, max(0.0, luck.gauss(0.5, 0.1))) for name in sorted(set(drawn))}
    if step % CHECKPOINT == 0:
        for bot, points in BOTS.items():
            gap, half = strength(step) - points, 150 / math.sqrt(step / CHECKPOINT)
            result |= {
                f"exploitation/{bot}": gap,
                f"exploitation/{bot}/low": gap - half,
                f"exploitation/{bot}/high": gap + half,
            }
        for landmark in range(LANDMARK, step, LANDMARK):
            result |= {
                f"forgetting/v{landmark}": 0.04 if landmark % 60 else -0.12,
                f"forgetting/v{landmark}/low": -0.05 if landmark % 60 else -0.2,
                f"forgetting/v{landmark}/high": 0.13 if landmark % 60 else -0.04,
            }
    return result
