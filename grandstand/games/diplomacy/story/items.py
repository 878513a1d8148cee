"""Facts of a match and the sentences that tell them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from grandstand.games.base import Json, SeatId
from grandstand.games.diplomacy.story.analyst.forms import ANALYSIS
from grandstand.games.diplomacy.story.forms import BEATS, FORMS
from grandstand.games.diplomacy.story.words import sentence
from grandstand.games.story import ANALYST, Audience, Fact

IMPORTANCE: Mapping[str, float] = {
    "attack": 0.1,
    "standoff": 0.12,
    "support_cut": 0.12,
    "repeated": 0.1,
    "landing": 0.2,
    "help": 0.18,
    "new_front": 0.22,
    "dislodgement": 0.45,
    "destruction": 0.55,
    "first_blood": 0.5,
    "alliance": 0.35,
    "alliance_over": 0.4,
    "stab": 0.75,
    "promise": 0.12,
    "promise_kept": 0.15,
    "promise_broken": 0.45,
    "encirclement": 0.3,
    "capture": 0.35,
    "last_home": 0.6,
    "elimination": 0.8,
    "lead": 0.55,
    "solo_threat": 0.65,
    "standstill": 0.1,
    "swing": 0.3,
    "vote": 0.25,
    "retreat": 0.08,
    "retreat_lost": 0.25,
    "build": 0.08,
    "removal": 0.12,
    "year": 0.4,
    "gain": 0.25,
    "calm": 0.1,
    "gridlock": 0.1,
    "opening": 0.4,
    "question": 0.3,
    "answer": 0.3,
    "threat": 0.3,
    "line": 0.5,
    "calm_front": 0.15,
    "alternative": 0.35,
    "lie": 0.44,
    "plan": 0.2,
    "pact": 0.35,
    "pact_broken": 0.5,
    "ledger": 0.5,
    "end": 1.0,
}
"""The importance of each kind of fact and line; its effect on the chances of winning is added."""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence that may be spoken: its form, its slots, and its importance.

    Of the lines about the same topic in a turn, only the most important is spoken.
    """

    form: str
    slots: Mapping[str, str]
    importance: float
    rests_on: tuple[int, ...]
    topics: frozenset[str] = frozenset()
    audience: Audience = None
    seats: tuple[SeatId, ...] = ()
    """The powers that it concerns, the one that did it first."""
    kind: str = ""
    """The kind of the fact that it words, or of the analyst's claim; empty for none."""

    @property
    def beat(self) -> str:
        return BEATS[self.form]

    @property
    def speaker(self) -> str:
        return ANALYST if self.form in ANALYSIS else ""

    def text(self, construction: int = 0) -> str:
        """Return the sentence in one of the constructions of its form."""
        return sentence(FORMS[self.form][construction].format_map(self.slots))


@dataclass(slots=True)
class TurnStory:
    """The facts of a turn and the lines for the commentator. `swings` are the changes of the chances."""

    swings: Mapping[SeatId, float] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)

    def claim(
        self,
        kind: str,
        form: str,
        slots: Mapping[str, str],
        rests_on: tuple[int, ...],
        seats: Sequence[SeatId],
        *,
        audience: Audience = None,
        more: float = 0.0,
    ) -> None:
        """Add a line of the analyst."""
        weight = self.weight(kind, seats, more)
        self.lines.append(Line(form, slots, weight, rests_on, frozenset(), audience, tuple(seats), kind))

    def add(
        self,
        kind: str,
        line: Line,
        seats: Sequence[SeatId],
        data: Mapping[str, Json] | None = None,
        *,
        spoken: bool = True,
    ) -> None:
        """Add a fact of `kind` with the sentence that tells it, for the commentator too if it is `spoken`."""
        self.facts.append(
            Fact(kind, line.text(), line.importance, line.rests_on, tuple(seats), data or {}, line.audience)
        )
        if spoken:
            self.lines.append(replace(line, seats=tuple(seats), kind=kind))

    def weight(self, kind: str, seats: Sequence[SeatId], more: float = 0.0) -> float:
        """Return the importance of a fact: that of its kind and `more`, raised by half of the largest change in the
        chance of winning of the seats that it concerns."""
        base = min(1.0, IMPORTANCE[kind] + more)
        swing = max((abs(self.swings.get(seat, 0.0)) for seat in seats), default=0.0)
        return round(min(1.0, base + (1 - base) * swing / 2), 3)
