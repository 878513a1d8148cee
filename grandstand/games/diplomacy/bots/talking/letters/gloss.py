"""Sentences of a letter as glosses: words of one vocabulary, whatever language, spelling or abbreviation was used.

`Kannst du F Hol nach Bel unterstützen?` is `can you fleet @HOL to @BEL support ?`: places are marked with `@`, powers
with `#`. `data/vocabulary.toml` has the words. A word that is none of them is matched with one letter wrong, if it is
long enough.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from grandstand.games.diplomacy.rules.map import PROVINCE_NAMES, PROVINCES

VOCABULARY = Path(__file__).parents[3] / "data" / "vocabulary.toml"
LANGUAGES = ("en", "de", "fr")
LONGEST = 4000
"""Characters of a letter that are read."""
CORRECTED = 6
"""Letters that a misspelt word has at least."""

_PIECE = re.compile(r"(?:\S{1,200}\s*){1,60}")
"""A sentence, or sixty words of one without an end."""
_TOKEN = re.compile(r"->|→|=>|[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[?!,.;:>/-]")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+|(?<=[?!])(?=\w)")
_VERB = r"(?:attack|support|betray|trust|help|lie)"
_ORDER = (
    (re.compile(r"\b(?:ne|faire) "), ""),
    (re.compile(r"\b(attack|go|support|want|take|accept|have) (?:(you|me) )?not\b"), r"not \1 \2"),
    (
        re.compile(
            rf"\b(i|you|we|#[A-Z]+)((?: (?:will|can|want|not|did))*) (you|me) ((?:(?:not|did) )*{_VERB})\b(?: (not)\b)?"
        ),
        r"\1\2 \5 \4 \3",
    ),
    (re.compile(r"\bwill ((?:you |i |we )?)(?=(?:to|from) @)"), r"will \1go "),
    (re.compile(r" {2,}"), " "),
)
"""What German and French order otherwise -> the order of English."""
_SAINT = re.compile(r"\b[Ss](?:ain)?t\.? ?(?:[Pp]ete(?:rs)?(?:burg|bourg)?|[Pp])\b\.?(?=[\s,;:!?)]|$)")
"""St Petersburg, however it is written."""
_TITLED = re.compile(r"(?<=[\w,;/>-] )[A-Z][a-z]{2}\b|(?<=[/>-])[A-Z][a-z]{2}\b")
"""A word of three letters with a capital inside a sentence: an abbreviation of a place, as players write it."""
_BACKING = re.compile(r"(?<!take )\bback (?=@|my\b|me\b|your\b|army\b|fleet\b)")
"""`back` where it means a support."""
_BEFORE = frozenset(("/", "-", ">", "->", "→", "=>", "army", "fleet"))
_AFTER = frozenset(("/", "-", ">", "->", "→", "s", "c", "h", "sup", "supp"))
"""What stands beside a place in an order."""
_NEAR = frozenset(("in", "into", "to", "from", "at", "nach", "en", "à"))
_CONTRACTED = re.compile(r"\b(can|won|don|isn|aren|doesn|didn|wouldn|shouldn|couldn|haven|hasn|wasn|weren|ain)['’]?t\b")
_SHORT = (
    (re.compile(r"\b(?:i['’]m|im)\b"), "i be"),
    (re.compile(r"\b(?:i['’]ll|i['’]d|ive|i['’]ve)\b"), "i will"),
    (re.compile(r"(?:^|(?<=[,.;!?] ))ill\b"), "i will"),
    (re.compile(r"\b(?:you|we|they)(?:['’]?re)\b"), lambda match: match[0].split("r")[0].rstrip("'’") + " be"),
    (re.compile(r"\b(you|we|they|he|she)['’](?:ll|d|ve)\b"), r"\1 will"),
    (re.compile(r"\b(?:youll|youd)\b"), "you will"),
    (re.compile(r"\b(what|who|where|how|that|it|he|she|there)['’]?s\b"), r"\1 is"),
    (re.compile(r"\bcannot\b"), "can not"),
)


_WHOLE = {"can": "can", "won": "will", "ain": "be"}
"""What stands before n't, where it is not the word itself."""


