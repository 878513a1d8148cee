"""The state that the story keeps of past events."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from grandstand.games.base import SeatId
from grandstand.games.cricket.story.habits import Captaincy

Data: TypeAlias = Mapping[str, Any]
"""The recorded data of one event."""

FORM = 12
"""Legal balls over which collapses and swings are counted: two overs."""


@dataclass(slots=True)
class InningsSoFar:
    """An innings so far."""

    number: int
    batting: SeatId
    bowling: SeatId
    overs: int
    target: int | None
    super_over: bool = False
    runs: int = 0
    wickets: int = 0
    balls: int = 0
    """Legal balls."""
    falls: list[tuple[int, int]] = field(default_factory=list)
    """(legal ball, number of the event) of each wicket."""
    wickets_in_a_row: dict[str, list[int]] = field(default_factory=dict)
    """Bowler -> numbers of the events of the wickets with successive balls."""
    rate_said: int = 0
    """The highest asking rate so far that was noted as a fact."""
    batters: dict[str, Sequence[int]] = field(default_factory=dict)
    """Batter -> runs, balls, fours, sixes."""
    bowlers: dict[str, Sequence[int]] = field(default_factory=dict)
    """Bowler -> balls, maidens, runs, wickets."""
    duels: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    """(batter, bowler) -> runs off the bat and balls faced."""
    dots: int = 0
    """Balls in a row without a run."""
    ropes: int = 0
    """Boundaries in a row."""
    dry: int = 0
    """Legal balls since the last boundary."""
    waited: int = 0
    """Legal balls up to the boundary of the last ball since the one before; 0 if it was none."""
    retired: bool = False
    """Whether a batter has retired since the last wicket: the partnership of the record is not that of one pair."""
    over_runs: int = 0
    """Runs of the over so far."""
    last_over: dict[str, int] = field(default_factory=dict)
    """Bowler -> the last over that it began."""
    worth: dict[SeatId, float] = field(default_factory=dict)
    """Side -> what its calls of this over were worth to its chance of winning."""
    called: set[SeatId] = field(default_factory=set)
    """The sides that called something in this over that is not natural."""
    luck: float = 0.0
    """What luck in this over was worth to the chance of the home side."""
    plans: list[tuple[Data, int]] = field(default_factory=list)
    """The plans of the over that ends, each with the number of its event."""
    over_began: int = 0
    """The number of the event that ended the over before this one."""
    over_totals: list[int] = field(default_factory=list)
    """The runs of each over."""
    bowler: str = ""
    """Who bowls this over."""
    begun: str = ""
    """The over in which the last ball was bowled."""
    fielders: tuple[Sequence[str], int] | None = None
    """The places of the last field, and the number of its event."""
    gap: tuple[str, str] | None = None
    """The last gap that was named."""

    @property
    def left(self) -> int:
        """Return the legal balls left."""
        return max(0, 6 * self.overs - self.balls)

    @property
    def hands(self) -> int:
        """Return the wickets in hand."""
        return (2 if self.super_over else 10) - self.wickets

    @property
    def need(self) -> int | None:
        """Return the runs that the chasing side still needs."""
        return None if self.target is None else max(0, self.target - self.runs)


@dataclass(slots=True)
class Memory:
    """The match so far."""

    names: dict[SeatId, str] = field(default_factory=dict)
    """Seat -> name of the side."""
    surnames: dict[str, str] = field(default_factory=dict)
    """Full name -> the name in sentences: the last name if it is unique."""
    sheets: dict[str, Data] = field(default_factory=dict)
    """Full name -> the player's card."""
    keepers: dict[SeatId, str] = field(default_factory=dict)
    """Seat -> the full name of its wicket-keeper, where it is known."""
    captains: dict[SeatId, str] = field(default_factory=dict)
    """Seat -> the full name of its captain, where it is known."""
    captaincies: defaultdict[SeatId, Captaincy] = field(default_factory=lambda: defaultdict(Captaincy))
    """Seat -> what its captain's calls show so far."""
    overs: int = 20
    conditions: str = "icc"
    """The playing conditions."""
    forecast: str = ""
    """The kind of day; empty if nothing is expected of it."""
    appeal: Data | None = None
    """The last appeal of this ball that a side may send to review."""
    changed: dict[str, float] = field(default_factory=dict)
    """Player -> the sum of the changes of its side's chance by its balls."""
    cards: dict[str, dict[str, Sequence[int]]] = field(default_factory=dict)
    """Player -> its cards, `bat` and `bowl`, without those of Super Overs."""
    side_of: dict[str, SeatId] = field(default_factory=dict)
    """Player -> seat of its side."""
    innings: InningsSoFar | None = None
    first: InningsSoFar | None = None
    """The first innings, once the second has begun."""
    super_over: bool = False
    home: float | None = None
    """The home side's chance of winning; None where the match does not estimate it."""
    swings: deque[float] = field(default_factory=lambda: deque(maxlen=FORM))
    """Changes of that chance by the last balls."""
    cut: bool = False
    """True once rain has shortened the match."""
    insights: list[str] = field(default_factory=list)
    """The kinds of the analyst's lines so far."""
    result: str = ""
    winner: SeatId | None = None

    def read_sides(self, data: Data) -> None:
        """Learn the names of the sides and players."""
        teams = data["state"]["teams"]
        self.overs = data["state"]["format"]["overs"]
        self.conditions = data["state"]["format"].get("conditions", self.conditions)
        expected = data["state"]["format"].get("forecast")
        self.forecast = "" if expected is None else expected["kind"]
        self.names = {seat: team["name"] for seat, team in teams.items()}
        squads = {seat: [*team["players"], *team.get("bench", ())] for seat, team in teams.items()}
        players = [player["name"] for squad in squads.values() for player in squad]
        last = [name.split()[-1] for name in players]
        self.surnames = {
            name: short if last.count(short) == 1 else name for name, short in zip(players, last, strict=True)
        }

        for seat, team in teams.items():
            self.side_of |= {player["name"]: seat for player in squads[seat]}
            self.sheets |= {player["name"]: player for player in squads[seat]}
            if team["keeper"] is not None:
                self.keepers[seat] = team["keeper"]
            if team["captain"] is not None:
                self.captains[seat] = team["captain"]

    def captain(self, seat: SeatId, besides: str = "") -> str:
        """Return the captain's name in a sentence; empty if it is unknown, or is that of `besides`."""
        name = self.captains.get(seat, "")
        return "" if name == besides else self.player(name)

    def player(self, name: str) -> str:
        """Return the player's name in a sentence."""
        return self.surnames.get(name, name)

    @property
    def progress(self) -> float:
        """Return the share of the match that has been played, by legal balls, from 0 to 1."""
        if self.innings is None:
            return 0.0
        if self.super_over:
            return 1.0
        played = self.innings.balls + (6 * self.overs if self.innings.number > 1 else 0)
        return min(1.0, played / (12 * self.overs))
