"""Parser of the JSON object in a model's reply: inside prose, fences or reasoning, and sometimes malformed.

It repairs form, never content: a truncated reply is refused, not completed, because the missing part was the choice.
All input is untrusted: work and depth are bounded for any text, and the result is valid Unicode. Well-formed JSON is
parsed by the standard library; only malformed JSON is parsed token by token, in Python.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from grandstand.models import valid_text

LONGEST = 100_000
"""Maximum characters of a reply; a longer one is refused."""

DEEPEST = 32
"""Maximum nesting of objects and lists."""

FALSE_STARTS = 64
"""Maximum number of opening braces at which the search tries to parse an object."""

REREAD = 200_000
"""Maximum characters parsed without result after all of those braces together."""

NESTED = REREAD // 8
"""The characters that an attempt counts whose objects are nested more deeply than Python's parser reads."""

MOST_TOKENS = 10_000
"""Maximum tokens of malformed JSON, including the quotes within its strings."""

MOST_VALUES = 10_000
"""Maximum number of values in an answer."""

BARE = "answer"
"""The key for a reply that is only a word, a number or a list; of several lines, the last counts."""

CLOSING = {'"': '"', "'": "'", "“": "”", "‘": "’", "`": "`"}
WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
NUMBER = re.compile(r"[+-]?\d{1,20}(\.\d{1,20})?([eE][+-]?\d{1,3})?")
WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9 -]*")
BLANK = re.compile(r"(?:\s|//[^\n]*|#[^\n]*)*")
SPACE = re.compile(r"\s*")
PLAIN = {close: re.compile(rf"[^\\{close}]*") for close in CLOSING.values()}
"""The characters of a string without special meaning, by its closing quote."""
THOUGHT = re.compile(r"<(think|thinking|reasoning)>(.*?)(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


clean = valid_text
"""The default function applied to every string of an answer."""


class ReplyError(ValueError):
    """The reply contains no usable answer; the message gives the reason in words that a model can act on."""


class _Final(ReplyError):
    """An error after which the search for an answer ends."""


class _BreaksOff(_Final):
    """The text ends inside an object."""


def split_thought(text: str) -> tuple[str, str]:
    """Return the reasoning between `<think>` tags, and the rest."""
    thoughts = [match.group(2).strip() for match in THOUGHT.finditer(text)]
    before, tag, rest = THOUGHT.sub("", text).rpartition("</think>")  # a template may have put the opening tag
    if tag:
        thoughts.append(before.strip())
    return "\n\n".join(filter(None, thoughts)), rest.strip()


def parse_reply(text: str, keys: Collection[str], tidy: Callable[[str], str] = clean) -> dict[str, Any]:
    """Return the last object in `text` that has one of `keys`, or the last of all if `keys` is empty. `tidy` is applied
    to its strings.

    A bare list is the value of the first key. Without keys, a text without an object is the value of BARE. Raises
    ReplyError.
    """
    if len(text) > LONGEST:
        raise ReplyError(f"the reply is {len(text)} characters long; write at most {LONGEST}")
    _, rest = split_thought(text.lstrip("\ufeff"))
    if not rest:
        raise ReplyError("the reply is empty" if not text.strip() else "the reply ends inside its reasoning")
    whole = _strict(rest)
    if isinstance(whole, str):
        rest, whole = whole, _strict(whole)
    if keys and isinstance(whole, list) and not any(isinstance(item, dict) for item in whole):
        whole = {next(iter(keys)): whole}
    if not keys and not isinstance(whole, dict) and "{" not in rest:
        whole = {BARE: rest.splitlines()[-1].strip() if whole is None else whole}
    answer = _unwrap(whole, keys) or _search(rest, keys)
    return Tidying(tidy).of_object(answer, 0)


def _unwrap(value: Any, keys: Collection[str]) -> dict[str, Any] | None:
    """Return `value` if it is an answer, or the answer that is its only item: `{"action": {"orders": [...]}}`."""
    while isinstance(value, dict):
        if not keys or not value.keys().isdisjoint(keys):
            return value
        value = next(iter(value.values())) if len(value) == 1 else None
    return None


class Tidying:
    """A traversal that applies a function to every string of an answer and enforces the limits on its size."""

    def __init__(self, tidy: Callable[[str], str]) -> None:
        self._tidy = tidy
        self._values = 0

    def of_object(self, items: Mapping[str, Any], depth: int) -> dict[str, Any]:
        """Return `items` with the function applied. Raises ReplyError if they are nested too deeply or too many."""
        return {self._tidy(key): self._of(item, depth + 1) for key, item in items.items()}

    def _of(self, value: Any, depth: int) -> Any:
        self._values += 1
        if depth > DEEPEST:
            raise ReplyError(f"more than {DEEPEST} objects within each other")
        if self._values > MOST_VALUES:
            raise ReplyError(f"more than {MOST_VALUES} values in it")
        if isinstance(value, str):
            return self._tidy(value)
        if isinstance(value, list):
            return [self._of(item, depth + 1) for item in value]
        if isinstance(value, dict):
            return self.of_object(value, depth)
        if isinstance(value, float) and not math.isfinite(value):
            raise ReplyError("there is a number in it that is too large")
        return value


def _strict(text: str) -> Any:
    """Return the value of `text` if the whole text is JSON, else None."""
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(strict=False, parse_constant=_no_constant)


def _search(text: str, keys: Collection[str]) -> dict[str, Any]:
    """Return the last object in `text` that is an answer. Raises ReplyError."""
    result: dict[str, Any] | None = None
    other: Collection[str] = ()
    fault = "there is no JSON object in it"
    at = text.find("{")
    reader = _Reader(text)
    for _ in range(FALSE_STARTS):
        if at < 0 or reader.wasted > REREAD:
            break
        try:
            value, end = reader.object_at(at)
        except _Final:
            raise
        except ReplyError as error:
            fault, at = str(error), text.find("{", at + 1)
            continue
        answer = _unwrap(value, keys)
        if answer is None:
            other = value.keys()
        result = answer or result
        at = text.find("{", end)
    if result is not None:
        return result
    if other:
        named = ", ".join(str(key)[:40] for key in list(other)[:8])
        fault = f"the object has the keys {named}"
    wanted = f" that has {', '.join(map(repr, keys))}" if keys else ""
    raise ReplyError(f"{fault}; answer with one JSON object{wanted}")


class _Reader:
    """A parser of JSON and common deviations: other quotes, trailing commas, comments, bare keys, Python constants."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.wasted = 0
        """Characters parsed behind braces that did not begin an object."""
        self._tokens = 0

    def object_at(self, at: int) -> tuple[dict[str, Any], int]:
        """Return the object that begins at `at`, and its end. Raises ReplyError."""
        try:
            return _DECODER.raw_decode(self.text, at)
        except json.JSONDecodeError as error:
            self.wasted += error.pos - at
        except ValueError:
            pass
        except RecursionError:
            self.wasted += NESTED
        self.at = at
        try:
            return self.value(0), self.at
        except ReplyError:
            self.wasted += self.at - at
            raise

    def value(self, depth: int) -> Any:
        if depth > DEEPEST:
            raise ReplyError(f"more than {DEEPEST} objects within each other")
        mark = self._next()
        if mark == "{":
            return self._object(depth)
        if mark == "[":
            return self._list(depth)
        if mark in CLOSING:
            return self._string()
        if number := NUMBER.match(self.text, self.at):
            self.at = number.end()
            digits = number.group()
            return int(digits) if digits.lstrip("+-").isdecimal() else float(digits)
        word = WORD.match(self.text, self.at)
        if word and word.group().strip() in WORDS:
            self.at = word.end()
            return WORDS[word.group().strip()]
        raise self._fault("a value")

    def _object(self, depth: int) -> dict[str, Any]:
        self.at += 1
        items: dict[str, Any] = {}
        while self._next() != "}":
            key = self._key()
            if self._next() != ":":
                raise self._fault("':'")
            self.at += 1
            items[key] = self.value(depth + 1)
            self._comma("}")
        self.at += 1
        return items

    def _list(self, depth: int) -> list[Any]:
        self.at += 1
        items = []
        while self._next() != "]":
            items.append(self.value(depth + 1))
            self._comma("]")
        self.at += 1
        return items

    def _key(self) -> str:
        if self._next() in CLOSING:
            return self._string()
        word = WORD.match(self.text, self.at)
        if word is None:
            raise self._fault("a key")
        self.at = word.end()
        return word.group().strip()

    def _string(self) -> str:
        """Parse a quoted string. A quote without a comma, colon or bracket after it is an unescaped character."""
        close = CLOSING[self.text[self.at]]
        parts = []
        position = self.at + 1
        while plain := PLAIN[close].match(self.text, position):
            parts.append(plain.group())
            position = plain.end()
            if position >= len(self.text):
                break
            self._count()
            if self.text[position] == "\\":
                piece, position = self._escape(position)
                parts.append(piece)
                continue
            if self._ends_string(position + 1):
                self.at = position + 1
                return "".join(parts)
            parts.append(close)
            position += 1
        raise _BreaksOff("the reply breaks off inside a string")

    def _escape(self, position: int) -> tuple[str, int]:
        code = self.text[position + 1 : position + 2]
        digits = self.text[position + 2 : position + 6]
        if code == "u" and re.fullmatch(r"[0-9a-fA-F]{4}", digits):
            return chr(int(digits, 16)), position + 6
        return ESCAPES.get(code, code), position + 2

    def _ends_string(self, position: int) -> bool:
        if space := SPACE.match(self.text, position):
            position = space.end()
        return self.text[position : position + 1] in ("", ",", ":", "}", "]", "#") or self.text.startswith(
            ("//", "/*"), position
        )

    def _comma(self, close: str) -> None:
        mark = self._next()
        if mark == ",":
            self.at += 1
        elif mark != close:
            raise self._fault(f"',' or {close!r}")

    def _next(self) -> str:
        """Skip blanks and comments, and return the next character."""
        self._count()
        while blank := BLANK.match(self.text, self.at):
            self.at = blank.end()
            end = self.text.find("*/", self.at + 2) if self.text.startswith("/*", self.at) else -1
            if end < 0:
                break
            self._count()
            self.at = end + 2
        if self.at >= len(self.text):
            raise _BreaksOff("the reply breaks off before its JSON object is closed")
        return self.text[self.at]

    def _count(self) -> None:
        """Count a token. Raises ReplyError if there are too many."""
        self._tokens += 1
        if self._tokens > MOST_TOKENS:
            raise _Final(f"it is malformed JSON, and too long to be repaired: more than {MOST_TOKENS} tokens")

    def _fault(self, wanted: str) -> ReplyError:
        near = self.text[self.at : self.at + 24]
        return ReplyError(f"its JSON is malformed: {wanted} was expected at {near!r}")
