"""Who is looking, and what they may know. The only place that decides it."""

from __future__ import annotations

from dataclasses import dataclass

from models import Event, EventFrame, WithheldFrame


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A way of looking at an episode: as a spectator, as one seat, or as an operator."""

    role: str
    seat: str | None = None

    @classmethod
    def parse(cls, text: str) -> Viewpoint:
        """`spectator`, `operator` or `seat:FRANCE`. Raises ValueError for anything else."""
        if text in ("spectator", "operator"):
            return cls(text)
        role, _, seat = text.partition(":")
        if role == "seat" and seat:
            return cls("seat", seat)
        raise ValueError(f"viewpoint {text!r}: use spectator, operator or seat:NAME")

    def __str__(self) -> str:
        return f"seat:{self.seat}" if self.role == "seat" else self.role

    def may_know(self, event: Event) -> bool:
        """Whether this viewer may know the content of `event`; its number is never withheld."""
        audience = event.audience
        if audience == "public":
            return True
        if audience == "private":
            return False
        if self.role == "operator":
            return True
        return self.seat is not None and self.seat in audience if isinstance(audience, list) else False


SPECTATOR = Viewpoint("spectator")
OPERATOR = Viewpoint("operator")


def redact(event: Event, viewpoint: Viewpoint) -> EventFrame | WithheldFrame:
    """`event` as `viewpoint` receives it: whole, or as its bare number."""
    return EventFrame(event=event) if viewpoint.may_know(event) else WithheldFrame(seq=event.seq)
