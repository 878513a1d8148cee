"""Statistics of players: the record of a seat, totals over episodes, and confidence intervals.

All intervals of the project are computed here. Each covers 95 per cent, unless a caller that looks at results
repeatedly asks for more. If the sample is too small for an interval,
`low` and `high` are None and `n` is the sample size. Decisions that a fallback or another person made in a player's
seat are counted separately from the player's own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import cbrt, inf, isinf, log10, sqrt
from statistics import fmean, stdev
from typing import Any

from grandstand.games.base import SeatId
from grandstand.models import (
    ActionChosen,
    EpisodeCreated,
    EpisodeEnded,
    Event,
    PlayerFault,
    PlayerReported,
    PrivateBatch,
    Usage,
    flat,
)
from grandstand.play.ratings.distributions import beta_quantile, student
from grandstand.players.usage import UsageSums

LEVEL = 0.95
"""Share of samples whose interval contains the true value."""
FEWEST = 5
"""Independent values below which a mean without known bounds, or of differences, gets no interval."""
FEWEST_ELO = 20
"""Situations below which a difference of ratings gets no interval."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate from `n` independent values and its 95 per cent interval; None where it cannot be computed."""

    mean: float | None
    low: float | None
    high: float | None
    n: int

    @property
    def ci95(self) -> tuple[float, float] | None:
        """Return both ends, or None."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @property
    def half(self) -> float | None:
        """Return half of the width, or None."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    @property
    def margin(self) -> float | None:
        """Return the larger distance from the mean to an end: the mean plus or minus it includes the interval."""
        if self.mean is None or self.low is None or self.high is None:
            return None
        return max(self.mean - self.low, self.high - self.mean)

    def excludes(self, value: float) -> bool:
        """Return whether there is an interval and `value` lies outside."""
        ends = self.ci95
        return ends is not None and not ends[0] <= value <= ends[1]


def mean_interval(values: Sequence[float], level: float = LEVEL, bounds: tuple[float, float] | None = None) -> Interval:
    """Return the mean of independent values, such as paired differences of scores, with its interval.

    It is the union of Student's interval and of that of Hall's transformed t (P. Hall, On the removal of skewness by
    transformation, Journal of the Royal Statistical Society B 54, 1992), which reaches further to the side of the
    sample's tail. So it is nearly Student's for symmetric values. Where `bounds` of a value are known, it ends where
    that of `bounded_interval` ends, which is narrower for a small sample of results like -1, 0 and 1.
    docs/evaluation.md has the coverage.

    There is no interval below FEWEST values. If all are equal, they do not estimate a spread: the interval is that of
    `bounded_interval`, or there is none.
    """
    n = len(values)
    mean = fmean(values) if n else None
    if mean is None or n < FEWEST:
        return Interval(mean, None, None, n)
    low, high = (-inf, inf) if bounds is None else bounded_interval(values, *bounds, level).ci95 or (-inf, inf)
    if max(values) == min(values):
        return Interval(mean, None, None, n) if isinf(low) else Interval(mean, low, high, n)
    quantile, spread = student(n - 1, level) / sqrt(n), stdev(values)
    skewness = fmean((value - mean) ** 3 for value in values) / spread**3
    least = mean - spread * max(quantile, _hall(quantile, skewness, n))
    most = mean + spread * max(quantile, -_hall(-quantile, skewness, n))
    return Interval(mean, max(low, least), min(high, most), n)


def _hall(t: float, skewness: float, n: int) -> float:
    """Return where Hall's cubic transformation of (sample mean - true mean) / spread has the value `t`."""
    if abs(skewness) < 1e-6:
        return t
    return 3 / skewness * (cbrt(1 + skewness * (t - skewness / (6 * n))) - 1)


def student_interval(values: Sequence[float], level: float = LEVEL) -> Interval:
    """Return the mean of two or more independent values with Student's interval.

    It is for values that are means themselves, such as those of whole runs, which are nearly normal. There is no
    interval if all are equal: such a sample does not estimate the spread.
    """
    n = len(values)
    mean = fmean(values) if n else None
    if mean is None or n < 2 or max(values) == min(values):
        return Interval(mean, None, None, n)
    half = student(n - 1, level) * stdev(values) / sqrt(n)
    return Interval(mean, mean - half, mean + half, n)


