"""Names and counts in words, for reports and their logs."""

from __future__ import annotations

from collections.abc import Sequence

from grandstand.games.base import SeatId

LONGEST_NAME = 40


def cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def called(player: str) -> str:
    """Return the displayed name of a player."""
    return cut(player, LONGEST_NAME)


def seat_name(seat: SeatId) -> str:
    """Return `France` for `FRANCE`."""
    return called(seat.lower().capitalize())


def many(count: int, one: str, several: str = "") -> str:
    """Return `1 match`, or `1,200 matches`."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def matches(count: int) -> str:
    return many(count, "match", "matches")


def listed(words: Sequence[str]) -> str:
    """Return `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
