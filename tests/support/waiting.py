"""Waiting for other processes in tests."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def until(true: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Whether it came true in time."""
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    return true()


def running(pid: int) -> bool:
    """Whether there is such a process, and it is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
