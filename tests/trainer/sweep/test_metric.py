"""Names of metrics: measurements and statistics of many steps, and nothing of a single step."""

from __future__ import annotations

import pytest

from grandstand.trainer.sweep.metric import Measured, Metric, MetricError, Series, parse_metric


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("best/base/gain", Measured("best", "base", "gain")),
        ("last/dumbbot/score", Measured("last", "dumbbot", "score")),
        ("kl/max:max", Series("kl/max", "max")),
        ("league/rating/base/low:slope[5:20]", Series("league/rating/base/low", "slope", 5, 20)),
    ],
)
def test_metrics(text: str, metric: Metric) -> None:
    assert parse_metric(text) == metric


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("kl/max", "a single step's value decides nothing"),
        ("kl/max:last", "there is no statistic 'last'; there are mean or max or min or slope"),
        ("kl/max:mean[7:7]", "steps 7 to 7 are not several"),
        ("kl/max:mean[0:7]", "counted from 1"),
        ("best/gain", "is not best/OPPONENTS/VALUE with a value of score or gain or elo"),
        ("last/base/rank", "score or gain or elo"),
        ("first/base/gain", "is neither a measurement"),
    ],
)
def test_errors(text: str, part: str) -> None:
    with pytest.raises(MetricError, match=part.replace("[", r"\[")):
        parse_metric(text)


def test_scores_against_bots_alone_do_not_depend_on_the_base() -> None:
    assert not Measured("last", "dumbbot", "score").depends_on_base
    assert Measured("last", "dumbbot", "gain").depends_on_base
    assert Measured("last", "base", "score").depends_on_base
