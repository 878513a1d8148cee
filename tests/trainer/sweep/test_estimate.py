"""Estimates of the time of a sweep, from what was measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from grandstand.trainer.learning.shared_base import is_prepared
from grandstand.trainer.sweep.estimate import PilotError, Timing, estimate, known_timing, run_pilot
from grandstand.trainer.sweep.execution import Execution
from grandstand.trainer.sweep.layout import attempts
from tests.support.trainer.fake_sweep import fake_sweep
from tests.support.trainer.fake_training import BREAKS_OFF


def test_a_time_is_steps_and_evaluations_and_measurements(tmp_path: Path) -> None:
    """4 steps of 2 x 3 forks of 0.7 years; 4 evaluations of 2 x 2 games; 2 x 20 measured ones, each played twice."""
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})
    timing = Timing("a test", begin=100.0, per_unit=2.0, playing=1.0)
    training, matches = 4 * 2 * 3 * 0.7 * 2, 2 * (4 * 2 * 2 + 2 * 20) * 0.7
    assert timing.seconds(sweep, sweep.runs[0]) == pytest.approx(100 + training + matches)
    assert timing.seconds(sweep, sweep.runs[0], done=4) == pytest.approx(2 * 40 * 0.7), "only the measurements are left"


def test_nothing_is_known_before_anything_is_measured(tmp_path: Path) -> None:
    assert known_timing(fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})) is None


def test_the_pilot_is_one_step_and_is_remembered(tmp_path: Path) -> None:
    """The fake step takes 3 + 1 seconds by its metrics, for 2 x 3 forks of 0.7 years."""
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})
    sweep.folder.mkdir()
    timing = run_pilot(sweep)
    assert timing.source == "a pilot of one step"
    assert timing.base > 0
    assert is_prepared(sweep.bases[0].folder), "the sweep takes the base of the pilot"
    assert (timing.per_unit, timing.playing) == pytest.approx((4 / 4.2, 3 / 4.2))
    assert known_timing(sweep) == timing
    estimated = estimate(sweep, timing, jobs=2)
    assert (estimated.left, estimated.bases) == (6, 2)
    assert estimated.seconds == pytest.approx((sum(estimated.each.values()) + 2 * timing.base) / 2)


def test_a_pilot_that_fails_has_a_reason(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": BREAKS_OFF, "B": 0.1})
    sweep.folder.mkdir()
    with pytest.raises(PilotError, match="ended with status 1: grandstand train: the run broke off"):
        run_pilot(sweep)


def test_runs_of_an_arm_take_as_long_as_its_others(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})
    first = sweep.by_id["A-s1"]
    Execution(sweep, 1).execute([first])
    timing = known_timing(sweep)
    assert timing is not None
    assert timing.source == "the metrics of 1 run of this sweep"
    assert timing.base > 0
    estimated = estimate(sweep, timing, jobs=1)
    elapsed = sum(attempt["ended"] - attempt["began"] for attempt in attempts(first))
    assert estimated.each["A-s2"] == pytest.approx(elapsed)
    assert "A-s1" not in estimated.each
    like = known_timing(fake_sweep(tmp_path / "other", {"A": 0.0, "B": 0.1}), like=first.train_folder)
    assert like is not None
    assert like.per_unit == timing.per_unit
