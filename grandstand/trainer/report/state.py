"""The state of a training run after a step: its settings, the results of its steps, and its league."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Literal

from grandstand.campaign_events import LeagueRated
from grandstand.campaigns.numbers import written
from grandstand.campaigns.words import many
from grandstand.play.ratings.intervals import FEWEST
from grandstand.report import Behind, Point
from grandstand.trainer.health import Check, HealthSettings, RunHealth, checks
from grandstand.trainer.metrics import StepMetrics
from grandstand.trainer.report.curves import Curves, width
from grandstand.trainer.report.ratings import Ratings

EVALUATED = re.compile(r"eval/([^/]+)/mean")
MAIN = "vs_base"
"""The label of the evaluations that are shown first."""
EACH, EVERY = 5, 10
"""The long tables are renewed at each of the first steps, then at every tenth and, in a long run, more seldom."""
PACE = 9
"""Newest steps whose median duration is the run's pace."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The gain of a version over its base in the same matches."""

    label: str
    """The name of the opponents: `vs_base`."""
    step: int
    gain: float
    ci95: float | None
    """Half of the gain's 95 per cent interval; None if there are too few matches for one."""
    mean: float | None
    base: float | None
    games: int | None
    elo: tuple[float, float] | None
    """The gain in Elo points, and half of its interval."""

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """Return the interval of the gain, from None to None if there is none."""
        return (None, None) if self.ci95 is None else (self.gain - self.ci95, self.gain + self.ci95)

    @property
    def verdict(self) -> Literal["better", "worse", "open"]:
        """Return the conclusion; there is none without an interval."""
        if self.ci95 is None or abs(self.gain) <= self.ci95:
            return "open"
        return "better" if self.gain > 0 else "worse"

    @property
    def inconclusive(self) -> str:
        """Return why there is no interval; '' if there is one. Games that all differ by the same have no variance."""
        if self.ci95 is not None:
            return ""
        return "the same difference in every game" if (self.games or 0) >= FEWEST else "too few games to say"

    def __str__(self) -> str:
        """Return `+0.046 ± 0.021`, or why there is no interval instead of it."""
        return (
            f"{written(self.gain, 'signed')} {f'({self.inconclusive})' if self.ci95 is None else f'± {self.ci95:.3f}'}"
        )


def evaluations(step: int, metrics: Mapping[str, float]) -> list[Evaluation]:
    """Return the evaluations of a step, that among copies of the base first."""
    labels = [match[1] for name in metrics if (match := EVALUATED.fullmatch(name))]
    return [_evaluation(label, step, metrics) for label in sorted(labels, key=lambda label: (label != MAIN, label))]


def _evaluation(label: str, step: int, metrics: Mapping[str, float]) -> Evaluation:
    def of(name: str) -> float | None:
        return metrics.get(f"eval/{label}/{name}")

    gain, games, half = of("gain"), of("games"), of("ci95")
    ci95 = half if half and (games is None or games >= FEWEST) else None
    elo, about = of("elo"), of("elo_ci95")
    return Evaluation(
        label=label,
        step=step,
        gain=metrics[f"eval/{label}/mean"] if gain is None else gain,
        ci95=ci95,
        mean=None if gain is None else of("mean"),
        base=None if gain is None else of("base"),
        games=None if games is None else int(games),
        elo=(elo, about) if elo is not None and about and ci95 is not None else None,
    )


@dataclass(frozen=True, slots=True)
class ShownMetrics:
    """The metrics that the long tables show."""

    step: int = 0
    metrics: Mapping[str, float] = field(default_factory=dict)


