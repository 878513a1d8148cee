"""What viewers call in a live match, how well they call, and how they react to moments."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import Field

from grandstand.models import MAX_NUMBER, SeatId, Wire

VIEWER = "^[0-9a-f]{32}$"
"""The form of a viewer's name for itself: 32 random digits that its browser keeps, and shows to nobody else."""
NAME = r"^(?:[\w][\w .'-]{0,23})?$"
"""The form of a name in the table: up to 24 letters and digits."""


Reaction: TypeAlias = Literal["bravo", "ouch", "tense"]
"""Well played, a blow, and a moment that may go either way."""


class CallQuestion(Wire):
    """A call of one option of an open question."""

    viewer: str = Field(pattern=VIEWER, description="32 random hexadecimal digits, which the browser keeps.")
    question: str = Field(max_length=80)
    option: str = Field(max_length=80)


class SendReaction(Wire):
    """A reaction to the moment of event `seq`."""

    viewer: str = Field(pattern=VIEWER, description="32 random hexadecimal digits, which the browser keeps.")
    seq: int = Field(ge=0, le=MAX_NUMBER)
    reaction: Reaction


class NameViewer(Wire):
    """The name under which a viewer stands in the table of the day; empty for none."""

    viewer: str = Field(pattern=VIEWER)
    name: str = Field(pattern=NAME, description="Up to 24 letters, digits, spaces and . ' - _")


class QuestionOption(Wire):
    """An answer that may be called. Its chance is left out until the viewer has called or calls are closed."""

    word: str
    text: str
    seat: SeatId | None = None
    chance: float | None = None


class ViewerCall(Wire):
    """The caller's own call, and its points once there is an answer."""

    option: str
    points: float | None = None


class MatchQuestion(Wire):
    """A question that event `seq` has asked. Calls are taken until event `closed`; event `answered` has the answer."""

    key: str
    kind: str
    text: str
    note: str
    basis: Literal["computed", "measured"]
    seq: int
    closed: int | None
    answered: int | None
    options: list[QuestionOption]
    shares: dict[str, float] = Field(description="The answer: the share of each option that came true.")
    calls: int
    belief: dict[str, float] = Field(description="The share of the calls of each option; empty while calls are taken.")
    call: ViewerCall | None


class BeliefPoint(Wire):
    """Who would win, as the server and as its viewers saw it when event `seq` closed the question."""

    seq: int
    chances: dict[str, float]
    belief: dict[str, float]


class DayScore(Wire):
    """A viewer's calls of the last day: Brier scores, 0 the best and 1 the worst, of the viewer and of the server."""

    name: str
    calls: int
    right: int
    brier: float
    server: float
    points: float = Field(description="100 × the sum of what the viewer's scores are below the server's.")
    streak: int
    own: bool


class MatchQuestions(Wire):
    """The open questions of a match and the last ones that are closed, oldest first, and the table of the day."""

    questions: list[MatchQuestion]
    curve: list[BeliefPoint]
    day: list[DayScore]
    own: DayScore | None


class MomentReactions(Wire):
    """How many viewers reacted to the moment of event `seq`, by reaction, and the reactions of the caller."""

    seq: int
    counts: dict[str, int]
    own: list[Reaction]


class MatchAudience(MatchQuestions):
    """What the viewers of a match say: what they are asked and call, and the moments with most reactions, in order."""

    reactions: list[MomentReactions]