def bounded_interval(values: Sequence[float], low: float = 0.0, high: float = 1.0, level: float = LEVEL) -> Interval:
    """Return the mean of independent values in [low, high], with an interval within those bounds.

    If a value lies outside the bounds, the interval of `mean_interval` is returned.

    Values that are all either `low` or `high` get the exact interval of their share. For all others one value at
    each bound is added before Student's interval is computed (Agresti and Coull's idea): the interval then has a
    width even if all values are equal, and allows for a rare result that is absent from a small sample.
    """
    n = len(values)
    if not n:
        return Interval(None, None, None, 0)
    if min(values) < low or max(values) > high:
        return mean_interval(values, level)
    if all(value in (low, high) for value in values):
        share = share_interval(sum(value == high for value in values), n, level)
        assert share.low is not None
        assert share.high is not None
        return Interval(fmean(values), low + (high - low) * share.low, low + (high - low) * share.high, n)
    wider = [*values, low, high]
    half = student(n + 1, level) * stdev(wider) / sqrt(n + 2)
    middle, mean = fmean(wider), fmean(values)
    return Interval(mean, max(low, min(mean, middle - half)), min(high, max(mean, middle + half)), n)


def grouped_interval(groups: Sequence[Sequence[float]], level: float = LEVEL) -> Interval:
    """Return the mean over independent groups of values in [0, 1], of which those of one group are dependent.

    It is Wilson's interval of a share of as many independent trials as would have the variance that the groups' means
    show, with Student's quantile for that estimate. Where the means show no variance, or all groups have a single
    value, it is that of `bounded_interval`.

    Over 2 to 12 trials a group, 5 to 40 groups, shares of .5 to .95 and correlations of .1 to .5 in a group, it covers
    the true share in .91 to 1 of 4,000 samples, where Student's own interval does in .85 to 1. If a value of one in
    twenty decides the mean, both cover it in .90.
    """
    means = [fmean(group) for group in groups]
    n = len(means)
    outside = bool(n) and (min(means) < 0 or max(means) > 1)
    if outside or n < FEWEST or max(means) == min(means) or max(len(group) for group in groups) == 1:
        return bounded_interval(means, level=level)
    share, quantile = fmean(means), student(n - 1, level)
    variance = stdev(means) ** 2 / n
    trials = share * (1 - share) / variance
    middle = (share + quantile**2 / (2 * trials)) / (1 + quantile**2 / trials)
    half = quantile / (1 + quantile**2 / trials) * sqrt(variance + (quantile / (2 * trials)) ** 2)
    return Interval(share, middle - half, middle + half, n)


def share_interval(count: int, n: int, level: float = LEVEL) -> Interval:
    """Return a share of `n` independent trials with Clopper and Pearson's exact interval."""
    if not n:
        return Interval(None, None, None, 0)
    tail = (1 - level) / 2
    least = beta_quantile(tail, count, n - count + 1) if count else 0.0
    most = beta_quantile(1 - tail, count + 1, n - count) if count < n else 1.0
    return Interval(count / n, least, most, n)


def elo_interval(shares: Sequence[tuple[float, float]]) -> Interval:
    """Return the Elo difference of two players from their paired shares of opponents beaten, the first's first.

    Elo points are 400 log10 of the odds of beating an opponent; the interval is the jackknife's over situations.
    Neither is returned below FEWEST_ELO situations, nor if either player won or lost all but one of them: odds near 0
    or infinity have no reliable interval.
    """
    n = len(shares)
    first, second = (sum(column) for column in zip(*shares, strict=True)) if shares else (0.0, 0.0)
    if n < FEWEST_ELO or not all(1 < above < n - 1 for above in (first, second)):
        return Interval(None, None, None, n)
    gap = _points(first, n) - _points(second, n)
    without = [_points(first - own, n - 1) - _points(second - other, n - 1) for own, other in shares]
    if max(without) == min(without):
        return Interval(None, None, None, n)
    half = student(n - 1, LEVEL) * (n - 1) / sqrt(n) * stdev(without)
    return Interval(gap, gap - half, gap + half, n)


def _points(above: float, n: int) -> float:
    return 400 * log10(above / (n - above))


# --- the record of a seat ---------------------------------------------------------------------------------------------

COUNTED = (
    "EpisodeCreated",
    "SeedSet",
    "TurnStarted",
    "ActionChosen",
    "ControlChanged",
    "NegotiationHeld",
    "PlayerFault",
    "PlayerReported",
    PrivateBatch.__name__,
    "EpisodeEnded",
)
"""Event types from which the result of a match and the records of its seats are computed."""


@dataclass(slots=True)
class Spent(UsageSums):
    """Usage summed over answers."""

    answers: int = 0
    seconds: float = 0.0
    """Seconds from request to answer, summed over answers."""

    def add(self, usage: Usage | Spent) -> None:
        self.add_sums(usage)
        self.answers += usage.answers if isinstance(usage, Spent) else 1
        self.seconds += usage.seconds


