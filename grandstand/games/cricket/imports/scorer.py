"""The scorer of a recorded innings: it counts recorded deliveries without checking them against the Laws."""

from __future__ import annotations

from dataclasses import dataclass, field

from grandstand.games.base import SeatId
from grandstand.games.cricket.imports.document import DeliveryLine, RecordedInnings
from grandstand.games.cricket.laws.cards import Ball, BatterCard, BowlerCard, Dismissal, ball_mark
from grandstand.games.cricket.types import InningsCard
from grandstand.games.cricket.vocab import BOWLER_KINDS, NOT_OUT_EXITS


@dataclass
class Scorer:
    """The score of an innings so far. Players go by name; `legal` counts balls by the overs that are recorded."""

    line: RecordedInnings
    number: int
    batting: SeatId
    bowling: SeatId
    overs: int
    target: int | None
    powerplay: int | None
    quota: int
    runs: int = 0
    wickets: int = 0
    legal: int = 0
    extras: dict[str, int] = field(default_factory=lambda: {"b": 0, "lb": 0, "w": 0, "nb": 0, "p": 0})
    batters: dict[str, BatterCard] = field(default_factory=dict)
    """The cards of the batters in batting order."""
    bowlers: dict[str, BowlerCard] = field(default_factory=dict)
    fall: list[tuple[int, str, int]] = field(default_factory=list)
    by_over: list[tuple[int, int]] = field(default_factory=list)
    crease: set[str] = field(default_factory=set)
    """The batters who are in."""
    partnership: tuple[int, int] = (0, 0)
    marks: list[str] = field(default_factory=list)
    """The marks of the over so far."""
    closed: str | None = None
    _over: int = 0
    _over_balls: int = 0
    _over_start: tuple[int, int] = (0, 0)
    _over_charged: int = 0
    _over_bowlers: set[str] = field(default_factory=set)

    @property
    def need(self) -> int | None:
        return None if self.target is None else self.target - self.runs

    @property
    def balls_left(self) -> int:
        return max(0, 6 * self.overs - self.legal)

    @property
    def name(self) -> str:
        """Return the next ball in cricket's notation: `4.3` is the third of the fifth over, `4.7` a seventh."""
        return f"{self._over}.{self._over_balls + 1}"

    def begin(self) -> None:
        """Count the penalty runs that the side received before its first ball."""
        self.runs = self.extras["p"] = self.line.penalty[0]
        self._over_start = (self.runs, 0)

    def arrive(self, batter: str) -> int:
        """Let a batter come in; return the place in the batting order."""
        card = self.batters.setdefault(batter, BatterCard())
        card.out, card.retired_hurt = None, False
        self.crease.add(batter)
        return [*self.batters].index(batter) + 1

    def begin_over(self, over: int) -> None:
        self.legal = 6 * over
        self._over, self._over_balls, self._over_charged = over, 0, 0
        self._over_start = (self.runs, self.wickets)
        self._over_bowlers = set()
        self.marks = []

    def bowl(self, ball: DeliveryLine, over: int) -> str:
        """Count a delivery without its wickets; return its mark."""
        wide, noball = "wides" in ball.extras, "noballs" in ball.extras
        striker = self.batters[ball.batter]
        bowler = self.bowlers.setdefault(ball.bowler, BowlerCard())
        self._over_bowlers.add(ball.bowler)
        self.runs += ball.total
        charged = ball.bat + ball.extras.get("wides", 0) + ball.extras.get("noballs", 0)
        bowler.runs += charged
        self._over_charged += charged
        for kind, key in (("byes", "b"), ("legbyes", "lb"), ("wides", "w"), ("noballs", "nb"), ("penalty", "p")):
            self.extras[key] += ball.extras.get(kind, 0)
        bowler.wides += wide
        bowler.noballs += noball
        if not wide:
            striker.balls += 1
            striker.runs += ball.bat
            striker.fours += ball.boundary and ball.bat == 4
            striker.sixes += ball.boundary and ball.bat == 6
        if not wide and not noball:
            bowler.balls += 1
            self._over_balls += 1
            # The umpire may have counted seven balls or five: the over counts as six.
            self.legal = 6 * over + min(6, self._over_balls)
        self.partnership = (self.partnership[0] + ball.total, self.partnership[1] + (not wide))
        mark = ball_mark(_marked(ball))
        self.marks.append(mark)
        return mark

    def leave(self, batter: str, kind: str, how: str, bowler: str | None) -> None:
        """Let a batter go; `bowler` is the bowler of the ball, or None between balls."""
        card = self.batters.setdefault(batter, BatterCard())
        card.out, card.retired_hurt = how, kind in NOT_OUT_EXITS
        self.crease.discard(batter)
        if kind in NOT_OUT_EXITS:
            return
        self.wickets += 1
        self.fall.append((self.runs, batter, self.legal))
        self.partnership = (0, 0)
        if bowler is not None and kind in BOWLER_KINDS:
            self.bowlers[bowler].wickets += 1

    def end_over(self, over: int, *, last: bool) -> tuple[int, int, bool]:
        """End the over; return its (runs, wickets, whether it was a maiden)."""
        whole = self._over_balls >= 6 or not last
        maiden = whole and self._over_charged == 0 and len(self._over_bowlers) == 1
        if maiden:
            self.bowlers[next(iter(self._over_bowlers))].maidens += 1
        if whole:
            self.legal, self._over, self._over_balls = 6 * (over + 1), over + 1, 0
        runs, wickets = self.runs - self._over_start[0], self.wickets - self._over_start[1]
        self.by_over.append((runs, wickets))
        return runs, wickets, maiden

    def score(self) -> list[int]:
        return [self.runs, self.wickets, self.legal]

    def card(self) -> InningsCard:
        """Return the scorecard."""
        extras = self.extras
        return {
            "innings": self.number,
            "batting": self.batting,
            "overs": self.overs,
            "super_over": self.line.super_over,
            "target": self.target,
            "powerplay": self.powerplay,
            "quota": self.quota,
            "runs": self.runs,
            "wickets": self.wickets,
            "balls": self.legal,
            "extras": {"b": extras["b"], "lb": extras["lb"], "w": extras["w"], "nb": extras["nb"], "p": extras["p"]},
            "batters": [
                {"name": name, "r": card.runs, "b": card.balls, "f": card.fours, "s": card.sixes, "out": card.out}
                for name, card in self.batters.items()
            ],
            "bowlers": [
                [name, card.balls, card.maidens, card.runs, card.wickets, card.wides, card.noballs]
                for name, card in self.bowlers.items()
            ],
            "fall": [[score, name, balls] for score, name, balls in self.fall],
            "by_over": [[runs, wickets] for runs, wickets in self.by_over],
            "closed": self.closed,
        }


def _marked(ball: DeliveryLine) -> Ball:
    """Return the parts of the delivery that its mark needs."""
    wide, noball = "wides" in ball.extras, "noballs" in ball.extras
    out = any(wicket.kind not in NOT_OUT_EXITS for wicket in ball.wickets)
    kind = next((kind for kind in ("byes", "legbyes") if kind in ball.extras), "bat")
    return Ball(
        runs=ball.total - wide - noball - ball.extras.get("penalty", 0),
        runs_from="wides" if wide else kind,
        wide=wide,
        noball=noball,
        penalty=ball.extras.get("penalty", 0),
        dismissal=Dismissal("", 0) if out else None,
    )
