"""The headline statistics of many matches, computed from their events in the same way as from real matches.

Definitions are those of `data/targets.csv`: rates of runs are per ball faced, of extras per delivery, of wickets per
legal ball; the death is overs 16-20 of a 20-over innings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from grandstand.games.base import GameEvent
from grandstand.games.cricket.events import BallBowled, InningsEnded, MatchDecided, ReviewTaken
from grandstand.games.cricket.model.ball_model import SET_BIN, SET_ROWS
from grandstand.games.cricket.vocab import PHASES, REVIEWED_EXTRAS

_PHASE_NAMES: Final = ("powerplay", "middle", "death")
DISMISSALS: Final = ("caught", "bowled", "lbw", "run out", "caught and bowled", "stumped")


@dataclass
class PhaseCounts:
    """Deliveries of one phase, counted."""

    deliveries: int = 0
    legal: int = 0
    faced: int = 0
    runs: int = 0
    wickets: int = 0
    classes: Counter[str] = field(default_factory=Counter)
    bat: Counter[int] = field(default_factory=Counter)


@dataclass
class InningsLine:
    """One innings in a row of figures. `overs` holds runs by over."""

    number: int
    runs: int
    wickets: int
    overs: list[int]


class Statistics:
    """Counts over 20-over matches; `add` takes one match's events, `headline` gives the statistics by name."""

    def __init__(self) -> None:
        self.phases = [PhaseCounts() for _ in PHASES]
        self.dismissals: Counter[str] = Counter()
        self.byes = self.legbyes = self.spin = self.reviews = self.upheld = self.matches = self.chases_won = 0
        self.batting_reviews: Counter[bool] = Counter()
        self.fielding_reviews: Counter[bool] = Counter()
        self.set_rows = [Counter[str]() for _ in range(SET_ROWS)]
        """Counts of deliveries by class, for each row of the ball model's set-ness table."""
        self.tail = [0, 0]
        """Legal balls and wickets with eight or nine down."""
        self.innings: list[InningsLine] = []

    def add(self, events: Iterable[GameEvent], spinners: frozenset[str] = frozenset()) -> None:
        """Count one match. `spinners` names who bowls spin. Super Overs are left out, as in the targets."""
        self.matches += 1
        line = InningsLine(1, 0, 0, [0] * 20)
        for event in events:
            if isinstance(event, BallBowled) and event.innings <= 2:
                self._ball(event, spinners, line)
            elif isinstance(event, ReviewTaken) and event.innings <= 2 and event.kind not in REVIEWED_EXTRAS:
                self._review(event)
            elif isinstance(event, InningsEnded) and event.innings <= 2:
                line.number, line.runs, line.wickets = event.innings, event.runs, event.wickets
                self.innings.append(line)
                line = InningsLine(2, 0, 0, [0] * 20)
            elif isinstance(event, MatchDecided):
                self.chases_won += "wickets" in event.by

    def _review(self, event: ReviewTaken) -> None:
        self.reviews += 1
        self.upheld += event.upheld
        given_out = event.out != event.upheld
        (self.batting_reviews if given_out else self.fielding_reviews)[event.upheld] += 1

    def _ball(self, ball: BallBowled, spinners: frozenset[str], line: InningsLine) -> None:
        over = int(ball.ball.split(".")[0])
        cell = self.phases[0 if over < 6 else 1 if over < 15 else 2]
        extras = ball.extras or {}
        legal = not ("wides" in extras or "noballs" in extras)
        cell.deliveries += 1
        cell.runs += ball.total
        line.overs[over] += ball.total
        cell.legal += legal
        if "wides" not in extras:
            cell.faced += 1
            cell.bat[ball.runs] += 1
        cell.classes[ball_class(ball)] += 1
        self.set_rows[SET_BIN[ball.batter_card[1] - ("wides" not in extras)]][ball_class(ball)] += 1
        self.byes += legal and "byes" in extras
        self.legbyes += legal and "legbyes" in extras
        self.spin += ball.bowler in spinners
        down = ball.score[1] - (ball.wicket is not None)
        if down >= 8:
            self.tail[0] += legal
            self.tail[1] += ball.wicket is not None
        if ball.wicket is not None:
            cell.wickets += 1
            self.dismissals[ball.wicket["kind"]] += 1

    def headline(self) -> dict[str, float]:
        """Return the statistics of `data/targets.csv` by name. Needs both innings of at least two matches."""
        out: dict[str, float] = {}
        total = _merged(self.phases)
        out["rpo"], out["wkt_per_legal"] = 6 * total.runs / total.legal, total.wickets / total.legal
        for name, runs in (("dot", 0), ("one", 1), ("two", 2), ("four", 4), ("six", 6)):
            out[f"{name}_rate"] = total.bat[runs] / total.faced
        out["wide_rate"] = total.classes["wide"] / total.deliveries
        out["noball_rate"] = total.classes["noball"] / total.deliveries
        out["legbye_rate"], out["bye_rate"] = self.legbyes / total.deliveries, self.byes / total.deliveries
        for name, cell in zip(_PHASE_NAMES, self.phases, strict=True):
            out[f"rpo_{name}"], out[f"wkt_{name}"] = 6 * cell.runs / cell.legal, cell.wickets / cell.legal
            for word, runs in (("six", 6), ("four", 4), ("dot", 0)):
                out[f"{word}_{name}"] = cell.bat[runs] / cell.faced
        wickets = sum(self.dismissals.values())
        for kind in DISMISSALS:
            out[f"dismissal_share_{kind}"] = self.dismissals[kind] / wickets
        self._innings_headline(out)
        out["chase_win"] = self.chases_won / self.matches
        out["spin_share"] = self.spin / total.deliveries
        out["drs_per_innings"] = self.reviews / len(self.innings)
        out["drs_success"] = self.upheld / max(self.reviews, 1)
        return out

    def _innings_headline(self, out: dict[str, float]) -> None:
        first = [i for i in self.innings if i.number == 1]
        second = [i for i in self.innings if i.number == 2]
        runs = sorted(i.runs for i in first)
        out["first_mean"], out["first_sd"] = _mean_sd(runs)
        for q in (10, 50, 90):
            out[f"first_p{q}"] = _quantile(runs, q / 100)
        out["first_allout"] = sum(i.wickets == 10 for i in first) / len(first)
        out["first_wkts"] = sum(i.wickets for i in first) / len(first)
        out["second_mean"], out["second_sd"] = _mean_sd([i.runs for i in second])
        out["second_allout"] = sum(i.wickets == 10 for i in second) / len(second)
        powerplay, death = [sum(i.overs[:6]) for i in first], [sum(i.overs[15:]) for i in first]
        out["pp1_mean"], out["pp1_sd"] = _mean_sd(powerplay)
        out["death1_mean"], out["death1_sd"] = _mean_sd(death)
        out["corr_pp_death"] = _correlation(powerplay, death)


