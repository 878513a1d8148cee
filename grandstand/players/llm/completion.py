"""The answer of a chat endpoint while it arrives, whatever the dialect: its bounds, its counts, its failures. No I/O.

Nothing in an answer is trusted: every field may be missing, of another type, or too long.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any

from grandstand.events import Boundary

LONGEST_TEXT = 200_000
"""Maximum bytes of text that are read from one call."""

BYTES_A_TOKEN = 4
"""Estimated bytes of UTF-8 in a token, for endpoints that do not count tokens."""

MOST_TOKENS = 10**9
"""Counts of tokens from here on are ignored as errors of the endpoint."""

FINAL_ERRORS = re.compile(
    "authentication|permission|unauthenticated|billing|not_found|invalid|policy|insufficient_quota|failed_precondition",
    re.IGNORECASE,
)
"""Matches the kinds of errors within an answer for which a retry is useless."""


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
    arguments: list[str] = field(default_factory=list)
    """The arguments of a tool call, which are the answer if there are any."""
    reasoning: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
    begun: bool = False
    """True if the endpoint accepted the request, and so may charge for it."""
    finished: bool = False
    """True if the answer is complete."""
    ended: bool = False
    """True if nothing more follows in the stream."""
    cut: bool = False
    counted: tuple[int, int] | None = None
    """(tokens read, tokens written) as the endpoint counts them."""
    read: int | None = None
    """The number of tokens read, where the endpoint reports it before the end."""
    cached: int = 0
    """The number of tokens read from the endpoint's cache."""
    cache_written: int = 0
    """The number of tokens read that the endpoint wrote to its cache."""
    reasoned: int = 0
    """The number of tokens written as reasoning, if the endpoint counts them."""
    size: int = 0
    """Bytes of UTF-8 received."""

    @property
    def written(self) -> int:
        """Return the estimated number of tokens received."""
        return math.ceil(self.size / BYTES_A_TOKEN)

    def spent(self, prompt: int) -> tuple[int, int, bool]:
        """Return the tokens read and written, and whether the numbers are estimates. `prompt` is the estimated number
        of tokens sent.

        An answer that broke off may have been counted before its last piece.
        """
        if not self.begun and self.counted is None:
            return 0, 0, False
        if self.counted is None:
            return prompt if self.read is None else self.read, self.written, True
        read, written = self.counted
        estimated = not self.finished and self.written > written
        return read, max(written, self.written) if estimated else written, estimated

    def completion(self) -> Completion:
        """Return the whole answer. Raises CallFailed if it is empty or its end is missing."""
        if not self.finished:
            raise CallFailed(f"the answer broke off after about {self.written} tokens", again=True)
        if not (self.text or self.arguments or self.refusal or self.cut):
            raise CallFailed("the endpoint answered without content", again=True)
        text = self.arguments or self.text
        return Completion("".join(text), "".join(self.reasoning), "".join(self.refusal), self.cut)

    def add(self, pieces: list[str], piece: Any) -> None:
        """Add a piece of text to `pieces`, a list of this call; anything else is ignored. Raises CallFailed."""
        if not isinstance(piece, str) or not piece:
            return
        pieces.append(piece)
        self.size += len(piece.encode("utf-8", "surrogatepass"))
        if self.size > LONGEST_TEXT:
            raise CallFailed(f"the answer is longer than {LONGEST_TEXT} bytes", again=False)

    def count(self, read: Any, written: Any, cached: Any = 0, cache_written: Any = 0, reasoned: Any = 0) -> None:
        """Store the endpoint's counts if they are plausible; later ones replace earlier ones."""
        if not (_is_count(read) and _is_count(written)):
            return
        self.counted = read, written
        self.cached = cached if _is_count(cached) and cached <= read else 0
        rest = read - self.cached
        self.cache_written = cache_written if _is_count(cache_written) and cache_written <= rest else 0
        self.reasoned = reasoned if _is_count(reasoned) and reasoned <= written else 0


def tokens(text: str) -> int:
    """Return the estimated number of tokens of `text`."""
    return math.ceil(len(text.encode("utf-8", "surrogatepass")) / BYTES_A_TOKEN)


def decoded(text: str) -> Any:
    """Return the value of a JSON text. Raises CallFailed."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise CallFailed("the endpoint sent broken JSON", again=True) from None


def decoded_object(text: str) -> dict[str, Any]:
    """Return the object of a JSON text. Raises CallFailed."""
    value = decoded(text)
    if not isinstance(value, dict):
        raise CallFailed("the endpoint sent JSON that is no object", again=True)
    return value


def part(value: Any, *path: str | int) -> Any:
    """Return the part of a JSON value at `path`; None if there is none."""
    for key in path:
        if isinstance(key, str):
            value = value.get(key) if isinstance(value, dict) else None
        else:
            value = value[key] if isinstance(value, list) and len(value) > key else None
    return value


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a JSON list; none if it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def failed_within(error: Any, data: str) -> CallFailed:
    """Return the failure for an error within an answer; `data` is the endpoint's whole message."""
    kinds = [part(error, name) for name in ("type", "code", "status")]
    kind = " ".join(item for item in kinds if isinstance(item, str))
    message = f"the endpoint failed within its answer: {error_message(data)}"
    return CallFailed(message, again=not FINAL_ERRORS.search(kind), wait=retry_after({}, data))


def error_message(body: str) -> str:
    """Return the message in the body of an error, in any of the usual formats."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return body
    if isinstance(value, list) and value:  # Gemini's errors of streams
        value = value[0]
    value = part(value, "response") if part(value, "response", "error") else value
    for key in ("error", "message", "detail"):
        if isinstance(value, dict) and key in value:
            value = value[key]
    return value if isinstance(value, str) else body


def retry_after(headers: Mapping[str, str], body: str = "") -> float:
    """Return the seconds that the endpoint asks to wait, in its headers or in the body of its error.

    0 if it does not, or if the value is invalid.
    """
    waits = (_milliseconds(headers.get("retry-after-ms", "")), _seconds_or_date(headers.get("retry-after", "")))
    return next(filter(None, waits), 0.0) or _retry_info(body)


def _milliseconds(text: str) -> float:
    return _seconds(text) / 1000


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        return 0.0
    return max(0.0, seconds) if math.isfinite(seconds) else 0.0


def _seconds_or_date(text: str) -> float:
    try:
        float(text)
    except ValueError:
        try:
            return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
        except (ValueError, OverflowError):
            return 0.0
    return _seconds(text)


def _retry_info(body: str) -> float:
    """Return the delay of a `google.rpc.RetryInfo` in the details of an error, such as `37s`."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return 0.0
    value = value[0] if isinstance(value, list) and value else value
    for detail in objects(part(value, "error", "details")):
        delay = detail.get("retryDelay")
        if str(detail.get("@type", "")).endswith("google.rpc.RetryInfo") and isinstance(delay, str):
            return _seconds(delay.removesuffix("s"))
    return 0.0


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < MOST_TOKENS
