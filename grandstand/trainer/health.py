"""Check the metrics of a run's steps against bounds. No tensors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Bound = Annotated[float, Field(ge=0, json_schema_extra={"may_change": True})]


class HealthSettings(BaseModel):
    """Bounds of the metrics of a healthy run; 0 for no check. A failed check is reported and stops nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    kl_mean: Bound = Field(default=0.1, description="Greatest `kl/mean`, the drift from the reference per token.")
    kl_max: Bound = Field(default=10.0, description="Greatest `kl/max`, the KL of a single token.")
    grad_norm: Bound = Field(default=50.0, description="Greatest `benchmark/grad_norm`, before clipping.")
    clip_fraction: Bound = Field(
        default=0.6, description="Greatest `ppo/clip_fraction`, the share of tokens that are clipped."
    )
    skip_rate: Bound = Field(
        default=0.8, description="Greatest `processing/skip_rate`, the share of decisions without peers that differ."
    )
    valid_share: Bound = Field(
        default=0.95,
        le=1,
        description="Smallest `rollout/valid_share`, the share of the trained seats' decisions that the policy made "
        "itself, without a fallback, a repair or a person.",
    )
    failed_share: Bound = Field(
        default=0.01, description="Greatest `rollout/failed_share`, the share of matches that broke off."
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
    bounds = {check: float(getattr(settings, check)) for check in METRICS}
    return [(check, METRICS[check], bound) for check, bound in bounds.items() if bound]


def _passes(check: str, value: float, bound: float) -> bool:
    return value >= bound if check in LEAST else value <= bound