class RunState:
    """A run after its last step. `step` takes the next one."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        """`config` has the run's settings by section, as its episode publishes them."""
        self.config = config
        self.step = 0
        self.count = 0
        """Steps of this episode: a run that was given more steps begins another one."""
        self.first: Mapping[str, float] = {}
        self.metrics: Mapping[str, float] = {}
        self.first_step = 1
        self.snapshot = ShownMetrics()
        self.renewed = 0
        """The last step at which the curves got new points."""
        self.took = 0.0
        """Seconds of all steps, without the time in which the run stood still."""
        self.status = ""
        """How the run ended; '' while it goes on."""
        self.evaluations: dict[str, Evaluation] = {}
        """Label -> the newest evaluation."""
        self.gains: dict[str, list[Point]] = {}
        """Label -> the gains at all evaluations."""
        self.curves = Curves(self.learned_from)
        self.health = RunHealth([self.gap, *checks(HealthSettings.model_validate(config.get("health", {})))])
        self.ratings = Ratings()
        self.beyond: frozenset[str] = frozenset()
        """Checks that the step before the last failed."""
        self._paces: deque[float] = deque(maxlen=PACE)

    # --- settings -----------------------------------------------------------------------------------------------------

    def number(self, section: str, name: str) -> float | None:
        value = self._setting(section, name)
        return value if isinstance(value, int | float) else None

    def word(self, section: str, name: str) -> str:
        value = self._setting(section, name)
        return value if isinstance(value, str) else ""

    def _setting(self, section: str, name: str) -> Any:
        values = self.config.get(section)
        return values.get(name) if isinstance(values, Mapping) else None

    @property
    def planned(self) -> int:
        """Return the planned number of steps, 0 if the settings do not have it."""
        return int(self.number("run", "steps") or 0)

    @property
    def matches(self) -> int:
        """Return the number of matches of a step, 0 if the settings do not have it."""
        return int((self.number("rollout", "groups") or 0) * (self.number("rollout", "samples") or 0))

    @property
    def gap(self) -> Check:
        """Return the difference of sampler and learner at which the run stops."""
        metric = "logprob/diff_mean" if self.word("policy", "dtype") == "bfloat16" else "logprob/diff_max"
        return Check("gap", metric, self.number("optimizer", "max_logprob_gap") or 1e-4)

    # --- steps --------------------------------------------------------------------------------------------------------

    def add(self, taken: StepMetrics, rated: LeagueRated | None = None) -> None:
        """Take the next step, and the ratings that were made at it."""
        step, metrics = taken
        self.count += 1
        if self.count == 1:
            self.first, self.first_step = metrics, step
        self.beyond = frozenset(check.check for check in self.failed())
        self.step, self.metrics = step, metrics
        seconds = metrics.get("benchmark/step_time_s")
        if seconds is not None:
            self._paces.append(seconds)
            self.took += seconds
        self.curves.add(self.count, step, metrics)
        self.health.add(step, metrics)
        for evaluation in evaluations(step, metrics):
            self.evaluations[evaluation.label] = evaluation
            self.gains.setdefault(evaluation.label, []).append(self._gain(evaluation))
        if rated is not None:
            self.ratings.add(rated, metrics)
        if self.count <= EACH or self.count % max(EVERY, 4 * width(self.count)) == 0:
            self.snapshot = ShownMetrics(step, metrics)
        if self.count % width(self.count) == 0:
            self.renewed = step

    def end(self, status: str) -> None:
        """Take the end of the run."""
        self.status, self.renewed = status, self.step
        self.curves.end()
        self.ratings.end()
        if self.snapshot.step < self.step:
            self.snapshot = ShownMetrics(self.step, self.metrics)

    @property
    def pace(self) -> float | None:
        """Return the median duration of the newest steps in seconds."""
        return median(self._paces) if self._paces else None

    @property
    def remaining(self) -> float | None:
        """Return the estimate of the seconds that the other steps take; None if nothing is left or known."""
        left = self.planned - self.step
        return None if self.pace is None or left <= 0 or self.status else self.pace * left

    def standing(self) -> list[Evaluation]:
        """Return the newest evaluation against each kind of opponents, copies of the base first."""
        labels = sorted(self.evaluations, key=lambda label: (label != MAIN, label))
        return [self.evaluations[label] for label in labels]

    def failed(self) -> list[Check]:
        """Return the checks that the last step failed."""
        return [
            check
            for check in self.health.checks
            if check.metric in self.metrics and not check.passes(self.metrics[check.metric])
        ]

    # --- matches ------------------------------------------------------------------------------------------------------

    def command(self, step: int) -> str:
        """Return the command that shows the first match of a step from the run's own record."""
        name = self.word("run", "name") or "NAME"
        return f"grandstand replay {name}-s{step:06d}-g000-f00 --data {self.word('run', 'folder') or 'runs'}/{name}"

    def recorded(self, step: int) -> str:
        """Return a sentence on the matches of a step in the run's own record, with the command that shows one."""
        kept = int(self.number("run", "keep_matches") or 0)
        limit = f", which keeps the last {many(kept, 'step')}" if kept else ""
        all_of = f"All {self.matches} of step {step}" if self.matches else f"Those of step {step}"
        return (
            f"Only a share of a run's matches is published. {all_of} are in the run's record"
            f"{limit}. Where the run is, this shows the first "
            f"of them; g is the group, f the fork: {self.command(step)}"
        )

    def learned_from(self, step: int) -> Behind:
        """Return the matches that a step learned from."""
        return Behind(title=f"Matches of step {step}", note=self.command(step), first=step, last=step, stage="training")

    def _gain(self, one: Evaluation) -> Point:
        low, high = one.bounds
        return Point(x=one.step, y=one.gain, low=low, high=high, behind=self.evaluated(one))

    def evaluated(self, evaluation: Evaluation) -> Behind:
        """Return the matches of an evaluation."""
        step = evaluation.step
        return Behind(
            title=f"Evaluation of step {step}", note=str(evaluation), first=step, last=step, stage="evaluation"
        )
