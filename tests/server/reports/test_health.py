from __future__ import annotations

import math

import pytest
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from grandstand.report import Figure, Figures, Report
from grandstand.server.bodies.health import DaySpending, Health, PlayerSpending
from grandstand.server.reports.health import Numbers, health_report
from tests.support.campaigns.published import section, table, texts

SERVING = Health(status="ok", version="1.2.3", live=2, queued=1, viewers=7)
DAY = DaySpending(
    begins=0, ends=86_400, tokens=1200, dollars=0.5, token_limit=2_000_000, dollar_limit=None, counted=True, players=[]
)


def figures(report: Report, name: str) -> dict[str, Figure]:
    body = section(report, name).body
    assert isinstance(body, Figures)
    return {figure.label: figure for figure in body.figures}


@pytest.fixture
def registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    faults = Counter("grandstand_player_faults", "Faults.", ["boundary"], registry=registry)
    faults.labels("timeout").inc(2)
    faults.labels("provider").inc(5)
    faults.labels("novel").inc()
    lag = Histogram("grandstand_event_lag_seconds", "Lag.", buckets=(0.001, 0.01), registry=registry)
    for seconds in [0.0005] * 90 + [0.005] * 9 + [7.0]:
        lag.observe(seconds)
    Histogram("grandstand_commit_seconds", "Commit.", buckets=(1.0,), registry=registry)
    Gauge("grandstand_store_bytes", "Bytes.", registry=registry).set(6_600_000)
    return registry


def test_everybody_sees_the_load() -> None:
    report = health_report(SERVING).report
    assert (report.headline, report.summary, report.tone) == ("Serving", "Version 1.2.3", "")
    load = figures(report, "load")
    assert {label: figure.value.value for label, figure in load.items()} == {
        "Matches": 2,
        "Queue": 1,
        "Watching": 7,
        "Voice": "Browser",
    }
    assert texts(report, "operators") == ["Operators also see lag, storage and player faults here."]


def test_a_record_that_cannot_be_written_is_said() -> None:
    waiting = SERVING.model_copy(update={"status": "waiting", "storage": "disk full"})
    report = health_report(waiting).report
    assert (report.headline, report.tone) == ("Waiting for storage", "warning")
    assert "the record cannot be written (disk full)" in texts(report, "notes")[0]


def test_operators_see_delays_counts_and_the_spending_of_today(registry: CollectorRegistry) -> None:
    players = [
        PlayerSpending(player="m", tokens=1200, dollars=0.5),
        PlayerSpending(player="own:m", own_key=True, tokens=3),
    ]
    day = DAY.model_copy(update={"players": players})
    report = health_report(SERVING, list(registry.collect()), day).report
    measured = figures(report, "measured")
    assert (measured["Event lag"].value.value, measured["Commit"].value.value) == ("≤ 10 ms", "–")
    assert measured["Record"].value.value == 6_600_000
    assert (measured["Tokens today"].of, measured["Tokens today"].value.note) == (2_000_000, "a day (UTC)")
    assert (measured["Cost today"].of, measured["Cost today"].value.note) == (None, "since midnight UTC, no limit")
    faults = [[value.value for value in row.cells] for row in table(report, "faults").rows]
    assert faults == [
        ["Its model's provider failed (provider)", 5],
        ["It ran out of time (timeout)", 2],
        ["novel (novel)", 1],
    ]
    assert texts(report, "choices") == ["No decision has been made since the server started."]
    spending = [[value.value for value in row.cells] for row in table(report, "spending").rows]
    assert spending == [["m", 1200, 0.5], ["own:m (a visitor pays)", 3, None]]


def test_a_day_that_is_still_being_counted_says_so(registry: CollectorRegistry) -> None:
    day = DAY.model_copy(update={"counted": False})
    report = health_report(SERVING, list(registry.collect()), day).report
    assert figures(report, "measured")["Tokens today"].value.note == "a day (UTC), still being counted"
    assert texts(report, "spending") == ["No model has answered since midnight UTC."]


def test_a_quantile_is_bounded_by_its_bucket_and_never_made_up(registry: CollectorRegistry) -> None:
    numbers = Numbers(list(registry.collect()))
    lag = "grandstand_event_lag_seconds"
    assert [numbers.at_most(lag, share) for share in (0.5, 0.95, 0.999)] == [0.001, 0.01, math.inf]
    assert numbers.at_most("nothing", 0.5) is None
