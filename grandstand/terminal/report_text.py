"""A report for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from grandstand.campaigns.numbers import interval, with_interval, written
from grandstand.report import Chart, Column, Figure, Figures, Notes, Report, Section, Table, Tone, Value
from grandstand.terminal.console import harmless

STYLES: dict[Tone, str] = {"": "", "good": "green", "bad": "red", "warning": "yellow", "faint": "bright_black"}
BLOCKS = " ▁▂▃▄▅▆▇█"
POINTS = 60
"""The most points of a line in a terminal."""

WIDEST = 12
"""The most players in a table of all pairs."""


def in_terminal(report: Report) -> Report:
    """Return a report of matches for a terminal: without the plan and the matches that were played to their end."""
    wide = len(report.owners) > WIDEST
    kept = [section for section in report.sections if _fits(section) and not (wide and section.id == "heads")]
    return report.model_copy(update={"sections": kept})


def _fits(section: Section) -> bool:
    return section.tab not in ("Matches", "Plan") or section.id == "failed"


def print_report(console: Console, report: Report) -> None:
    """Print a report: its headline, then every section in order."""
    for part in report_text(report):
        console.print(part)


def report_text(report: Report) -> Iterator[RenderableType]:
    """Yield the parts of a report."""
    yield Text.assemble(_plain(report.headline, f"bold {STYLES[report.tone]}".strip()), "  ", _plain(report.summary))
    tab = ""
    for section in report.sections:
        if section.tab != tab:
            tab = section.tab
            yield Rule(harmless(tab), align="left", style="bright_black")
        yield _section(section)


def _section(section: Section) -> RenderableType:
    match section.body:
        case Figures(figures=figures):
            body: RenderableType = _figures(figures)
        case Table() as table:
            body = _table(table)
        case Notes(notes=notes):
            body = Text("\n").join(
                Text.assemble(
                    _plain(f"{note.title} " if note.title else "", "bold"), _plain(note.text, STYLES[note.tone])
                )
                for note in notes
            )
        case Chart() as chart:
            body = Group(*_chart(chart))
    head = [_plain(section.title, "bold")] if section.title else []
    note = [_plain(section.note, "bright_black")] if section.note else []
    return Group(*head, *note, body, Text())


def _figures(figures: Sequence[Figure]) -> RenderableType:
    grid = Grid.grid(padding=(0, 2))
    for figure in figures:
        value = with_interval(figure.value, figure.unit)
        whole = "" if figure.of is None else f" of {written(figure.of, figure.unit)}"
        grid.add_row(
            _plain(figure.label, "bright_black"), _plain(value + whole, _style(figure.value)), _plain(figure.value.note)
        )
    return grid


def _table(table: Table) -> RenderableType:
    grid = Grid(box=None, pad_edge=False, header_style="bright_black")
    for column in table.columns:
        grid.add_column(_plain(column.title), justify="left" if column.shape == "text" else "right")
    for row in table.rows:
        grid.add_row(
            *(_cell(value, column) for value, column in zip(row.cells, table.columns, strict=True)),
            style=STYLES[row.tone],
        )
    return grid


def _cell(value: Value, column: Column) -> Text:
    text = _plain(written(value.value, column.unit), _style(value))
    for part in (interval(value, column.unit), value.note):
        if part:
            text.append_text(_plain(f"\n{part}", "bright_black"))
    return text


def _chart(chart: Chart) -> Iterator[RenderableType]:
    """Yield the chart's description, and each of its lines as a row of blocks."""
    yield _plain(chart.describe)
    for mark in chart.marks:
        if mark.kind != "line" or not mark.points or not mark.name:
            continue
        values = [point.y for point in mark.points]
        step = max(1, -(-len(values) // POINTS))
        values = [*values[:-1:step], values[-1]]
        low, high = min(values), max(values)
        scale = (len(BLOCKS) - 2) / (high - low) if high > low else 0.0
        blocks = "".join(BLOCKS[1 + round((value - low) * scale)] for value in values)
        unit = chart.y.unit if chart.y else ""
        yield Text.assemble(_plain(f"{mark.name} ", "bright_black"), blocks, f" {written(values[-1], unit)}")
    if chart.figures:
        yield _figures(chart.figures)


def _style(value: Value) -> str:
    return f"{'bold ' if value.strong else ''}{STYLES[value.tone]}".strip()


def _plain(text: str, style: str = "") -> Text:
    return Text(harmless(text, keep="\n"), style)
