"""The outcome of a ball, and the lines of the scorecard that it goes into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Self

STRIKER_END: Final = "striker"
BOWLER_END: Final = "bowler"


@dataclass(slots=True)
class Dismissal:
    """A batter's dismissal. `fielders` are names; `end` is where the wicket was put down, for a run out."""

    kind: str
    batter: int
    fielders: tuple[str, ...] = ()
    end: str = STRIKER_END


@dataclass(slots=True)
class Ball:
    """One delivery. `runs` are beyond the penalty run of a wide or no-ball and are of kind `runs_from`."""

    runs: int = 0
    runs_from: str = "bat"
    """bat, byes, legbyes or wides."""
    boundary: bool = False
    wide: bool = False
    noball: bool = False
    penalty: int = 0
    dismissal: Dismissal | None = None

    @property
    def total(self) -> int:
        return self.runs + self.wide + self.noball + self.penalty

    @property
    def legal(self) -> bool:
        return not (self.wide or self.noball)

    @property
    def bat_runs(self) -> int:
        return self.runs if self.runs_from == "bat" else 0

    def extras(self) -> dict[str, int]:
        """Return the extras in Cricsheet's words; a no-ball and byes may stand side by side."""
        out = {"wides": self.runs + 1} if self.wide else {}
        if self.noball:
            out["noballs"] = 1
        if self.runs and self.runs_from in ("byes", "legbyes"):
            out[self.runs_from] = self.runs
        if self.penalty:
            out["penalty"] = self.penalty
        return out


class BatterCard:
    """A batter's line of the scorecard. `out` is None until the innings ends for that batter, then the words."""

    __slots__ = ("balls", "fours", "out", "retired_hurt", "runs", "sixes")

    def __init__(self) -> None:
        self.runs = self.balls = self.fours = self.sixes = 0
        self.out: str | None = None
        self.retired_hurt = False

    def copy(self) -> BatterCard:
        card = BatterCard.__new__(BatterCard)
        card.runs, card.balls, card.fours, card.sixes = self.runs, self.balls, self.fours, self.sixes
        card.out, card.retired_hurt = self.out, self.retired_hurt
        return card

    def to_json(self) -> list[Any]:
        return [self.runs, self.balls, self.fours, self.sixes, self.out, self.retired_hurt]

    @classmethod
    def load(cls, row: list[Any]) -> Self:
        card = cls()
        card.runs, card.balls, card.fours, card.sixes, card.out, card.retired_hurt = row
        return card


class BowlerCard:
    """A bowler's line. `overs` counts overs begun, for the quota."""

    __slots__ = ("balls", "dots", "maidens", "noballs", "overs", "runs", "wickets", "wides")

    def __init__(self) -> None:
        self.balls = self.maidens = self.runs = self.wickets = self.wides = self.noballs = self.dots = self.overs = 0

    def copy(self) -> BowlerCard:
        card = BowlerCard.__new__(BowlerCard)
        for name in BowlerCard.__slots__:
            setattr(card, name, getattr(self, name))
        return card

    def to_json(self) -> list[Any]:
        return [self.balls, self.maidens, self.runs, self.wickets, self.wides, self.noballs, self.dots, self.overs]

    @classmethod
    def load(cls, row: list[Any]) -> Self:
        card = cls()
        (card.balls, card.maidens, card.runs, card.wickets, card.wides, card.noballs, card.dots, card.overs) = row
        return card


def ball_mark(ball: Ball) -> str:
    """Return the ball's mark in a this-over strip: `.` `1` `4` `W` `wd` `2nb` `1lb`."""
    runs = ball.runs
    if ball.wide:
        mark = f"{runs + 1}wd" if runs else "wd"
    elif ball.noball:
        mark = f"{runs}nb" if runs else "nb"
    elif runs and ball.runs_from != "bat":
        mark = f"{runs}{'b' if ball.runs_from == 'byes' else 'lb'}"
    else:
        mark = str(runs) if runs else "."
    if ball.dismissal is not None:
        return "W" if mark == "." else f"{mark}W"
    return mark
