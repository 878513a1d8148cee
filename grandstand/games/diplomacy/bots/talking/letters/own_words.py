"""Recognizes texts made of the characters' phrases."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache

from grandstand.games.diplomacy.bots.talking.tones import AFTER, BEFORE
from grandstand.games.diplomacy.bots.talking.voice import PHRASES, kinds_of, skeleton, split, wordings

_UNIT = r"(?:_|the \w+) _ in _"
_DEED = re.compile(
    rf"{_UNIT} (?:goes to _|sails to _|stays where it is|(?:supports|carries) {_UNIT}(?: into _)?)", re.IGNORECASE
)
_LIST = re.compile(r"_(?:, _)*,? and _\b")
"""Patterns of an order, and of a list of orders, in the characters' words."""
_CLAUSE = re.compile(r"\{(?!(?:you|me|name|power|place|[Ss]eason|[Yy]ear|next|until|number|mine|theirs)\})\w+\}")
"""Slots whose value is more than a name."""
_NAMES = defaultdict(lambda: "Italy", season="spring", year="1901", next="the spring of 1901", number="two")
SHORT = 3
"""The most words of a sentence that anybody may write: `Agreed.`"""
LEAST = 14
"""Letters of a beginning by which a sentence that goes on with a clause is recognized."""


@lru_cache(maxsize=8192)
def is_own(text: str) -> bool:
    """Return whether every sentence of a text is a phrase of the characters, and is not just a word or two."""
    return len(text.split()) > SHORT and all(map(_is_own_sentence, split(text)))


def _is_own_sentence(sentence: str) -> bool:
    words = skeleton(sentence)
    if kinds_of(sentence) or words.lower() in _flourishes() or words.startswith(_beginnings()):
        return True
    return bool(kinds_of(_LIST.sub("_", _DEED.sub("_", words))))


@cache
def _flourishes() -> frozenset[str]:
    """Return the openings and endings of the tones."""
    phrases = [phrase for tone in BEFORE.values() for phrase in tone]
    phrases += [phrase for tone in AFTER.values() for endings in tone.values() for phrase in endings]
    texts = (wording.format_map(_NAMES) for phrase in phrases for wording in wordings(phrase))
    return frozenset(skeleton(sentence).lower() for text in texts for sentence in split(text))


@cache
def _beginnings() -> tuple[str, ...]:
    """Return what stands before an order or a reason in the sentences of the characters."""
    found = set()
    for phrases in PHRASES.values():
        for phrase in phrases:
            for wording in wordings(phrase) if _CLAUSE.search(phrase) else ():
                before = split(_CLAUSE.split(wording)[0].format_map(_NAMES) + "…")[-1]
                found.add(skeleton(before.removesuffix("…").rstrip()))
    return tuple(sorted(beginning for beginning in found if len(beginning) >= LEAST))
