"""What is published of a report leads to the report."""

from __future__ import annotations

from grandstand.report import (
    Axis,
    Chart,
    Column,
    Mark,
    Note,
    Notes,
    Point,
    Report,
    ReportLog,
    Row,
    Section,
    Table,
    Value,
    after,
)


def report(steps: int, text: str = "All is well.") -> Report:
    points = [Point(x=step, y=step**2) for step in range(steps)]
    mark = Mark(id="reward", kind="line", points=points)
    chart = Chart(x=Axis(), y=Axis(), marks=[mark], describe="The reward grows.")
    notes = Notes(notes=[Note(text=text)])
    return Report(
        headline=f"Step {steps}", sections=[Section(id="notes", body=notes), Section(id="reward", body=chart)]
    )


def test_every_event_leads_to_the_report() -> None:
    log, shown = ReportLog(), None
    for steps, text in ((1, "Well."), (3, "Well."), (3, "Ill."), (2, "Ill.")):
        event = log.update(report(steps, text))
        assert event is not None
        shown = after(shown, event)
        assert shown == report(steps, text)


def test_only_what_changed_is_sent() -> None:
    log = ReportLog()
    log.update(report(100))
    event = log.update(report(102))
    assert event is not None
    assert event.report.sections == []
    assert [[point.x for point in piece.points] for piece in event.added] == [[100, 101]]
    assert log.update(report(102)) is None


def table(*words: str) -> Report:
    rows = [Row(id=str(number), cells=[Value(value=word)]) for number, word in enumerate(words)]
    return Report(
        headline="A table",
        sections=[Section(id="matches", body=Table(columns=[Column(id="state", title="State")], rows=rows))],
    )


def test_of_a_table_only_the_rows_that_changed_are_sent() -> None:
    log, shown = ReportLog(), None
    for words in ("wwwwww", "wlwwww", "wdlwwww", "ddddddd", "d", ""):
        event = log.update(table(*words))
        assert event is not None
        shown = after(shown, event)
        assert shown == table(*words)
    log.update(table(*"wlwwww"))
    event = log.update(table(*"wdwwwww"))
    assert event is not None
    assert event.report.sections == []
    assert [[row.id for row in part.rows] for part in event.rows] == [["1", "6"]]


def test_a_section_that_is_gone_is_not_shown() -> None:
    log = ReportLog()
    first, second = log.update(report(1)), log.update(Report(headline="Nothing"))
    assert first is not None
    assert second is not None
    assert after(after(None, first), second) == Report(headline="Nothing")


def test_a_log_goes_on_after_what_was_published() -> None:
    log, later = ReportLog(), ReportLog()
    event = log.update(report(4))
    assert event is not None
    later.follow(event.model_dump(mode="json"))
    assert later.update(report(4)) is None
