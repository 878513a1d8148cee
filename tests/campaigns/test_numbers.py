"""The values of reports in words."""

from __future__ import annotations

import pytest

from grandstand.campaigns.numbers import interval, with_interval, written
from grandstand.report import Unit, Value


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (None, "", "–"),
        ("heron-2", "elo", "heron-2"),
        (0.8541, "", "0.854"),
        (0.0054, "", "0.0054"),
        (182.0, "", "182"),
        (1e-7, "", "1.00e−07"),
        (0.0861, "signed", "+0.086"),
        (-0.5, "signed", "−0.500"),
        (0.496, "share", "50 %"),
        (1781.4, "elo", "1781"),
        (-38.2, "signed elo", "−38"),
        (62.4, "dollars", "$62.40"),
        (0.0042, "dollars", "$0.0042"),
        (6.21, "seconds", "6.2 s"),
        (59.7, "seconds", "60 s"),
        (7260, "seconds", "2 h 1 min"),
        (4300000, "count", "4,300,000"),
        (1500, "bytes", "1.5 kB"),
    ],
)
def test_a_value_is_written_by_its_unit(value: float | str | None, unit: Unit, text: str) -> None:
    assert written(value, unit) == text


def test_an_interval_is_written_only_if_there_is_one() -> None:
    assert with_interval(Value(value=0.5, low=0.25, high=0.75), "share") == "50 % (25 % to 75 %)"
    assert interval(Value(value=0.5, n=2)) == ""
    assert with_interval(Value(value=0.5, n=2), "share") == "50 %"
    assert interval(Value(value=0.5, low=0.25, high=0.75, level=0.975), "share") == "25 % to 75 % at 97.5 %"
