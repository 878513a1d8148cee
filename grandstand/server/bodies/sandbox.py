"""Moves that a visitor tries from a moment of a match."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from grandstand.models import MAX_NUMBER, Event, GameAction, SeatId, Wire
from grandstand.server.bodies.seats import AskChoices, SeatView

MOST_MOVES = 300
"""The most moves of a sandbox."""


class SandboxMove(Wire):
    """A decision of a seat; without a seat, a change of the position by hand."""

    seat: SeatId | None
    action: GameAction | None = Field(description="Null for what a seat does that does nothing.")


class OpenSandbox(Wire):
    """A moment of a match and the moves that are tried from it. The server keeps none of it."""

    seq: int = Field(ge=0, le=MAX_NUMBER, description="An event of the match: the sandbox begins with its turn.")
    moves: list[SandboxMove] = Field(default=[], max_length=MOST_MOVES)
    draw: int = Field(default=0, ge=0, le=MAX_NUMBER, description="Another number draws chance anew.")
    known: int = Field(
        default=0, ge=0, le=MOST_MOVES, description="The moves whose events are known, which the answer leaves out."
    )
    seat: SeatId | None = Field(default=None, description="The seat to look from; by default the first that decides.")


class AskSandbox(OpenSandbox):
    """The choices so far of a seat after the moves of a sandbox; without a seat, those of a change of the position."""

    asked: AskChoices = Field(default_factory=AskChoices)


class SandboxPosition(Wire):
    """The position after the moves of a sandbox."""

    seq: int = Field(description="The event of the match after which the sandbox begins.")
    viewpoint: Literal["analyst", "spectator"] = Field(description="The viewpoint of that event.")
    events: list[list[Event]] = Field(description="The events of each move that was not known, numbered after `seq`.")
    waiting: list[SeatId] = Field(description="The seats that decide next; none if the match is over.")
    view: SeatView | None = Field(default=None, description="What the seat asked about may know and do.")
    editable: bool = Field(description="Whether the position can be changed by hand.")
    decided: list[SandboxMove] = Field(
        default=[], description="The decisions of the match in the turn in which the sandbox begins, before any move."
    )
