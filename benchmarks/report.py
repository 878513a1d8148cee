"""The report of a benchmark: its tables, where it is printed and the file to which it is written."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from rich.console import Console
from rich.progress import track

from grandstand.campaigns.exporting import REPORT_FORMATS, written_report
from grandstand.campaigns.markdown import markdown
from grandstand.campaigns.numbers import estimate
from grandstand.play.ratings.intervals import mean_interval
from grandstand.report import Column, Report, Row, Section, Table, Unit, Value
from grandstand.terminal.report_text import print_report

Cell: TypeAlias = Value | float | str | None
"""A value of a table, or what it consists of."""

Columns: TypeAlias = Sequence[str | tuple[str, Unit]]
"""The titles of the columns of a table, with their units."""

FORMATS = {suffix: name for name, suffix in REPORT_FORMATS.items()}
HELP = f"File for the report, by its suffix: {', '.join(FORMATS)}."

progress = partial(track, console=Console(stderr=True), transient=True)
"""Show the progress of long work, apart from the report."""


def table(name: str, columns: Columns, rows: Iterable[Sequence[Cell]], note: str = "") -> Section:
    """Return a table; its first column names the rows."""
    titles = [column if isinstance(column, tuple) else (column, "") for column in columns]
    heads = [
        Column(id=title, title=title, unit=unit, shape="number" if number else "text")
        for number, (title, unit) in enumerate(titles)
    ]
    body = [Row(id=str(number), cells=[_value(cell) for cell in cells]) for number, cells in enumerate(rows)]
    return Section(id=name, title=name, note=note, body=Table(columns=heads, rows=body))


def mean(values: Sequence[float]) -> Value:
    """Return the mean with its 95 per cent interval."""
    return estimate(mean_interval(values))


def share(count: int, of: int) -> Value:
    """Return a share and what it is a share of; nothing of none."""
    return Value(value=count / of if of else None, n=of, note=f"of {of}" if of else "")


def publish(title: str, conditions: str, sections: Sequence[Section], out: Path | None) -> None:
    """Print the report of a benchmark, as Markdown where it is no terminal, and write it to a file if one is named."""
    report, console = Report(headline=conditions, sections=list(sections)), Console()
    if console.is_terminal:
        print_report(console, report)
    else:
        print(markdown(report, None, title), end="")
    if out is not None:
        out.write_bytes(written_report(report, title, FORMATS[out.suffix]))


def add_out(parser: argparse.ArgumentParser) -> None:
    """Add the option `--out`."""
    parser.add_argument("--out", type=_file, help=HELP)


def _file(name: str) -> Path:
    if (path := Path(name)).suffix not in FORMATS:
        raise argparse.ArgumentTypeError(f"{name}: name a file that ends in {', '.join(FORMATS)}")
    return path


def _checked(out: Path | None) -> Path | None:
    try:
        return None if out is None else _file(str(out))
    except argparse.ArgumentTypeError as error:
        raise typer.BadParameter(str(error)) from error


Out: TypeAlias = Annotated[Path | None, typer.Option("--out", help=HELP, callback=_checked)]
"""The option `--out` of a typer command."""


def _value(cell: Cell) -> Value:
    return cell if isinstance(cell, Value) else Value(value=cell)
