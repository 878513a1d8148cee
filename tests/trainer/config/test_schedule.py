"""Weights that change over the steps: constant, straight lines between points, and jumps."""

from __future__ import annotations

import tomllib

import pytest

from grandstand.trainer.config.files import ConfigError, load, make
from grandstand.trainer.config.schedule import Schedule, faults, weight_at


@pytest.mark.parametrize(
    ("schedule", "weights"),
    [
        (0.3, {0: 0.3, 99: 0.3}),
        (((0, 1.0), (50, 0.2)), {0: 1.0, 25: 0.6, 50: 0.2, 51: 0.2}),
        (((10, 2.0), (20, 0.0), (30, 4.0)), {0: 2.0, 10: 2.0, 15: 1.0, 20: 0.0, 25: 2.0, 30: 4.0, 1000: 4.0}),
        (((50, 1.0), (50, 0.2)), {0: 1.0, 49: 1.0, 50: 0.2, 51: 0.2}),
        (((5, 7.0),), {0: 7.0, 5: 7.0, 6: 7.0}),
    ],
)
def test_the_weight_at_a_step(schedule: Schedule, weights: dict[int, float]) -> None:
    assert {step: weight_at(schedule, step) for step in weights} == pytest.approx(weights)


@pytest.mark.parametrize(
    ("schedule", "problem"),
    [
        ([], "a schedule is a list of [step, weight]"),
        ([[0, 1.0, 2.0]], "a schedule is a list of [step, weight]"),
        ([0, 1.0], "a schedule is a list of [step, weight]"),
        ([["a", 1.0]], "the step of a point is a whole number"),
        ([[0.5, 1.0]], "the step of a point is a whole number"),
        ([[0, -1.0]], "steps and weights are at least 0"),
        ([[9, 1.0], [3, 1.0]], "the steps of a schedule must not decrease"),
    ],
)
def test_what_is_no_schedule_is_refused_with_the_reason(schedule: object, problem: str) -> None:
    (fault,) = faults(schedule)
    assert problem in fault
    with pytest.raises(ConfigError, match=r"rollout.opponents: random: ") as refused:
        load("nano-diplomacy", [f"rollout.opponents.random={schedule!r}".replace("'", '"')])
    assert problem in str(refused.value)


def test_a_schedule_is_read_saved_and_read_again() -> None:
    config = load("nano-diplomacy", ["rollout.opponents.random=[[0, 1], [50, 0.25]]"])
    assert config.rollout.opponents["random"] == ((0, 1.0), (50, 0.25))
    assert make(tomllib.loads(config.resolved()), "saved") == config
    assert config.values()["rollout"]["opponents"]["random"] == [[0, 1.0], [50, 0.25]]


def test_there_is_somebody_to_meet_at_every_step() -> None:
    with pytest.raises(ConfigError, match=r"rollout.opponents: no weight is above 0 at step 20; give one to"):
        load("nano-diplomacy", ['rollout.opponents={"random": [[10, 1.0], [20, 0.0], [30, 1.0]]}'])
