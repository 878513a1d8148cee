"""The reports that an episode has published."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from grandstand.report import Figure, Figures, Notes, Report, ReportUpdated, Section, Table, Value, after


class Published(Protocol):
    """A draft or an event."""

    @property
    def type(self) -> str: ...

    @property
    def data(self) -> Mapping[str, Any]: ...


def last_report(events: Iterable[Published]) -> Report:
    """Return the report after all events."""
    report: Report | None = None
    for event in events:
        if event.type == ReportUpdated.__name__:
            report = after(report, ReportUpdated.model_validate(event.data))
    assert report is not None
    return report


def section(report: Report, name: str) -> Section:
    return next(section for section in report.sections if section.id == name)


def table(report: Report, name: str) -> Table:
    body = section(report, name).body
    assert isinstance(body, Table)
    return body


def cell(report: Report, name: str, row: str, column: str) -> Value:
    """Return the value in a row and a column of the table `name`."""
    body = table(report, name)
    place = [entry.id for entry in body.columns].index(column)
    return next(entry for entry in body.rows if entry.id == row).cells[place]


def column(report: Report, name: str, column: str) -> list[Value]:
    return [cell(report, name, row.id, column) for row in table(report, name).rows]


def texts(report: Report, name: str) -> list[str]:
    """Return the sentences of a section, each after its title."""
    body = section(report, name).body
    assert isinstance(body, Notes)
    return [f"{note.title}: {note.text}" if note.title else note.text for note in body.notes]


def figure(report: Report, label: str) -> Figure:
    body = section(report, "figures").body
    assert isinstance(body, Figures)
    return next(entry for entry in body.figures if entry.label == label)


def rows_of(text: str) -> set[int]:
    """Return the numbers that `0-11,14` names."""
    numbers: set[int] = set()
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        numbers.update(range(int(first), int(last or first) + 1))
    return numbers
