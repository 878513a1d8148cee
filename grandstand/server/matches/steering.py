"""The current settings of a match, after all its ControlChanged events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from grandstand.events import ControlChanged
from grandstand.games.base import SeatId
from grandstand.models import Draft, Event


class CommandError(ValueError):
    """A command that cannot be carried out; the message names the field and the remedy."""


class Full(Exception):
    """No match can be played or wait; `seconds` is the time to wait."""

    def __init__(self, message: str, seconds: float = 10.0) -> None:
        super().__init__(message)
        self.seconds = seconds


class Resuming(CommandError):
    """The server has just started and has not resumed the match yet."""


class Elsewhere(CommandError):
    """Another server can carry out the request: the one that plays `episode_id`, or any that plays if it is None."""

    def __init__(self, episode_id: str | None) -> None:
        super().__init__("episode: another server plays the match")
        self.episode_id = episode_id


@dataclass(slots=True)
class Steering:
    """The current settings of a match, as commands have left them."""

    pace: float
    paused: bool = False
    turns: int | None = None
    """The match stops after this many turns."""
    taken: set[SeatId] = field(default_factory=set)
    """Seats that a person has taken over."""
    left: set[SeatId] = field(default_factory=set)
    """Seats that began with a person and are now played by a built-in player."""
    stopped_by: str | None = None
    """The user who stopped the match, until its end is recorded."""

    @classmethod
    def from_log(cls, events: Sequence[Event], pace: float) -> Steering:
        """Return the steering at the end of `events`; `pace` applies until a command changes it."""
        steering = cls(pace)
        for event in events:
            if event.type == "ControlChanged":
                steering.apply(event.data["command"], event.data["value"])
                if event.data["command"] == "stop":
                    steering.stopped_by = event.data["by"]
        return steering

    @property
    def stopped(self) -> bool:
        """Return whether the match is to stop, or has stopped."""
        return self.stopped_by is not None

    def apply(self, command: str, value: Any) -> None:
        """Apply the change of one ControlChanged event."""
        match command:
            case "pace":
                self.pace = float(value)
            case "pause" | "resume":
                self.paused = command == "pause"
            case "turns" | "extend":
                self.turns = value
            case "take_over" if value in self.left:
                self.left.discard(value)
            case "take_over":
                self.taken.add(value)
            case "leave" if value not in self.taken:
                self.left.add(value)
            case "hand_back" | "leave":
                self.taken.discard(value)


def steered(by: str, **commands: Any) -> list[Draft]:
    """Return the commands of a match's first settings; a setting of None gives no command."""
    return [
        Draft.of(ControlChanged(command=command, value=value, by=by))
        for command, value in commands.items()
        if value is not None
    ]
