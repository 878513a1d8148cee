"""Weights that change over the steps of a run. No tensors."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

Weight = Annotated[float, Field(ge=0)]
Point = tuple[Annotated[int, Field(ge=0)], Weight]
"""(step, weight)"""


def _form(value: object) -> Literal["number", "points"]:
    return "points" if isinstance(value, list | tuple) else "number"


Schedule = Annotated[
    Annotated[Weight, Tag("number")] | Annotated[tuple[Point, ...], Tag("points")],
    Discriminator(_form),
]
"""A constant weight; or points, with straight lines between them and constant weights before and after them.

Two points at one step are a jump: `[[50, 1.0], [50, 0.2]]` is 1.0 up to step 49, and 0.2 from step 50.
"""


def weight_at(schedule: Schedule, step: int) -> float:
    """Return the weight at a step.

    >>> weight_at(((0, 1.0), (50, 0.2)), 25)
    0.6
    """
    if isinstance(schedule, int | float):
        return float(schedule)
    reached = [point for point in schedule if point[0] <= step]
    ahead = [point for point in schedule if point[0] > step]
    if not reached or not ahead:
        return (reached or ahead)[-1 if reached else 0][1]
    (start, first), (end, last) = reached[-1], ahead[0]
    return first + (last - first) * (step - start) / (end - start)


def faults(schedule: object) -> list[str]:
    """Return what is wrong with `schedule`; an empty list if nothing is."""
    if not isinstance(schedule, list | tuple):
        return []
    points = [tuple(point) for point in schedule if isinstance(point, list | tuple)]
    if not schedule or len(points) != len(schedule) or any(len(point) != 2 for point in points):
        return ["a schedule is a list of [step, weight], such as [[0, 1.0], [50, 0.2]]"]
    if not all(isinstance(step, int) and isinstance(weight, int | float) for step, weight in points):
        return ["the step of a point is a whole number, and its weight a number"]
    if any(step < 0 or weight < 0 for step, weight in points):
        return ["steps and weights are at least 0"]
    if any(later < earlier for (earlier, _), (later, _) in pairwise(points)):
        return ["the steps of a schedule must not decrease"]
    return []
