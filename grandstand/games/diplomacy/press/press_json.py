"""Messages, notes and judged promises of Diplomacy as JSON."""

from __future__ import annotations

from typing import Any

from grandstand.games.base import MessageSent
from grandstand.games.diplomacy.events import (
    NotesTaken,
    PromiseBroken,
    PromiseKept,
)
from grandstand.games.diplomacy.press.promises import Verdict
from grandstand.games.diplomacy.types import JudgedPromise, Message, PowerNotes


def message_json(message: MessageSent) -> Message:
    """Return the message as JSON."""
    return {
        "turn": message.turn,
        "sender": message.sender,
        "recipients": [*message.recipients],
        "text": message.text,
        "public": message.public,
        "promises": [*message.promises],
    }


def notes_json(notes: NotesTaken) -> PowerNotes:
    """Return the notes as JSON."""
    return {
        "turn": notes.turn,
        "notes": notes.notes,
        "trust": dict(notes.trust),
        "left_out": [*notes.left_out],
        "aims": [*notes.aims],
    }


def verdict_json(verdict: Verdict) -> JudgedPromise:
    """Return the judged promise as JSON."""
    return {
        "kept": isinstance(verdict, PromiseKept),
        "power": verdict.power,
        "phase": verdict.phase,
        "promise": verdict.promise,
        "order": verdict.order,
        "recipients": [*verdict.recipients],
        "public": verdict.public,
        "meant": verdict.meant,
    }


def read_verdict(kept: bool, **fields: Any) -> Verdict:
    """Return the judged promise from JSON."""
    return PromiseKept(**fields) if kept else PromiseBroken(**fields)
