"""Games that were played elsewhere: a file is posted, and becomes an episode."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from grandstand.games.base import OptionError
from grandstand.play.exchange.importing import ImportedEpisode, ImportFault, read_import
from grandstand.server.access import Access
from grandstand.server.api.parameters import problems
from grandstand.server.bodies import ImportedFile
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import UnknownEpisode
from grandstand.spectator.history import History
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.viewpoint import SPECTATOR

MAX_BODY = 16 * 1024**2
"""Bytes of a file as it is sent; it may be gzipped."""

UNNAMED = "file"
"""The name of a file that is sent without one; errors begin with the name."""


def router(bus: Bus, recorder: Recorder, history: History, access: Access) -> APIRouter:
    """Return the route."""
    api = APIRouter(tags=["episodes"])
    turn = asyncio.Lock()

    @api.post(
        "/imports",
        status_code=201,
        responses={**problems(403, 422, 429), 200: {"model": ImportedFile, "description": "It is there already."}},
        openapi_extra={"requestBody": {"required": True, "content": {"application/octet-stream": {}}}},
    )
    async def import_file(
        connection: Request,
        response: Response,
        name: Annotated[str, Query(max_length=200, description="The name of the file.")] = UNNAMED,
        title: Annotated[str, Query(max_length=120)] = "",
        source: Annotated[str, Query(max_length=200, description="The place that the file comes from.")] = "",
    ) -> ImportedFile:
        """Record a game that was played elsewhere: a saved game, a Cricsheet match or a record, gzipped or not.

        The body is the file. The same file is recorded once.
        """
        access.imports(connection)
        content = await connection.body()
        async with turn:  # reading takes a core for a second or so: one file at a time
            try:
                imported = await asyncio.to_thread(read_import, name, content, title, source)
            except ImportFault as error:
                raise OptionError(str(error) if name == UNNAMED else f"file: {error}") from error
            new = _record(bus, recorder, imported)
        response.status_code = 201 if new else 200
        response.headers["Location"] = f"/api/episodes/{imported.episode_id}"
        summary = history.summary(imported.episode_id, SPECTATOR)
        return ImportedFile(episode=summary, new=new, differences=list(imported.differences))

    return api


def _record(bus: Bus, recorder: Recorder, imported: ImportedEpisode) -> bool:
    """Record the episode in one commit; return False if it is there already. Raises RecordError."""
    try:
        recorder.summary(imported.episode_id)
        return False
    except UnknownEpisode:
        bus.relay(imported.events)
        return True
