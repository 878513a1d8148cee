"""The memory of a match between its turns, and the events of one turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.map import POWERS, START_YEAR
from grandstand.games.diplomacy.rules.state import State
from grandstand.games.story import Audience, StoryEvent

Pair = tuple[SeatId, SeatId]
"""(power that acted, power that it concerned)."""

YEAR = 2
"""Seasons of a year with orders to move."""


def season_number(phase: str) -> int:
    """Return 0 for spring 1901, 1 for fall 1901, and so on."""
    return YEAR * (int(phase[1:5]) - START_YEAR) + (phase[0] != "S")


@dataclass(frozen=True, slots=True)
class Deed:
    """A support or a kept promise: its season, its event, and its audience."""

    season: int
    seq: int
    audience: Audience = None


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """What the analyst asked before the orders: whether `owner` covers or supports a centre against `attacker`."""

    attacker: SeatId
    owner: SeatId
    center: str
    held: bool
    rests_on: tuple[int, ...]


@dataclass(slots=True)
class Turn:
    """The events of one turn by kind. `last` is the number of its last event."""

    resolved: StoryEvent | None = None
    captured: StoryEvent | None = None
    advanced: StoryEvent | None = None
    ended: StoryEvent | None = None
    eliminated: list[StoryEvent] = field(default_factory=list)
    votes: list[StoryEvent] = field(default_factory=list)
    messages: list[StoryEvent] = field(default_factory=list)
    verdicts: list[StoryEvent] = field(default_factory=list)
    secrets: list[StoryEvent] = field(default_factory=list)
    """Events of intentions that the analyst has not told."""
    started: StoryEvent | None = None

    def add(self, event: StoryEvent) -> None:
        """Add an event. Types that the story does not use are ignored."""
        match event.type:
            case "OrdersResolved":
                self.resolved = event
            case "CentersChanged":
                self.captured = event
            case "PhaseAdvanced":
                self.advanced = event
            case "EpisodeEnded":
                self.ended = event
            case "PowerEliminated":
                self.eliminated.append(event)
            case "DrawVoted":
                self.votes.append(event)
            case "MessageSent":
                self.messages.append(event)
            case "PromiseKept" | "PromiseBroken":
                self.verdicts.append(event)
            case "LieNoted" | "PactAccepted" | "PactOffered" | "PactBroken" | "NotesTaken":
                self.secrets.append(event)
            case "TurnStarted":
                self.started = event


@dataclass(slots=True)
class Memory:
    """The match so far. It is a fold of the events: the same events give the same memory."""

    last_year: int = DiplomacyOptions().last_year
    stalemate_years: int = DiplomacyOptions().stalemate_years
    state: State | None = None
    """The position at the start of the turn."""
    state_seq: int = 0
    """The number of the event with this position."""
    chances: Mapping[SeatId, float] = field(default_factory=lambda: dict.fromkeys(POWERS, 1 / len(POWERS)))
    chances_before: Mapping[SeatId, float] = field(default_factory=lambda: dict.fromkeys(POWERS, 1 / len(POWERS)))
    """The chances before the last turn."""
    restlessness: float = 0.0
    """The recent movement of the chances of winning, from 0 to 1."""
    attacked: dict[Pair, int] = field(default_factory=dict)
    """The season in which a power last attacked another or supported an attack on it."""
    helped: dict[Pair, list[Deed]] = field(default_factory=dict)
    promised: dict[Pair, list[Deed]] = field(default_factory=dict)
    """Promises that were kept, by (giver, receiver)."""
    allies: set[frozenset[SeatId]] = field(default_factory=set)
    streaks: dict[tuple[SeatId, str, str], tuple[int, ...]] = field(default_factory=dict)
    """The events of successive failures, by power, origin and destination of a move that failed in the last season."""
    bloodless: bool = True
    """True until a unit is dislodged."""
    leader: SeatId | None = None
    """The last sole leader."""
    shared_lead: bool = False
    warned: dict[SeatId, int] = field(default_factory=dict)
    """For each power, the highest threshold of a solo threat that it has reached."""
    encircled: set[SeatId] = field(default_factory=set)
    votes: set[SeatId] = field(default_factory=set)
    last_capture: int = START_YEAR - 1
    year_counts: dict[SeatId, int] = field(default_factory=dict)
    """Centres per power at the start of the year."""
    year_seq: int = 0
    """The number of the event with these counts."""
    question: OpenQuestion | None = None
    """The analyst's question on the orders of this turn."""
    asked: dict[str, int] = field(default_factory=dict)
    """Centre -> the season of the last question or threat about it."""
    walls: tuple[str, ...] = ()
    """The last line that was named."""
    broken: dict[Pair, list[tuple[str, int, Audience]]] = field(default_factory=dict)
    """(giver, receiver) -> of each broken promise what it was about, its event and its audience."""
    pacts: dict[str, StoryEvent] = field(default_factory=dict)
    """Offers of pacts, by name."""
    accepted: dict[str, list[int]] = field(default_factory=dict)
    """The events of their acceptances."""
    notes: dict[SeatId, str] = field(default_factory=dict)
    """The last notes of each power."""
    moved: bool = False
    """True once a movement phase was played."""
    opened: bool = False

    def counts(self) -> dict[SeatId, int]:
        """Return the centres per power at the start of the turn."""
        assert self.state is not None
        return dict(zip(POWERS, self.state.center_counts(), strict=True))
