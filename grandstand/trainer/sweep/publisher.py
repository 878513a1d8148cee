"""The episode of a sweep: its report after each change, on the server that shows the sweep, if one does.

The events are recorded in the sweep's folder, whether a server shows them or not. A sweep that is run again continues
its episode, unless that has ended; it begins another one if something has changed since.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from typing import cast, get_args

from grandstand.campaign_events import EXPERIMENT
from grandstand.campaigns.campaign import CampaignObserver
from grandstand.campaigns.run_publisher import Watch
from grandstand.models import Draft, EpisodeResumed, EpisodeSummary, Event
from grandstand.spectator.bus import Bus, Observer, new_epoch
from grandstand.spectator.recorder import Recorder
from grandstand.trainer.sweep.analysis import SweepAnalysis, analyse
from grandstand.trainer.sweep.episode import SweepEpisode
from grandstand.trainer.sweep.estimate import SweepEstimate
from grandstand.trainer.sweep.expansion import Sweep, SweepRun
from grandstand.trainer.sweep.layout import BUFFER, State, published_training
from grandstand.trainer.sweep.sections.state import RunRecord, Stage, SweepState, cloning_of, read_record

RECORD = "experiment.db"
"""The file of the episode in the sweep's folder."""


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
        resumed = Draft.of(EpisodeResumed(turn=summary.turn or "its plan"))
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
