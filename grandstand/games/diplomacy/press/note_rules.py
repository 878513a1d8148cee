"""The rules of a power's notes: the valid notes of an action, and their event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grandstand.games.base import IllegalAction, SeatId
from grandstand.games.diplomacy.events import NotesTaken
from grandstand.games.diplomacy.rules.map import POWERS

LONGEST_NOTES = 600
"""Maximum characters of notes."""
TRUST = range(-2, 3)
"""The grades of trust, from an enemy to an ally."""
MOST_LEFT_OUT = 10
LONGEST_REASON = 120
"""The maximum number, and the maximum characters, of the omitted parts that a program reports."""

FIELDS = ("text", "trust", "aims", "left_out")


def read_notes(notes: Any, seat: SeatId, turn: str, earlier: NotesTaken | None) -> NotesTaken | None:
    """Return the event of `{"text": "...", "trust": {"ITALY": 1}, "aims": []}`; None if it changes nothing.

    Without a text, or with an empty one, the earlier text stays. Powers that are not named keep their earlier trust.
    Without aims, those of the same phase stay. Raises IllegalAction naming the field.
    """
    if not isinstance(notes, Mapping):
        raise IllegalAction("notes", f"must be an object with {', '.join(FIELDS)}, not {type(notes).__name__}")
    for name in notes:
        if name not in FIELDS:
            raise IllegalAction(f"notes.{str(name)[:40]}", f"notes have {', '.join(FIELDS)}")
    text, trust = _text(notes.get("text", "")), _trust(notes.get("trust", {}), seat)
    left_out = _left_out(notes.get("left_out", []))
    before = {} if earlier is None else earlier.trust
    after = {power: trust.get(power, before.get(power)) for power in POWERS}
    standing = aims_in(turn, earlier)
    aims = _aims(notes["aims"], seat) if "aims" in notes else standing
    kept = text or ("" if earlier is None else earlier.notes)
    event = NotesTaken(
        seat, turn, kept, {power: grade for power, grade in after.items() if grade is not None}, left_out, aims
    )
    known = ("", before) if earlier is None else (earlier.notes, earlier.trust)
    same = (event.notes, event.trust, event.aims) == (*known, standing)
    return None if same and not left_out else event


def aims_in(turn: str, notes: NotesTaken | None) -> list[SeatId]:
    """Return the powers that a power aims at in a phase by its notes."""
    return [] if notes is None or notes.turn != turn else notes.aims


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise IllegalAction("notes.text", f"must be a text, not {type(text).__name__}")
    if len(text) > LONGEST_NOTES:
        raise IllegalAction("notes.text", f"has {len(text)} characters; {LONGEST_NOTES} are all it may have")
    return text


def _trust(trust: Any, seat: SeatId) -> dict[SeatId, int]:
    if not isinstance(trust, Mapping):
        raise IllegalAction("notes.trust", f"must be an object of powers, not {type(trust).__name__}")
    for power, grade in trust.items():
        if power not in POWERS or power == seat:
            raise IllegalAction(f"notes.trust.{str(power)[:40]}", f"is no other power; there are {', '.join(POWERS)}")
        if not isinstance(grade, int) or isinstance(grade, bool) or grade not in TRUST:
            raise IllegalAction(f"notes.trust.{power}", f"must be a whole number from {TRUST[0]} to {TRUST[-1]}")
    return dict(trust)


def _aims(aims: Any, seat: SeatId) -> list[SeatId]:
    if not isinstance(aims, Sequence) or isinstance(aims, str) or len(aims) >= len(POWERS):
        raise IllegalAction("notes.aims", f"must be a list of at most {len(POWERS) - 1} other powers")
    for power in aims:
        if power not in POWERS or power == seat:
            raise IllegalAction("notes.aims", f"{str(power)[:40]} is no other power; there are {', '.join(POWERS)}")
    return [power for power in POWERS if power in aims]


def _left_out(reasons: Any) -> list[str]:
    listed = isinstance(reasons, Sequence) and not isinstance(reasons, str) and len(reasons) <= MOST_LEFT_OUT
    if not listed or not all(isinstance(reason, str) and len(reason) <= LONGEST_REASON for reason in reasons):
        raise IllegalAction("notes.left_out", f"must be up to {MOST_LEFT_OUT} texts of {LONGEST_REASON} characters")
    return list(reasons)
