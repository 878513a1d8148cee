"""The events of a cricket match. Players are named by their names, which are unique within a match."""

from __future__ import annotations

from dataclasses import dataclass, field

from grandstand.games.base import GameEvent, Json, SeatId
from grandstand.games.cricket.types import Analysis, CalledPlan, Decision, PublicState, Wicket


@dataclass(frozen=True, slots=True)
class MatchStarted(GameEvent):
    """The two sides walk out: `state` carries the sheets, the format and the toss winner."""

    toss_winner: SeatId
    state: PublicState


@dataclass(frozen=True, slots=True)
class TossMade(GameEvent):
    winner: SeatId
    decision: str
    """bat or field."""


@dataclass(frozen=True, slots=True)
class InningsStarted(GameEvent):
    innings: int
    batting: SeatId
    bowling: SeatId
    overs: int
    target: int | None
    powerplay: int | None
    """The number of its legal balls; null, like `reviews`, if the record of a real match lacks it."""
    quota: int
    """Most overs a bowler may bowl."""
    reviews: int | None
    """The number of unsuccessful reviews that each side may make."""


@dataclass(frozen=True, slots=True)
class SuperOverStarted(GameEvent):
    """The scores are level; `number` counts Super Overs, two innings each, from 1."""

    number: int
    first: SeatId


@dataclass(frozen=True, slots=True)
class BatterArrived(GameEvent):
    innings: int
    batter: str
    position: int
    striker: bool


@dataclass(frozen=True, slots=True)
class BatterRetired(GameEvent):
    innings: int
    batter: str
    kind: str
    """retired hurt, or retired out (a wicket)."""
    score: list[int]


@dataclass(frozen=True, slots=True)
class PlayerReplaced(GameEvent):
    """A side's impact player comes in for one of its eleven, who takes no further part."""

    innings: int
    over: int
    seat: SeatId
    player: str
    replaces: str


@dataclass(frozen=True, slots=True)
class BowlerChosen(GameEvent):
    innings: int
    over: int
    bowler: str
    replaces: str | None = None
    """The injured bowler whose over this one finishes."""
    places: dict[str, str] = field(default_factory=dict)
    """Position -> fielder in the field that was last announced, now that the bowler has left it."""


@dataclass(frozen=True, slots=True)
class FieldSet(GameEvent):
    innings: int
    preset: str | None
    places: dict[str, str]
    """Position -> fielder, bowler and wicket-keeper left out."""
    outside: int
    breach: str | None = None
    """The restriction that this field breaks: the umpire will call no-ball."""


@dataclass(frozen=True, slots=True)
class OverPlanned(GameEvent):
    """A captain's plan for an over, known to that side only."""

    seat: SeatId
    innings: int
    over: int
    plan: CalledPlan

    def seats(self) -> frozenset[SeatId]:
        return frozenset((self.seat,))


@dataclass(frozen=True, slots=True)
class PlanJudged(GameEvent):
    """A captain's plan at the end of its over: `plan` without the note, and the worth of what was called by it.

    `delta` is the sum of the decisions' deltas of its balls, of the bowler and of the batter who came in, from the
    seat's own view; null where the match has no chances of winning.
    """

    seat: SeatId
    innings: int
    over: int
    plan: CalledPlan
    delta: float | None


@dataclass(frozen=True, slots=True)
class SituationAnalyzed(GameEvent):
    """The numbers a captain asked for, known to that side only."""

    seat: SeatId
    analysis: Analysis

    def seats(self) -> frozenset[SeatId]:
        return frozenset((self.seat,))


@dataclass(frozen=True, slots=True)
class AppealMade(GameEvent):
    """A decision that a side may have reviewed; the ball is not over until that side has chosen."""

    innings: int
    ball: str
    kind: str
    """How the batter may be out; or wide, or no-ball, for a decision on an extra."""
    batter: str
    bowler: str
    given_out: bool
    """Whether the umpire gave it: out, or the extra."""
    may_review: SeatId
    evidence: str
    """The apparent chance that the decision was wrong, seen from the middle: unlikely, close or likely."""
    reviews_left: int


@dataclass(frozen=True, slots=True)
class ReviewTaken(GameEvent):
    innings: int
    ball: str
    seat: SeatId
    kind: str | None
    """Null, like `reviews_left`, if the record of a real match lacks it."""
    upheld: bool
    """True where the review succeeds and the decision is reversed."""
    umpires_call: bool
    out: bool
    """The decision after the review: whether it is out, or the extra."""
    reviews_left: int | None


