"""The events of a sweep's episode: its report after each change, and a turn for each run that is completed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from grandstand.campaign_events import EXPERIMENT
from grandstand.campaigns.numbers import written
from grandstand.campaigns.words import many
from grandstand.models import Draft, EpisodeCreated, EpisodeEnded, EpisodeStarted, Event, SeatInfo, TurnStarted
from grandstand.report import Report, ReportLog, ReportUpdated
from grandstand.trainer.sweep.analysis import SweepAnalysis
from grandstand.trainer.sweep.expansion import SweepRun
from grandstand.trainer.sweep.report import report
from grandstand.trainer.sweep.sections import method
from grandstand.trainer.sweep.sections.state import RunRecord, SweepState
from grandstand.trainer.sweep.sections.words import run_words, verdict_changes

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


def _completed(report: Report) -> int:
    return report.progress.done - report.progress.failed if report.progress else 0


def _results(report: Report) -> Mapping[str, object]:
    return {section.id: section for section in report.sections if section.tab != method.TAB}
