"""The episode of a sweep: its plan, the state of every run, and the analysis after each run that ends.

The events are recorded in the sweep's folder, whether a server shows them or not. A sweep that is run again continues
its episode, unless that has ended; it begins another one if something has changed since.
"""

from __future__ import annotations

import json
import math
import shlex
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Literal, cast, get_args

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
from grandstand.models import (
    Draft,
    EpisodeCreated,
    EpisodeEnded,
    EpisodeResumed,
    EpisodeStarted,
    EpisodeSummary,
    Event,
    SeatInfo,
    TurnStarted,
    Wire,
)
from grandstand.play.ratings.statistics import Interval
from grandstand.spectator.bus import Bus, Observer, new_epoch
from grandstand.spectator.errors import RecordError
from grandstand.spectator.recorder import Recorder
from grandstand.trainer.metrics import read_lines
from grandstand.trainer.run_publisher import EXPERIMENT, TRAINING, Watch
from grandstand.trainer.sweep.analysis import CriterionResult, SweepAnalysis, analyse, comparison
from grandstand.trainer.sweep.estimate import SweepEstimate
from grandstand.trainer.sweep.expansion import Sweep, SweepRun, compared_arms, differences
from grandstand.trainer.sweep.layout import State, failure_of, trained_steps

RECORD, BUFFER = "experiment.db", "watch.db"
"""Files in the sweep's folder: its episode, and what a server is still to receive. Runs have the latter too."""
PARTS = 20
"""The most events for the steps of one run."""

Stage = Literal["", "waiting", "preparing", "training", "measuring"]