@dataclass(frozen=True, slots=True)
class Gloss:
    """A sentence: `words` joined by blanks, and whether it asks."""

    words: str
    asks: bool

    @property
    def places(self) -> tuple[int, ...]:
        """Return the provinces named, in order."""
        return tuple(PROVINCES.index(code) for code in re.findall(r"@([A-Z]{3})", self.words))


@dataclass(frozen=True)
class _Language:
    name: str
    phrases: re.Pattern[str]
    by_phrase: Mapping[str, str]
    words: Mapping[str, str]


@lru_cache(maxsize=1024)
def glosses(text: str) -> tuple[Gloss, ...]:
    """Return the sentences of a text as glosses."""
    text = _SAINT.sub("STP", text[:LONGEST].replace("’", "'"))
    language = language_of(text)
    return tuple(
        _glossed(part, language)
        for sentence in _SENTENCE.split(text)
        for part in _PIECE.findall(sentence)
        if any(map(str.isalnum, part))
    )


def language_of(text: str) -> str:
    """Return the language of a text: English unless another has more of its common words in it."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    return max(LANGUAGES, key=lambda name: sum(word in _listed("common", name) for word in words))


def _glossed(sentence: str, name: str) -> Gloss:
    language = _language(name)
    lowered = sentence.lower()
    if name == "en":
        lowered = _CONTRACTED.sub(lambda match: f"{_WHOLE.get(match[1], match[1].removesuffix('n'))} not", lowered)
        for pattern, whole in _SHORT:
            lowered = pattern.sub(whole, lowered)
    capitals = _capitals(sentence, name)
    marked = language.phrases.sub(lambda match: f" ⟦{language.by_phrase[match[1]]}⟧ ", lowered)
    if name == "fr":
        marked = _ELISION.sub(" ", marked)
    words = [word for part in _parts(marked) for word in _words(part, language, capitals)]
    glossed = _BACKING.sub("support ", " ".join(_joined(words)))
    return Gloss(_in_english_order(glossed) if name != "en" else glossed, "?" in sentence)


def _in_english_order(words: str) -> str:
    """Return a gloss with the object and `not` beside the verb as in English: `i will not attack you`."""
    for pattern, order in _ORDER:
        words = pattern.sub(order, words)
    return words


def _capitals(sentence: str, name: str) -> frozenset[str]:
    """Return the words of three letters that are capitals, or begin with one inside a sentence, as names do."""
    if sentence.isupper() and " - " not in sentence:
        return frozenset()
    titled = () if name == "de" else (word.upper() for word in _TITLED.findall(sentence) if word != "Eng")
    return frozenset((*re.findall(r"\b[A-Z]{3}\b", sentence), *titled))


_ELISION = re.compile(r"'|-(?=(?:tu|vous|je|il|elle|ils|on|moi|nous|t)\b)")


def _parts(marked: str) -> Iterator[str | list[str]]:
    """Yield glosses of phrases as text, and the tokens between them as lists."""
    for number, part in enumerate(re.split(r"⟦([^⟧]*)⟧", marked)):
        yield part if number % 2 else _TOKEN.findall(part)


def _words(part: str | list[str], language: _Language, capitals: Iterable[str]) -> Iterator[str]:
    if isinstance(part, str):
        yield part
        return
    for at, token in enumerate(part):
        if token in ("->", "→", "=>", ">", "-"):
            yield ">"
            continue
        before, after = part[at - 1] if at else "", part[at + 1] if at + 1 < len(part) else ""
        if len(token) <= 3 and (word := _abbreviated(token, before, after, capitals)):
            yield word
        else:
            yield language.words.get(token) or _corrected(token, language) or token


def _abbreviated(token: str, before: str, after: str, capitals: Iterable[str]) -> str:
    """Return the place, or the kind of unit, of an abbreviation; empty if it is none here."""
    if token in ("a", "f") and (after in _names() or (after in _codes() and not _is_doubtful(after, capitals))):
        return "army" if token == "a" else "fleet"
    code = _codes().get(token)
    if code is None:
        return ""
    sure = before in _BEFORE or after in _AFTER
    if not sure and _is_doubtful(token, capitals):
        near = before in _NEAR and token not in ("war", "eng", "win", "den")
        return f"@{code}" if near else ""
    return f"@{code}"


def _is_doubtful(token: str, capitals: Iterable[str]) -> bool:
    return token in _listed("ambiguous") and token.upper() not in capitals


def _joined(words: Iterable[str]) -> Iterator[str]:
    """Yield the words without a second sign of a move between two places."""
    last = ""
    for word in words:
        if not (word in (">", "to") and last == ">"):
            yield word
        last = word


def _corrected(token: str, language: _Language) -> str:
    """Return the gloss of the one word of the language with at most one letter wrong; empty if there is none."""
    if len(token) < CORRECTED:
        return ""
    for form in _shortened(token):
        for word in _misspelt(language.name).get(form, ()):
            if _one_wrong(token, word):
                return language.words[word]
    return ""


def _one_wrong(token: str, word: str) -> bool:
    """Return whether one letter is missing, too many or another one, or two neighbours are exchanged."""
    if abs(len(token) - len(word)) == 1:
        longer, shorter = sorted((token, word), key=len, reverse=True)
        return shorter in _shortened(longer)
    wrong = [at for at, (one, other) in enumerate(zip(token, word, strict=False)) if one != other]
    if len(token) != len(word) or len(wrong) > 2:
        return False
    if len(wrong) < 2:
        return True
    first, second = wrong
    return second == first + 1 and token[first] == word[second] and token[second] == word[first]


def _shortened(word: str) -> Iterator[str]:
    yield word
    for at in range(len(word)):
        yield word[:at] + word[at + 1 :]


@cache
def _misspelt(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return every long word of a language, whole and with one letter left out -> the words that it can be."""
    forms: dict[str, tuple[str, ...]] = {}
    for word in _language(name).words:
        if len(word) >= CORRECTED:
            for form in _shortened(word):
                forms[form] = (*forms.get(form, ()), word)
    return forms


