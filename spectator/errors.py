"""What can go wrong in the stream, and what a client should do about it.

Close codes follow one rule a client can act on: 4000-4499 reconnect and resume, 4500-4999 do not.
"""

from __future__ import annotations

from enum import IntEnum


class CloseCode(IntEnum):
    """Why the server closed a socket."""

    SLOW = 4000
    """The viewer read too slowly and its bytes were bounded: reconnect, resume."""
    STOPPING = 4001
    """The server is going down: reconnect with back-off, resume."""
    COMPLETE = 4500
    """The episode ended and everything was sent."""
    FORBIDDEN = 4503
    """This viewer may not look from there."""
    NOT_FOUND = 4504
    """There is no such episode."""
    BAD_REQUEST = 4505
    """`after` or `as` could not be read."""
    INTERNAL = 4511
    """The server cannot show this stream; its log has the reason."""

    @property
    def reconnect(self) -> bool:
        return self < 4500


class RecordError(Exception):
    """The record could not be written or read. Ends the episode as `error`: nothing is shown that is not kept."""


class StorageError(RecordError):
    """The record cannot be written for now (the disk is full, the file is locked): try again later."""


class UnknownEpisode(KeyError):
    """There is no episode of that id."""

    def __str__(self) -> str:
        return f"no episode {self.args[0]!r}"
