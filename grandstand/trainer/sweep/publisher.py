"""The episode of a sweep: its report after each change, on the server that shows the sweep, if one does.

The events are recorded in the sweep's folder, whether a server shows them or not. A sweep that is run again continues
its episode, unless that has ended; it begins another one if something has changed since.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from typing import cast, get_args

from grandstand.campaign_events import EXPERIMENT
from grandstand.campaigns.campaign import CampaignObserver
from grandstand.campaigns.numbers import written
from grandstand.campaigns.run_publisher import Watch
from grandstand.campaigns.words import many
from grandstand.events import EpisodeCreated, EpisodeEnded, EpisodeStarted, SeatInfo, TurnStarted
from grandstand.models import Draft, Event
from grandstand.report import Report, ReportLog, ReportUpdated
from grandstand.spectator.bus import Bus, Observer, new_epoch
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.recorder import Recorder
from grandstand.trainer.sweep.analysis import SweepAnalysis, analyse
from grandstand.trainer.sweep.estimate import SweepEstimate
from grandstand.trainer.sweep.expansion import Sweep, SweepRun
from grandstand.trainer.sweep.layout import BUFFER, State, published_training
from grandstand.trainer.sweep.report import report
from grandstand.trainer.sweep.sections import method
from grandstand.trainer.sweep.sections.state import (
    RunRecord,
    Stage,
    SweepState,
    cloning_of,
    read_record,
    run_words,
    verdict_changes,
)

RECORD = "experiment.db"
"""The file of the episode in the sweep's folder."""
PARTS = 20
"""The most events for the steps of one run."""
STEP_EVENTS = 400
"""The most events for the steps of all runs, about; each run may have FEWEST."""
FEWEST = 4


