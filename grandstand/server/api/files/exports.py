"""An episode as a file: the page, the decisions, the record, or a format of the game."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from grandstand.campaigns.exporting import REPORT_FORMATS, episode_file, episode_format, episode_suffix
from grandstand.games.base import OptionError
from grandstand.models import MAX_NUMBER
from grandstand.play.exchange.dataset import parquet
from grandstand.play.exchange.exporting import (
    DECISIONS,
    PAGE,
    EpisodeView,
    media_type,
)
from grandstand.play.exchange.standalone import SpokenLine, spoken_lines
from grandstand.players.workers import timed
from grandstand.server.http import ViewpointText, admitted, problems
from grandstand.server.parts import Parts
from grandstand.server.turns import WorkKind
from grandstand.spectator.summary import summary_of

EXPORTS = WorkKind("exports", cost=1 / 10)

PARQUET = "application/vnd.apache.parquet"
MEDIA = {DECISIONS: PARQUET, "rows": PARQUET, "markdown": "text/markdown"}

SANDBOX = "sandbox allow-scripts"
"""An exported page is a download. Opened at its address here, it has no access to this server's origin."""


router = APIRouter(tags=["episodes"], responses=problems(403, 404, 422, 429, 503))


@router.get("/export/{format}", response_class=Response)
async def export(
    parts: Parts,
    connection: Request,
    episode_id: str,
    format: str,
    viewpoint: ViewpointText = "spectator",
    clips: Annotated[bool, Query(description="Put the clips of the voice into `html`.")] = False,
    seq: Annotated[int | None, Query(ge=0, le=MAX_NUMBER, description="The event whose report is exported.")] = None,
) -> Response:
    """Export an episode, as a viewpoint may know it: `html`, `jsonl`, `parquet`, or a format of its game.

    The report of a campaign is `markdown`, `report` (JSON) or `rows` (of its tables, as Parquet).
    """
    view = admitted(parts.access, connection, viewpoint, episode_id)
    await parts.history.load(episode_id)
    released = tuple(event for event in parts.history.events(episode_id, view) if seq is None or event.seq <= seq)
    summary = summary_of(released)
    name = episode_format(summary.game, format)
    episode = EpisodeView(summary, released, view)
    if seq is not None and name not in REPORT_FORMATS:
        raise OptionError(f"seq: only {', '.join(REPORT_FORMATS)} are of one moment; leave it out")
    if clips and (name != PAGE or not parts.voice.clips):
        raise OptionError(f"clips: only the format {PAGE} has them, where the server keeps clips; leave it out")
    async with parts.exports.enter(parts.access.visitor(connection), EXPORTS) as turn:
        lines: list[SpokenLine] = []
        if clips and parts.voice.clips:
            lines = await asyncio.to_thread(spoken_lines, parts.voice.clips, episode_id, released[-1].seq)
        content, seconds = await asyncio.to_thread(timed, _file, episode, name, parts.settings.page, lines)
        turn.used(seconds)
    suffix = ".parquet" if name == DECISIONS else episode_suffix(name)
    headers = {"Content-Disposition": f'attachment; filename="{episode_id}{suffix}"'}
    if name == PAGE:
        headers["Content-Security-Policy"] = SANDBOX
    return Response(content, media_type=MEDIA.get(name) or media_type(name), headers=headers)


def _file(episode: EpisodeView, format: str, page: Path, lines: Sequence[SpokenLine]) -> bytes:
    return parquet(episode) if format == DECISIONS else episode_file(episode, format, page, lines)
