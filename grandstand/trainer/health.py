"""Check the metrics of a run's steps against bounds. No tensors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
"""Check -> its bound. They hold for every game and model: a run beyond one is worth a look, whatever it learns."""
LEAST = frozenset({"valid_share"})
"""Checks whose bound is the smallest healthy value, not the greatest."""


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


def health_metrics(metrics: Mapping[str, float], settings: HealthSettings) -> dict[str, float]:
    """Return `health/CHECK`, 1 if a step passes and 0 if not, of each check that it measures, and `health/failed`."""
    passed = {
        f"health/{check}": float(_passes(check, metrics[metric], bound))
        for check, metric, bound in _checks(settings)
        if metric in metrics
    }
    return {**passed, "health/failed": float(sum(not value for value in passed.values()))}


def health_report(rows: Iterable[Mapping[str, float]], settings: HealthSettings) -> list[CheckResult]:
    """Return the result of every check that any step measured; `rows` are the metrics of the steps, with `step`."""
    steps = list(rows)
    results = []
    for check, metric, bound in _checks(settings):
        values = [(row[metric], int(row["step"])) for row in steps if metric in row]
        if values:
            least = check in LEAST
            worst, worst_step = min(values) if least else max(values, key=lambda value: value[0])
            failed = sum(not _passes(check, value, bound) for value, _ in values)
            results.append(CheckResult(check, metric, bound, least, worst, worst_step, len(values), failed))
    return results


def _checks(settings: HealthSettings) -> list[tuple[str, str, float]]:
    """Return (check, metric, bound) of the checks that are on."""
    bounds = {"kl_mean": settings.kl_mean, **BOUNDS}
    return [(check, METRICS[check], bound) for check, bound in bounds.items() if bound]


def _passes(check: str, value: float, bound: float) -> bool:
    return value >= bound if check in LEAST else value <= bound
