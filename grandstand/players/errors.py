"""The fault of a player."""

from __future__ import annotations

from grandstand.models import Boundary, PlayerReport


class PlayerError(Exception):
    """The player gave no usable answer. `boundary` attributes the fault; the seat's fallback acts."""

    def __init__(self, boundary: Boundary, message: str, report: PlayerReport | None = None) -> None:
        super().__init__(message)
        self.boundary: Boundary = boundary
        self.message = message
        self.report = report
