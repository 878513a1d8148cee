"""A circuit breaker for a provider: after failures no requests are sent for a while, then one line as a trial."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from grandstand.spectator.voice.speech import SpeechError

State = Literal["ready", "resting", "trying"]
"""`resting`: no request until its time has come. `trying`: one request decides whether the provider is back."""

FAILURES = 3
"""Failures in a row after which requests stop."""

REST = 60.0
"""Seconds without requests; they double each time that the trial fails, up to LONGEST_REST."""

LONGEST_REST = 900.0
"""Seconds of the longest rest, and of the first one after a refusal, which only a person can resolve."""

SHORT = 5.0
"""Seconds of a requested pause up to which the provider counts as ready: lines only wait."""


class Breaker:
    """The state of a provider, from the outcomes of its requests."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures = 0
        self._rest = REST
        self._until = 0.0
        self._trial = False
        self.state: State = "ready"
        self.reason = ""
        """Why no requests are sent, in one line; empty while the provider is ready."""

    @property
    def wait(self) -> float:
        """Return the number of seconds until a request may be sent; 0 if one may be sent now."""
        return max(0.0, self._until - self._clock())

    def allows(self) -> bool:
        """Return whether a request may be sent now. After a rest, the first one that is sent is a trial."""
        if self.wait > 0:
            return False
        if self.state == "resting":
            self.state = "trying"
        if self.state == "trying":
            if self._trial:
                return False
            self._trial = True
        return True

    def released(self) -> None:
        """Note that the request was cancelled without an outcome."""
        self._trial = False

    def succeeded(self) -> None:
        self._failures, self._rest, self._trial = 0, REST, False
        self.state, self.reason = "ready", ""

    def failed(self, error: SpeechError) -> None:
        """Count a failure. A refusal, or a long pause that the provider asks for, is enough by itself."""
        self._trial = False
        self._failures += 1
        pause = min(error.retry_after, LONGEST_REST)
        refused = error.cause == "refused"
        if self.state == "ready" and self._failures < FAILURES and not refused and pause <= SHORT:
            self._until = max(self._until, self._clock() + pause)
            return
        if self.state != "resting":  # the other requests that fail with this one do not lengthen the rest
            rest = LONGEST_REST if refused else max(self._rest, pause)
            self._until = self._clock() + rest
            self._rest = min(LONGEST_REST, 2 * self._rest)
        self.state, self.reason = "resting", str(error)
