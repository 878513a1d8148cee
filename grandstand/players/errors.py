"""The fault of a player, and what follows from it."""

from __future__ import annotations

from typing import Literal

from grandstand.events import Boundary, PlayerReport

OnFault = Literal["fallback", "forfeit", "stop"]
"""Policy for a player's fault: the fallback acts; it acts and the player forfeits its score of that match; or the match
ends there."""


class PlayerError(Exception):
    """The player gave no usable answer. `boundary` attributes the fault; the seat's fallback acts."""

    def __init__(self, boundary: Boundary, message: str, report: PlayerReport | None = None) -> None:
        super().__init__(message)
        self.boundary: Boundary = boundary
        self.message = message
        self.report = report
