"""The report of a training run, which the run publishes with each of its steps.

settings, StepMetrics, LeagueRated -> RunState -> report -> ReportUpdated
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from grandstand.campaign_events import LeagueRated
from grandstand.campaigns.numbers import written
from grandstand.models import Draft, Event
from grandstand.report import Progress, Report, ReportLog, Section
from grandstand.trainer.metrics import StepMetrics
from grandstand.trainer.report.charts import span
from grandstand.trainer.report.details import (
    game,
    matches,
    numbers,
    opponent_curves,
    opponent_table,
    rewards,
    setup,
    shares,
    time,
)
from grandstand.trainer.report.figures import comparison, figures, headline, health, summary, wrong
from grandstand.trainer.report.league import (
    meetings,
    opponents,
    players_in_colour,
    rated_words,
    standings,
    unrated,
)
from grandstand.trainer.report.learning import curves, gain, kl, results, reward
from grandstand.trainer.report.state import RunState, evaluations
from grandstand.trainer.report.words import joined


class ReportPart(NamedTuple):
    """Some sections of the report, which are made again when their `key` changes."""

    make: Callable[[RunState], Iterable[Section]]
    key: Callable[[RunState], object]


def _results(state: RunState) -> object:
    return [(one.label, one.step) for one in state.standing()], span(state)


def _ratings(state: RunState) -> object:
    return state.ratings.shown and state.ratings.shown.step, span(state), state.status


def _curves(state: RunState) -> object:
    return state.renewed, state.status


def _tables(state: RunState) -> object:
    return state.snapshot.step


def _step(state: RunState) -> object:
    return state.step, state.status


PARTS = (
    ReportPart(figures, _step),
    ReportPart(reward, _curves),
    ReportPart(gain, _results),
    ReportPart(kl, _curves),
    ReportPart(results, _results),
    ReportPart(curves, _curves),
    ReportPart(unrated, _step),
    ReportPart(standings, _ratings),
    ReportPart(opponents, _curves),
    ReportPart(meetings, _tables),
    ReportPart(rewards, _curves),
    ReportPart(shares, _tables),
    ReportPart(matches, _curves),
    ReportPart(opponent_curves, _curves),
    ReportPart(opponent_table, _tables),
    ReportPart(game, _curves),
    ReportPart(time, _curves),
    ReportPart(health, _curves),
    ReportPart(numbers, _tables),
    ReportPart(setup, lambda state: None),
)
"""The parts in their order. In a long run, most are renewed where the curves have new points."""


class Made(NamedTuple):
    key: object
    sections: Sequence[Section]


def report(state: RunState, made: dict[ReportPart, Made] | None = None) -> Report:
    """Return the report of a run. Parts in `made` are reused, and new ones are added to it."""
    made = {} if made is None else made
    for part in PARTS:
        key = part.key(state)
        if part not in made or made[part].key != key:
            made[part] = Made(key, list(part.make(state)))
    planned = state.planned
    return Report(
        headline=headline(state),
        summary=summary(state),
        tone="warning" if state.failed() else "",
        progress=Progress(done=state.step, total=planned, unit="steps", seconds=state.remaining) if planned else None,
        owners=players_in_colour(state),
        sections=[section for part in PARTS for section in made[part].sections],
    )


def sentence(state: RunState, rated: LeagueRated | None) -> str:
    """Return the sentence on the newest step for the log: its results, new problems, and the ratings made at it."""
    metrics = state.metrics
    reward, kl = metrics.get("benchmark/reward_mean"), metrics.get("kl/max")
    figures = joined([
        "" if reward is None else f"reward {written(reward)}",
        "" if kl is None else f"KL at most {written(kl)}",
        *map(comparison, evaluations(state.step, metrics)),
    ])  # fmt: skip
    ratings = f"Ratings: {rated_words(rated)}" if rated else ""
    problems = [wrong(check, metrics).removesuffix(".") for check in state.failed() if check.check not in state.beyond]
    return joined([f"Step {state.step}{f': {figures}' if figures else ''}", *problems, ratings], ". ")


class RunReport:
    """The report of a run, as it is published."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        """`config` has the run's settings by section."""
        self._state = RunState(config)
        self._log = ReportLog()
        self._made: dict[ReportPart, Made] = {}
        self._rated: dict[int, LeagueRated] = {}
        """Ratings by the steps that are still to be taken."""

    def begin(self) -> list[Draft]:
        """Return the event of the report before the first step."""
        return self._changed("")

    def resume(self, events: Iterable[Event], taken: Iterable[StepMetrics]) -> None:
        """Restore the report from the events that were published before, and the steps that were taken."""
        for event in events:
            match event.type:
                case LeagueRated.__name__:
                    rated = LeagueRated.model_validate(event.data)
                    self._rated[rated.step] = rated
                case "ReportUpdated":
                    self._log.follow(event.data)
        for step in taken:
            self._state.add(step, self._rated.pop(step.step, None))

    def step(self, taken: StepMetrics, rated: LeagueRated | None = None) -> list[Draft]:
        """Take a step with the ratings that were made at it, and return the event of the report."""
        rated = rated or self._rated.pop(taken.step, None)
        self._state.add(taken, rated)
        problems = {check.check for check in self._state.failed()} - self._state.beyond
        mark = bool(problems or evaluations(taken.step, taken.metrics))
        return self._changed(sentence(self._state, rated), mark)

    def end(self, status: str) -> list[Draft]:
        """End the run, and return the event of its last report."""
        self._state.end(status)
        return self._changed("")

    def _changed(self, text: str, mark: bool = False) -> list[Draft]:
        return self._log.drafts(report(self._state, self._made), text, mark=mark)
