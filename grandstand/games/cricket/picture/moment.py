"""The match at a moment, folded from its public events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from grandstand.games.base import SeatId
from grandstand.games.cricket.types import PublicState, TeamSheet
from grandstand.games.picture import Scene


@dataclass(slots=True)
class InningsCourse:
    """An innings so far."""

    number: int
    batting: SeatId
    overs: int
    target: int | None
    runs: int = 0
    wickets: int = 0
    balls: int = 0
    """Legal balls."""
    closed: bool = False
    course: list[tuple[int, int, int]] = field(default_factory=lambda: [(0, 0, 0)])
    """(legal balls, runs, wickets) after each ball or over."""

    @property
    def super_over(self) -> bool:
        return self.number > 2

    @property
    def need(self) -> int | None:
        """Return the runs that the chasing side still needs."""
        return None if self.target is None else max(0, self.target - self.runs)

    @property
    def left(self) -> int:
        """Return the legal balls left."""
        return max(0, 6 * self.overs - self.balls)

    def score(self, runs: int, wickets: int, balls: int) -> None:
        """Set the score."""
        self.runs, self.wickets, self.balls = runs, wickets, balls
        if self.course[-1] != (balls, runs, wickets):
            self.course.append((balls, runs, wickets))


@dataclass(slots=True)
class MatchMoment:
    """The match at a moment."""

    teams: Mapping[SeatId, TeamSheet] = field(default_factory=dict)
    overs: int = 20
    toss: tuple[SeatId, str] | None = None
    """The winner of the toss and its choice, '' before it has chosen."""
    innings: list[InningsCourse] = field(default_factory=list)
    batters: dict[str, tuple[int, int]] = field(default_factory=dict)
    """The batters at the wicket -> (runs, balls)."""
    striker: str = ""
    bowler: str = ""
    figures: dict[str, tuple[int, int, int, int]] = field(default_factory=dict)
    """Bowler -> (balls, maidens, runs, wickets)."""
    places: dict[str, str] = field(default_factory=dict)
    """Position -> fielder."""
    over: list[str] = field(default_factory=list)
    """The marks of the balls of this over."""
    ball: Mapping[str, Any] | None = None
    """The last ball, as `BallBowled` has it."""
    result: str = ""
    winner: SeatId | None = None

    @property
    def current(self) -> InningsCourse | None:
        """Return the innings that is played, or the last one."""
        return self.innings[-1] if self.innings else None

    def team(self, seat: SeatId) -> str:
        """Return the name of a side."""
        return self.teams[seat]["name"] if seat in self.teams else seat.title()

    def short(self, seat: SeatId) -> str:
        """Return the short name of a side."""
        return self.teams[seat]["short"] if seat in self.teams else ""

    def hand(self, name: str) -> str:
        """Return the hand of a batter."""
        players = (player for team in self.teams.values() for player in [*team["players"], *team.get("bench", [])])
        return next((player["hand"] for player in players if player["name"] == name), None) or "right"


def moment(scene: Scene) -> MatchMoment:
    """Return the match at `scene`."""
    result = MatchMoment()
    for kind, data in scene:
        if data.get("state"):
            _adopt(result, cast(PublicState, data["state"]))
        _follow(result, kind, data)
    return result


def _follow(now: MatchMoment, kind: str, data: Mapping[str, Any]) -> None:
    match kind:
        case "MatchStarted":
            now.toss = (data["toss_winner"], "")
        case "TossMade":
            now.toss = (data["winner"], data["decision"])
        case "InningsStarted":
            now.innings.append(InningsCourse(data["innings"], data["batting"], data["overs"], data["target"]))
            now.batters, now.figures, now.over = {}, {}, []
            now.ball, now.bowler, now.striker, now.places = None, "", "", {}
        case "BatterArrived":
            now.batters[data["batter"]] = (0, 0)
            if data["striker"]:
                now.striker = data["batter"]
        case "BatterRetired":
            now.batters.pop(data["batter"], None)
        case "BowlerChosen":
            now.bowler, now.places = data["bowler"], data.get("places") or now.places
            if not data.get("replaces"):
                now.over = []
        case "FieldSet":
            now.places = data["places"]
        case "PlayInterrupted" if now.current:
            now.current.overs, now.current.target = data["overs"], data["target"]
        case "BallBowled":
            _bowl(now, data)
        case "MatchDecided":
            now.result, now.winner = data["result"], data["winner"]


def _bowl(now: MatchMoment, ball: Mapping[str, Any]) -> None:
    runs, wickets, balls = ball["score"]
    if now.current:
        now.current.score(runs, wickets, balls)
    now.ball, now.bowler, now.striker = ball, ball["bowler"], ball["batter"]
    now.batters.setdefault(ball["non_striker"], (0, 0))
    now.batters[ball["batter"]] = (ball["batter_card"][0], ball["batter_card"][1])
    legal, maidens, conceded, taken = ball["bowler_card"]
    now.figures[ball["bowler"]] = (legal, maidens, conceded, taken)
    now.over = [*now.over, ball["mark"]]
    if ball["wicket"]:
        now.batters.pop(ball["wicket"]["out"], None)


def _adopt(now: MatchMoment, state: PublicState) -> None:
    """Take over a whole position, but keep the course of an innings that is known ball by ball."""
    courses = {innings.number: innings.course for innings in now.innings}
    now.teams, now.overs = state["teams"], state["format"]["overs"]
    now.innings = []
    for card in state["innings"]:
        innings = InningsCourse(card["innings"], card["batting"], card["overs"], card["target"])
        innings.course = courses.get(innings.number, innings.course)
        innings.closed = card["closed"] is not None
        if len(innings.course) == 1:
            for number, (runs, wickets) in enumerate(card["by_over"], 1):
                _, before, fallen = innings.course[-1]
                innings.course.append((6 * number, before + runs, fallen + wickets))
        innings.score(card["runs"], card["wickets"], card["balls"])
        now.innings.append(innings)
    if not state["innings"] or state["now"] is None:
        return
    last, ahead = state["innings"][-1], state["now"]
    lines = {line["name"]: (line["r"], line["b"]) for line in last["batters"]}
    at_wicket = [name for name in (ahead["striker"], ahead["non_striker"]) if name]
    now.batters = {name: lines.get(name, (0, 0)) for name in at_wicket}
    now.striker = ahead["striker"] or ""
    now.places = now.places or dict.fromkeys(ahead["field"], "")
    now.bowler = ahead["bowler"] or ahead["last_bowler"] or ""
    for line in last["bowlers"]:
        now.figures[str(line[0])] = (int(line[1]), int(line[2]), int(line[3]), int(line[4]))