class SweepPublisher:
    """The episode of one sweep. `change` is called as the `on_change` of its execution, from any thread.

    A record belongs to one thread, so a thread of its own publishes everything, in order.
    """

    def __init__(self, sweep: Sweep, viewer: Observer | None = None) -> None:
        """Open the record in the sweep's folder. Raises RecordError."""
        self._sweep, self._viewer = sweep, viewer
        self._url = address(sweep)
        self._thread = ThreadPoolExecutor(1, "experiment")
        self._recorder = self._thread.submit(Recorder, sweep.folder / RECORD).result()
        self._bus = Bus(self._recorder)
        if viewer is not None:
            self._bus.add(viewer)
        self._episode = ""
        """Empty if the last episode has everything already."""
        self._runs: dict[str, ExperimentRunChanged] = {}
        """The last state of each run that was published."""
        self._last: dict[str, Wire] = {}
        """The last plan and the last analysis, by type."""
        self._turns = 0

    def begin(self, estimated: SweepEstimate | None = None) -> None:
        """Start the episode, or continue it after an interruption, and publish what has changed since."""
        self._thread.submit(self._begin, estimated).result()

    def change(self, run: SweepRun, stage: str) -> None:
        """Publish the stage of a run, and the analysis if the run has ended."""
        self._thread.submit(self._change, run, stage).result()

    def finish(self, analysis: SweepAnalysis) -> None:
        """End the episode if no run is left to do, or if some failed; otherwise it continues with the next process."""
        self._thread.submit(self._finish, analysis).result()

    def close(self) -> None:
        self._thread.submit(self._recorder.close).result()
        self._thread.shutdown()

    # What follows runs on the thread of its own.

    def _begin(self, estimated: SweepEstimate | None) -> None:
        summary, analysis = next(iter(self._recorder.summaries(limit=1)[0]), None), analyse(self._sweep)
        if summary is None:
            self._create()
        elif summary.ended_at is None:
            self._continue(summary)
        elif summary.status == "finished" and self._is_the_last_word(summary.episode_id, analysis):
            self._hand_over(summary.episode_id)
            return
        else:
            self._create()
        self._publish_if_new(planned(self._sweep, estimated))
        for run in self._sweep.runs:
            self._publish_run(run, analysis.states[run.id], "")
        self._analyse(analysis)

    def _change(self, run: SweepRun, stage: str) -> None:
        if stage in get_args(Stage):
            self._publish_run(run, "running", cast(Stage, stage))
            return
        self._publish_run(run, cast(State, stage), "")
        if stage in ("completed", "failed"):
            self._analyse(analyse(self._sweep))

    def _finish(self, analysis: SweepAnalysis) -> None:
        if not self._episode:
            return
        self._analyse(analysis)
        failed = sum(state in ("failed", "blocked") for state in analysis.states.values())
        if failed:
            some = "1 run" if failed == 1 else f"{failed} runs"
            ended = EpisodeEnded(status="stopped", message=f"{some} failed; the same command tries again")
        elif analysis.complete or analysis.decided:
            ended = EpisodeEnded(status="finished", message=_verdict_words(analysis))
        else:
            return
        self._bus.publish(self._episode, [Draft.of(ended)])

    def _create(self) -> None:
        data, (_, count) = self._sweep.file.metadata, self._recorder.summaries(limit=1)
        self._episode = f"{EXPERIMENT}-{data.name}-{count + 1}"
        created = EpisodeCreated(
            game=EXPERIMENT,
            title=self._sweep.title,
            options={"name": data.name, "hypothesis": data.hypothesis, "scale": self._sweep.file.scale},
            seats=[SeatInfo(seat=arm, player=item.name, kind="trained") for arm, item in self._sweep.file.arms.items()],
            origin="trainer",
        )
        self._bus.open(self._episode, new_epoch())
        self._bus.publish(self._episode, [Draft.of(created), Draft.of(EpisodeStarted())])

    def _is_the_last_word(self, episode_id: str, analysis: SweepAnalysis) -> bool:
        """Return whether the episode ended with this analysis, so that nothing is left to publish."""
        last = self._recorder.of_type(episode_id, ExperimentAnalysed.__name__)[-1:]
        data = analysed(self._sweep, analysis)
        return [ExperimentAnalysed.model_validate(event.data) for event in last] == [data]

    def _hand_over(self, episode_id: str) -> Sequence[Event]:
        """Return the events of the episode, of which the server may have received only a part."""
        events = list(self._recorder.events(episode_id))
        if self._viewer is not None:
            self._viewer.on_events(events)
        return events

    def _continue(self, summary: EpisodeSummary) -> None:
        """Take up the last episode."""
        self._episode = summary.episode_id
        events = self._hand_over(self._episode)
        for event in events:
            match event.type:
                case "ExperimentPlanned":
                    self._last[event.type] = ExperimentPlanned.model_validate(event.data)
                case "ExperimentAnalysed":
                    self._last[event.type] = ExperimentAnalysed.model_validate(event.data)
                case "ExperimentRunChanged":
                    changed = ExperimentRunChanged.model_validate(event.data)
                    self._runs[f"{changed.arm}-s{changed.seed}"] = changed
                case "TurnStarted":
                    self._turns += 1
        self._bus.open(self._episode, new_epoch(), summary.last_seq + 1)
        self._bus.publish(self._episode, [Draft.of(EpisodeResumed(turn=summary.turn or "its plan"))])

    def _publish_if_new(self, data: Wire) -> bool:
        kind = type(data).__name__
        if self._last.get(kind) == data:
            return False
        self._last[kind] = data
        self._bus.publish(self._episode, [Draft.of(data)])
        return True

    def _publish_run(self, run: SweepRun, state: State, stage: Stage) -> None:
        """Publish the state of a run if it has changed, or if it has taken enough steps since."""
        before = self._runs.get(run.id)
        same = before is not None and (before.status, before.stage) == (state, stage)
        rows = read_lines(run.train_folder)
        step = int(rows[-1]["step"]) if rows else trained_steps(run)
        steps = run.config.run.steps
        episode = before.episode_id if before is not None and same and before.episode_id else self._training_of(run)
        if before is None and state == "planned" and not step:
            return
        if before is not None and same and before.episode_id == episode:
            reached = step >= before.step + max(1, steps // PARTS) or (step == steps and before.step < steps)
            if not reached:
                return
        failure = failure_of(run.folder) if state == "failed" else None
        self._runs[run.id] = ExperimentRunChanged(
            arm=run.arm,
            seed=run.seed,
            status=state,
            stage=stage,
            step=step,
            steps=steps,
            cause=failure.cause if failure else "",
            message=failure.message if failure else "",
            episode_id=episode,
        )
        self._bus.publish(self._episode, [Draft.of(self._runs[run.id])])

    def _training_of(self, run: SweepRun) -> str:
        """Return the id of the run's own episode on the server that shows this one too; '' if it is not there."""
        if not self._url or run.config.watch.url != self._url:
            return ""
        return published_training(run.train_folder)

    def _analyse(self, analysis: SweepAnalysis) -> None:
        """Publish the analysis if it has changed, and a turn of the episode if a run more is completed."""
        data = analysed(self._sweep, analysis)
        before = self._last.get(ExperimentAnalysed.__name__)
        more = data.completed and (not isinstance(before, ExperimentAnalysed) or before.completed < data.completed)
        if self._publish_if_new(data) and more:
            turn = f"{data.completed} of {data.planned}"
            self._bus.publish(
                self._episode, [Draft.of(TurnStarted(index=self._turns, turn=turn, to_act=[], scores={}))]
            )
            self._turns += 1


def address(sweep: Sweep) -> str:
    """Return the server that shows the sweep: the one that shows its runs; '' for none."""
    return next((run.config.watch.url for run in sweep.runs if run.config.watch.url), "")


@contextmanager
def published(sweep: Sweep, token: str) -> Iterator[tuple[SweepPublisher, Watch | None]]:
    """Yield the publisher of a sweep, and the connection to the server that shows it. Raises RecordError."""
    url = address(sweep)
    viewer = (
        Watch(url, token, 0.0, 1.0, 0.0, sweep.folder / BUFFER, sweep.file.seeds[0], run=EXPERIMENT) if url else None
    )
    with viewer or nullcontext(), closing(SweepPublisher(sweep, viewer)) as publisher:
        yield publisher, viewer


def published_training(folder: Path) -> str:
    """Return the id that the newest episode of a training run has on its server; '' if it has none there yet."""
    buffer = folder / BUFFER
    if not buffer.is_file():
        return ""
    try:
        with closing(Recorder.reading(buffer)) as recorder:
            summaries, _ = recorder.summaries(game=TRAINING, limit=1)
    except (RecordError, sqlite3.Error):  # the run is about to create it
        return ""
    return summaries[0].episode_id if summaries else ""


def planned(sweep: Sweep, estimated: SweepEstimate | None) -> ExperimentPlanned:
    """Return the plan of a sweep."""
    file = sweep.file
    scale = f" --scale {file.scale}" if file.scale else ""
    return ExperimentPlanned(
        name=file.metadata.name,
        hypothesis=file.metadata.hypothesis,
        description=file.metadata.description,
        notes=list(file.metadata.notes),
        baseline=file.first_arm,
        arms=_arms(sweep),
        seeds=list(file.seeds),
        looks=list(file.all_looks),
        metrics=file.analysis.metrics,
        criteria=[
            ExperimentCriterion(
                name=criterion.name,
                metric=criterion.metric,
                comparison=comparison(criterion),
                arms=compared_arms(file, criterion),
                direction=criterion.direction,
                least_effect=criterion.least_effect,
                alpha=criterion.alpha,
            )
            for criterion in file.analysis.success_criteria
        ],
        command=f"grandstand sweep {shlex.quote(_shown(sweep.path))}{scale} --run",
        seconds=None if estimated is None else estimated.seconds,
        estimated_from="" if estimated is None else estimated.source,
    )


def _shown(path: Path) -> str:
    """Return a path as it can be repeated: relative to this folder if it lies in it, or its name alone."""
    path = path.resolve()
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else path.name


def _arms(sweep: Sweep) -> list[ExperimentArm]:
    base = sweep.of_arm(sweep.file.first_arm)[0].config
    arms = []
    for name, definition in sweep.file.arms.items():
        config = sweep.of_arm(name)[0].config
        arms.append(
            ExperimentArm(
                arm=name,
                name=definition.name,
                description=definition.description,
                steps=config.run.steps,
                changes=[
                    SettingChange(key=key, was=json.dumps(was), now=json.dumps(now))
                    for key, (was, now) in differences(base, config).items()
                ],
                starts_from=definition.starts_from,
            )
        )
    return arms


def analysed(sweep: Sweep, analysis: SweepAnalysis) -> ExperimentAnalysed:
    """Return the results of a sweep so far."""
    return ExperimentAnalysed(
        completed=sum(state == "completed" for state in analysis.states.values()),
        planned=len(analysis.states),
        arms=[
            ArmResult(arm=arm, metric=metric, mean=_estimate(result.mean), values=_values(result.values))
            for arm, metrics in analysis.arms.items()
            for metric, result in metrics.items()
        ],
        criteria=[_verdict(sweep, analysis, number, item) for number, item in enumerate(analysis.decisions)],
    )


def _verdict(sweep: Sweep, analysis: SweepAnalysis, number: int, result: CriterionResult) -> CriterionVerdict:
    verdict = result.verdict
    arms = compared_arms(sweep.file, result.criterion)
    return CriterionVerdict(
        criterion=number,
        verdict=verdict.word,
        reason=verdict.reason,
        difference=_estimate(verdict.difference),
        level=verdict.level,
        values=_values(result.values),
        missing=[
            run.id
            for run in sweep.until_look(result.look)
            if run.arm in arms and analysis.states[run.id] != "completed"
        ],
        p=_finite(verdict.p),
        effect_size=_finite(verdict.effect_size),
        power=_finite(verdict.power),
        seeds_needed=verdict.needed,
        together=result.holm,
    )


def _estimate(interval: Interval) -> Estimate:
    low, high = interval.ci95 or (None, None)
    return Estimate(mean=_finite(interval.mean), low=_finite(low), high=_finite(high), n=interval.n)


def _values(values: Mapping[int, float]) -> list[SeedValue]:
    return [SeedValue(seed=seed, value=value) for seed, value in values.items() if math.isfinite(value)]


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _verdict_words(analysis: SweepAnalysis) -> str:
    """Return the number of criteria with each verdict: `2 supported, 1 undecided`."""
    words: Sequence[str] = [decision.verdict.word for decision in analysis.decisions]
    return ", ".join(f"{words.count(word)} {word}" for word in ("supported", "refuted", "undecided") if word in words)
