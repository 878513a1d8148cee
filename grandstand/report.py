"""The report of a campaign: figures, tables and charts, as data that any of its renderers draws.

A report is computed once, here in Python, and says everything in words and numbers; a renderer only draws. Sections
keep their order. `Behind` names the matches from which a figure is computed, so that a viewer can open the
matches.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from grandstand.models import Draft, Wire

Tone = Literal["", "good", "bad", "warning", "faint"]
"""The judgement on a value, shown as its colour; '' for none."""

Unit = Literal["", "share", "elo", "dollars", "seconds", "count", "signed", "signed elo", "bytes"]
"""The format of a number: plain, as per cent of 1, in Elo points, and so on. `signed` numbers show a plus."""


class Behind(Wire):
    """The matches from which a value is computed.

    They are rows of the report's table `table`, such as `0-11,14`; or, without a table, the matches of a training run
    that the server knows: of the steps `first` to `last`, with `player` in a seat if one is named, and of one `stage`
    if one is.
    """

    title: str
    note: str = ""
    table: str = ""
    rows: str = ""
    first: int = 0
    last: int = 0
    players: list[str] = []
    stage: Literal["", "training", "evaluation"] = ""


class Link(Wire):
    """A moment, or a page of this server if `page` is given, such as `/player/heron-2`."""

    text: str = ""
    episode_id: str = ""
    seq: int | None = None
    page: str = ""


class Value(Wire):
    """A number or words, with interval, tone and note. None if unknown: `note` may say why.

    `low` and `high` are the bounds of its interval, None where the sample `n` is too small for one; `level` is that of
    the interval. `dots` are the values that it is the mean of, where there are few.
    """

    value: float | str | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    level: float = 0.95
    dots: list[float] = []
    note: str = ""
    tone: Tone = ""
    strong: bool = False
    link: Link | None = None
    behind: Behind | None = None


class Figure(Wire):
    """A value with its name."""

    label: str
    value: Value
    unit: Unit = ""
    of: float | None = Field(default=None, description="What the value is a part of: 24 of 30, drawn as a bar.")
    help: str = ""


class Column(Wire):
    """A column of a table.

    `shape` says how its values are drawn: as text or a number with its interval below; as a `whisker` on an axis that
    all rows share, from `low` to `high` if they are given; as a `bar`; or as `heat`, the cells of a matrix, which are
    coloured by their distance from `middle`. `drop` orders the columns that a narrow screen leaves out: the greatest
    goes first.
    """

    id: str
    title: str
    shape: Literal["text", "number", "whisker", "bar", "heat"] = "text"
    unit: Unit = ""
    low: float | None = None
    high: float | None = None
    middle: float | None = None
    help: str = ""
    drop: int = 0


class Row(Wire):
    """A row of a table: a value for each column. `owner` is the player or arm in whose colour it is marked."""

    id: str
    cells: list[Value]
    owner: str = ""
    tone: Tone = ""


class Figures(Wire):
    """Some values in a row, the first one largest."""

    kind: Literal["figures"] = "figures"
    figures: list[Figure]


class Table(Wire):
    """Rows of values. `sort` is the column by which they are sorted at first; '' keeps their order.

    Rows beyond `shown` are folded away until the reader asks for them.
    """

    kind: Literal["table"] = "table"
    columns: list[Column]
    rows: list[Row]
    sort: str = ""
    shown: int = 0


class Axis(Wire):
    """An axis of a chart. `low` and `high` are values that it contains at least; `log` asks for powers of ten."""

    title: str = ""
    unit: Unit = ""
    low: float | None = None
    high: float | None = None
    log: bool = False


class Point(Wire):
    """A point of a mark, with the bounds of its interval: along y, or along x in a chart without a y axis."""

    x: float
    y: float = 0.0
    low: float | None = None
    high: float | None = None
    label: str = ""
    behind: Behind | None = None


class Mark(Wire):
    """A series of a chart.

    A `line` joins its points; a `band` fills the space between their `low` and `high`; `dots` stand alone, with their
    intervals; `bars` rise from 0; a `rule` is a straight line at its one point's y, or at its x in a chart without a y
    axis. Marks with an empty `name` have no entry in the legend.
    """

    id: str
    kind: Literal["line", "band", "dots", "bars", "rule"]
    name: str = ""
    owner: str = ""
    tone: Tone = ""
    strong: bool = False
    points: list[Point]


class Chart(Wire):
    """Marks on two axes. Without a y axis all marks lie on one line, and intervals go along x.

    `figures` stand beside it. `describe` is a sentence on its contents, for screen readers.
    """

    kind: Literal["chart"] = "chart"
    x: Axis
    y: Axis | None = None
    marks: list[Mark]
    figures: list[Figure] = []
    describe: str
    size: Literal["large", "small"] = "large"


class Note(Wire):
    """A sentence or two, with its tone; `link` leads on."""

    text: str
    tone: Tone = ""
    title: str = ""
    link: Link | None = None


class Notes(Wire):
    """Sentences."""

    kind: Literal["notes"] = "notes"
    notes: list[Note]


Body = Annotated[Figures | Table | Chart | Notes, Field(discriminator="kind")]


class Section(Wire):
    """A part of a report. Sections with the same `tab` stand together; those without one stand above all tabs.

    `note` is one line on how to read it. Where the screen is wide, sections of width `half` or `third` share a row.
    """

    id: str
    title: str = ""
    note: str = ""
    tab: str = ""
    width: Literal["full", "half", "third"] = "full"
    body: Body


class Progress(Wire):
    """The units of a campaign: `done` of `total`, of which `failed` failed.

    `seconds` is the estimate of the time that the others take.
    """

    done: int
    total: int
    unit: str = Field(description="The name of several units: `matches`.")
    failed: int = 0
    seconds: float | None = None


class Report(Wire):
    """The contents of a campaign's page.

    `headline` is the result in a few words, `summary` the sentence below it. `owners` are the players or arms in the
    order in which they get their colours.
    """

    headline: str
    summary: str = ""
    tone: Tone = ""
    progress: Progress | None = None
    owners: list[str] = []
    sections: list[Section] = []


class AddedPoints(Wire):
    """Points to be added at the end of a mark of a chart."""

    section: str
    mark: str
    points: list[Point]


class ChangedRows(Wire):
    """Rows of a table: each replaces the row of its id, or is added at the end."""

    section: str
    rows: list[Row]


class ReportUpdated(Wire):
    """The report of a campaign changed.

    `report` has its head, and only the sections that are new or changed, at their places in `order`, the ids of all
    sections. A chart to which points were added is not repeated: `added` has the points; nor is a table of which less
    than half changed: `rows` has the rows. `text` says what happened, in a sentence for the log; '' if nothing is worth
    a line. `mark` asks for a mark on the timeline.
    """

    report: Report
    order: list[str]
    added: list[AddedPoints] = []
    rows: list[ChangedRows] = []
    text: str = ""
    mark: bool = False


class ReportLog:
    """The published state of a report, from which the changes to send are computed.

    >>> log = ReportLog()
    >>> draft = log.update(report, "Match 17: heron-2 won.")
    """

    def __init__(self) -> None:
        self.last: Report | None = None

    def update(self, report: Report, text: str = "", *, mark: bool = False) -> ReportUpdated | None:
        """Return the event that updates to `report`; None if nothing changed and `text` is empty."""
        if report == self.last and not text:
            return None
        before = {section.id: section for section in self.last.sections} if self.last else {}
        self.last = report
        changed: list[Section] = []
        added: list[AddedPoints] = []
        rows: list[ChangedRows] = []
        for section in report.sections:
            old = before.get(section.id)
            if old == section:
                continue
            if old is not None and (points := _added(old, section)) is not None:
                added += points
            elif old is not None and (some := _changed_rows(old, section)) is not None:
                rows.append(ChangedRows(section=section.id, rows=some))
            else:
                changed.append(section)
        head = report.model_copy(update={"sections": changed})
        order = [section.id for section in report.sections]
        return ReportUpdated(report=head, order=order, added=added, rows=rows, text=text, mark=mark)

    def drafts(self, report: Report, text: str = "", *, mark: bool = False) -> list[Draft]:
        """Return the event of `update` as drafts, without None values, which are most of a report."""
        event = self.update(report, text, mark=mark)
        return (
            [] if event is None else [Draft(ReportUpdated.__name__, event.model_dump(mode="json", exclude_none=True))]
        )

    def follow(self, data: Mapping[str, Any]) -> None:
        """Apply an event that was published earlier, such as by another process. Raises ValidationError."""
        self.last = after(self.last, ReportUpdated.model_validate(data))


def after(before: Report | None, event: ReportUpdated) -> Report:
    """Return the report after an event."""
    sections = {section.id: section for section in (*(before.sections if before else ()), *event.report.sections)}
    for piece in event.added:
        sections[piece.section] = _with_points(sections[piece.section], piece)
    for part in event.rows:
        sections[part.section] = _with_rows(sections[part.section], part.rows)
    return event.report.model_copy(update={"sections": [sections[name] for name in event.order]})


def _with_points(section: Section, piece: AddedPoints) -> Section:
    assert isinstance(section.body, Chart)
    marks = [
        mark.model_copy(update={"points": [*mark.points, *piece.points]}) if mark.id == piece.mark else mark
        for mark in section.body.marks
    ]
    return section.model_copy(update={"body": section.body.model_copy(update={"marks": marks})})


def _with_rows(section: Section, rows: list[Row]) -> Section:
    assert isinstance(section.body, Table)
    merged = {row.id: row for row in (*section.body.rows, *rows)}
    return section.model_copy(update={"body": section.body.model_copy(update={"rows": list(merged.values())})})


def _added(old: Section, new: Section) -> list[AddedPoints] | None:
    """Return the points that lead from `old` to `new`; None if anything else changed."""
    if not isinstance(old.body, Chart) or not isinstance(new.body, Chart):
        return None
    marks = [mark.model_copy(update={"points": []}) for mark in new.body.marks]
    bare = new.model_copy(update={"body": new.body.model_copy(update={"marks": marks})})
    marks = [mark.model_copy(update={"points": []}) for mark in old.body.marks]
    if bare != old.model_copy(update={"body": old.body.model_copy(update={"marks": marks})}):
        return None
    added: list[AddedPoints] = []
    for was, now in zip(old.body.marks, new.body.marks, strict=True):
        count = len(was.points)
        if now.points[:count] != was.points:
            return None
        if len(now.points) > count:
            added.append(AddedPoints(section=new.id, mark=now.id, points=now.points[count:]))
    return added


def _changed_rows(old: Section, new: Section) -> list[Row] | None:
    """Return the rows that lead from `old` to `new`; None if anything else changed, or most rows did."""
    if not isinstance(old.body, Table) or not isinstance(new.body, Table):
        return None
    bare = new.model_copy(update={"body": new.body.model_copy(update={"rows": old.body.rows})})
    if bare != old:
        return None
    was, now = old.body.rows, new.body.rows
    if [row.id for row in now[: len(was)]] != [row.id for row in was]:
        return None
    rows = [row for row, before in zip(now, was, strict=False) if row != before] + now[len(was) :]
    return rows if 2 * len(rows) < len(now) else None
