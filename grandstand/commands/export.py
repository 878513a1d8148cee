"""`grandstand export`: write episodes of the data folder as files, or push their decisions to a Hub."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from grandstand.atomic import replace_file
from grandstand.campaigns.exporting import REPORT_FORMATS, episode_file, episode_format, episode_suffix
from grandstand.games.base import OptionError
from grandstand.models import Event
from grandstand.play.exchange.dataset import write_dataset
from grandstand.play.exchange.exporting import (
    DECISIONS,
    PAGE,
    RECORD,
    EpisodeView,
    format_named,
    revealed,
    view_of,
)
from grandstand.play.exchange.hub import PREFIX, HubFailed, push, repository
from grandstand.play.exchange.standalone import lines_in
from grandstand.spectator.data_folder import from_store
from grandstand.spectator.errors import RecordError
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.viewpoint import OPERATOR, Viewpoint
from grandstand.terminal.console import refuse

STDOUT = Path("-")
CLIPS = "clips"
"""The folder of the voice's clips in the data folder."""


def export(
    episodes: Annotated[list[str], typer.Argument(metavar="EPISODE...", help="Ids of episodes.", show_default=False)],
    format: Annotated[
        str,
        typer.Option(
            help="jsonl (the whole record), html (the page as one file), parquet (the decisions as a dataset), or a "
            "format of the game, as `grandstand list games` lists them; of a campaign markdown, report (JSON) or rows "
            "(of its tables, as Parquet). With --to it is parquet."
        ),
    ] = RECORD,
    as_: Annotated[
        str,
        typer.Option(
            "--as",
            help="Write what a spectator, seat:NAME, analyst or operator may know. [default: operator for jsonl and a "
            "folder of decisions, else what the episode reveals to everybody]",
        ),
    ] = "",
    data: Annotated[Path, typer.Option(help="Folder of the record; a server may be running on it.")] = Path("data"),
    out: Annotated[
        Path | None, typer.Option(help="The file or folder; - is standard output. [default: named after the episode]")
    ] = None,
    to: Annotated[str, typer.Option(help=f"Push the decisions as a dataset: {PREFIX}OWNER/NAME.")] = "",
    public: Annotated[bool, typer.Option("--public", help="With --to, make a new repository public.")] = False,
    clips: Annotated[
        bool, typer.Option("--clips", help="With html, put the clips of the voice into the file: it is heard offline.")
    ] = False,
    licence: Annotated[str, typer.Option(help="The licence in the card of a dataset. [default: cc-by-4.0]")] = "",
) -> None:
    """Write an episode of the data folder to a file.

    The format jsonl is by default the whole record, including secrets and training data: it can be replayed, trained
    on, and played by a recorded player. A folder of decisions (parquet) has by default all of them. Every other format,
    and what --to pushes, contains by default what everybody may know.
    """
    try:
        _check(episodes, format, out, to, clips)
        chosen = DECISIONS if to else format
        whole = chosen == RECORD or (chosen == DECISIONS and not to)
        views = [_view(*from_store(data, episode), whole, as_) for episode in dict.fromkeys(episodes)]
        if chosen == DECISIONS:
            _write_decisions(views, out, to, public, licence)
            return
        for view in views:
            _write_file(view, episode_format(view.summary.game, format), out, data / CLIPS if clips else None)
    except (RecordError, OptionError, HubFailed) as error:
        text = str(error)
        option = text.startswith(("format:", "as:", "out:", "to:", "clips:"))
        refuse("export", f"--{text}" if option else text, 1 if isinstance(error, HubFailed) else 2, error)


def _check(episodes: Sequence[str], format: str, out: Path | None, to: str, clips: bool) -> None:
    if clips and (to or format != PAGE):
        raise OptionError(f"clips: only a file of the format {PAGE} has them")
    if to:
        repository(to)
        if format not in (RECORD, DECISIONS):
            raise OptionError(f"format: --to pushes {DECISIONS}, not {format}")
        if out is not None:
            raise OptionError("out: give it, or --to, not both")
    elif len(episodes) > 1 and format != DECISIONS and out is not None:
        raise OptionError("out: several episodes are several files, each named after its episode; leave it out")
    if out == STDOUT and format == DECISIONS:
        raise OptionError(f"out: {DECISIONS} is a folder; name one")


def _view(summary: EpisodeSummary, events: Sequence[Event], whole: bool, as_: str) -> EpisodeView:
    """Return the episode from a viewpoint; by default all of it if `whole`, else what it reveals. Raises
    OptionError."""
    if not as_:
        opened = revealed(summary.reveal, over=summary.ended_at is not None)
        return view_of(events, OPERATOR if whole else opened, time.time())
    try:
        viewpoint = Viewpoint.parse(as_)
    except ValueError as error:
        raise OptionError(f"as: {error}") from error
    seats = [info.seat for info in summary.seats]
    if viewpoint.role == "seat" and viewpoint.seat not in seats:
        raise OptionError(f"as: {summary.episode_id} has no seat {viewpoint.seat!r}; there are {', '.join(seats)}")
    return view_of(events, viewpoint, time.time())


def _write_file(view: EpisodeView, format: str, out: Path | None, clips: Path | None) -> None:
    from grandstand.server.settings import PAGE as BUILT_PAGE

    spoken = lines_in(clips, view.summary.episode_id, view.events[-1].seq) if clips else []
    content = episode_file(view, format, BUILT_PAGE, spoken)
    if out == STDOUT:
        typer.echo(content, nl=False)
        return
    file = out or Path(f"{view.summary.episode_id}{episode_suffix(format)}")
    try:
        with replace_file(file) as part:
            part.write_bytes(content)
    except OSError as error:
        raise OptionError(f"out: {file}: {error.strerror}") from error
    voiced = f", {len(spoken)} clips" if spoken else ""
    size = f"{voiced}, {file.stat().st_size / 1e6:.1f} MB" if format == PAGE else ""
    what = "the report after " if format in REPORT_FORMATS else ""
    typer.echo(f"{file}: {what}{len(view.events)} events, {view.summary.status}{size}", err=True)


def _write_decisions(views: Sequence[EpisodeView], out: Path | None, to: str, public: bool, licence: str) -> None:
    for view in views:
        format_named(view.summary.game, DECISIONS)
    if to:
        with TemporaryDirectory(prefix="grandstand-") as scratch:
            dataset = Path(scratch) / "dataset"
            count = write_dataset(views, dataset, licence)
            typer.echo(f"{push(dataset, to, public=public)}: {count} decisions", err=True)
        return
    folder = out or Path(f"{views[0].summary.episode_id}-decisions")
    try:
        count = write_dataset(views, folder, licence)
    except OSError as error:
        raise OptionError(f"out: {folder}: {error.strerror}") from error
    typer.echo(f"{folder}: {count} decisions", err=True)
