"""Checks a sentence of a model against its basis: every name, place and number of the sentence must occur there.

The basis of a line is the built-in line that it replaces, which is true, and further facts about the same events.
Actors must be named in the order of the built-in line, which catches most sentences that swap who acted and who
was affected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from grandstand.games.story import Comment, Fact, Names

LONGEST = 240
"""Maximum characters of a line."""

ECHO = 2
"""The number of long words, absent from the facts, that a line must share with a player's text to repeat it."""

LONG = 4

UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = dict(
    zip(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), range(20, 100, 10), strict=True)
)
ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"),
    *("twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"),
)
OTHER_NUMBERS: dict[str, float] = {
    **dict.fromkeys(("nil", "nought", "duck"), 0),
    **dict.fromkeys(("half", "halves"), 0.5),
    "single": 1,
    **dict.fromkeys(("couple", "pair", "brace", "twice", "double", "doubles", "duo", "twin"), 2),
    **dict.fromkeys(("triple", "treble", "thrice", "trio"), 3),
    **dict.fromkeys(("quarter", "quadruple"), 4),
    "dozen": 12,
    "twentieth": 20,
    **dict.fromkeys(("hundred", "century", "ton"), 100),
    "thousand": 1000,
}
VALUES: dict[str, float] = {
    **{word: float(number) for number, word in enumerate(UNITS)},
    **{word: float(number) for word, number in TENS.items()},
    **{f"{ten}-{UNITS[unit]}": float(value + unit) for ten, value in TENS.items() for unit in range(1, 10)},
    **{word: float(number) for number, word in enumerate(ORDINALS, 1)},
    **OTHER_NUMBERS,
}
"""Words that are numbers."""

PRONOUNS = re.compile(r"\b(?:no|this|that|any|every|some)[ -]one\b|\bone another\b", re.IGNORECASE)
"""Uses of `one` that are not numbers."""

WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
SENTENCE_START = re.compile(r"(?:^|[.!?…:;]\s+|[–—]\s*)$")
FORBIDDEN = re.compile(r"[\"“”«»<>{}\[\]|\\`@#*_~^]|https?:|www\.|\w\.\w+/", re.IGNORECASE)

_OPENERS = (
    "a about across after again against all alone although an and another any around as at away back bad be because "
    "before behind between big both brilliant but by calm can clean close cruel dead defeat did disaster do does "
    "down drama each easy elsewhere enough even every everything for forward from gone good great hard has have he "
    "heavy held here high hold holding how however i if in inch inside instead into is it its just late level lost "
    "low luck make meanwhile more most moving much near neither never new next no nobody none nor not nothing now "
    "of off oh on once only or our out over pain past patience perhaps plenty point poor pressure quick quiet quite "
    "rare relief right same she short silence simple slow smart so solid some soon steady still stopped straight "
    "strong such suddenly sure that the their then there these they this those though through time to together too "
    "tough trouble under until up upon very victory watch we well what when where while who why wide with within "
    "without work yes yet you"
)
OPENERS = frozenset(_OPENERS.split())
"""Words that may begin a sentence; any other capitalized word counts as a name."""


class Vocabulary:
    """The names of a match by their spelling."""

    def __init__(self, names: Names) -> None:
        self.actors = frozenset(names.actors)
        self._names = {place.lower(): place for place in names.places}
        self._names |= {word.lower(): name for name, others in names.actors.items() for word in (*others, name)}
        longest_first = sorted(map(re.escape, self._names), key=len, reverse=True)
        self._pattern = re.compile(rf"\b(?:{'|'.join(longest_first)})\b" if longest_first else r"(?!)", re.IGNORECASE)

    def split(self, text: str) -> tuple[list[str], str]:
        """Return the names in `text`, each once and in order, and the text with a mark in place of each."""
        names: dict[str, None] = {}

        def take(match: re.Match[str]) -> str:
            names[self._names[match.group().lower()]] = None
            return "\N{BULLET}"

        rest = self._pattern.sub(take, text)
        return list(names), rest

    def pairs(self, names: Sequence[str]) -> set[tuple[str, str]]:
        """Return the ordered pairs of actors among `names`."""
        return set(combinations([name for name in names if name in self.actors], 2))