def ball_class(ball: BallBowled) -> str:
    """Return the model's class (`vocab.CLASSES`) of a delivery."""
    extras = ball.extras or {}
    if "wides" in extras:
        return "wide"
    if "noballs" in extras:
        return "noball"
    if ball.wicket is not None:
        return "RO" if ball.wicket["kind"] in ("run out", "obstructing the field") else "W"
    if "byes" in extras or "legbyes" in extras:
        return "lb"
    return "4" if ball.runs in (5, 7) else str(ball.runs)


def _merged(phases: Sequence[PhaseCounts]) -> PhaseCounts:
    total = PhaseCounts()
    for cell in phases:
        total.deliveries += cell.deliveries
        total.legal += cell.legal
        total.faced += cell.faced
        total.runs += cell.runs
        total.wickets += cell.wickets
        total.classes.update(cell.classes)
        total.bat.update(cell.bat)
    return total


def _mean_sd(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    return mean, sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1))


def _quantile(ordered: Sequence[float], q: float) -> float:
    place = q * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _correlation(a: Sequence[float], b: Sequence[float]) -> float:
    (ma, sa), (mb, sb) = _mean_sd(a), _mean_sd(b)
    return sum((x - ma) * (y - mb) for x, y in zip(a, b, strict=True)) / (len(a) - 1) / sa / sb
