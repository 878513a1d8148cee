"""The parts of events that every simulated match has, and the record of a real match may lack."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def known(value: T | None) -> T:
    """Return `value`, which must be there."""
    assert value is not None
    return value
