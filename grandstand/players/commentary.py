"""The protocol of models that word the commentary: given the lines and facts of a passage, one returns other words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from grandstand.events import CommentatorBoundary, Usage
from grandstand.games.story import Comment, Fact


@dataclass(frozen=True, slots=True)
class Quotation:
    """A public message of a seat's player. Its content may be untrue."""

    seat: str
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """The public lines of one part of a turn, and all that a model receives to word them."""

    lines: Sequence[Comment]
    facts: Sequence[Fact]
    headline: str
    quotations: Sequence[Quotation] = ()
    earlier: Sequence[str] = ()
    """The previous lines, which the model should not repeat."""


@dataclass(frozen=True, slots=True)
class WordingReply:
    """A model's reply: its text for each line, by the line's index, and the raw reply."""

    texts: Mapping[int, str]
    reply: str


class CommentatorError(Exception):
    """The model gave no usable wording. The message is for everybody, `detail` and `reply` for analysts."""

    def __init__(self, boundary: CommentatorBoundary, message: str, detail: str = "", reply: str = "") -> None:
        super().__init__(message)
        self.boundary: CommentatorBoundary = boundary
        self.message = message
        self.detail = detail
        self.reply = reply


class WordingCall(Protocol):
    """One request for a wording."""

    async def wording(self) -> WordingReply:
        """Return the model's wording. Raises CommentatorError."""

    def usage(self) -> Usage:
        """Return the usage so far, estimated for a call in progress."""


class CommentaryModel(Protocol):
    """A model that words the commentary of one match."""

    name: str
    model: str
    """The provider's name for the model."""
    seconds: float
    """Time limit of one wording."""

    def ask(self, passage: Passage) -> WordingCall:
        """Return a request for the wording of `passage`, which is sent when its answer is awaited."""


class UnavailableModel:
    """A model that cannot be asked, for the reason `why`. Every request of it fails."""

    model = ""
    seconds = 1.0

    def __init__(self, name: str, why: str) -> None:
        self.name = name
        self._why = why

    def ask(self, passage: Passage) -> WordingCall:
        """Return a request that fails."""
        return self

    async def wording(self) -> WordingReply:
        """Raise CommentatorError."""
        raise CommentatorError("provider", "the model is not available", self._why)

    def usage(self) -> Usage:
        """Return no usage."""
        return Usage()
