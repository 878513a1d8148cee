"""Parser of a chat endpoint's answer, piece by piece: OpenAI's protocol and its dialects. No I/O.

Nothing in an answer is trusted: every field may be missing, of another type, or too long.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any

from grandstand.models import Boundary

LONGEST_TEXT = 200_000
"""Maximum bytes of text that are read from one call."""

BYTES_A_TOKEN = 4
"""Estimated bytes of UTF-8 in a token, for endpoints that do not count tokens."""


class CallFailed(Exception):
    """A failed call. `again` is true if a retry may succeed; `wait` is the wait that the endpoint asks for, in seconds.

    `refused` names a field to omit from the next call because the endpoint does not support it.
    """

    def __init__(
        self, message: str, *, again: bool, wait: float = 0.0, boundary: Boundary = "provider", refused: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.again = again
        self.wait = wait
        self.boundary: Boundary = boundary
        self.refused = refused


@dataclass(frozen=True, slots=True)
class Completion:
    """The text that a model wrote. `cut` if it reached its limit of tokens; `refusal` is its reason for declining."""

    text: str
    reasoning: str = ""
    refusal: str = ""
    cut: bool = False


@dataclass(slots=True)
class PendingCall:
    """A call in progress: the data received so far."""

    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
    begun: bool = False
    """True if the endpoint accepted the request, and so may charge for it."""
    finished: bool = False
    cut: bool = False
    counted: tuple[int, int] | None = None
    """(tokens read, tokens written) as the endpoint counts them."""
    cached: int = 0
    """The number of tokens read from the endpoint's cache."""
    reasoned: int = 0
    """The number of tokens written as reasoning, if the endpoint counts them."""
    size: int = 0
    """Bytes of UTF-8 received."""

    @property
    def written(self) -> int:
        """Return the estimated number of tokens received."""
        return math.ceil(self.size / BYTES_A_TOKEN)

    def completion(self) -> Completion:
        """Return the whole answer. Raises CallFailed if it is empty or its end is missing."""
        if not self.finished:
            raise CallFailed(f"the answer broke off after about {self.written} tokens", again=True)
        if not (self.text or self.refusal or self.cut):
            raise CallFailed("the endpoint answered without content", again=True)
        return Completion("".join(self.text), "".join(self.reasoning), "".join(self.refusal), self.cut)

    def take(self, data: str, part: str) -> None:
        """Add an event of a stream (`part` is `delta`), or a complete answer (`message`). Raises CallFailed."""
        event = _object(data)
        if event.get("error"):
            raise CallFailed(f"the endpoint failed within its answer: {error_message(data)}", again=True)
        if counted := _counts(event.get("usage")):
            self.counted = counted
            self.cached = _part(event["usage"], "prompt_tokens_details", "cached_tokens", counted[0])
            self.reasoned = _part(event["usage"], "completion_tokens_details", "reasoning_tokens", counted[1])
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return
        delta = choice.get(part)
        if isinstance(delta, dict):
            text, thought = _content(delta.get("content"))
            self._add(self.text, text)
            self._add(self.reasoning, thought or delta.get("reasoning_content") or delta.get("reasoning"))
            self._add(self.refusal, delta.get("refusal"))
        if reason := choice.get("finish_reason"):
            self.finished = True
            self.cut = reason == "length"
            if reason == "content_filter" and not self.refusal:
                self.refusal.append("the endpoint's content filter stopped the answer")

    def _add(self, pieces: list[str], piece: Any) -> None:
        if not isinstance(piece, str) or not piece:
            return
        pieces.append(piece)
        self.size += len(piece.encode("utf-8", "surrogatepass"))
        if self.size > LONGEST_TEXT:
            raise CallFailed(f"the answer is longer than {LONGEST_TEXT} bytes", again=False)


def tokens(text: str) -> int:
    """Return the estimated number of tokens of `text`."""
    return math.ceil(len(text.encode("utf-8", "surrogatepass")) / BYTES_A_TOKEN)


def error_message(body: str) -> str:
    """Return the message in the body of an error, in any of the usual formats."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return body
    for key in ("error", "message", "detail"):
        if isinstance(value, dict) and key in value:
            value = value[key]
    return value if isinstance(value, str) else body


def retry_after(headers: Mapping[str, str]) -> float:
    """Return the seconds that the endpoint asks to wait; 0 if it does not, or the value is invalid."""
    text = headers.get("retry-after", "")
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - time.time()
        except (ValueError, OverflowError):
            return 0.0
    return max(0.0, seconds) if math.isfinite(seconds) else 0.0


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise CallFailed("the endpoint sent broken JSON", again=True) from None
    if not isinstance(value, dict):
        raise CallFailed("the endpoint sent JSON that is no object", again=True)
    return value


def _content(content: Any) -> tuple[str, str]:
    """Return (text, reasoning) of a content, which may be a list of typed parts."""
    if not isinstance(content, list):
        return (content, "") if isinstance(content, str) else ("", "")
    text, thought = "", ""
    for part in content:
        if isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str):
            text += part["text"]
        elif isinstance(part, dict) and part.get("type") == "thinking":
            thought += _content(part.get("thinking"))[0]
    return text, thought


def _counts(usage: Any) -> tuple[int, int] | None:
    """Return (tokens read, tokens written) if the endpoint reports both."""
    if not isinstance(usage, dict):
        return None
    read, written = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if type(read) is not int or type(written) is not int or not (0 <= read < 10**9 and 0 <= written < 10**9):
        return None
    return read, written


def _part(usage: dict[str, Any], details: str, name: str, most: int) -> int:
    """Return a detail of the tokens in `usage`; 0 if it is missing or invalid."""
    values = usage.get(details)
    part = values.get(name) if isinstance(values, dict) else None
    return part if type(part) is int and 0 <= part <= most else 0
