"""Made-up experiments, as a sweep publishes them, for tests of the page."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from grandstand.models import Draft
from grandstand.play.ratings.intervals import student_interval
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from grandstand.trainer.sweep.analysis import ArmValues, CriterionResult, SweepAnalysis, comparison
from grandstand.trainer.sweep.estimate import SweepEstimate
from grandstand.trainer.sweep.expansion import Sweep, SweepRun, expand
from grandstand.trainer.sweep.layout import Failure, State
from grandstand.trainer.sweep.publisher import SweepEpisode
from grandstand.trainer.sweep.sections.state import RunRecord, Stage, SweepState
from grandstand.trainer.sweep.sweep_file import Criterion, SweepFile
from grandstand.trainer.sweep.values import RunCost
from grandstand.trainer.sweep.verdict import judge
from tests.support.trainer.tiny import DIPLOMACY

STEPS = 40
GAIN, KL, EARLY = "last/base/gain", "kl/max:max", "benchmark/reward_mean:mean[1:10]"
TRUTH = {
    GAIN: {"A": 0.02, "B": 0.05, "C": 0.07, "D": 0.055},
    KL: {"A": 0.05, "B": 0.12, "C": 0.9, "D": 0.2},
    EARLY: {"A": 0.30, "B": 0.42, "C": 0.44, "D": 0.41},
}
SPREAD = {GAIN: 0.012, KL: 0.04, EARLY: 0.015}
CRITERIA = (
    ("With the warm-up the early rewards are higher", EARLY, "B", "A", "greater", 0.05),
    ("Without a penalty the policy gains more than with one", GAIN, "C", "A", "greater", 0.02),
    ("The steered penalty drifts no farther than the full one", KL, "D", "A", "not_greater", 0.05),
    ("The steered penalty gains as much as the warm-up", GAIN, "D", "B", "equivalent", 0.03),
)
ARMS: dict[str, tuple[str, dict[str, float]]] = {
    "A": ("full penalty from the first step", {"beta": 0.04}),
    "B": ("warm-up over ten steps", {"beta": 0.04, "warmup_steps": 10}),
    "C": ("no penalty", {"beta": 0.0}),
    "D": ("steered to a goal", {"beta": 0.04, "target": 0.1}),
}
MACHINE = "8 CPUs (a processor), a platform; Python 3.11, torch 2.5, commit 0123abc"
BROKEN = Failure("training", "train", "grandstand train: the run broke off: the loss is not finite")


def made_up_sweep(seeds: int, title: str) -> Sweep:
    """Return a sweep of four arms, none of which has run."""
    file = {
        "metadata": {
            "name": "kl",
            "title": title,
            "hypothesis": "A KL penalty that begins after a warm-up keeps the policy near its base without slowing it "
            "down.",
            "notes": ["The built-in policy stands for a language model; its rewards are on another scale."],
        },
        "scale": "nano",
        "defaults": {**DIPLOMACY, "run": {"steps": STEPS}},
        "runs": {arm: {"name": name, "config": {"kl": values}} for arm, (name, values) in ARMS.items()},
        "seeds": list(range(1, seeds + 1)),
        "looks": [3, seeds] if seeds > 3 else [],
        "analysis": {
            "primary_metric": GAIN,
            "secondary_metrics": [KL, EARLY],
            "success_criteria": [
                dict(zip(("name", "metric", "arm", "against", "direction", "least_effect"), row, strict=True))
                for row in CRITERIA
            ],
        },
    }
    return expand(SweepFile.model_validate(file), Path("experiments/08-adaptive-kl.yaml"), Path("sweeps/kl"))


class MadeUpExperiment:
    """An experiment of four arms, with values from a seeded draw and the verdicts of the real rules."""

    def __init__(self, title: str = "A penalty at once, warmed up, none, or steered", seeds: int = 6) -> None:
        self.sweep = made_up_sweep(seeds, title)
        luck = random.Random(4)
        self.values = {
            (metric, arm, seed): truth + luck.gauss(0, SPREAD[metric])
            for seed in self.sweep.file.seeds
            for metric, arms in TRUTH.items()
            for arm, truth in arms.items()
        }
        self.records = {run.id: RunRecord() for run in self.sweep.runs}
        each = {run.id: 7800 / len(self.sweep.runs) for run in self.sweep.runs}
        count = len(self.sweep.runs)
        estimated = SweepEstimate(count, f"{count} runs", 1, "a pilot of one step", 7800.0, each=each)
        self.episode = SweepEpisode(SweepState(self.sweep, self.analysis(), dict(self.records), estimated))

    @property
    def state(self) -> SweepState:
        return self.episode.state

    def opening(self) -> list[Draft]:
        """Return the drafts of an experiment whose first run has not begun."""
        return [*self.episode.opening(), *self.episode.begin()]

    def runs(self, count: int, failed: Sequence[str] = (), training: str = "") -> Iterator[Draft]:
        """Yield the drafts of the first runs, seed by seed; those in `failed` break off.

        `training` is the episode of each training run.
        """
        for run in self.sweep.runs[:count]:
            for step in (0, STEPS // 2):
                yield from self.change(run.id, "running", step, training)
            if run.id in failed:
                yield from self.change(run.id, "failed", 23, training)
            else:
                yield from self.change(run.id, "completed", STEPS, training)

    def change(self, name: str, state: State, step: int, training: str = "") -> list[Draft]:
        """Return the drafts after which a run is in this state at this step."""
        run = self.sweep.by_id[name]
        stage: Stage = "training" if state == "running" else ""
        ended = state in ("completed", "failed")
        self.records[name] = RunRecord(
            state=state,
            stage=stage,
            step=step,
            failure=BROKEN if state == "failed" else None,
            episode_id=training,
            curves={metric: [*_curve(run, metric, step)] for metric in ("benchmark/reward_mean", "kl/max")},
            measures={("last", "base"): self._measured(run)} if state == "completed" else {},
            cost=RunCost(300.0 + step, 280.0, 190.0, 90.0, 50.0 * step, 2) if ended else None,
            machines=[MACHINE],
        )
        return self.episode.change(run, self.records[name], self.analysis() if ended else None)

    def ending(self) -> list[Draft]:
        return self.episode.end(self.state)

    def _measured(self, run: SweepRun) -> dict[str, float | None]:
        gain = self.values[GAIN, run.arm, run.seed]
        return {"base": 0.5, "mean": 0.5 + gain, "gain": gain, "elo": 400 * gain}

    def analysis(self) -> SweepAnalysis:
        """Return the results of the completed runs, by the rules of real experiments."""
        states = {name: record.state for name, record in self.records.items()}
        arms = {arm: {metric: self._arm(arm, metric) for metric in TRUTH} for arm in ARMS}
        decisions = [self._decide(item, arms) for item in self.sweep.file.analysis.success_criteria]
        return SweepAnalysis(states, arms, decisions)

    def _arm(self, arm: str, metric: str) -> ArmValues:
        done = [run.seed for run in self.sweep.of_arm(arm) if self.records[run.id].state == "completed"]
        values = {seed: self.values[metric, arm, seed] for seed in done}
        return ArmValues(values, student_interval(list(values.values())))

    def _decide(self, criterion: Criterion, arms: dict[str, dict[str, ArmValues]]) -> CriterionResult:
        assert isinstance(criterion.against, str)
        own, other = (arms[arm][criterion.metric].values for arm in (criterion.arm, criterion.against))
        values = {seed: own[seed] - other[seed] for seed in own if seed in other}
        look = len(self.sweep.file.seeds)
        alpha = criterion.alpha / len(self.sweep.file.all_looks)
        verdict = judge(list(values.values()), look, criterion.direction, criterion.least_effect, alpha)
        return CriterionResult(criterion, comparison(criterion), values, verdict, None, look)


def _curve(run: SweepRun, metric: str, steps: int) -> Iterator[tuple[int, float]]:
    luck = random.Random(f"{run.id} {metric}")
    truth = TRUTH[EARLY if metric == "benchmark/reward_mean" else KL][run.arm]
    for step in range(1, steps + 1):
        yield step, truth * step / (step + 4) + luck.gauss(0, 0.01)


def record(folder: Path, training: str = "") -> None:
    """Record an experiment that is over, one that runs, one with failures, and one whose first run has not begun.

    `training` is the episode of every training run.
    """
    recorder = Recorder(folder / "grandstand.db")
    bus = Bus(recorder)
    for name, drafts in episodes(training).items():
        bus.open(name, 1)
        bus.publish(name, drafts)
    recorder.close()


def episodes(training: str = "") -> dict[str, list[Draft]]:
    """Return the drafts of the four experiments by episode."""
    over, live, failed, new = (MadeUpExperiment(seeds=seeds) for seeds in (6, 6, 3, 3))
    broken = ("C-s1", "C-s3")
    return {
        "experiment-new": new.opening(),
        "experiment-failed": [*failed.opening(), *failed.runs(12, broken, training), *failed.ending()],
        "experiment-over": [*over.opening(), *over.runs(24, training=training), *over.ending()],
        "experiment-live": [
            *live.opening(),
            *live.runs(9, training=training),
            *live.change("B-s3", "running", 12, training),
            *live.change("C-s3", "running", 3, training),
        ],
    }
