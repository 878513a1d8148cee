"""The health checks of a run: each bound, the metrics of a step and the report over all steps."""

from __future__ import annotations

import subprocess
import sys
from math import log

import pytest

from grandstand.trainer.config.files import load
from grandstand.trainer.health import METRICS, HealthSettings, health_metrics, health_report

WELL = {
    "kl/mean": 0.1,
    "kl/max": 10.0,
    "benchmark/grad_norm": 50.0,
    "ppo/clip_fraction": 0.6,
    "processing/skip_rate": 0.8,
    "rollout/valid_share": 0.95,
    "rollout/failed_share": 0.01,
}
"""Every metric at its bound."""
BEYOND = {name: value * (0.99 if name == "rollout/valid_share" else 1.01) for name, value in WELL.items()}


def test_a_step_at_every_bound_passes() -> None:
    metrics = health_metrics(WELL, HealthSettings())
    assert metrics == {**{f"health/{check}": 1.0 for check in METRICS}, "health/failed": 0.0}


@pytest.mark.parametrize("check", METRICS)
def test_a_step_beyond_a_bound_fails_that_check_alone(check: str) -> None:
    metric = METRICS[check]
    metrics = health_metrics({**WELL, metric: BEYOND[metric]}, HealthSettings())
    assert [name for name, value in metrics.items() if not value] == [f"health/{check}"]
    assert metrics["health/failed"] == 1


def test_the_bound_of_the_drift_is_a_setting_and_0_is_no_check() -> None:
    assert "health/kl_mean" not in health_metrics(WELL, HealthSettings(kl_mean=0.0))
    assert health_metrics(WELL, HealthSettings(kl_mean=0.01))["health/kl_mean"] == 0


def test_a_metric_that_a_step_did_not_measure_is_not_checked() -> None:
    assert health_metrics({"kl/mean": 0.2}, HealthSettings()) == {"health/kl_mean": 0.0, "health/failed": 1.0}
    assert health_metrics({}, HealthSettings()) == {"health/failed": 0.0}


@pytest.mark.parametrize(
    ("preset", "healthy"),
    [("nano-cricket", 0.84), ("nano-cricket-strong", 0.97), ("nano-diplomacy", 0.24), ("nano-diplomacy-strong", 0.44)],
)
def test_a_preset_passes_the_drift_of_its_measured_runs_and_no_collapse(preset: str, healthy: float) -> None:
    """The collapsed policy always takes one option to which the base gives a tenth."""
    settings = load(preset).health
    drift, collapsed = (health_metrics({"kl/mean": kl}, settings)["health/kl_mean"] for kl in (healthy, log(10)))
    assert (drift, collapsed) == (1, 0)


def test_the_report_has_the_worst_step_of_each_check() -> None:
    rows = [
        {"step": 1, "kl/mean": 0.0, "rollout/valid_share": 1.0},
        {"step": 2, "kl/mean": 0.5, "rollout/valid_share": 0.9},
        {"step": 3, "kl/mean": 0.3},
        {"step": 4, "rollout/valid_share": 0.97},
    ]
    drift, valid = health_report(rows, HealthSettings())
    assert (drift.worst, drift.worst_step, drift.steps, drift.failed_steps, drift.passed) == (0.5, 2, 3, 2, False)
    assert (valid.worst, valid.worst_step, valid.steps, valid.failed_steps) == (0.9, 2, 3, 1)
    assert str(drift) == "FAIL  kl_mean: kl/mean at most 0.1; worst 0.5 in step 2, beyond it in 2 of 3"
    assert (
        str(valid) == "FAIL  valid_share: rollout/valid_share at least 0.95; worst 0.9 in step 2, beyond it in 1 of 3"
    )
    well, _ = health_report(rows[:1], HealthSettings())
    assert str(well) == "pass  kl_mean: kl/mean at most 0.1; worst 0 in step 1"


def test_the_worst_of_equal_steps_is_the_first() -> None:
    rows = [{"step": step, "kl/max": 2.0, "rollout/valid_share": 1.0} for step in (3, 4, 5)]
    assert [result.worst_step for result in health_report(rows, HealthSettings())] == [3, 3]


def test_health_needs_no_torch() -> None:
    code = "import grandstand.trainer.health, sys; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
