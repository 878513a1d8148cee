"""Laws and playing conditions as data, by the length of a match and the set of conditions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from grandstand.games.cricket.laws.clock import SECONDS_AN_OVER

POWERPLAY_BALLS: Final = {
    5: 9, 6: 11, 7: 13, 8: 14, 9: 16, 10: 18, 11: 20, 12: 22, 13: 23, 14: 25, 15: 27, 16: 29, 17: 31, 18: 32, 19: 34,
    20: 36,
}  # fmt: skip
"""Overs of the innings -> balls of powerplay: ICC men's T20I playing conditions of 10 July 2025."""

ELEVEN: Final = 11
CONDITIONS: Final = ("icc", "ipl", "ipl-2023")
"""The ICC's, those of the IPL, and those with what the IPL has had since 2023."""


@dataclass(frozen=True, slots=True, eq=False)
class FormatRules:
    """The playing conditions of one innings length: one object per length and conditions, so identity is equality.

    `outside` lists (legal ball from which it holds, most fielders outside the circle).
    """

    overs: int
    conditions: str
    powerplay_balls: int
    outside: tuple[tuple[int, int], ...]
    bowler_max_overs: int
    bowlers_at_max: int
    """The number of bowlers who may bowl `bowler_max_overs` overs; any others may bowl one over less.

    Below five overs each bowler may bowl one over: otherwise an injured bowler's over, which another finishes, could
    leave no bowler for the last over.
    """
    bouncers_per_over: int
    reviews: int
    """The number of unsuccessful reviews per side and innings."""
    reviews_of_extras: bool = False
    """Whether they may also be of a wide, or of a no-ball for height."""
    cut_off: int | None = None
    """The seconds of play within which the last over has to begin; None where no fielder is taken in for it."""
    impact_player: bool = False
    """Whether each side has a bench, of whom one may once replace one of the eleven."""
    wickets: int = 10
    super_over: bool = False

    @property
    def balls(self) -> int:
        return self.overs * 6

    @property
    def league(self) -> str:
        """Return whose conditions they are, whatever the year: `icc` or `ipl`."""
        return self.conditions.partition("-")[0]

    def max_outside(self, legal_balls: int) -> int:
        """Return the most fielders outside the 30-yard circle after `legal_balls` of the innings."""
        return max((start, most) for start, most in self.outside if start <= legal_balls)[1]

    def in_powerplay(self, legal_balls: int) -> bool:
        return legal_balls < self.powerplay_balls

    def may_bowl(self, overs_bowled: int, bowlers_at_max_already: int) -> bool:
        """Return whether the quota leaves one more over to a bowler who has bowled (or begun) `overs_bowled`."""
        after = overs_bowled + 1
        if after < self.bowler_max_overs:
            return True
        return after == self.bowler_max_overs and bowlers_at_max_already < self.bowlers_at_max


@lru_cache
def format_rules(overs: int, conditions: str = "icc") -> FormatRules:
    """Return the rules of an innings of 1 to 50 overs. Raise ValueError outside that, or for unknown conditions.

    Up to 20 overs the T20 conditions hold, beyond them the one-day ones (three powerplays in the shares 10/30/10).
    Below five overs, which no conditions cover, the powerplay is 30 per cent to the nearest ball.
    """
    if not 1 <= overs <= 50:
        raise ValueError(f"overs: {overs} is outside 1 to 50")
    if conditions not in CONDITIONS:
        raise ValueError(f"conditions: unknown {conditions!r}; there are {', '.join(CONDITIONS)}")
    floor, remainder = divmod(overs, 5)
    if overs <= 20:
        whole_overs = 6 * max(1, round(0.3 * overs))  # IPL: 2 of 5, 6 of 20
        table = POWERPLAY_BALLS.get(overs, round(0.3 * 6 * overs))
        powerplay = table if conditions == "icc" else whole_overs
        outside: tuple[tuple[int, int], ...] = ((0, 2), (powerplay, 5))
        bouncers = 1 if conditions == "icc" else 2
    else:
        powerplay = 6 * round(overs / 5)
        outside = ((0, 2), (powerplay, 4), (6 * round(overs * 0.8), 5))
        bouncers = 2
    return FormatRules(
        overs=overs,
        conditions=conditions,
        powerplay_balls=powerplay,
        outside=outside,
        bowler_max_overs=floor + (1 if remainder else 0),
        bowlers_at_max=remainder if floor and remainder else 11,
        bouncers_per_over=bouncers,
        reviews=2,
        reviews_of_extras=conditions == "ipl-2023",
        cut_off=SECONDS_AN_OVER * overs if conditions == "ipl-2023" and overs <= 20 else None,
        impact_player=conditions == "ipl-2023",
    )


@lru_cache
def super_over_rules(conditions: str = "icc") -> FormatRules:
    """Return the rules of a Super Over: six balls, two wickets, one review, the field of a non-powerplay over."""
    return replace(
        format_rules(1, conditions),
        powerplay_balls=0,
        outside=((0, 5),),
        bowlers_at_max=11,
        reviews=1,
        cut_off=None,
        wickets=2,
        super_over=True,
    )
