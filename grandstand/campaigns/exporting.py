"""An episode of a match or a campaign as a file. A campaign's report is Markdown, JSON, or the rows of its tables.

pyarrow is imported when rows are written: it is in the extra `parquet`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

from grandstand.campaign_events import CAMPAIGNS
from grandstand.campaigns.markdown import markdown
from grandstand.games.base import OptionError
from grandstand.models import Event
from grandstand.play.exchange.exporting import PAGE, RECORD, EpisodeView, export_text, format_named, suffix_of
from grandstand.play.exchange.standalone import SpokenLine
from grandstand.play.record_folder import EVALUATION_RECORD, SERIES_RECORD
from grandstand.play.record_folder import RECORD as TOURNAMENT_RECORD
from grandstand.report import Report, ReportUpdated, Row, Section, Table, after
from grandstand.spectator.record_file import read_episode

COLUMNS = ("section", "row", "column", "title", "number", "text", "low", "high", "n")
"""Columns of the rows: a line for each value of each table."""


REPORT_FORMATS: Mapping[str, str] = {"markdown": ".md", "report": ".json", "rows": ".parquet"}
"""The formats that only campaigns have, with the suffix of their files."""


def episode_format(game: str, name: str) -> str:
    """Return the format `name` of an episode of a match or a campaign. Raises OptionError."""
    if game not in CAMPAIGNS:
        return format_named(game, name)
    if name not in (formats := [PAGE, RECORD, *REPORT_FORMATS]):
        raise OptionError(f"format: a {game} has no {name!r}; there are {', '.join(formats)}")
    return name


def episode_suffix(format: str) -> str:
    """Return the suffix of a file of this format; none for a folder."""
    return REPORT_FORMATS.get(format) or suffix_of(format)


def episode_file(view: EpisodeView, format: str, page: Path, clips: Sequence[SpokenLine] = ()) -> bytes:
    """Return the file of any format but a folder, as `export_text` does. Raises OptionError."""
    if format in REPORT_FORMATS:
        return report_file(view, format)
    return export_text(view, format, page, clips).encode()


def report_file(view: EpisodeView, format: str) -> bytes:
    """Return the report of a campaign's episode as a file. Raises OptionError."""
    report = last_report(view.known)
    if report is None:
        raise OptionError(f"format: {view.summary.episode_id} has no report yet; ask again after its first result")
    return written_report(report, view.summary.title, format)


def written_report(report: Report, title: str, format: str) -> bytes:
    """Return a report in one of REPORT_FORMATS. Raises OptionError."""
    return _WRITERS[format](report, title)


def last_report(events: Iterable[Event]) -> Report | None:
    """Return the report after some events of a campaign; None before the first one."""
    report: Report | None = None
    for event in events:
        if event.type == ReportUpdated.__name__:
            report = after(report, ReportUpdated.model_validate(event.data))
    return report


def report_in(folder: Path) -> tuple[Report, str] | None:
    """Return the report of the tournament or evaluation whose records are in a folder, and its title; None if there is
    none. Raises RecordError."""
    for name in (TOURNAMENT_RECORD, EVALUATION_RECORD, SERIES_RECORD):
        if (folder / name).is_file():
            events = read_episode(folder / name).events
            report = last_report(events)
            return None if report is None else (report, str(events[0].data["title"]))
    return None


def rows(report: Report) -> list[Mapping[str, Any]]:
    """Return every value of every table, by COLUMNS."""
    return [
        dict(zip(COLUMNS, cell, strict=True))
        for section in report.sections
        if isinstance(section.body, Table)
        for row in section.body.rows
        for cell in _cells(section, section.body, row)
    ]


def _cells(section: Section, table: Table, row: Row) -> Iterator[tuple[object, ...]]:
    for column, value in zip(table.columns, row.cells, strict=True):
        text = value.value if isinstance(value.value, str) else None
        number = None if isinstance(value.value, str) else value.value
        yield section.id, row.id, column.id, column.title, number, text, value.low, value.high, value.n


def _rows_file(report: Report, title: str) -> bytes:
    if find_spec("pyarrow") is None:
        raise OptionError("format: rows need pyarrow: install grandstand[parquet]")
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {"number": pa.float64(), "low": pa.float64(), "high": pa.float64(), "n": pa.int64()}
    schema = pa.schema([pa.field(name, kinds.get(name, pa.string())) for name in COLUMNS])
    file = BytesIO()
    pq.write_table(pa.Table.from_pylist(rows(report), schema=schema), file, compression="zstd")
    return file.getvalue()


def _markdown_file(report: Report, title: str) -> bytes:
    return markdown(report, None, title).encode()


def _report_file(report: Report, title: str) -> bytes:
    return (report.model_dump_json(indent=1, exclude_none=True) + "\n").encode()


_WRITERS: Mapping[str, Callable[[Report, str], bytes]] = {
    "markdown": _markdown_file,
    "report": _report_file,
    "rows": _rows_file,
}
