"""The acts of a speech: their words and how these are parsed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from grandstand.games.base import SeatId
from grandstand.games.choices import Many, Option, Pick, Slot, Text, picks

MOST_ACTS: Final = 3
LONGEST: Final = 280
"""Characters of a speech, and of a note at night."""
REASONS: Final = ("no reason", "votes", "claims", "words", "silence", "attacks")


class Act(NamedTuple):
    """An act: `suspect`, `trust`, `wolf` and `clear` (results of checks), `guarded`, or `claim`, of a seat or role."""

    kind: str
    of: str


def read(word: str) -> Act:
    """Return the act of a word: `saw Ada wolf` is (wolf, Ada)."""
    parts = word.split()
    return Act(parts[2], parts[1]) if parts[0] == "saw" else Act(parts[0], parts[1])


def claim(role: str) -> str:
    return f"claim {role}"


def result(target: SeatId, wolf: bool) -> str:
    return f"saw {target} {'wolf' if wolf else 'clear'}"


def slots(seat: SeatId, others: Sequence[SeatId], roles: Sequence[str]) -> list[Slot]:
    """Return the slots of a speech, the same for every role, so that they reveal nothing."""
    options = [Option(claim(role), f"say that you are the {role}", target=seat, kind="claim") for role in roles]
    for other in others:
        options += [
            Option(f"suspect {other}", f"say that {other} may be a wolf", target=other, kind="suspect"),
            Option(f"trust {other}", f"say that {other} is no wolf", target=other, kind="trust"),
            Option(result(other, True), f"say that you checked {other}: a wolf", target=other, kind="result"),
            Option(result(other, False), f"say that you checked {other}: no wolf", target=other, kind="result"),
            Option(f"guarded {other}", f"say that you protected {other}", target=other, kind="result"),
        ]
    return [
        Many("acts", options, 0, MOST_ACTS, "What do you say? One thing about each seat at most."),
        Pick("because", picks(*REASONS), "Because of what?", default=REASONS[0]),
        Text("text", LONGEST, "Your words to the table"),
    ]


def clean(text: str) -> str:
    """Return words on one line, without invisible characters."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
