"""Who is looking, and what they may know. The only place that decides it."""

from __future__ import annotations

from dataclasses import dataclass

from grandstand.models import Audience, Event, EventFrame, PrivateBatch, ViewpointRole, WithheldFrame


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A way of looking at an episode: as a spectator, as one seat, as an analyst, or as an operator.

    An analyst knows what every seat knows and how each choice came about, but not what is to come. `delayed` viewers
    are behind by the episode's delay; operators and those who play are not.
    """

    role: ViewpointRole
    seat: str | None = None
    delayed: bool = True

    @classmethod
    def parse(cls, text: str) -> Viewpoint:
        """`spectator`, `analyst`, `operator` or `seat:FRANCE`. Raises ValueError for anything else."""
        match text.partition(":"):
            case ("spectator" | "analyst" | "operator") as role, "", "":
                return cls(role, delayed=role != "operator")
            case "seat", _, seat if seat:
                return cls("seat", seat)
        raise ValueError(f"viewpoint {text!r}: use spectator, analyst, operator or seat:NAME")

    def __str__(self) -> str:
        return f"seat:{self.seat}" if self.role == "seat" else self.role

    def known(self, event: Event) -> Event | None:
        """Return `event` as far as this viewer may know it, None where that is its number alone.

        Of a `PrivateBatch` that is a copy with the parts that this viewer may know; an operator has it empty, too.
        """
        if event.type != PrivateBatch.__name__:
            return event if self._is_in(event.audience) else None
        parts = [part for part in event.data["events"] if self._is_in(part["audience"])]
        shown = parts or self.role == "operator"
        return event.model_copy(update={"data": {"events": parts}}) if shown else None

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
    """Return `event` as `viewpoint` receives it: as far as it may be known, or as its bare number."""
    known = viewpoint.known(event)
    return WithheldFrame(seq=event.seq) if known is None else EventFrame(event=known)
