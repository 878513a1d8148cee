"""The report on the health of the server: its load, and for operators its delays, its counts and the day's spending."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from prometheus_client.core import Metric

from grandstand.campaigns.words import capital
from grandstand.report import Column, Figure, Figures, Note, Notes, Report, Row, Section, Table, Tone, Unit, Value
from grandstand.server.bodies.health import DaySpending, Health
from grandstand.server.bodies.players import PageReport
from grandstand.server.reports.words import CAUSES

HEADLINES = {"ok": "Serving", "waiting": "Waiting for storage", "stopping": "Going down"}
VOICES = {"clips": "the server speaks", "browser": "of each viewer speaks", "silent": "captions alone"}


def health_report(
    health: Health, metrics: Sequence[Metric] | None = None, spending: DaySpending | None = None
) -> PageReport:
    """Return the report on the health of the server; `metrics` and `spending` are for operators."""
    notes = _notes(health)
    sections = [Section(id="notes", body=Notes(notes=notes))] if notes else []
    sections.append(Section(id="load", body=Figures(figures=_load(health))))
    if metrics is None or spending is None:
        sections.append(_note("operators", "Operators also see lag, storage and player faults here."))
    else:
        numbers = Numbers(metrics)
        sections += [_measured(numbers, spending), *_counts(numbers), _spending(spending)]
        sections.append(_note("all", "All metrics are available in Prometheus format at /metrics."))
    tone: Tone = "" if health.status == "ok" else "warning"
    report = Report(
        headline=HEADLINES[health.status], summary=f"Version {health.version}", tone=tone, sections=sections
    )
    return PageReport(report=report)


def _note(name: str, text: str) -> Section:
    return Section(id=name, body=Notes(notes=[Note(text=text, tone="faint")]))


def _notes(health: Health) -> list[Note]:
    notes = []
    if health.storage:
        text = f"Matches are waiting because the record cannot be written ({health.storage}). They resume when it can."
        notes.append(Note(text=text, tone="warning"))
    if health.voice.reason:
        notes.append(Note(title="The voice:", text=f"{health.voice.reason}."))
    return notes


def _load(health: Health) -> list[Figure]:
    voice = Value(value=capital(health.voice.kind), note=VOICES[health.voice.kind])
    return [
        _figure("Matches", health.live, "being played", "count"),
        _figure("Queue", health.queued, "wait for a slot", "count"),
        _figure("Watching", health.viewers, "connections", "count"),
        Figure(label="Voice", value=voice),
    ]


def _figure(label: str, value: float | str, note: str, unit: Unit = "") -> Figure:
    return Figure(label=label, value=Value(value=value, note=note), unit=unit)


class Numbers:
    """The samples of the server's metrics."""

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self._samples = [sample for metric in metrics for sample in metric.samples]

    def total(self, name: str) -> float:
        """Return the sum of the samples of a name."""
        return sum(sample.value for sample in self._samples if sample.name == name)

    def by(self, name: str, label: str) -> list[tuple[str, float]]:
        """Return the sums of the samples of a name by the value of a label, the largest first."""
        sums: Counter[str] = Counter()
        for sample in self._samples:
            if sample.name == name:
                sums[sample.labels.get(label, "")] += int(sample.value)
        return [(value, float(count)) for value, count in sums.most_common()]

    def at_most(self, name: str, share: float) -> float | None:
        """Return the upper bound of the bucket with a quantile of a histogram: infinite after the last bucket."""
        buckets = sorted(
            (float(sample.labels["le"]), sample.value) for sample in self._samples if sample.name == f"{name}_bucket"
        )
        count = buckets[-1][1] if buckets else 0
        return next((bound for bound, below in buckets if below >= share * count), None) if count else None


def _measured(numbers: Numbers, day: DaySpending) -> Section:
    lag = _bound(numbers.at_most("grandstand_event_lag_seconds", 0.99))
    commit = _bound(numbers.at_most("grandstand_commit_seconds", 0.99))
    counting = "" if day.counted else ", still being counted"
    notes = [
        ("a day (UTC)" if limit else "since midnight UTC, no limit") + counting
        for limit in (day.token_limit, day.dollar_limit)
    ]
    figures = [
        _figure("Event lag", lag, "99th percentile, from timestamp to sending"),
        _figure("Commit", commit, "99th percentile of writes to the record"),
        _figure("Record", numbers.total("grandstand_store_bytes"), "on disk", "bytes"),
        _figure("Events", numbers.total("grandstand_events_total"), "since the server started", "count"),
        Figure(
            label="Tokens today", value=Value(value=day.tokens, note=notes[0]), unit="count", of=day.token_limit or None
        ),
        Figure(
            label="Cost today",
            value=Value(value=day.dollars, note=notes[1]),
            unit="dollars",
            of=day.dollar_limit or None,
        ),
    ]
    return Section(id="measured", body=Figures(figures=figures))


def _bound(seconds: float | None) -> str:
    """Return the edge of a histogram's bucket as an upper bound."""
    if seconds is None:
        return "–"
    if math.isinf(seconds):
        return "> 3 s"
    return f"≤ {1000 * seconds:g} ms" if seconds < 1 else f"≤ {seconds:g} s"


def _counts(numbers: Numbers) -> list[Section]:
    faults = [
        (f"{CAUSES.get(boundary, boundary)} ({boundary})", count)
        for boundary, count in numbers.by("grandstand_player_faults_total", "boundary")
    ]
    choices = numbers.by("grandstand_choices_total", "source")
    ended = numbers.by("grandstand_matches_ended_total", "status")
    return [
        _count("faults", "Player faults, by boundary", faults, "No player has failed since the server started."),
        _count("choices", "Decisions, by source", choices, "No decision has been made since the server started."),
        _count("ended", "Ended matches, by outcome", ended, "No match has ended since the server started."),
    ]


def _count(name: str, title: str, counts: Sequence[tuple[str, float]], none: str) -> Section:
    rows = [Row(id=text, cells=[Value(value=text), Value(value=count)]) for text, count in counts]
    columns = [Column(id="what", title=""), Column(id="count", title="Count", shape="number", unit="count")]
    body = Table(columns=columns, rows=rows) if rows else Notes(notes=[Note(text=none, tone="faint")])
    return Section(id=name, title=title, width="third", body=body)


def _spending(day: DaySpending) -> Section:
    columns = [
        Column(id="player", title="Player"),
        Column(id="tokens", title="Tokens", shape="number", unit="count"),
        Column(id="dollars", title="Cost", shape="number", unit="dollars"),
    ]
    rows = []
    for one in day.players:
        name = f"{one.player} (a visitor pays)" if one.own_key else one.player
        rows.append(Row(id=name, cells=[Value(value=name), Value(value=one.tokens), Value(value=one.dollars)]))
    none = Notes(notes=[Note(text="No model has answered since midnight UTC.", tone="faint")])
    body = Table(columns=columns, rows=rows, sort="tokens") if rows else none
    return Section(id="spending", title="Spending of today, by player", body=body)
