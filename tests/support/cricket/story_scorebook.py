"""A scorebook of a cricket match, to check the commentator by.

It adds up the runs, extras and wickets of the balls and reads none of the record's own totals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from grandstand.games.story import StoryEvent
from tests.support.cricket.captains_book import Captains, Tally

Data: TypeAlias = Mapping[str, Any]

_CREDITED = ("bowled", "caught", "caught and bowled", "lbw", "stumped", "hit wicket")
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven")
TWO_OVERS = 12


@dataclass
class Book:
    """The scorebook of an innings."""

    number: int
    batting: str
    bowling: str
    overs: int
    target: int | None
    runs: int = 0
    wickets: int = 0
    legal: int = 0
    batters: dict[str, list[int]] = field(default_factory=dict)
    """Runs, balls, fours, sixes."""
    bowlers: dict[str, list[int]] = field(default_factory=dict)
    """Runs, wickets, legal balls."""
    duels: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    """(batter, bowler) -> runs off the bat, balls faced."""
    dots: int = 0
    ropes: int = 0
    """Boundaries in a row."""
    dry: int = 0
    """Legal balls since the last boundary."""
    wait: int = 0
    """Legal balls for which this boundary was waited for."""
    calls: dict[str, float] = field(default_factory=dict)
    """Side -> worth of its calls of the over."""
    luck: float = 0.0
    """Worth of the luck of the over to the home side."""
    plans: dict[str, Data] = field(default_factory=dict)
    """Side -> its plan of the over, as it was judged."""
    moved: bool = False
    """Whether the field was set in this over or before it."""
    over_wickets: int = 0
    totals: list[int] = field(default_factory=list)
    """Runs of each over."""
    fielders: tuple[str, ...] = ()
    """The last field."""
    rained: bool = False
    bowler: str = ""
    spells: dict[str, int] = field(default_factory=dict)
    """Bowler -> the last over before this one that it began."""
    falls: list[int] = field(default_factory=list)
    """Legal balls at the fall of each wicket."""
    stand: list[int] = field(default_factory=lambda: [0, 0])
    """Runs and balls of the partnership."""
    row: dict[str, int] = field(default_factory=dict)
    """By bowler: wickets with successive balls."""
    over_runs: int = 0
    over_charged: int = 0
    conditions: str = "icc"
    after: dict[int, int] = field(default_factory=lambda: {0: 0})
    """Number of a legal ball -> the runs after it."""
    was_legal: bool = True
    """Whether the last ball counts."""

    @property
    def powerplay(self) -> int:
        """Return the legal balls of the powerplay: three tenths of the innings, to the nearest ball or over."""
        return round(1.8 * self.overs) if self.conditions == "icc" else 6 * max(1, round(0.3 * self.overs))

    @property
    def most(self) -> int:
        return 10 if self.number <= 2 else 2

    @property
    def need(self) -> int | None:
        return None if self.target is None else max(0, self.target - self.runs)

    @property
    def left(self) -> int:
        return max(0, 6 * self.overs - self.legal)

    def score(self) -> str:
        if self.wickets >= self.most:
            return f"{self.runs} all out"
        return f"{self.runs} for {self.wickets}" if self.wickets else f"{self.runs} without loss"

    def hands(self) -> str:
        return several(self.most - self.wickets, "wicket") + " left"

    def count(self, data: Data) -> None:
        """Count a ball."""
        extras = data["extras"] or {}
        batter = self.batters.setdefault(data["batter"], [0, 0, 0, 0])
        bowler = self.bowlers.setdefault(data["bowler"], [0, 0, 0])
        total = data["runs"] + sum(extras.values())
        charged = total - sum(extras.get(kind, 0) for kind in ("byes", "legbyes", "penalty"))
        legal = not extras.keys() & {"wides", "noballs"}
        self.runs += total
        self.legal += legal
        self.was_legal = legal
        if legal:
            self.after[self.legal] = self.runs
        self.over_runs += total
        self.over_charged += charged
        bowler[0] += charged
        bowler[2] += legal
        duel = self.duels.setdefault((data["batter"], data["bowler"]), [0, 0])
        duel[0] += data["runs"]
        duel[1] += "wides" not in extras
        self.dots = self.dots + 1 if not total and data["wicket"] is None else 0
        self.ropes = self.ropes + 1 if data["boundary"] and data["runs"] in (4, 6) else 0
        self.wait, self.dry = (self.dry + legal, 0) if data["boundary"] else (0, self.dry + legal)
        faced = "wides" not in extras
        batter[0] += data["runs"]
        batter[1] += faced
        batter[2] += data["boundary"] and data["runs"] == 4
        batter[3] += data["boundary"] and data["runs"] == 6
        self.stand[0] += total
        self.stand[1] += faced
        wicket = data["wicket"]
        credited = wicket is not None and wicket["kind"] in _CREDITED
        if credited:
            bowler[1] += 1
        if credited or legal:
            self.row[data["bowler"]] = self.row.get(data["bowler"], 0) + 1 if credited else 0
        if wicket is not None:
            self.out()

    def out(self) -> None:
        self.wickets += 1
        self.over_wickets += 1
        self.falls.append(self.legal)


@dataclass
class Page:
    """The match after an event."""

    event: StoryEvent
    sides: dict[str, str]
    players: dict[str, str]
    """Full name -> what the player is called."""
    books: list[Book]
    before: float | None
    """The chance of the home side before the last ball."""
    home: float | None
    keepers: dict[str, str] = field(default_factory=dict)
    captains: dict[str, str] = field(default_factory=dict)
    """Seat -> the full name of its captain."""
    seats: dict[str, str] = field(default_factory=dict)
    """Player -> seat of its side."""
    expected: str | None = None
    """The kind of day that is expected."""
    cards: dict[str, Data] = field(default_factory=dict)
    """Player -> its card."""
    changed: dict[str, float] = field(default_factory=dict)
    """Player -> what its balls changed the chance of its side by."""
    appealed: str = ""
    """The batter of the last appeal."""
    tallies: dict[str, Tally] = field(default_factory=dict)
    """Seat -> what its captain called so far."""

    @property
    def book(self) -> Book:
        return self.books[-1]

    @property
    def side(self) -> str:
        return self.sides[self.book.batting]


class Scorebook:
    """The scorer of one match."""

    def pages(self, events: Sequence[StoryEvent]) -> list[Page]:
        """Return the match after each event."""
        self._page = Page(events[0], {}, {}, [], None, None)
        self._new_stand = False
        self._last_ball: Data | None = None
        self._captains = Captains()
        return [self._turn(event) for event in events]

    def _turn(self, event: StoryEvent) -> Page:
        page, data = self._page, event.data
        page.event = event
        if page.books:
            self._captains.read(event, page.book, self._new_over)
            page.tallies = dict(self._captains.tallies)
        if event.type == "MatchStarted":
            self._sheets(data)
        elif event.type == "InningsStarted":
            page.books.append(Book(data["innings"], data["batting"], data["bowling"], data["overs"], data["target"]))
            page.book.conditions = self._conditions
        elif event.type == "PlayInterrupted":
            page.book.overs, page.book.target = data["overs"], data["target"]
            self._rained = True
        elif event.type == "FieldSet" and page.books:
            page.book.fielders, page.book.moved = tuple(data["places"]), True
        elif event.type == "PlanJudged":
            page.book.plans[data["seat"]] = data
        elif event.type == "BallBowled":
            if page.book.legal % 6 == 0 and self._new_over:
                page.book.over_runs = page.book.over_charged = 0
            self._new_over = False
            if self._new_stand:
                page.book.stand = [0, 0]
            page.book.count(data)
            self._new_stand = data["wicket"] is not None
            self._last_ball = data
        elif event.type == "AppealMade":
            page.appealed = data["batter"]
        elif event.type == "BatterRetired":
            if data["kind"] == "retired out":
                page.book.out()
            page.book.stand = [0, 0]
        elif event.type == "ChanceChanged":
            self._chance(data)
        elif event.type in ("OverEnded", "InningsEnded"):
            self._new_over, self._new_stand = True, event.type == "InningsEnded" or self._new_stand
        if event.type == "OverEnded":
            page.book.totals.append(page.book.over_runs)
            page.book.rained = self._rained
        seen = replace(page, books=[*page.books[:-1], *map(deepcopy, page.books[-1:])])
        if event.type == "OverEnded":
            page.book.calls, page.book.plans, page.book.luck = {}, {}, 0.0
            page.book.moved, page.book.over_wickets = False, 0
        if event.type == "BowlerChosen":
            page.book.spells[data["bowler"]], page.book.bowler = data["over"], data["bowler"]
        return seen

    def _chance(self, data: Data) -> None:
        page = self._page
        page.before, page.home = page.home, data["home"]
        if page.books:
            page.book.luck += data["luck"] or 0.0
        for call in data["decisions"] if page.books else ():
            if "impact" in call["choice"]:
                continue  # it is for the rest of the match
            page.book.calls[call["seat"]] = page.book.calls.get(call["seat"], 0.0) + call["delta"]
        if self._last_ball is not None and page.before is not None and page.home is not None:
            for role in ("batter", "bowler"):
                name = self._last_ball[role]
                way = 1 if page.seats[name] == "home" else -1
                page.changed[name] = page.changed.get(name, 0.0) + way * (page.home - page.before)
        self._last_ball = None

    _new_over = True
    _rained = False

    def _sheets(self, data: Data) -> None:
        teams = data["state"]["teams"]
        self._conditions = data["state"]["format"]["conditions"]
        expected = data["state"]["format"].get("forecast")
        self._page.expected = None if expected is None else expected["kind"]
        self._page.sides = {seat: team["name"] for seat, team in teams.items()}
        self._page.keepers = {seat: team["keeper"] for seat, team in teams.items()}
        self._page.captains = {seat: team["captain"] for seat, team in teams.items()}
        squads = {seat: [*team["players"], *team.get("bench", ())] for seat, team in teams.items()}
        self._page.seats = {player["name"]: seat for seat, squad in squads.items() for player in squad}
        self._page.cards = {player["name"]: player for squad in squads.values() for player in squad}
        names = list(self._page.cards)
        for name in names:
            last = name.rsplit(" ", 1)[-1]
            alone = sum(other.rsplit(" ", 1)[-1] == last for other in names) == 1
            self._page.players[name] = last if alone else name


# --- words ------------------------------------------------------------------------------------------------------------


def name_of(page: Page, role: str) -> str:
    return page.players[str(page.event.data[role])]


def length(data: Data) -> str:
    name: str = data["landed"][0]
    return {"good": "good length", "back_of_length": "back of a length"}.get(name, name.replace("_", " "))


def overs(page: Page) -> str:
    over, ball = divmod(page.book.legal, 6)
    return f"{over}.{ball} overs" if ball else several(over, "over")


def several(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def some(count: int, noun: str) -> str:
    return f"a {noun}" if count == 1 else f"{COUNTS[count]} {noun}s"


def counted_runs(count: int) -> str:
    word = COUNTS[count] if count < len(COUNTS) else str(count)
    return f"{word} run{'s' * (count > 1)}"
