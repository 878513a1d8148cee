"""The types of cricket's data: the public position, a captain's observation and tools, and the parts of events.

They are JSON as it is recorded and sent, and the page's types are generated from them. A list whose items differ in
meaning has its items named in its docstring.
"""

from __future__ import annotations

from typing import Annotated, NotRequired, TypeAlias, TypedDict

from grandstand.games.base import Items, SeatId

Figure: TypeAlias = int | float


class Situation(TypedDict):
    """The scenario that a match began with."""

    pack: str
    title: str


class DayForecast(TypedDict):
    """What the day does to the second innings: its kind, `dew` or `dry`, and a sentence."""

    kind: str
    words: str


class Format(TypedDict):
    """The kind of match. `method` names how a target was revised; null where none was."""

    overs: int
    era: str
    conditions: str
    method: str | None
    situation: Situation | None
    forecast: NotRequired[DayForecast]
    """Known to all before the toss; left out where nothing is expected."""


class PlayerSheet(TypedDict):
    """A player's public card, with last season's figures."""

    name: str
    role: str | None
    hand: str | None
    """Null, like the role, if the record of a real match lacks it."""
    style: str | None
    """The bowling style, `RFM`; null for a player who does not bowl, or if it is unknown."""
    bat: NotRequired[list[Figure]]
    """Innings, runs, average, strike rate."""
    bowl: NotRequired[list[Figure]]
    """Overs, wickets, and runs an over in the powerplay, the middle and at the death."""


class TeamSheet(TypedDict):
    """A side: its eleven in their usual batting order. `captain` and `keeper` are names; null where not known."""

    name: str
    short: str
    captain: str | None
    keeper: str | None
    players: list[PlayerSheet]
    bench: NotRequired[list[PlayerSheet]]
    """The substitutes, where the conditions have an impact player."""


class Replacement(TypedDict):
    """A side's impact player, the innings in which he came in, and whom he replaced."""

    innings: int
    player: str
    replaces: str


class Extras(TypedDict):
    """Byes, leg byes, wides, no-balls, penalties, in runs."""

    b: int
    lb: int
    w: int
    nb: int
    p: int


class BatterLine(TypedDict):
    """Runs, balls, fours, sixes; `out` is null while not out, then the scorecard's words."""

    name: str
    r: int
    b: int
    f: int
    s: int
    out: str | None


BowlerFigures: TypeAlias = Annotated[list[str | int], Items(str, int, int, int, int, int, int)]
"""[name, balls, maidens, runs, wickets, wides, no-balls]"""

WicketFall: TypeAlias = Annotated[list[str | int], Items(int, str, int)]
"""[score, name, legal balls]"""

Pair: TypeAlias = Annotated[list[int], Items(int, int)]


class InningsCard(TypedDict):
    """The scorecard of an innings."""

    innings: int
    batting: SeatId
    overs: int
    super_over: bool
    target: int | None
    powerplay: int | None
    """The number of its legal balls; null if unknown."""
    quota: int
    """Most overs a bowler may bowl."""
    runs: int
    wickets: int
    balls: int
    extras: Extras
    batters: list[BatterLine]
    """In batting order."""
    bowlers: list[BowlerFigures]
    """[name, balls, maidens, runs, wickets, wides, no-balls]"""
    fall: list[WicketFall]
    """[score, name, legal balls]"""
    by_over: list[Pair]
    """[runs, wickets] of each completed over."""
    closed: str | None
    """The reason for its end; null until then."""


class ReviewsLeft(TypedDict):
    """Unsuccessful reviews that each side may still make; null where not known."""

    batting: int | None
    bowling: int | None


class Clock(TypedDict):
    """Seconds of play that count against the fielding side, and those within which the last over has to begin."""

    elapsed: int
    cut_off: int


