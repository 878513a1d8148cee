"""Made-up experiments, as a sweep publishes them, for tests of the page."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from grandstand.campaign_events import (
    ArmResult,
    CriterionVerdict,
    Estimate,
    ExperimentAnalysed,
    ExperimentArm,
    ExperimentCriterion,
    ExperimentPlanned,
    ExperimentRunChanged,
    SeedValue,
    SettingChange,
)
from grandstand.models import Draft, EpisodeCreated, EpisodeEnded, EpisodeStarted, SeatInfo, TurnStarted
from grandstand.play.ratings.statistics import student_interval
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from grandstand.trainer.sweep.sweep_file import Direction
from grandstand.trainer.sweep.verdict import judge

STEPS = 40
GAIN, KL, EARLY = "last/base/gain", "kl/max:max", "benchmark/reward_mean:mean[1:10]"
TRUTH = {
    GAIN: {"A": 0.02, "B": 0.05, "C": 0.07, "D": 0.055},
    KL: {"A": 0.05, "B": 0.12, "C": 0.9, "D": 0.2},
    EARLY: {"A": 0.30, "B": 0.42, "C": 0.44, "D": 0.41},
}
SPREAD = {GAIN: 0.012, KL: 0.04, EARLY: 0.015}
CRITERIA: Sequence[tuple[str, str, str, str, Direction, float]] = (
    ("With the warm-up the early rewards are higher", EARLY, "B", "A", "greater", 0.05),
    ("Without a penalty the policy gains more than with one", GAIN, "C", "A", "greater", 0.02),
    ("The steered penalty drifts no farther than the full one", KL, "D", "A", "not_greater", 0.05),
    ("The steered penalty gains as much as the warm-up", GAIN, "D", "B", "equivalent", 0.03),
)
ARMS = {
    "A": ("full penalty from the first step", []),
    "B": ("warm-up over ten steps", [("kl.warmup_steps", "0", "10")]),
    "C": ("no penalty", [("kl.beta", "0.04", "0.0")]),
    "D": ("steered to a goal", [("kl.adaptive", "false", "true"), ("kl.target", "null", "0.1")]),
}


class MadeUpExperiment:
    """An experiment of four arms, with values from a seeded draw and the verdicts of the real rules."""

    def __init__(self, title: str = "A penalty at once, warmed up, none, or steered", seeds: int = 6) -> None:
        self.title = title
        self.seeds = list(range(1, seeds + 1))
        luck = random.Random(4)
        self.values = {
            (metric, arm, seed): truth + luck.gauss(0, SPREAD[metric])
            for seed in self.seeds
            for metric, arms in TRUTH.items()
            for arm, truth in arms.items()
        }
        self.completed: set[tuple[str, int]] = set()
        self._turns = 0

    def opening(self) -> list[Draft]:
        """Return the drafts of an experiment whose first run has not begun."""
        hypothesis = "A KL penalty that begins after a warm-up keeps the policy near its base without slowing it down."
        created = EpisodeCreated(
            game="experiment",
            title=self.title,
            options={"name": "kl", "hypothesis": hypothesis, "scale": "nano"},
            seats=[SeatInfo(seat=arm, player=name, kind="trained") for arm, (name, _) in ARMS.items()],
            origin="publisher",
        )
        plan = ExperimentPlanned(
            name="kl",
            hypothesis=hypothesis,
            notes=["The built-in policy stands for a language model; its rewards are on another scale."],
            baseline="A",
            arms=[
                ExperimentArm(
                    arm=arm,
                    name=name,
                    steps=STEPS,
                    changes=[SettingChange(key=key, was=was, now=now) for key, was, now in changes],
                )
                for arm, (name, changes) in ARMS.items()
            ],
            seeds=self.seeds,
            looks=[3, len(self.seeds)] if len(self.seeds) > 3 else [len(self.seeds)],
            metrics=[GAIN, KL, EARLY],
            criteria=[
                ExperimentCriterion(
                    name=name,
                    metric=metric,
                    comparison=f"{arm} − {against}",
                    arms=[arm, against],
                    direction=direction,
                    least_effect=least,
                    alpha=0.05,
                )
                for name, metric, arm, against, direction, least in CRITERIA
            ],
            command="grandstand sweep experiments/08-adaptive-kl.yaml --scale nano --run",
            seconds=7800,
            estimated_from="a pilot of one step",
        )
        return [Draft.of(created), Draft.of(EpisodeStarted()), Draft.of(plan)]

    def runs(self, count: int, failed: Sequence[tuple[str, int]] = (), training: str = "") -> Iterator[Draft]:
        """Yield the drafts of the first runs, seed by seed; those in `failed` break off.

        `training` is the episode of each training run.
        """
        order = [(arm, seed) for seed in self.seeds for arm in ARMS]
        for arm, seed in order[:count]:
            for step in (0, STEPS // 2):
                yield self.change(arm, seed, "running", step, training)
            if (arm, seed) in failed:
                message = "grandstand train: the run broke off: the loss is not finite"
                yield Draft.of(
                    ExperimentRunChanged(
                        arm=arm,
                        seed=seed,
                        status="failed",
                        step=23,
                        steps=STEPS,
                        cause="training",
                        message=message,
                        episode_id=training,
                    )
                )
                continue
            yield self.change(arm, seed, "completed", STEPS, training)
            self.completed.add((arm, seed))
            yield Draft.of(self.analysis())
            turn = f"{len(self.completed)} of {len(order)}"
            yield Draft.of(TurnStarted(index=self._turns, turn=turn, to_act=[], scores={}))
            self._turns += 1

    def change(self, arm: str, seed: int, status: str, step: int, training: str = "") -> Draft:
        stage = "training" if status == "running" else ""
        data = {"arm": arm, "seed": seed, "status": status, "stage": stage, "step": step, "steps": STEPS}
        return Draft.of(ExperimentRunChanged.model_validate({**data, "episode_id": training}))

    def analysis(self) -> ExperimentAnalysed:
        """Return the results of the completed runs, by the rules of real experiments."""
        results = [self._result(arm, metric) for metric in TRUTH for arm in ARMS]
        verdicts = [self._verdict(number) for number in range(len(CRITERIA))]
        planned = len(ARMS) * len(self.seeds)
        return ExperimentAnalysed(completed=len(self.completed), planned=planned, arms=results, criteria=verdicts)

    def _of(self, metric: str, arm: str) -> dict[int, float]:
        return {seed: self.values[metric, arm, seed] for seed in self.seeds if (arm, seed) in self.completed}

    def _result(self, arm: str, metric: str) -> ArmResult:
        values = self._of(metric, arm)
        return ArmResult(arm=arm, metric=metric, mean=estimate(list(values.values()), 0.95), values=seed_values(values))

    def _verdict(self, number: int) -> CriterionVerdict:
        _, metric, arm, against, direction, least = CRITERIA[number]
        own, other = self._of(metric, arm), self._of(metric, against)
        values = {seed: own[seed] - other[seed] for seed in own if seed in other}
        look = len(self.seeds)
        decision = judge(list(values.values()), look, direction, least, 0.05)
        return CriterionVerdict(
            criterion=number,
            verdict=decision.word,
            reason=decision.reason,
            difference=estimate(list(values.values()), decision.level),
            level=decision.level,
            values=seed_values(values),
            missing=[
                f"{name}-s{seed}"
                for seed in self.seeds
                for name in (arm, against)
                if (name, seed) not in self.completed
            ],
            p=decision.p,
            effect_size=decision.effect_size,
            power=decision.power,
            seeds_needed=decision.needed,
        )

    def ending(self) -> Draft:
        return Draft.of(EpisodeEnded(status="finished", message="2 supported, 1 refuted, 1 undecided"))

    def failing(self) -> Draft:
        return Draft.of(EpisodeEnded(status="stopped", message="2 runs failed; the same command tries again"))


def estimate(values: Sequence[float], level: float) -> Estimate:
    interval = student_interval(values, level)
    low, high = interval.ci95 or (None, None)
    mean = interval.mean if interval.mean is not None and math.isfinite(interval.mean) else None
    return Estimate(mean=mean, low=low, high=high, n=interval.n)


def seed_values(values: dict[int, float]) -> list[SeedValue]:
    return [SeedValue(seed=seed, value=value) for seed, value in values.items()]


def record(folder: Path, training: str = "") -> None:
    """Record an experiment that is over, one that runs, one with failures, and one whose first run has not begun.

    `training` is the episode of every training run.
    """
    recorder = Recorder(folder / "grandstand.db")
    bus = Bus(recorder)
    over, live, failed, new = (MadeUpExperiment(seeds=seeds) for seeds in (6, 6, 3, 3))
    episodes = {
        "experiment-new": new.opening(),
        "experiment-failed": [
            *failed.opening(),
            *failed.runs(12, failed=[("C", 1), ("C", 3)], training=training),
            failed.failing(),
        ],
        "experiment-over": [*over.opening(), *over.runs(24, training=training), over.ending()],
        "experiment-live": [
            *live.opening(),
            *live.runs(9, training=training),
            live.change("B", 3, "running", 12, training),
            live.change("C", 3, "running", 3, training),
        ],
    }
    for name, drafts in episodes.items():
        bus.open(name, 1)
        bus.publish(name, drafts)
    recorder.close()
