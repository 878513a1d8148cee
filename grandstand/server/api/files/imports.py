"""Import of games that were played elsewhere: a posted file becomes an episode."""

from __future__ import annotations

import logging
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from grandstand.games.base import OptionError
from grandstand.play.exchange.importing import ImportFault
from grandstand.play.exchange.recording import RecordedImport, record_import
from grandstand.players.workers import LimitExceeded, WorkerDied, timed
from grandstand.server.bodies.matches import ImportedFile
from grandstand.server.http import problems
from grandstand.server.parts import IMPORT_LIMITS, Parts, ServerParts
from grandstand.server.turns import WorkKind, WorkTurn
from grandstand.spectator.viewpoint import SPECTATOR

log = logging.getLogger(__name__)

MAX_BODY = 16 * 1024**2
"""The largest upload in bytes; the file may be gzipped."""

IMPORTS = WorkKind("imports", cost=1.0, most=16)

UNNAMED = "file"
"""The name of a file that is sent without a name; errors begin with it."""


router = APIRouter(tags=["episodes"])


@router.post(
    "",
    status_code=201,
    responses={**problems(403, 422, 429), 200: {"model": ImportedFile, "description": "It is there already."}},
    openapi_extra={"requestBody": {"required": True, "content": {"application/octet-stream": {}}}},
)
async def import_file(
    parts: Parts,
    connection: Request,
    response: Response,
    name: Annotated[str, Query(max_length=200, description="The name of the file.")] = UNNAMED,
    title: Annotated[str, Query(max_length=120)] = "",
    source: Annotated[str, Query(max_length=200, description="The place that the file comes from.")] = "",
) -> ImportedFile:
    """Record a game that was played elsewhere: a saved game, a Cricsheet match or a record, gzipped or not.

    The body is the file. The same file is recorded once.
    """
    parts.access.imports(connection)
    visitor = parts.access.visitor(connection)
    parts.purse.check(visitor, IMPORTS.cost, IMPORTS.name)
    content = await connection.body()
    async with parts.imports.enter(visitor, IMPORTS) as turn:
        result, seconds = await _recorded(parts, turn, name, (parts.store, name, content, title, source))
        turn.used(seconds, events=result.events if result.new else 0)
    if result.new:
        log.info("match %s imported: %d events", result.episode_id, result.events)
        parts.imported(result.episode_id)
    response.status_code = 201 if result.new else 200
    response.headers["Location"] = f"/api/episodes/{result.episode_id}"
    await parts.history.prefetch(result.episode_id)
    summary = parts.history.summary(result.episode_id, SPECTATOR)
    return ImportedFile(episode=summary, new=result.new, differences=list(result.differences))


async def _recorded(
    parts: ServerParts, turn: WorkTurn, name: str, file: tuple[Any, ...]
) -> tuple[RecordedImport, float]:
    """Return the recorded file and the CPU seconds that it took. Raise OptionError."""
    try:
        return await parts.importing.computed(timed, record_import, *file)
    except ImportFault as error:
        raise _refused(name, str(error)) from error
    except LimitExceeded as error:
        turn.used(IMPORT_LIMITS.seconds)
        raise _refused(name, f"{name}: to read it takes more than {error}; import a game at a time") from error
    except WorkerDied as error:
        log.warning("import of %r: %s", name, error)
        raise _refused(name, f"{name}: the process that read it died; the server's log may say why") from error


def _refused(name: str, message: str) -> OptionError:
    """Return an error of the field `file`; its message begins with the file's name, if it has one."""
    return OptionError(message if name == UNNAMED else f"file: {message}")