class Basis:
    """The names, numbers and words that a line may use. The first of its texts is the built-in line."""

    def __init__(self, texts: Sequence[str], vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        names, rest = vocabulary.split("\n".join(texts))
        self._names = set(names)
        self._pairs = vocabulary.pairs(vocabulary.split(texts[0])[0])
        self._numbers = {number for text in texts for number in _numbers(text)}
        self._words = frozenset(word.lower() for text in texts for word in WORD.findall(text))
        self._counted = {noun for number, noun in pairwise(_tokens(rest)) if _value(number) is not None}

    @classmethod
    def of(cls, line: Comment, facts: Sequence[Fact], vocabulary: Vocabulary) -> Basis:
        """Return the basis for a wording of `line`: itself, and public facts of its events without other names."""
        names = set(vocabulary.split(line.text)[0])
        events = set(line.rests_on)
        same = (fact.text for fact in facts if fact.audience is None and events.issuperset(fact.rests_on))
        return cls([line.text, *(text for text in same if names.issuperset(vocabulary.split(text)[0]))], vocabulary)

    def fault(self, line: str, quotations: Sequence[str] = ()) -> str:
        """Return why the basis does not support `line`; empty if it does. `quotations` are texts of players."""
        if not line or len(line) > LONGEST or not line.isprintable():
            return f"it is empty, longer than {LONGEST} characters or not one line of plain text"
        if mark := FORBIDDEN.search(line):
            return f"it contains {mark.group()!r}"
        names, rest = self._vocabulary.split(line)
        if self._names and not names:
            return "it names nothing of its facts"
        for name in (*(name for name in names if name not in self._names), *self._unknown_capitals(rest)):
            return f"its facts do not name {name}"
        for first, second in self._vocabulary.pairs(names) - self._pairs:
            return f"the line names {second} before {first}"
        for number in (*_numbers(line), *self._denied(rest)):
            if number not in self._numbers:
                return f"its facts do not have the number {number:g}"
        return "it repeats the words of a player" if self._echoes(line, quotations) else ""

    def _unknown_capitals(self, rest: str) -> Iterator[str]:
        """Yield the words with a capital that are neither in the basis nor plain words at the start of a sentence."""
        for match in WORD.finditer(rest):
            word = re.sub(r"['’]s$", "", match.group())
            first = SENTENCE_START.search(rest[: match.start()]) is not None
            lower = word.lower()
            plain = lower in self._words or lower in VALUES or (first and lower in OPENERS)
            if not word[:1].islower() and not plain:
                yield word

    def _denied(self, rest: str) -> Iterator[float]:
        """Yield 0 for each `no` before a noun that the basis counts: `no wickets left`."""
        for word, noun in pairwise(_tokens(rest)):
            if word in ("no", "without") and noun in self._counted and word not in self._words:
                yield 0.0

    def _echoes(self, line: str, quotations: Sequence[str]) -> bool:
        """Return whether the line repeats a player's words that are not in the basis."""
        own = {word for word in _tokens(line) if len(word) >= LONG} - self._words - OPENERS
        return any(len(own.intersection(_tokens(text))) >= ECHO for text in quotations)


def _tokens(text: str) -> list[str]:
    return [token.lower() for token in re.findall(rf"{FIGURE.pattern}|{WORD.pattern}", text)]


def _numbers(text: str) -> list[float]:
    """Return the values of the numbers in `text`, in figures or words."""
    tokens = _tokens(PRONOUNS.sub(" ", text))
    parts = [part for token in tokens for part in ([token] if token in VALUES else token.split("-"))]
    return [value for part in parts if (value := _value(part)) is not None]


def _value(token: str) -> float | None:
    """Return the value of a word or figure; None if it is no number, and -1 if it cannot be read."""
    if not token[:1].isdecimal():
        return VALUES.get(token)
    try:
        return float(token.replace(",", ""))
    except ValueError:
        return -1.0
