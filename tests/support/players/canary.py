"""An API key to look for wherever it could appear."""

from __future__ import annotations

import traceback

CANARY = 'sk-canary-4f1d/97"bird'

ESCAPED = "".join(f"\\u{ord(mark):04x}" for mark in CANARY)


def holds_the_canary(text: str) -> bool:
    """Return whether the key is in `text`, in any spelling of JSON."""
    plain = text
    for _ in range(3):
        if CANARY in plain or CANARY[:12] in plain or ESCAPED.lower() in plain.lower():
            return True
        plain = plain.replace('\\"', '"').replace("\\/", "/").replace("\\\\", "\\")
    return False


def all_told(error: BaseException) -> str:
    """The error, what led to it, and the local variables of our own code on the way."""
    reports = []
    for cause in (error, error.__cause__, error.__context__):
        if cause is not None:
            reports += [repr(cause), *traceback.format_exception(cause)]
            frames = traceback.StackSummary.extract(traceback.walk_tb(cause.__traceback__), capture_locals=True)
            reports += [repr(frame.locals) for frame in frames if "/tests/" not in frame.filename]
    return "\n".join(reports)
