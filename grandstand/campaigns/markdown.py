"""A report as Markdown, with its charts as files beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from grandstand.campaigns.numbers import interval, with_interval, written
from grandstand.campaigns.vega import picture
from grandstand.report import Chart, Figure, Figures, Notes, Report, Section, Table, Unit, Value


def markdown(report: Report, folder: Path | None, title: str) -> str:
    """Return a report as Markdown, and write its charts into `folder` as specifications and, if possible, as SVG.

    Without a folder, a chart is the sentence that describes it.
    """
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    parts = [f"# {title}", f"**{report.headline}** {report.summary}".strip()]
    tab = ""
    for section in report.sections:
        if section.tab != tab:
            tab = section.tab
            parts.append(f"## {tab}")
        parts += _section(section, folder, tuple(report.owners))
    return "\n\n".join(part for part in parts if part) + "\n"


def rows(head: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown. Line breaks in a cell become `<br>`."""
    lines = [head, ["---"] * len(head), *cells]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _section(section: Section, folder: Path | None, owners: tuple[str, ...]) -> Iterator[str]:
    if section.title:
        yield f"{'###' if section.tab else '##'} {section.title}"
    yield section.note
    match section.body:
        case Figures(figures=figures):
            yield _figures(figures)
        case Table() as table:
            yield _table(table)
        case Notes(notes=notes):
            yield "\n".join(f"- {f'**{note.title}** ' if note.title else ''}{note.text}" for note in notes)
        case Chart() as chart:
            yield chart.describe
            if folder is not None:
                path = folder / f"{re.sub(r'[^a-z0-9]+', '-', section.id.lower()).strip('-')}.svg"
                drawn = picture(chart, path, section.title, owners)
                spec = path.with_suffix(".vl.json").name
                yield f"![{section.title}]({drawn.name})" if drawn else f"[{spec}]({spec}) is the chart in Vega-Lite."
            if chart.figures:
                yield _figures(chart.figures)


def _figures(figures: Sequence[Figure]) -> str:
    return "\n".join(f"- {figure.label}: {_figure(figure)}" for figure in figures)


def _figure(figure: Figure) -> str:
    text = f"**{with_interval(figure.value, figure.unit)}**"
    if figure.of is not None:
        text += f" of {written(figure.of, figure.unit)}"
    return f"{text}, {figure.value.note}" if figure.value.note else text


def _table(table: Table) -> str:
    units = [column.unit for column in table.columns]
    return rows(
        [column.title for column in table.columns],
        ([_value(value, unit) for value, unit in zip(row.cells, units, strict=True)] for row in table.rows),
    )


def _value(value: Value, unit: Unit) -> str:
    text = written(value.value, unit)
    dots = ", ".join(written(dot, unit) for dot in value.dots)
    parts = [f"**{text}**" if value.strong else text, interval(value, unit), dots, value.note]
    return "\n".join(part for part in parts if part)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")