@dataclass(frozen=True, slots=True)
class BallBowled(GameEvent):
    """One delivery as it counted, with all data for the page and the voice.

    Metres; `pitch` is [offside x from middle stump, y from the striker's stumps]; `hit` is [degrees from straight past
    the bowler, leg side positive; distance], batter-relative. Cards: batter [runs, balls, 4s, 6s], bowler [balls,
    maidens, runs, wickets], score [runs, wickets, legal balls].

    Fields that the record of a real match lacks are null: the calls, and how the ball was bowled and played.
    """

    innings: int
    ball: str
    """`16.3`: the over counted from 0 and the legal ball of it counted from 1 (a wide shares its number)."""
    batter: str
    non_striker: str
    bowler: str
    runs: int
    """Off the bat."""
    total: int
    mark: str
    extras: dict[str, int] | None
    wicket: Wicket | None
    boundary: bool
    free_hit: bool
    noball_for: str | None
    aim: list[str] | None
    """The length, line and variation that were called."""
    landed: list[str] | None
    variation: str | None
    """The ball as bowled; a natural call leaves it to the bowler."""
    intent: str | None
    shot: str | None
    """The captain's call; `played` is the stroke as seen."""
    played: str | None
    """The stroke played or tried; null where there was none."""
    kmh: int | None
    pitch: list[float] | None
    hit: list[float] | None
    zone: str | None
    fielder: str | None
    """The position of the fielder who stopped, chased or caught it; null where nobody did."""
    batter_card: list[int]
    bowler_card: list[int]
    score: list[int]
    partnership: list[int]
    need: int | None
    next_free_hit: bool
    contact: str | None = None
    """One of `vocab.CONTACTS`; null in records of rules before 3."""
    words: str | None = None
    """The stroke and its result in words: `cut past backward point`."""


@dataclass(frozen=True, slots=True)
class ChanceChanged(GameEvent):
    """The home side's chance of winning, between average players, after a ball or another change.

    `swing` is the change since the last such event. It is the sum of `matchup` (who met whom), of `luck` and of the
    decisions' deltas, each of which is from its own seat's view: those of home are added, those of away subtracted. A
    choice of a bowler or a batter has an event with no swing, whose `matchup` cancels the delta. For a ball, the
    batting side's call comes first and the bowling side's second; a field and a review follow. In a real match, whose
    decisions are not recorded, `matchup` and `luck` are null.
    """

    innings: int
    """0 before the toss."""
    ball: str
    """As in BallBowled; between balls, the next one."""
    home: float
    swing: float
    matchup: float | None
    luck: float | None
    decisions: list[Decision]


@dataclass(frozen=True, slots=True)
class OverEnded(GameEvent):
    innings: int
    over: int
    bowler: str
    runs: int
    wickets: int
    maiden: bool
    balls: list[str]
    score: list[int]
    state: PublicState | None


@dataclass(frozen=True, slots=True)
class PlayInterrupted(GameEvent):
    """Rain: the innings is cut to `overs`; a chase gets a revised target by D/L Standard."""

    innings: int
    overs_lost: int
    overs: int
    target: int | None
    powerplay: int
    quota: int
    method: str


@dataclass(frozen=True, slots=True)
class OverRatePenalized(GameEvent):
    """The fielding side is late: from this over on it may have one fielder fewer outside the circle."""

    innings: int
    over: int
    seat: SeatId
    late: int
    """Seconds after the time by which the last over has to begin."""
    outside: int
    """The most fielders outside the circle on the next ball."""


@dataclass(frozen=True, slots=True)
class InningsEnded(GameEvent):
    innings: int
    batting: SeatId
    runs: int
    wickets: int
    balls: int
    reason: str
    state: PublicState | None


@dataclass(frozen=True, slots=True)
class CricsheetPartRead(GameEvent):
    """A part of a Cricsheet document as it stands in the file, so that the file can be written again.

    `part` is `match` (the document without its innings), `innings` (one without its overs, after its start) or
    `delivery` (after the ball, if the ball event lacks some of its data).
    """

    part: str
    original: dict[str, Json]


@dataclass(frozen=True, slots=True)
class MatchDecided(GameEvent):
    winner: SeatId | None
    result: str
    by: dict[str, int] = field(default_factory=dict)
    """{"runs": n} or {"wickets": n, "balls": left}; empty for a tie, a Super Over or no result."""
    method: str | None = None
    state: PublicState | None = None


EVENTS: tuple[type[GameEvent], ...] = (
    MatchStarted, TossMade, InningsStarted, SuperOverStarted, BatterArrived, BatterRetired, PlayerReplaced,
    BowlerChosen, FieldSet, OverPlanned, PlanJudged, SituationAnalyzed, AppealMade, ReviewTaken, BallBowled,
    ChanceChanged, OverEnded, PlayInterrupted, OverRatePenalized, InningsEnded, CricsheetPartRead, MatchDecided,
)  # fmt: skip
