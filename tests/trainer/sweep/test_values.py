"""Statistics of the steps of a run, and its cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from grandstand.trainer.sweep.execution import Execution
from grandstand.trainer.sweep.layout import attempts
from grandstand.trainer.sweep.metric import Series, parse_metric
from grandstand.trainer.sweep.values import NoValueError, cost_of, slope, statistic, unknown_metrics, value_of
from tests.support.trainer.fake_sweep import fake_data, fake_sweep

ROWS = [
    {"step": float(step), "loss": float(step * step), **({"eval": 1.0} if step == 3 else {})} for step in range(1, 6)
]


@pytest.mark.parametrize(
    ("metric", "value"),
    [("loss:mean", 11.0), ("loss:max", 25.0), ("loss:min", 1.0), ("loss:slope", 6.0), ("loss:mean[2:3]", 6.5)],
)
def test_statistics(metric: str, value: float) -> None:
    series = parse_metric(metric)
    assert isinstance(series, Series)
    assert statistic(ROWS, series) == pytest.approx(value)


@pytest.mark.parametrize("metric", ["eval:mean", "none:max", "loss:mean[9:12]"])
def test_one_step_is_too_few(metric: str) -> None:
    series = parse_metric(metric)
    assert isinstance(series, Series)
    with pytest.raises(NoValueError, match="too few for a statistic of many"):
        statistic(ROWS, series)


def test_slope() -> None:
    assert slope([(1, 5.0), (2, 3.0), (3, 1.0)]) == -2


def test_a_run_has_values_and_a_cost_once_it_is_completed(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})
    run = sweep.runs[0]
    with pytest.raises(NoValueError, match="A-s1 is planned"):
        value_of(sweep, run, parse_metric("last/base/gain"))
    Execution(sweep, 1).execute([run])
    assert value_of(sweep, run, parse_metric("last/base/score")) == pytest.approx(0.6, abs=0.01)
    assert value_of(sweep, run, parse_metric("kl/mean:max")) == pytest.approx(0.5, abs=0.02)
    with pytest.raises(NoValueError, match="no interval for its Elo difference; measure more games"):
        value_of(sweep, run, parse_metric("last/base/elo"))
    cost = cost_of(run, attempts(run))
    assert (cost.playing, cost.learning, cost.samples, cost.attempts) == (12.0, 4.0, 200.0, 2)
    assert cost.seconds > 0


def test_a_metric_that_no_step_has_is_named_as_soon_as_there_is_a_step(tmp_path: Path) -> None:
    data = fake_data({"A": 0.0, "B": 0.1})
    data["analysis"]["secondary_metrics"] = ["kl/meen:mean", "eval/vs_field/gain:max"]
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1}, analysis=data["analysis"])
    assert unknown_metrics(sweep) == []
    Execution(sweep, 1).execute(sweep.runs[:1])
    assert unknown_metrics(sweep) == ["analysis: no step so far has kl/meen; near it are kl/mean"]
