"""Moves that a visitor tries from a moment of a match. Nothing is recorded, and no match begins."""

from __future__ import annotations

from fastapi import APIRouter, Request

from grandstand.games.base import OptionError
from grandstand.server.bodies.sandbox import AskSandbox, OpenSandbox, SandboxPosition
from grandstand.server.bodies.seats import SeatChoices
from grandstand.server.http import problems
from grandstand.server.matches.sandbox import SandboxSource, sandbox_choices, sandbox_position
from grandstand.server.parts import Parts, ServerParts
from grandstand.spectator.viewpoint import SPECTATOR

router = APIRouter(tags=["episodes"], responses=problems(403, 404, 422, 429, 503))


@router.post("")
async def position(parts: Parts, connection: Request, episode_id: str, asked: OpenSandbox) -> SandboxPosition:
    """Return the position after moves that are tried from a moment of a match. The caller plays every seat.

    Of a match that has ended and is revealed, the position is the whole one. Of any other it has what everybody knows,
    and is refused where a player knows more. Chance is drawn anew.
    """
    source = await _source(parts, connection, episode_id, asked.seq)
    return await parts.sandboxes.computed(parts.access.visitor(connection), sandbox_position, source, asked)


@router.post("/choices")
async def choices(parts: Parts, connection: Request, episode_id: str, asked: AskSandbox) -> SeatChoices:
    """Return what `seat` may choose next after those moves, and the action that its choices so far make."""
    source = await _source(parts, connection, episode_id, asked.seq)
    return await parts.sandboxes.computed(parts.access.visitor(connection), sandbox_choices, source, asked)


async def _source(parts: ServerParts, connection: Request, episode_id: str, seq: int) -> SandboxSource:
    """Return the match as the caller may know it. Raise UnknownEpisode, or OptionError if event `seq` is not known."""
    await parts.history.load(episode_id)
    summary = parts.history.summary(episode_id, SPECTATOR)
    events = parts.history.events(episode_id, SPECTATOR)
    if seq >= len(events):
        raise OptionError(f"seq: {seq} has not happened; the last event is {len(events) - 1}")
    whole = summary.ended_at is not None and parts.access.looks_on(connection, summary)
    store = parts.reference.file(episode_id) or parts.store
    return SandboxSource(store, episode_id, events[0].epoch, len(events), whole)