class SweepEpisode:
    """The events of one episode of a sweep. Every method returns the events up to the state that it is given."""

    def __init__(self, state: SweepState) -> None:
        self.state = state
        """The last published state, or the one to publish first."""
        self._log = ReportLog()
        self._turns = 0
        self._parts = min(PARTS, max(FEWEST, STEP_EVENTS // len(state.sweep.runs)))

    def follow(self, events: Iterable[Event]) -> None:
        """Take the events that an earlier process published."""
        for event in events:
            if event.type == ReportUpdated.__name__:
                self._log.follow(event.data)
            self._turns += event.type == TurnStarted.__name__

    def opening(self) -> list[Draft]:
        """Return the beginning of the episode."""
        sweep, data = self.state.sweep, self.state.sweep.file.metadata
        created = EpisodeCreated(
            game=EXPERIMENT,
            title=sweep.title,
            options={"name": data.name, "hypothesis": data.hypothesis, "scale": sweep.file.scale},
            seats=[SeatInfo(seat=arm, player=item.name, kind="trained") for arm, item in sweep.file.arms.items()],
            origin="trainer",
        )
        return [Draft.of(created), Draft.of(EpisodeStarted())]

    def begin(self) -> list[Draft]:
        """Return the first report, or what has changed since the last one."""
        file, estimated = self.state.sweep.file, self.state.estimated
        if self._log.last is not None:
            return self._update("")
        time = "" if estimated is None or self.state.over else f", about {written(estimated.seconds, 'seconds')}"
        plan = f"The plan: {many(len(file.arms), 'arm')} with {many(len(file.seeds), 'seed')} each{time}"
        return self._update(plan)

    def change(self, run: SweepRun, record: RunRecord, analysis: SweepAnalysis | None = None) -> list[Draft]:
        """Return the event of the new report, or none if the run has hardly changed since the last report.

        It is published if the state of the run has changed, or if the run has taken enough steps. `analysis` is the new
        analysis, if the run has ended.
        """
        before = self.state.records[run.id]
        same = (before.state, before.stage) == (record.state, record.stage)
        if same and before.episode_id == record.episode_id and not self._far(before, record, run.config.run.steps):
            return []
        records = {**self.state.records, run.id: record}
        if analysis is not None:
            records |= {
                other: replace(known, state="blocked")
                for other, known in records.items()
                if analysis.states[other] == "blocked"
            }
        self.state = replace(self.state, records=records, analysis=analysis or self.state.analysis)
        return self._update("" if same else run_words(self.state, run.id), mark=record.state == "failed")

    def _far(self, before: RunRecord, record: RunRecord, steps: int) -> bool:
        at_end = record.step == steps and before.step < steps
        return at_end or record.step >= before.step + max(1, steps // self._parts)

    def end(self, state: SweepState) -> list[Draft]:
        """Return the last changes, and the end if no run is left to do, or if some failed."""
        self.state = state
        drafts = self._update("")
        failed = state.count("failed", "blocked")
        if failed:
            message = f"{many(failed, 'run')} failed; the same command tries again"
            return [*drafts, Draft.of(EpisodeEnded(status="stopped", message=message))]
        if state.over:
            return [*drafts, Draft.of(EpisodeEnded(status="finished", message=report(state).headline.lower()))]
        return drafts

    def is_last_word(self) -> bool:
        """Return whether the published reports have all results, whatever their section on the method says."""
        return self._log.last is not None and _results(self._log.last) == _results(report(self.state))

    def _update(self, text: str, mark: bool = False) -> list[Draft]:
        """Return the report of the state if it has changed, and a turn if more runs are completed."""
        before, now = self._log.last, report(self.state)
        verdicts = verdict_changes(before, now)
        drafts = self._log.drafts(now, ". ".join(filter(None, (text, verdicts))), mark=mark or bool(verdicts))
        done, known = _completed(now), _completed(before) if before else 0
        if done > known:
            turn = TurnStarted(index=self._turns, turn=f"{done} of {len(self.state.records)}", to_act=[], scores={})
            self._turns += 1
            drafts.append(Draft.of(turn))
        return drafts


class SweepPublisher(CampaignObserver[SweepRun, State]):
    """The episode of one sweep.

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
        self._episode: SweepEpisode | None = None
        """None if the last episode has everything already."""
        self._episode_id = ""
        self._estimated: SweepEstimate | None = None

    def begin(self, estimated: SweepEstimate | None = None) -> None:
        """Start the episode, or continue it after an interruption, and publish what has changed since."""
        self._thread.submit(self._begin, estimated).result()

    def changed(self, unit: SweepRun, stage: str) -> None:
        """Publish the stage of a run."""
        self._thread.submit(self._change, unit, stage).result()

    def ended(self, unit: SweepRun, outcome: State) -> None:
        """Publish the outcome of a run, and the analysis."""
        self._thread.submit(self._change, unit, outcome).result()

    def finish(self, analysis: SweepAnalysis) -> None:
        """End the episode if no run is left to do, or if some failed; otherwise it continues with the next process."""
        self._thread.submit(self._finish, analysis).result()

    def close(self) -> None:
        self._thread.submit(self._recorder.close).result()
        self._thread.shutdown()

    # What follows runs on the thread of its own.

    def _begin(self, estimated: SweepEstimate | None) -> None:
        self._estimated = estimated
        state = self._read(analyse(self._sweep))
        summary = next(iter(self._recorder.summaries(limit=1)[0]), None)
        if summary is not None:
            events, last = list(self._recorder.events(summary.episode_id)), SweepEpisode(state)
            last.follow(events)
            if summary.ended_at is None:
                self._continue(last, summary, events)
                return
            if summary.status == "finished" and last.is_last_word():
                self._hand_over(events)
                return
        self._create(SweepEpisode(state))

    def _change(self, run: SweepRun, stage: str) -> None:
        if self._episode is None:
            return
        known = self._episode.state.records[run.id]
        if stage in get_args(Stage):
            record, ended = self._record(run, "running", cast(Stage, stage), known), None
        else:
            record = self._record(run, cast(State, stage), "", known)
            ended = analyse(self._sweep) if stage in ("completed", "failed") else None
        self._publish(self._episode.change(run, record, ended))

    def _finish(self, analysis: SweepAnalysis) -> None:
        if self._episode is not None:
            self._publish(self._episode.end(self._read(analysis)))

    def _publish(self, drafts: Sequence[Draft]) -> None:
        if drafts:
            self._bus.publish(self._episode_id, drafts)

    def _create(self, episode: SweepEpisode) -> None:
        """Begin a new episode."""
        _, count = self._recorder.summaries(limit=1)
        self._episode, self._episode_id = episode, f"{EXPERIMENT}-{self._sweep.file.metadata.name}-{count + 1}"
        self._bus.open(self._episode_id, new_epoch())
        self._publish([*episode.opening(), *episode.begin()])

    def _continue(self, episode: SweepEpisode, summary: EpisodeSummary, events: Sequence[Event]) -> None:
        """Continue the last episode, whose events `episode` has followed."""
        self._episode, self._episode_id = episode, summary.episode_id
        self._hand_over(events)
        self._bus.open(self._episode_id, new_epoch(), summary.last_seq + 1)
        resumed = Draft.of(EpisodeStarted(resumed=summary.turn or "its plan"))
        self._publish([resumed, *episode.begin()])

    def _hand_over(self, events: Sequence[Event]) -> None:
        """Send an earlier episode to the server, which may have received only a part of it."""
        if self._viewer is not None:
            self._viewer.on_events(events)

    def _read(self, analysis: SweepAnalysis) -> SweepState:
        """Return the state of the sweep as its files have it."""
        records = {run.id: self._record(run, analysis.states[run.id], "") for run in self._sweep.runs}
        return SweepState(self._sweep, analysis, records, self._estimated, cloning_of(self._sweep))

    def _record(self, run: SweepRun, state: State, stage: Stage, known: RunRecord | None = None) -> RunRecord:
        """Return the record of a run; `known` is the last one, whose episode is still that of the same stage."""
        same = known is not None and (known.state, known.stage) == (state, stage)
        episode = known.episode_id if known is not None and same else ""
        return read_record(self._sweep, run, state, stage, episode or self._training_of(run))

    def _training_of(self, run: SweepRun) -> str:
        """Return the id of the run's own episode on the server that shows this one too; '' if it is not there."""
        if not self._url or run.config.watch.url != self._url:
            return ""
        return published_training(run.train_folder)


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


def _completed(report: Report) -> int:
    return report.progress.done - report.progress.failed if report.progress else 0


def _results(report: Report) -> Mapping[str, object]:
    return {section.id: section for section in report.sections if section.tab != method.TAB}
