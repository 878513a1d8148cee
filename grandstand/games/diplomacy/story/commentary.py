"""The commentator: chooses the lines of a turn and their words, from lines alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.story.forms import CLOSING, FORMS
from grandstand.games.diplomacy.story.items import Line
from grandstand.games.story import Audience, Comment

MOST = {"M": 6, "R": 2, "A": 3}
"""Lines of a turn by the kind of its phase, the last letter of its name."""
MOST_SUMMARY = 3
"""Lines of a turn's summary, beside those."""
MOST_PRIVATE = 8
"""Lines of a turn for each group of seats that share secrets."""
LEAST_IMPORTANCE = 0.1
ORDER = ("orders", "conflicts", "captures", "summary", "analysis")
PAIRS = len(POWERS) * (len(POWERS) - 1) // 2
Construction = tuple[str, int]


class Speaker:
    """The choice of sentences for one audience: no construction twice in a phase if there is another, nor twice in a
    row, the least used first, and no sentence twice. It depends only on what the audience may know.

    Whoever may know all reads what is for several seats or pairs in one phase. Their speakers have constructions of
    their own, which change with the phase: those that fall to the `place` of the audience among as many.
    """

    def __init__(self, seed: str, place: int | None, places: int = 1) -> None:
        self._random = Random(seed)
        self._place = place
        self._places = places
        self._uses: Counter[Construction] = Counter()
        self._sentences: set[str] = set()
        self._last: Construction | None = None
        self._phase = 0
        self._of_phase: set[Construction] = set()

    def say(self, line: Line, phase: int) -> Comment:
        """Return the line in words; `phase` is the number of the phase."""
        if phase != self._phase:
            self._phase, self._of_phase = phase, set()
        ranks = {
            (line.form, number): self._rank(line, number)
            for number in range(len(FORMS[line.form]))
            if self._place is not None or (line.form, number) != self._last
        }
        choice = self._random.choice([choice for choice, rank in ranks.items() if rank == min(ranks.values())])
        text = line.text(choice[1])
        self._uses[choice] += 1
        self._of_phase.add(choice)
        self._last = choice
        self._sentences.add(text)
        return Comment(
            text, line.importance, line.rests_on, line.beat, line.audience, line.seats, line.kind, line.speaker
        )

    def _rank(self, line: Line, number: int) -> tuple[bool, int, bool, int]:
        """Return what is compared of a construction: the least is chosen."""
        choice = (line.form, number)
        away = 0 if self._place is None else (number - self._place - self._phase) % self._share(line.form)
        return choice in self._of_phase, away, line.text(number) in self._sentences, self._uses[choice]

    def _share(self, form: str) -> int:
        """Return the number of places among which the constructions of a form are shared out."""
        count = len(FORMS[form])
        return next((places for places in (self._places, len(POWERS)) if count % places == 0), count)


class Commentary:
    """The comments of one match, seeded by its episode."""

    def __init__(self, episode_id: str) -> None:
        self._episode_id = episode_id
        self._phase, self._phases = "", 0
        self._speakers: dict[str | tuple[SeatId, ...], Speaker] = {}

    def comment(self, lines: Sequence[Line], phase: str) -> list[Comment]:
        """Return the comments of a turn: in each part of it the most important first, the least important dropped."""
        if phase != self._phase:
            self._phase, self._phases = phase, self._phases + 1
        public = [line for line in lines if line.audience is None and not line.speaker]
        selection = _most_important([line for line in public if line.beat != "summary"], MOST[phase[-1]])
        summary = _most_important([line for line in public if line.beat == "summary"], MOST_SUMMARY)
        comments = [self._speaker(None).say(line, self._phases) for line in _in_order([*selection, *summary])]
        for line in lines:
            if line.speaker and line.audience is None:
                comments.append(self._speaker(None, line.speaker).say(line, self._phases))
        for audience in sorted({tuple(sorted(line.audience)) for line in lines if line.audience is not None}):
            private = [line for line in lines if line.audience == frozenset(audience)]
            selection = _in_order(_most_important(private, MOST_PRIVATE))
            comments += [self._speaker(frozenset(audience)).say(line, self._phases) for line in selection]
        return comments

    def _speaker(self, audience: Audience, name: str = "") -> Speaker:
        key = name if audience is None else (*sorted(audience), name)
        if key not in self._speakers:
            words = key if isinstance(key, str) else ",".join(key)
            places = (None, 1) if audience is None else (_place(audience), PAIRS if len(audience) == 2 else len(POWERS))
            self._speakers[key] = Speaker(f"{self._episode_id}/{words}", *places)
        return self._speakers[key]


def _place(audience: Iterable[SeatId]) -> int:
    """Return the place of an audience among those of its size: of powers 0 to 6, of pairs 0 to 20.

    Pairs that share a power have different places by any seven constructions.
    """
    powers = tuple(sorted(map(POWERS.index, audience)))
    alike = [pair for pair in combinations(range(len(POWERS)), 2) if (sum(pair) - sum(powers)) % len(POWERS) == 0]
    return sum(powers) % len(POWERS) + (len(POWERS) * alike.index(powers) if powers in alike else 0)


def spoken_topics(lines: Iterable[Line]) -> set[str]:
    """Return the topics of the public lines that will be spoken of a movement phase, if one more line follows."""
    selection = _most_important(
        [line for line in lines if line.audience is None and line.beat not in ("summary", "analysis")], MOST["M"] - 1
    )
    return set().union(*(line.topics for line in selection))


def _most_important(lines: Iterable[Line], most: int) -> list[Line]:
    """Return the most important lines, one of each topic."""
    selection: list[Line] = []
    topics: set[str] = set()
    for line in sorted(lines, key=lambda line: -line.importance):
        if len(selection) < most and line.importance >= LEAST_IMPORTANCE and not topics & line.topics:
            selection.append(line)
            topics |= line.topics
    return selection


def _in_order(lines: Iterable[Line]) -> list[Line]:
    return sorted(lines, key=lambda line: (ORDER.index(line.beat), line.form in CLOSING, -line.importance))
