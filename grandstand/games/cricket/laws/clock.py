"""The clock of an innings: what the fielding side takes its time for, and when it has to begin the last over.

The conditions of the IPL ask for 14.11 overs an hour: the last over of twenty begins within 85 minutes of play, 4
minutes 15 seconds less for each over that an innings has fewer. Time lost to reviews and a minute for each of the
sixth to ninth wickets are allowed for. A side that is late has one fielder fewer outside the circle from then on.
OURS: the seconds, since nobody publishes them; natural sides begin the last over three minutes early in the mean.
"""

from __future__ import annotations

from typing import Final

SECONDS_AN_OVER: Final = 255
BALL: Final = {"pace": 31, "spin": 22}
"""From one ball to the next, by the kind of bowling."""
BETWEEN_OVERS: Final = 60
"""As long as the stop clock of the ICC allows."""
FIELD: Final = 20
"""For a field in which somebody has moved since the last ball."""
BATTER: Final = 60
"""For the next batter, and for the celebration."""
_ALLOWED: Final = (6, 7, 8, 9)


def seconds(group: str, moved: bool, wicket: int | None) -> int:
    """Return the seconds of a ball that count against the fielding side; `wicket` is its number, if one fell."""
    batter = BATTER if wicket is not None and wicket not in _ALLOWED else 0
    return BALL[group] + (FIELD if moved else 0) + batter
