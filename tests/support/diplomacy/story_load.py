"""What is read of a match of Diplomacy: how much, how often the same, and how much of it is a ledger."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from grandstand.games.diplomacy.rules.map import POWERS, PROVINCE_NAMES
from grandstand.games.diplomacy.story.pace import PACE, rest
from grandstand.games.story import Comment, Outlook
from tests.support.diplomacy.story_matches import Played, comments

LINES = 200
"""Lines whose constructions are counted together."""
LEDGER = frozenset(("promise", "promise_kept", "promise_broken", "ledger"))
"""Kinds of lines that say how promises were made, kept and broken, and how often."""
_NAMES = re.compile(
    rf"\b(?:the )?(?:{'|'.join(map(re.escape, [*PROVINCE_NAMES, *map(str.capitalize, POWERS)]))})\b", re.IGNORECASE
)
_ORDER = re.compile(
    r"the (?:army|fleet|unit) in x (?:stays where it is|(?:goes|retreats) to x|is disbanded|"
    r"(?:supports|carries) the (?:army|fleet|unit) in x(?: (?:in)?to x)?)"
)
_NUMBER = re.compile(r"\b(one|two|three|four|five|six|seven|eight|nine|\w+teen|ten|eleven|twelve|\d+)\b")


@dataclass
class Lines:
    """Counts of lines that repeat within a match."""

    told: int = 0
    words: int = 0
    identical: int = 0
    in_a_row: int = 0
    again: int = 0
    """Lines with a construction that the phase has had."""
    constructions: list[int] = field(default_factory=list)
    """The number of constructions in each 200 lines in a row."""

    def count(self, phases: Sequence[Sequence[Comment]]) -> None:
        """Count the lines of a match, by phase."""
        texts = [item.text for lines in phases for item in lines]
        bare = [skeleton(text) for text in texts]
        self.told += len(texts)
        self.words += sum(len(text.split()) for text in texts)
        self.identical += len(texts) - len(set(texts))
        self.in_a_row += sum(first == second for first, second in pairwise(bare))
        self.constructions += [len(set(bare[at : at + LINES])) for at in range(0, len(bare) - LINES + 1, LINES)]
        self.again += sum(len(lines) - len({skeleton(item.text) for item in lines}) for lines in phases)

    def summary(self, readers: str) -> str:
        """Return the counts in a line; `readers` are those who read these lines."""
        text = (
            f"lines for {readers} {self.told}: identical to an earlier one of the match {self.identical} "
            f"({self.identical / max(1, self.told):.1%}), construction of the line before {self.in_a_row}, "
            f"of an earlier line of the phase {self.again}"
        )
        counts = self.constructions
        return text + (f"; constructions of {LINES} lines: {min(counts)} to {max(counts)}" if counts else "")


@dataclass
class Reading:
    """What is told of matches, to everybody and to whoever may know all."""

    public: Lines = field(default_factory=Lines)
    all: Lines = field(default_factory=Lines)
    ledger: int = 0
    """Lines of a ledger among all."""
    phases: int = 0
    seconds: float = 0.0
    """The time that the page's pictures of the matches take."""
    reveals: int = 0
    """Movement phases with orders."""
    asked: int = 0
    """Those with a question before the orders and its answer after them."""
    headlines: int = 0
    standing: int = 0
    """Headlines that are the same as before."""
    beginning: int = 0
    """Headlines whose first sentence is the same as before."""

    def count(self, played: Played) -> None:
        """Count what is told of a match."""
        phases = [[item for item in telling if isinstance(item, Comment)] for _, telling in played.telling]
        self.all.count(phases)
        self.public.count([[item for item in lines if item.audience is None] for lines in phases])
        self.ledger += sum(item.kind in LEDGER for lines in phases for item in lines)
        self.phases += len(phases)
        self.seconds += sum(PACE * rest(event.type, event.data) for event in played.events)
        self._count_reveals(played)
        headlines = [item.headline for _, telling in played.telling for item in telling if isinstance(item, Outlook)]
        self.headlines += len(headlines)
        self.standing += sum(first == second for first, second in pairwise(headlines))
        self.beginning += sum(first.split(". ")[0] == second.split(". ")[0] for first, second in pairwise(headlines))

    def _count_reveals(self, played: Played) -> None:
        lines = comments(played)
        asked = {tuple(item.rests_on) for item in lines if item.kind == "question"}
        answers = {item.rests_on[-1]: tuple(item.rests_on[:-1]) for item in lines if item.kind == "answer"}
        for event in played.events:
            if event.type == "OrdersResolved" and event.data["phase"].endswith("M"):
                self.reveals += 1
                self.asked += answers.get(event.seq) in asked

    def summary(self) -> str:
        """Return the counts in lines."""
        words = (self.all.words, self.public.words)
        a_phase = " and ".join(f"{count / max(1, self.phases):.0f}" for count in words)
        a_minute = " and ".join(f"{60 * count / max(1.0, self.seconds):.0f}" for count in words)
        return "\n".join(
            (
                self.public.summary("everybody"),
                self.all.summary("whoever may know all"),
                f"of these a ledger {self.ledger} ({self.ledger / max(1, self.all.told):.1%})",
                f"words for whoever may know all and for everybody: {a_phase} a phase, {a_minute} a minute of pictures",
                f"movement phases {self.reveals}, with a question before and its answer after {self.asked}",
                f"headlines {self.headlines}, the same as before {self.standing}, "
                f"with the same first sentence {self.beginning}",
            )
        )


def skeleton(text: str) -> str:
    """Return a sentence without its names, numbers, quotations and orders."""
    bare = re.sub("“[^”]*”", "q", re.sub(r"(X(, | and ))+X", "X", _NAMES.sub("X", text)))
    return _ORDER.sub("o", _NUMBER.sub("n", bare.lower()))