@cache
def _listed(table: str, name: str = "en") -> frozenset[str]:
    """Return a list of words of the vocabulary."""
    return frozenset(str(_tables()[name]["lists"][table]).split())


@cache
def _tables() -> Mapping[str, Mapping[str, Mapping[str, str | list[str]]]]:
    return tomllib.loads(VOCABULARY.read_text(encoding="utf-8"))


@cache
def _language(name: str) -> _Language:
    """Return the vocabulary of a language, with the English words, names of places and names of powers in it."""
    phrases: dict[str, str] = {}
    words: dict[str, str] = {}
    for source in dict.fromkeys(("en", name)):
        tables = _tables()[source]
        for gloss, forms in tables["phrases"].items():
            phrases.update((form, gloss) for form in forms)
        for kind, mark in (("words", ""), ("powers", "#")):
            for gloss, forms in tables[kind].items():
                words.update((form, mark + gloss) for form in str(forms).split())
        for code, forms in tables["places"].items():
            for form in str(forms).split(", "):
                (phrases if " " in form or "-" in form or "." in form else words)[form] = f"@{code}"
    for code, place in zip(PROVINCES, PROVINCE_NAMES, strict=True):
        (phrases if " " in place or "-" in place else words)[place.lower()] = f"@{code}"
    longest = sorted(phrases, key=len, reverse=True)
    return _Language(name, re.compile(r"(?<!\w)(" + "|".join(map(re.escape, longest)) + r")(?!\w)"), phrases, words)


@cache
def _codes() -> Mapping[str, str]:
    """Return every abbreviation of a place, of three letters at most, in small letters -> its code."""
    codes = {code.lower(): code for code in PROVINCES}
    return codes | {
        form: code
        for code, forms in _tables()["en"]["places"].items()
        for form in str(forms).split(", ")
        if len(form) <= 3
    }


@cache
def _names() -> frozenset[str]:
    return frozenset(word for name in LANGUAGES for word, gloss in _language(name).words.items() if gloss[0] == "@")
