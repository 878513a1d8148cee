"""The commentator: chooses the lines of a turn and their words, from lines alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
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
Construction = tuple[str, int]


class Speaker:
    """The choice of sentences for one audience: no construction twice in a row, the least used first, and no sentence
    twice if there is another. It depends only on what the audience may know.

    Whoever may know all reads what is for several seats or pairs in one turn. Their speakers take turns with the
    constructions, so that few come twice: by the `place` of the audience, and the number of the turn.
    """

    def __init__(self, seed: str, place: int | None) -> None:
        self._random = Random(seed)
        self._place = place
        self._uses: Counter[Construction] = Counter()
        self._sentences: set[str] = set()
        self._last: Construction | None = None

    def say(self, line: Line, turn: int) -> Comment:
        """Return the line in words; `turn` is the number of the turn."""
        choices = [(line.form, number) for number in range(len(FORMS[line.form])) if (line.form, number) != self._last]
        if self._place is None:
            ranked = sorted(choices, key=lambda choice: self._rank(line, choice))
            best = [choice for choice in ranked if self._rank(line, choice) == self._rank(line, ranked[0])]
            choice = self._random.choice(best)
        else:
            number = (self._place + turn) % len(FORMS[line.form])
            choice = min(choices, key=lambda choice: (choice[1] - number) % len(FORMS[line.form]))
        text = line.text(choice[1])
        self._uses[choice] += 1
        self._last = choice
        self._sentences.add(text)
        return Comment(
            text, line.importance, line.rests_on, line.beat, line.audience, line.seats, line.kind, line.speaker
        )

    def _rank(self, line: Line, choice: Construction) -> tuple[bool, int]:
        return line.text(choice[1]) in self._sentences, self._uses[choice]


class Commentary:
    """The comments of one match, seeded by its episode."""

    def __init__(self, episode_id: str) -> None:
        self._episode_id = episode_id
        self._turn = 0
        self._speakers: dict[str | tuple[SeatId, ...], Speaker] = {}

    def comment(self, lines: Sequence[Line], phase: str) -> list[Comment]:
        """Return the comments of a turn: in each part of it the most important first, the least important dropped."""
        self._turn += 1
        public = [line for line in lines if line.audience is None and not line.speaker]
        selection = _most_important([line for line in public if line.beat != "summary"], MOST[phase[-1]])
        summary = _most_important([line for line in public if line.beat == "summary"], MOST_SUMMARY)
        comments = [self._speaker(None).say(line, self._turn) for line in _in_order([*selection, *summary])]
        for line in lines:
            if line.speaker and line.audience is None:
                comments.append(self._speaker(None, line.speaker).say(line, self._turn))
        for audience in sorted({tuple(sorted(line.audience)) for line in lines if line.audience is not None}):
            private = [line for line in lines if line.audience == frozenset(audience)]
            selection = _in_order(_most_important(private, MOST_PRIVATE))
            comments += [self._speaker(frozenset(audience)).say(line, self._turn) for line in selection]
        return comments

    def _speaker(self, audience: Audience, name: str = "") -> Speaker:
        key = name if audience is None else (*sorted(audience), name)
        if key not in self._speakers:
            words = key if isinstance(key, str) else ",".join(key)
            place = None if audience is None else sum(map(POWERS.index, audience))
            self._speakers[key] = Speaker(f"{self._episode_id}/{words}", place)
        return self._speakers[key]


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
