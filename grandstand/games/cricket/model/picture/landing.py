"""The line of a ball that was an extra: a wide passes wide of the batter, a leg-bye hits the batter."""

from __future__ import annotations

from typing import Final

from grandstand.games.cricket.laws.cards import Ball
from grandstand.games.cricket.model.keyed_random import DrawChannel, Row
from grandstand.games.cricket.vocab import BOUNCER, LINES, OUTSIDE_LEG, STUMPS, WIDE_OUTSIDE_OFF

_OFF_CHANNEL: Final = LINES.index("off_channel")
_DOWN_LEG: Final = LINES.index("down_leg")
MOVED_WIDES: Final = 4 / 3
"""Wides for each one that was drawn on the line of a wide: one in four is moved there."""


def line_of_extra(ball: Ball, length: int, line: int, row: Row) -> int:
    """Return the line that agrees with the extra, if the ball is one.

    One wide in four was drawn on a line where no umpire calls one: such a ball is moved further outwards. A bouncer may
    be wide for its height on any line.
    """
    if ball.wide and length != BOUNCER and line < OUTSIDE_LEG:
        return _DOWN_LEG if line == STUMPS and row[DrawChannel.ANGLE] < 0.5 else WIDE_OUTSIDE_OFF
    if ball.runs_from == "legbyes" and ball.bat_runs == 0 and not ball.wide:
        return max(line, _OFF_CHANNEL)
    return line
