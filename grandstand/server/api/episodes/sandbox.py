"""Moves that a visitor tries from a moment of a match. Nothing is recorded, and no match begins."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from fastapi import APIRouter, Request

from grandstand.games.base import IllegalAction, OptionError
from grandstand.players.workers import LimitExceeded, WorkerDied
from grandstand.server.bodies.sandbox import AskSandbox, OpenSandbox, SandboxPosition
from grandstand.server.bodies.seats import SeatChoices
from grandstand.server.http import problems
from grandstand.server.matches.sandbox import (
    SANDBOXES,
    RefusedMove,
    SandboxSource,
    sandbox_choices,
    sandbox_position,
)
from grandstand.server.parts import Parts, ServerParts
from grandstand.spectator.viewpoint import SPECTATOR

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")
Asked = TypeVar("Asked", bound=OpenSandbox)

router = APIRouter(tags=["episodes"], responses=problems(403, 404, 422, 429, 503))


@router.post("")
async def position(parts: Parts, connection: Request, episode_id: str, asked: OpenSandbox) -> SandboxPosition:
    """Return the position after moves that are tried from a moment of a match. The caller plays every seat.

    Of a match that has ended and is revealed, the position is the whole one. Of any other it has what everybody knows,
    and is refused where a player knows more. Chance is drawn anew.
    """
    return await _computed(parts, connection, episode_id, sandbox_position, asked)


@router.post("/choices")
async def choices(parts: Parts, connection: Request, episode_id: str, asked: AskSandbox) -> SeatChoices:
    """Return what `seat` may choose next after those moves, and the action that its choices so far make."""
    return await _computed(parts, connection, episode_id, sandbox_choices, asked)


async def _computed(
    parts: ServerParts,
    connection: Request,
    episode_id: str,
    compute: Callable[[SandboxSource, Asked], Answer | RefusedMove],
    asked: Asked,
) -> Answer:
    source = await _source(parts, connection, episode_id)
    if asked.seq >= source.released:
        raise OptionError(f"seq: {asked.seq} has not happened; the last event is {source.released - 1}")
    async with parts.sandboxes.enter(parts.access.visitor(connection), SANDBOXES):
        try:
            answer = await parts.sandbox.computed(compute, source, asked)
        except LimitExceeded as error:
            raise OptionError(f"moves: to play them takes more than {error}") from error
        except WorkerDied as error:
            log.warning("sandbox of %s: %s", episode_id, error)
            raise OptionError("moves: the process that plays them died; the server's log may say why") from error
    if isinstance(answer, RefusedMove):
        raise IllegalAction(answer.field, answer.reason)
    return answer


async def _source(parts: ServerParts, connection: Request, episode_id: str) -> SandboxSource:
    """Return the match as the caller may know it. Raise UnknownEpisode."""
    await parts.history.load(episode_id)
    summary = parts.history.summary(episode_id, SPECTATOR)
    events = parts.history.events(episode_id, SPECTATOR)
    whole = summary.ended_at is not None and parts.access.looks_on(connection, summary)
    return SandboxSource(parts.store, episode_id, events[0].epoch, len(events), whole)
