"""The choices of a seat, from which the page builds the form of any game."""

from __future__ import annotations

from fastapi import APIRouter, Request

from grandstand.server.bodies.seats import AskChoices, SeatChoices
from grandstand.server.http import problems
from grandstand.server.matches.choices import seat_choices
from grandstand.server.parts import Parts

router = APIRouter(tags=["seats"])


@router.post("", responses=problems(403, 404, 409, 422))
async def choices(parts: Parts, connection: Request, episode_id: str, seat: str, asked: AskChoices) -> SeatChoices:
    """Return what a seat may choose next, and the action that its choices so far make. Changes nothing.

    There are no stages while the match does not wait for the seat. Choices that were made for another decision, by its
    number, are ignored: the answer is about the current decision. Requires the seat's token or an operator.
    """
    parts.access.seat(connection, episode_id, seat)
    live = parts.driver.match(episode_id)
    live.person(seat)
    return seat_choices(live.runner.match, seat, asked)
