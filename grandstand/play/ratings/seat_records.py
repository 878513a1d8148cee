"""Records of the seats of a match, and totals of players over matches.

Decisions that a fallback or another person made in a player's seat are counted separately from the player's own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from grandstand.events import ActionChosen, EpisodeCreated, EpisodeEnded, PlayerFault, PlayerReported, Usage
from grandstand.games.base import SeatId
from grandstand.models import Event, PrivateBatch, flat
from grandstand.play.ratings.intervals import NOTHING, Interval, bounded_interval
from grandstand.players.usage import UsageSums

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
    """Decisions made in the seat by any player."""
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
    """True if the player forfeited the score by failing."""
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
        record.decisions += chosen.source != "standing"
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
    score: Interval = NOTHING
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
"""Identifies a player in statistics: its name, and the hash of its prompts."""

SHOWN_HASH = 4
"""The least number of digits of a prompt's hash in a name; more are used if these are ambiguous."""


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
