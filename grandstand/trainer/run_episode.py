"""The episode of a training run: its settings, each of its steps with the ratings made at it, and its report."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grandstand.campaign_events import TRAINING, LeagueRated
from grandstand.campaigns.run_publisher import Watch
from grandstand.events import EpisodeCreated, EpisodeEnded, EpisodeStarted, SeatInfo, TurnStarted
from grandstand.models import Draft
from grandstand.spectator.bus import Bus, new_epoch
from grandstand.spectator.recorder import Recorder
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.metrics import StepMetrics
from grandstand.trainer.run_report import RunReport


class RunEpisode:
    """The episode of a run, which a process that resumes the run continues. Call `begin` first."""

    def __init__(self, config: TrainConfig, recorder: Recorder, bus: Bus, watch: Watch | None) -> None:
        self._config, self._recorder, self._bus, self._watch = config, recorder, bus, watch
        self._report = RunReport(config.values())
        self._id = ""
        self._rated_until = 0
        """Last step whose ratings the episode has."""

    def begin(self, taken: Sequence[StepMetrics]) -> None:
        """Start the episode, or resume one that has not ended, after the steps that were `taken`."""
        ours, count = self._recorder.summaries(game=TRAINING, limit=-1)
        unfinished = next((summary for summary in ours if summary.ended_at is None), None)
        if unfinished is None:
            self._id = f"run-{self._config.run.name}-{count + 1}"
            self._bus.open(self._id, new_epoch())
            created = EpisodeCreated(
                game=TRAINING,
                title=f"Training {self._config.run.shown_as}",
                options=self._config.values(),
                seats=[SeatInfo(seat="policy", player=self._config.run.name, kind="trained")],
                origin="trainer",
            )
            self._bus.publish(self._id, [Draft.of(created), Draft.of(EpisodeStarted()), *self._report.begin()])
        else:
            self._id = unfinished.episode_id
            events = list(self._recorder.events(self._id))
            rated = (event.data["step"] for event in events if event.type == LeagueRated.__name__)
            self._rated_until = max(rated, default=0)
            self._report.resume(events, taken)
            if self._watch is not None:  # it may have received only a part
                self._watch.on_events(events)
            self._bus.open(self._id, new_epoch(), unfinished.last_seq + 1)
            self._bus.publish(self._id, [Draft.of(EpisodeStarted(resumed=f"step {len(taken)}"))])

    def step(self, taken: StepMetrics, ratings: Callable[[int], LeagueRated | None] | None) -> None:
        """Publish a step, which is a turn, after its report and the `ratings` made at it if the episode does not have
        them yet.

        Whoever looks at the step sees its report.
        """
        rated = ratings(taken.step) if ratings is not None and taken.step > self._rated_until else None
        ratings_first = [] if rated is None else [Draft.of(rated)]
        turn = TurnStarted(index=taken.step, turn=str(taken.step), to_act=[], scores={})
        self._bus.publish(self._id, [*ratings_first, *self._report.step(taken, rated), Draft.of(turn)])

    def end(self, steps: int) -> None:
        """Publish the end of the run after `steps` steps."""
        ended = EpisodeEnded(status="finished", message=f"{steps} step" if steps == 1 else f"{steps} steps")
        self._bus.publish(self._id, [*self._report.end(ended.status), Draft.of(ended)])
