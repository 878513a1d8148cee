"""The words of the commentator: numbers in words, and a choice among phrases that avoids repetition."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from grandstand.games.base import SeatId
from grandstand.games.cricket.story.captain_forms import TAILS
from grandstand.games.cricket.story.forms import CLAUSES, FORMS
from grandstand.games.cricket.story.plan_forms import PHRASES

SAID = 0.7
"""Share of the balls with possible clauses whose line is followed by one."""
SPACED = 3
"""Number of clauses within which a kind is not repeated."""
PARTS = {**PHRASES, **TAILS}
"""The parts of sentences, by kind."""
NUMBERS = ("no run", "one run", "two runs", "three runs", "four runs", "five runs", "six runs", "seven runs")
_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause that may follow the line on a ball: a kind of `CLAUSES`, and the words of its slots."""

    kind: str
    slots: Mapping[str, str]
    must: bool = False


@dataclass(frozen=True, slots=True)
class Insight:
    """What the analyst can say: a kind of `FORMS`, the words of its slots, its importance and the events beside the
    over's on which it rests."""

    kind: str
    slots: Mapping[str, str]
    importance: float
    rests_on: Sequence[int] = ()
    seat: SeatId | None = None
    """The side whose captain's record or habit it is."""


def runs_text(count: int) -> str:
    """Return `three runs`."""
    return NUMBERS[count] if count < len(NUMBERS) else f"{count} runs"


def counted(count: int, noun: str) -> str:
    """Return `a bye`, `two byes`."""
    return f"a {noun}" if count == 1 else f"{count_text(count)} {noun}s"


def count_text(count: int) -> str:
    """Return `three`."""
    return _WORDS[count] if count < len(_WORDS) else str(count)


def plural(count: int, noun: str) -> str:
    """Return `1 ball`, `2 balls`, `2 sixes`."""
    if count == 1:
        return f"{count} {noun}"
    return f"{count} {noun}es" if noun.endswith("x") else f"{count} {noun}s"


def capital(text: str) -> str:
    """Return `text` with a capital first letter."""
    return text[:1].upper() + text[1:]


class Wording:
    """The choice among phrases, seeded by the episode.

    A phrase is repeated after half of the others of its kind at the earliest, and a new sentence is preferred
    to a repeated one. Every slot can be written with a capital too: `{Runs}` for `runs`.
    """

    def __init__(self, episode_id: str) -> None:
        self._random = Random(episode_id)
        self._last: dict[str, list[str]] = defaultdict(list)
        """Kind -> its last phrases, at most half of its phrases."""
        self._texts: set[str] = set()
        self._clauses: deque[str] = deque(maxlen=SPACED)
        """The kinds of the last clauses."""

    def line(self, kind: str, **slots: str) -> str:
        """Return a sentence of `kind` with its slots filled."""
        return self._filled(kind, FORMS[kind], slots)

    def fact(self, kind: str, **slots: str) -> tuple[str, str]:
        """Return the text of a fact, which is the first phrase, and a sentence for the commentator."""
        return capital(FORMS[kind][0].format(**slots)), self.line(kind, **slots)

    def phrase(self, kind: str, **slots: str) -> str:
        """Return a part of a sentence, one of `PARTS`: never the one of before."""
        forms = [form for form in PARTS[kind] if form not in self._last[kind]]
        form = self._random.choice(forms)
        self._last[kind] = [form]
        return form.format(**slots)

    def clause(self, known: Sequence[Clause]) -> str:
        """Return a sentence from one of the clauses `known`, to follow the line on a ball; often empty.

        A required clause comes first. Among the others, one is chosen that was not used lately.
        """
        must = [clause for clause in known if clause.must]
        fresh = must[:1] or [clause for clause in known if clause.kind not in self._clauses]
        if not fresh or (not must and self._random.random() >= SAID):
            return ""
        chosen = fresh[0] if must else self._random.choice(fresh)
        self._clauses.append(chosen.kind)
        return self._filled(chosen.kind, CLAUSES[chosen.kind], chosen.slots)

    def _filled(self, kind: str, all_forms: Sequence[str], slots: Mapping[str, str]) -> str:
        words = {**slots, **{name.capitalize(): capital(word) for name, word in slots.items()}}
        last = self._last[kind]
        forms = [form for form in all_forms if form not in last]
        self._random.shuffle(forms)
        texts = [(form, form.format(**words)) for form in forms]
        form, text = next((pair for pair in texts if pair[1] not in self._texts), texts[0])
        self._last[kind] = [*last, form][-max(1, len(all_forms) // 2) :] if len(all_forms) > 1 else []
        self._texts.add(text)
        return capital(text)