@dataclass(slots=True)
class SeatRecord:
    """The decisions, usage and score of one seat in one episode. Messages are not counted as decisions."""

    seat: SeatId
    player: str
    kind: str
    decisions: int = 0
    """All decisions of the seat, by any player."""
    fallbacks: int = 0
    """Decisions that the fallback made after a fault."""
    assisted: int = 0
    """Decisions and messages made after a take-over by another player or with another prompt, or in the match that this
    one is a fork of."""
    faults: int = 0
    """Failures, including those in rounds of press, where no fallback acts."""
    causes: dict[str, int] = field(default_factory=dict)
    """The boundary of each of these failures."""
    spent: Spent = field(default_factory=Spent)
    score: float | None = None
    """None if the match was not played to its end."""
    won: bool = False
    forfeited: bool = False
    """True if the score is lost because the player failed."""
    measures: dict[str, float] = field(default_factory=dict)
    """The measures that the game takes of every seat, if the match was played to its end."""
    prompt: str = ""
    """The hash of everything that shapes the player's prompts; empty without any, and where it is not recorded."""

    @property
    def scored(self) -> bool:
        """Return whether the score is the player's own: it made every decision, or it forfeited."""
        alone = self.decisions > 0 and not self.fallbacks and not self.assisted
        return self.score is not None and (alone or self.forfeited)

    def forfeit(self) -> None:
        """Count the match as lost if the fallback had to act."""
        if self.fallbacks and self.score is not None:
            self.score, self.won, self.forfeited = 0.0, False, True


def seat_records(events: Iterable[Event]) -> list[SeatRecord]:
    """Return the record of every seat of an episode, in seat order; `events` may omit types that are not in COUNTED."""
    fold = _Fold()
    for event in flat(events):
        fold.add(event)
    return list(fold.seats.values())


class _Fold:
    """The records of an episode's seats, updated event by event."""

    def __init__(self) -> None:
        self.seats: dict[SeatId, SeatRecord] = {}
        self._taken: set[SeatId] = set()
        self._left: set[SeatId] = set()
        """Seats whose person has left, so that a built-in player acts."""
        self._reprompted: set[SeatId] = set()
        """Seats whose player went on with another prompt, in a match that was taken up again."""
        self._forked = False
        self._actions: list[ActionChosen] = []
        """Actions since the last turn or round of press: they are messages if a round of press ends next."""

    def add(self, event: Event) -> None:
        match event.type:
            case "EpisodeCreated":
                created = EpisodeCreated.model_validate(event.data)
                self.seats = {
                    info.seat: SeatRecord(info.seat, info.player, info.kind, prompt=info.prompt)
                    for info in created.seats
                }
                self._forked = created.parent is not None
            case "ControlChanged" if event.data["command"] == "fork":
                self._forked = True
                for record in self.seats.values():
                    record.assisted = record.decisions
            case "ControlChanged" if event.data["command"] in ("take_over", "hand_back", "leave"):
                self._reseat(event.data["command"], event.data["value"])
            case "ActionChosen":
                self._count(ActionChosen.model_validate(event.data))
            case "NegotiationHeld":
                for action in self._actions:
                    self._seat(action.seat).decisions -= 1
                self._actions.clear()
            case "TurnStarted":
                self._actions.clear()
            case "PlayerFault":
                fault = PlayerFault.model_validate(event.data)
                record = self._seat(fault.seat)
                record.faults += 1
                record.causes[fault.boundary] = record.causes.get(fault.boundary, 0) + 1
            case "PlayerReported":
                reported = PlayerReported.model_validate(event.data)
                record, prompt = self._seat(reported.seat), reported.report.prompt
                record.spent.add(reported.report.usage)
                if prompt and prompt != record.prompt:
                    self._reprompted.add(reported.seat)
            case "EpisodeEnded":
                self._end(EpisodeEnded.model_validate(event.data))

    def _reseat(self, command: str, seat: SeatId) -> None:
        if command == "take_over":
            (self._left.discard if seat in self._left else self._taken.add)(seat)
        elif command == "leave" and seat not in self._taken:
            self._left.add(seat)
        else:
            self._taken.discard(seat)

    def _seat(self, seat: SeatId) -> SeatRecord:
        """Return the record of a seat; a discarded one if a published episode names a seat that it does not have."""
        return self.seats.get(seat) or SeatRecord(seat, "", "")

    def _count(self, chosen: ActionChosen) -> None:
        record = self._seat(chosen.seat)
        record.decisions += 1
        record.fallbacks += chosen.source == "fallback"
        outside = chosen.source in ("human", "remote") and chosen.source != record.kind
        record.assisted += outside or self._forked or chosen.seat in self._taken | self._left | self._reprompted
        self._actions.append(chosen)

    def _end(self, ended: EpisodeEnded) -> None:
        if ended.status == "finished" and ended.outcome is not None:
            for seat, record in self.seats.items():
                record.score = ended.outcome.scores.get(seat, 0.0)
                record.won = seat in ended.outcome.winners


