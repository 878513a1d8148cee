"""The lobby: its matches, and the games that can be started."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from grandstand.models import PlayerInfo, SeatId, Wire
from grandstand.server.bodies.matches import Awaited, Excerpt, Glance, LaneInfo
from grandstand.spectator.frames import EpisodeSummary


class KeyMoment(Wire):
    """The last important fact of a match, which event `seq` tells, and the events that show it, `first` to `last`."""

    seq: int
    first: int
    last: int
    text: str
    excerpt: Excerpt


class Lobby(Wire):
    """The matches that the lobby shows: those that are live, those that wait, and those that ended last."""

    version: str = Field(description="Names this state of the lobby: `epoch.number`.")
    episodes: dict[str, EpisodeSummary]
    live: list[str] = Field(description="The live episodes, newest first.")
    queue: list[str] = Field(description="The episodes that wait for a slot, next first.")
    ended: list[str] = Field(description="The episodes that ended last, newest first; without those of tournaments.")
    total: int = Field(description="The number of ended episodes, without those of tournaments.")
    viewers: dict[str, int] = Field(description="Connections per watched episode.")
    lanes: list[LaneInfo] = Field(description="The showcase of each game that has one.")
    waiting: list[str] = Field(
        description="Live episodes that wait until the record can be written; they go on by themselves."
    )
    awaited: dict[str, Awaited] = Field(
        description="The people whom live matches wait for, in each match the one with the least time."
    )
    moments: dict[str, KeyMoment] = Field(
        description="The last key moment of each live match, and of the last results."
    )
    glances: dict[str, Glance] = Field(
        description="The newest live matches, and the last results, at their summary's `last_seq`."
    )


class Highlight(Wire):
    """An important moment of a recent match: a fact of its story, and the events that show it, `first` to `last`.

    `first` is the start of the turn, so that its position is the one before what happened. What happened before a turn
    began, and is told of its start, is shown from the start of the turn before.
    """

    episode_id: str
    game: str
    title: str
    first: int
    last: int
    at: float
    turn: str
    kind: str
    text: str
    importance: float
    seats: list[SeatId]
    excerpt: Excerpt | None = None
    reference: bool = Field(default=False, description="True if the match came with the installation.")


class GameInfo(Wire):
    """A game: its seats, options (as a JSON schema) and available players."""

    name: str
    title: str
    seats: list[SeatId]
    seats_by: dict[str, dict[str, list[SeatId]]] = Field(
        default={}, description="Option -> its value as text -> the seats, if they depend on it."
    )
    options: dict[str, Any]
    players: list[PlayerInfo]
    cast: list[str] = Field(default=[], description="The players of a showcase match, one per seat.")
    formats: list[str] = Field(default=[], description="The formats in which its episodes can be exported.")
