"""Check the metrics of a run's steps against bounds. No tensors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field


class HealthSettings(BaseModel):
    """The bound that depends on the reference policy. A failed check is reported and stops nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    kl_mean: float = Field(
        default=0.1,
        ge=0,
        description="Greatest `kl/mean`, the drift from the reference per token; 0 for no check.",
        json_schema_extra={"may_change": True},
    )


METRICS: Mapping[str, str] = {
    "kl_mean": "kl/mean",
    "kl_max": "kl/max",
    "grad_norm": "benchmark/grad_norm",
    "clip_fraction": "ppo/clip_fraction",
    "skip_rate": "processing/skip_rate",
    "valid_share": "rollout/valid_share",
    "failed_share": "rollout/failed_share",
}
"""Check -> the metric that it reads."""
BOUNDS: Mapping[str, float] = {
    "kl_max": 10.0,
    "grad_norm": 50.0,
    "clip_fraction": 0.6,
    "skip_rate": 0.8,
    "valid_share": 0.95,
    "failed_share": 0.01,
}
"""Check -> its bound. They are meant for every game and model."""
LEAST = frozenset({"valid_share"})
"""Checks whose bound is the smallest healthy value, not the greatest."""


@dataclass(frozen=True, slots=True)
class Check:
    """A bound of a metric."""

    check: str
    metric: str
    bound: float
    least: bool = False
    """True if values below the bound fail, false if those above do."""

    def passes(self, value: float) -> bool:
        return value >= self.bound if self.least else value <= self.bound


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check over all steps that measured its metric."""

    check: str
    metric: str
    bound: float
    least: bool
    """True if values below the bound fail, false if those above do."""
    worst: float
    worst_step: int
    steps: int
    """Number of steps that measured the metric."""
    failed_steps: int

    @property
    def passed(self) -> bool:
        return not self.failed_steps

    def __str__(self) -> str:
        """Return one line: `FAIL  kl_max: kl/max at most 10; worst 12.3 in step 41, beyond it in 3 of 60`."""
        verdict, side = ("pass" if self.passed else "FAIL", "least" if self.least else "most")
        beyond = "" if self.passed else f", beyond it in {self.failed_steps} of {self.steps}"
        return (
            f"{verdict}  {self.check}: {self.metric} at {side} {self.bound:g}; "
            f"worst {self.worst:.4g} in step {self.worst_step}{beyond}"
        )


def checks(settings: HealthSettings) -> list[Check]:
    """Return the checks that are on."""
    bounds = {"kl_mean": settings.kl_mean, **BOUNDS}
    return [Check(check, METRICS[check], bound, check in LEAST) for check, bound in bounds.items() if bound]


def health_metrics(metrics: Mapping[str, float], settings: HealthSettings) -> dict[str, float]:
    """Return `health/CHECK`, 1 if a step passes and 0 if not, of each check that it measures, and `health/failed`."""
    passed = {
        f"health/{check.check}": float(check.passes(metrics[check.metric]))
        for check in checks(settings)
        if check.metric in metrics
    }
    return {**passed, "health/failed": float(sum(not value for value in passed.values()))}


def health_report(rows: Iterable[Mapping[str, float]], settings: HealthSettings) -> list[CheckResult]:
    """Return the result of every check that any step measured; `rows` are the metrics of the steps, with `step`."""
    health = RunHealth(checks(settings))
    for row in rows:
        health.add(int(row["step"]), row)
    return health.results()


class RunHealth:
    """The checks over the steps of a run."""

    def __init__(self, checks: Sequence[Check]) -> None:
        self.checks = checks
        self._results: dict[str, CheckResult] = {}

    def add(self, step: int, metrics: Mapping[str, float]) -> None:
        """Add the metrics of the next step."""
        for check in self.checks:
            value = metrics.get(check.metric)
            if value is not None:
                self._results[check.check] = _next(check, self._results.get(check.check), step, value)

    def results(self) -> list[CheckResult]:
        """Return the result of every check that any step measured."""
        return [self._results[check.check] for check in self.checks if check.check in self._results]


def _next(check: Check, result: CheckResult | None, step: int, value: float) -> CheckResult:
    """Return the result of a check after one more step, whose value is `value`."""
    worse = result is None or (value < result.worst if check.least else value > result.worst)
    worst, worst_step = (value, step) if result is None or worse else (result.worst, result.worst_step)
    steps, failed = (0, 0) if result is None else (result.steps, result.failed_steps)
    failed += not check.passes(value)
    return CheckResult(check.check, check.metric, check.bound, check.least, worst, worst_step, steps + 1, failed)