# --- totals of a player -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class PlayerTotals:
    """The totals of a player over several episodes."""

    seats: int = 0
    scored: int = 0
    """Seats whose score is the player's own: it made every decision, or it forfeited."""
    forfeits: int = 0
    wins: int = 0
    """Wins in seats that are scored."""
    decisions: int = 0
    fallbacks: int = 0
    assisted: int = 0
    faults: int = 0
    causes: dict[str, int] = field(default_factory=dict)
    """The boundary of each of the faults."""
    spent: Spent = field(default_factory=Spent)
    score: Interval = Interval(None, None, None, 0)
    """The mean score over matches; a match counts with the mean of its seats, which are not independent."""
    measures: dict[str, float] = field(default_factory=dict)
    """Means over the player's seats in matches played to their end."""

    @property
    def fallback_share(self) -> float:
        """Return the share of decisions that the fallback made."""
        return self.fallbacks / self.decisions if self.decisions else 0.0

    def add(self, record: SeatRecord) -> None:
        self.seats += 1
        self.scored += record.scored
        self.forfeits += record.forfeited
        self.wins += record.scored and record.won
        self.decisions += record.decisions
        self.fallbacks += record.fallbacks
        self.assisted += record.assisted
        self.faults += record.faults
        for cause, count in record.causes.items():
            self.causes[cause] = self.causes.get(cause, 0) + count
        self.spent.add(record.spent)

    def to_json(self) -> dict[str, Any]:
        """Return the totals as data: the score with the interval, the decisions and faults, and the usage."""
        spent, score = self.spent, self.score
        return {
            "seats": self.seats,
            "scored": self.scored,
            "mean_score": None if score.mean is None else round(score.mean, 4),
            "ci95": None if score.ci95 is None else [round(end, 4) for end in score.ci95],
            "n": score.n,
            "wins": self.wins,
            "forfeits": self.forfeits,
            "decisions": self.decisions,
            "fallbacks": self.fallbacks,
            "faults": self.faults,
            "calls": spent.calls,
            "tokens_in": spent.tokens_in,
            "tokens_out": spent.tokens_out,
            "tokens_cached": spent.tokens_cached,
            "tokens_cache_written": spent.tokens_cache_written,
            "tokens_reasoning": spent.tokens_reasoning,
            "dollars": None if spent.dollars is None else round(spent.dollars, 6),
            "seconds": round(spent.seconds, 3),
            "seconds_per_answer": round(spent.seconds / spent.answers, 3) if spent.answers else None,
            "measures": {name: round(value, 4) for name, value in self.measures.items()},
        }


Identity = tuple[str, str]
"""A player as statistics know it: its name, and the hash of its prompts."""

SHOWN_HASH = 4
"""Digits of a prompt's hash in a name, if they are enough to tell its prompts apart."""


def player_names(players: Iterable[Identity]) -> dict[Identity, str]:
    """Return the name of each player. Players of one name with different prompts are different: `name (prompt 1a2b…)`.

    A player whose prompt was not recorded is not the same as one whose prompt was.
    """
    prompts: dict[str, dict[str, None]] = defaultdict(dict)
    for player, prompt in players:
        prompts[player][prompt] = None
    names: dict[Identity, str] = {}
    for player, hashes in prompts.items():
        digits = SHOWN_HASH
        while len({prompt[:digits] for prompt in hashes}) < len(hashes):
            digits += 1
        for prompt in hashes:
            about = f"prompt {prompt[:digits]}…" if prompt else "prompt not recorded"
            names[player, prompt] = f"{player} ({about})" if len(hashes) > 1 else player
    return names


def player_totals(episodes: Iterable[Sequence[SeatRecord]]) -> dict[str, PlayerTotals]:
    """Return the totals of each player over the seats of episodes, by the names of `player_names`."""
    played = list(episodes)
    names = player_names((record.player, record.prompt) for episode in played for record in episode)
    totals: dict[str, PlayerTotals] = defaultdict(PlayerTotals)
    scores: dict[str, list[float]] = defaultdict(list)
    measured: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for episode in played:
        own: dict[str, list[float]] = defaultdict(list)
        for record in episode:
            player = names[record.player, record.prompt]
            totals[player].add(record)
            for name, value in record.measures.items():
                measured[player][name].append(value)
            if record.scored and record.score is not None:
                own[player].append(record.score)
        for player, values in own.items():
            scores[player].append(fmean(values))
    for player, total in totals.items():
        total.score = bounded_interval(scores[player])
        total.measures = {name: fmean(values) for name, values in measured[player].items()}
    return dict(totals)
