"""Viewpoints: decide which events a viewer may see."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from grandstand.models import Audience, Event, PrivateBatch, ViewpointRole
from grandstand.spectator.frames import EventFrame, WithheldFrame


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """The viewpoint of a spectator, of one seat, of an analyst, or of an operator.

    An analyst sees what every seat sees and the reports on every choice, but not the seed. `delayed` viewers are
    behind by the episode's delay; operators and players of a seat are not.
    """

    role: ViewpointRole
    seat: str | None = None
    delayed: bool = True

    @classmethod
    def parse(cls, text: str) -> Viewpoint:
        """Parse `spectator`, `analyst`, `operator` or `seat:FRANCE`. Raises ValueError for anything else."""
        match text.partition(":"):
            case ("spectator" | "analyst" | "operator") as role, "", "":
                return cls(role, delayed=role != "operator")
            case "seat", _, seat if seat:
                return cls("seat", seat)
        raise ValueError(f"viewpoint {text!r}: use spectator, analyst, operator or seat:NAME")

    def __str__(self) -> str:
        return f"seat:{self.seat}" if self.role == "seat" else self.role

    def known(self, event: Event) -> Event | None:
        """Return the part of `event` that is visible from here; None if that is its number alone.

        A `PrivateBatch` is copied with the visible parts; an operator also receives an empty batch.
        """
        if event.type != PrivateBatch.__name__:
            return event if self._is_in(event.audience) else None
        parts = [part for part in event.data["events"] if self._is_in(part["audience"])]
        visible = parts or self.role == "operator"
        return event.model_copy(update={"data": {"events": parts}}) if visible else None

    def _is_in(self, audience: Audience) -> bool:
        if isinstance(audience, list):
            return self.role in ("operator", "analyst") or self.seat in audience
        match audience:
            case "public":
                return True
            case "analyst":
                return self.role in ("operator", "analyst")
            case "operator":
                return self.role == "operator"
            case "private":
                return False


SPECTATOR = Viewpoint("spectator")
OPERATOR = Viewpoint("operator", delayed=False)


def redact(event: Event, viewpoint: Viewpoint) -> EventFrame | WithheldFrame:
    """Return the frame in which `viewpoint` receives `event`: its visible part, or its bare number."""
    visible = viewpoint.known(event)
    return WithheldFrame(seq=event.seq) if visible is None else EventFrame(event=visible)


def chain_head(known: Iterable[Event | None]) -> str:
    """Return the head of the hash chain of an episode as a viewpoint knows it: `NUMBER:HASH` of the last event.

    `known` are its events from number 0, None for a withheld one. A link is the SHA-256 of the link before it, which
    is empty before the first, followed by the event as canonical JSON, or by its bare number.
    """
    link, number = b"", -1
    for number, event in enumerate(known):
        told = {"seq": number} if event is None else event.model_dump(mode="json")
        link = sha256(link + json.dumps(told, sort_keys=True, separators=(",", ":")).encode()).digest()
    return f"{number}:{link.hex()}"
