"""Waiting for other processes in tests."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 120.0
"""Seconds to wait for an expected event. The limit is generous: it bounds the time of a failure, and never tests
speed."""


def until(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Return whether `condition` came true within `seconds`."""
    end = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return met


def running(pid: int) -> bool:
    """Return whether there is such a process that is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
