"""Errors of the stream and the record, and the close codes of sockets.

After a close code of 4000-4499 a client reconnects and resumes; after 4500-4999 it does not.
"""

from __future__ import annotations

from enum import IntEnum


class CloseCode(IntEnum):
    """The reason why the server closed a socket."""

    SLOW = 4000
    """The viewer read too slowly: reconnect, resume."""
    STOPPING = 4001
    """The server is shutting down, or cannot read its record for now: reconnect with back-off, resume."""
    COMPLETE = 4500
    """The episode ended and everything was sent."""
    FORBIDDEN = 4503
    """The viewer may not use this viewpoint."""
    NOT_FOUND = 4504
    """There is no such episode."""
    BAD_REQUEST = 4505
    """`after` or `as` is invalid."""
    INTERNAL = 4511
    """The server cannot send this stream; its log has the reason."""

    @property
    def reconnect(self) -> bool:
        """Return whether the client should reconnect and resume."""
        return self < 4500


class RecordError(Exception):
    """The record could not be written or read. The episode ends as `error`: only recorded events are shown."""


class StorageError(RecordError):
    """The record cannot be written for now (the disk is full, the file is locked): retry later."""


class UnknownOutcome(StorageError):
    """The store did not answer, so the batch may be recorded or not: the next attempt reads which."""


class Fenced(RecordError):
    """Another server owns the episode, or it has ended: nothing more is written to it from here."""


class ClipsError(OSError):
    """The clips of the voice cannot be read or written: their disk is full, or their index is damaged."""


class UnknownEpisode(KeyError):
    """There is no episode with this id."""

    def __str__(self) -> str:
        return f"no episode {self.args[0]!r}"