class BallAhead(TypedDict):
    """The ball about to be bowled."""

    ball: str
    batting: SeatId
    bowling: SeatId
    striker: str | None
    non_striker: str | None
    bowler: str | None
    last_bowler: str | None
    free_hit: bool
    powerplay: bool
    max_outside: int
    phase: str
    field: list[str]
    this_over: list[str]
    balls_left: int
    need: int | None
    required_rate: float | None
    run_rate: float
    partnership: Pair
    """[runs, balls]"""
    reviews: ReviewsLeft
    clock: NotRequired[Clock]
    """Absent where the conditions have no cut-off."""
    overs_left: dict[str, int]
    """The remaining quota by bowler. A part-timer who has not bowled has the whole quota and is left out."""


class Result(TypedDict):
    """The end of the match."""

    winners: list[SeatId]
    text: str
    reason: str


class PublicState(TypedDict):
    """The whole public position, as the `state` of an event gives it."""

    format: Format
    turn: str
    stage: str
    """toss, play, review or over."""
    teams: dict[SeatId, TeamSheet]
    toss_winner: SeatId
    innings: list[InningsCard]
    now: BallAhead | None
    result: Result | None
    replaced: NotRequired[dict[SeatId, Replacement]]
    """The impact players who have come in."""


class CalledPlan(TypedDict, total=False):
    """A captain's settings for an over, as far as they were named."""

    bowler: str
    field: str | list[str]
    """A preset, or nine positions."""
    length: str
    line: str
    variation: str
    intent: str
    shot: str
    note: str
    theme: str
    zone: str
    """Of a plan by `plan_over`, like those that follow: the kind of bowling, and the line of every third ball."""
    intents: dict[str, str]
    """Batter -> intent."""
    ask: bool
    """Whether the captain is asked again in this over after a boundary."""


class OverPlan(CalledPlan):
    """A captain's plan, and the over that it is for, counted from 0."""

    over: int
    why: NotRequired[str]
    """Why the captain may change it now: boundary or review."""
    worth: NotRequired[float]
    """What its calls were worth so far beside natural ones, in chance of winning."""


class OpenAppeal(TypedDict):
    """The decision that waits for a review."""

    kind: str
    """How the batter may be out; or wide, or no-ball."""
    given_out: bool
    """Whether the umpire gave it."""
    evidence: str
    """The chance, as seen from the middle, that the decision is wrong: unlikely, close or likely."""
    may_review: SeatId
    reviews_left: int


class Restriction(TypedDict):
    """At most `most` fielders may stand in `places`; with more of them the umpire calls no-ball."""

    where: str
    most: int
    places: list[str]


class Observation(PublicState):
    """Everything that a captain may know: the public position, its own plan and its hidden choice of this ball."""

    seat: SeatId
    plan: OverPlan | None
    choice: dict[str, str] | None
    appeal: NotRequired[OpenAppeal]
    restrictions: NotRequired[list[Restriction]]
    """Present while the seat sets the field."""


class Wicket(TypedDict):
    """A dismissal: `out` and `fielders` are names. The scorecard's words follow from them, the kind and the bowler."""

    kind: str
    out: str
    fielders: list[str]
    card: Annotated[list[int], Items(int, int, int, int)]
    """The batter's [runs, balls, fours, sixes]."""


Call: TypeAlias = dict[str, str | list[str]]
"""A captain's call, by argument: a word, or the nine positions of a field."""


class Decision(TypedDict):
    """The parts of a captain's call that differ from a natural one, and their worth to that side's chance."""

    seat: SeatId
    choice: Call
    """Empty for a natural call."""
    delta: float


class NextBall(TypedDict):
    """The expected runs and the chance of a wicket of the next ball, for a typical batter and bowler."""

    runs: float
    wicket: float


class AvailableBowler(TypedDict):
    """A bowler who may still bowl."""

    style: str
    overs_left: int
    season_economy_in_phase: float
    turns: dict[str, str]
    """Batter at the wicket -> `away` or `in`, for finger spin."""


class Analysis(TypedDict, total=False):
    """The scorer's numbers for a moment; before the toss only `toss`."""

    toss: str
    run_rate: float
    balls_left: int
    wickets_left: int
    projected: dict[str, int]
    """Runs an over from here -> the total at the end."""
    need: int | None
    required_rate: float
    par_now: int
    by_intent: dict[str, NextBall]
    by_length: dict[str, NextBall]
    bowlers: dict[str, AvailableBowler]
