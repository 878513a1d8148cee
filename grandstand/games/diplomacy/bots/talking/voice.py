"""The choice of sentences: the least used wording of a phrase, and no sentence twice in a match."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from random import Random

from grandstand.games.diplomacy.bots.pacts.phrases import BARGAINS, REASONS
from grandstand.games.diplomacy.bots.talking.characters import CHARACTERS
from grandstand.games.diplomacy.bots.talking.openings import PROPOSALS, REMARKS
from grandstand.games.diplomacy.bots.talking.replies import ANSWERS
from grandstand.games.diplomacy.rules.map import POWERS, PROVINCE_NAMES, START_YEAR

PHRASES: Mapping[str, tuple[str, ...]] = PROPOSALS | REMARKS | ANSWERS | BARGAINS
"""Per kind of statement, its phrases."""

TRIES = 16
"""The number of drawn wordings of a phrase, of which the least used is taken."""

_END = re.compile(r"(?<=[.!?])\s+")
_NUMBERS = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_VARIABLE = re.compile(
    r"\b(?:(?:the )?(?:"
    + "|".join(map(re.escape, sorted(PROVINCE_NAMES, key=len, reverse=True)))
    + r"|Mid-Atlantic|North Atlantic)|"
    + "|".join(power.capitalize() for power in POWERS)
    + r"|army|fleet|spring|autumn|my|your|\d+|"
    + "|".join(_NUMBERS.split())
    + r")\b",
    re.IGNORECASE,
)

FIRST = str(START_YEAR)
"""The first year, in which phrases about the past do not apply."""
_PAST = re.compile(r"since 1901|has been quiet|has fired a shot|last months|a year ago|a year of|decade|in better days")

LINKS = ("Even so, ", "All the same, ", "Still, ", "One thing more: ", "And another thing: ")
"""Openings with which a sentence follows upon another of the same message."""
_PROPER = re.compile(
    r"(?:I|"
    + "|".join([re.escape(name.split()[0]) for name in PROVINCE_NAMES] + [name.capitalize() for name in POWERS])
    + r")\b"
)
_UNIT = "_ _ in _"
_HELP = rf"(?:supports|carries) {_UNIT}(?: into _| where it stands)?"
_CLAUSE = re.compile(rf"\b(?:{_UNIT} (?:goes to _|sails to _|stays where it is|{_HELP})|{'|'.join(REASONS)})")
_LIST = re.compile(r"_(?:, _)*,? and _\b")
"""Orders in words, and lists of them or of places: each counts as one name."""
_LINK = re.compile("|".join(map(re.escape, LINKS)))

Choices = tuple["str | tuple[Choices, ...]", ...]
"""A phrase in parts: text, or the alternatives of which one is taken, each in parts again."""


class Voice:
    """The wording of one seat: it knows the messages that the seat has sent and received so far.

    `manner` orders phrases that were used equally often, so that seats differ from the first letter on.
    """

    def __init__(self, own: Iterable[str], others: Iterable[str], rng: Random, manner: str = "") -> None:
        self._rng = rng
        self._manner = manner
        self._sentences: set[str] = set()
        self._uses: Counter[str] = Counter()
        self._phrases: Counter[tuple[str, int]] = Counter()
        """(kind of statement, number of the phrase) -> its uses."""
        for text in own:
            self._note(text, 2)
        for text in others:
            self._note(text, 1)

    def statement(self, kind: str, slots: Mapping[str, str], again: bool = False) -> str:
        """Return a statement of the kind in the least used phrase; empty if every phrase would repeat itself, unless
        it may be said `again`."""
        order = _preferences(self._manner, kind)
        for number in sorted(order, key=lambda number: self._phrases[kind, number]):
            text = self.sentence(PHRASES[kind][number], slots)
            if text:
                return text
        return self._wording(PHRASES[kind][order[0]], slots) if again else ""

    def sentence(self, phrase: str, slots: Mapping[str, str]) -> str:
        """Return the least used wording of a phrase; empty if all that were tried have been said before."""
        best, fewest = "", 1 << 30
        for _ in range(TRIES):
            text = self._wording(phrase, slots)
            if slots.get("year") == FIRST and _PAST.search(text):
                continue
            sentences = split(text)
            if any(sentence in self._sentences for sentence in sentences) or len(set(sentences)) < len(sentences):
                continue
            uses = sum(self._uses[skeleton(sentence)] for sentence in sentences)
            if uses < fewest:
                best, fewest = text, uses
                if not uses:
                    break
        if best:
            self._note(best, 2)
        return best

    def flourish(self, phrases: Sequence[str], slots: Mapping[str, str]) -> str:
        """Return a wording of one of the phrases that nobody has used, whatever the names in it; empty if none is
        drawn."""
        for phrase in self._rng.sample(phrases, len(phrases)):
            text = self._wording(phrase, slots)
            if slots.get("year") == FIRST and _PAST.search(text):
                continue
            if not any(self._uses[skeleton(sentence)] for sentence in split(text)):
                self._note(text, 2)
                return text
        return ""

    def _note(self, text: str, weight: int) -> None:
        for sentence in split(text):
            self._sentences.add(sentence)
            wording = skeleton(sentence)
            self._uses[wording] += weight
            for phrase in _phrases().get(wording, ()):
                self._phrases[phrase] += weight

    def _wording(self, phrase: str, slots: Mapping[str, str]) -> str:
        text = _joined(_parts(phrase), self._rng).format_map(slots)
        return _CAPITAL.sub(lambda match: match[0].upper(), " ".join(text.split()))


_CAPITAL = re.compile(r"(?:^|(?<=[.!?] ))[a-z]")


@lru_cache(maxsize=1024)
def split(text: str) -> tuple[str, ...]:
    """Return the sentences of a text."""
    return tuple(sentence for sentence in _END.split(text.strip()) if sentence)


@lru_cache(maxsize=8192)
def skeleton(sentence: str) -> str:
    """Return the sentence without its link and the names, numbers and seasons in it: its wording."""
    link = _LINK.match(sentence)
    if link is not None:
        sentence = sentence[link.end() :]
        sentence = sentence[:1].upper() + sentence[1:]
    return _LIST.sub("_", _CLAUSE.sub("_", _VARIABLE.sub("_", sentence)))


def linked(link: str, text: str) -> str:
    """Return a text that follows upon another by the link."""
    if not link:
        return text
    return f"{link}{text if _PROPER.match(text) else text[:1].lower() + text[1:]}"


@lru_cache(maxsize=4096)
def kinds_of(text: str) -> frozenset[str]:
    """Return the kinds of statement that a text is made of, as far as its sentences are wordings of ours."""
    known = _phrases()
    return frozenset(kind for sentence in split(text) for kind, _ in known.get(skeleton(sentence), ()))


@lru_cache(maxsize=4096)
def apart_from_bargains(text: str) -> str:
    """Return a text without its sentences about pacts, which say in words what the pact says in orders."""
    if not kinds_of(text) & BARGAINS.keys():
        return text
    return " ".join(sentence for sentence in split(text) if not kinds_of(sentence) & BARGAINS.keys())


@cache
def _phrases() -> Mapping[str, frozenset[tuple[str, int]]]:
    """Return sentence skeleton -> the (kind, number) of the phrases that contain it."""
    users: dict[str, set[tuple[str, int]]] = {}
    for kind, phrases in PHRASES.items():
        for number, phrase in enumerate(phrases):
            for wording in wordings(phrase):
                for sentence in split(_CAPITAL.sub(lambda match: match[0].upper(), wording.format_map(_EXAMPLES))):
                    users.setdefault(skeleton(sentence), set()).add((kind, number))
    return {sentence: frozenset(names) for sentence, names in users.items()}


@cache
def _preferences(manner: str, kind: str) -> tuple[int, ...]:
    """Return the numbers of the phrases of a kind, in the order in which a seat of that manner prefers them."""
    count = len(PHRASES[kind])
    order = Random(kind).sample(range(count), count)
    first = sum(_MANNERS.index(name) for name in manner.split("/") if name in _MANNERS) % count
    return (*order[first:], *order[:first])


_MANNERS = (*POWERS, *CHARACTERS)
"""The seats and characters, which determine the manner: each prefers the phrase after that of the one before."""


_EXAMPLES = defaultdict(
    lambda: "Italy",
    season="spring", year="1901", next="the spring of 1901", until="the spring of 1901",
    mine="army in Paris", theirs="army in Paris", number="two",
)  # fmt: skip


@cache
def _parts(phrase: str) -> Choices:
    parts, rest = _sequence(phrase)
    assert not rest, f"{phrase!r}: a bracket is closed that was not opened"
    return parts


def _sequence(text: str, inside: bool = False) -> tuple[Choices, str]:
    """Return the parts of `text` and the rest. `inside` brackets, it stops at a bar or a closing bracket."""
    parts: list[str | tuple[Choices, ...]] = []
    while text:
        mark = re.search(r"[\[|\]]" if inside else r"[\[\]]", text)
        if mark is None:
            parts.append(text)
            return tuple(parts), ""
        if mark.start():
            parts.append(text[: mark.start()])
        if mark[0] != "[":
            return tuple(parts), text[mark.start() :]
        alternatives = []
        text = text[mark.end() :]
        while True:
            choice, text = _sequence(text, inside=True)
            alternatives.append(choice)
            closed = text[:1] == "]"
            text = text[1:]
            if closed or not text:
                break
        parts.append(tuple(alternatives))
    return tuple(parts), ""


def _joined(parts: Choices, rng: Random) -> str:
    return "".join(part if isinstance(part, str) else _joined(rng.choice(part), rng) for part in parts)


def wordings(phrase: str) -> list[str]:
    """Return every wording of a phrase, without filling in names."""
    return _all(_parts(phrase))


def _all(parts: Choices) -> list[str]:
    texts = [""]
    for part in parts:
        endings = [part] if isinstance(part, str) else [text for choice in part for text in _all(choice)]
        texts = [text + ending for text in texts for ending in endings]
    return texts
