"""Reads a seat's answer, tolerating differences of form."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from grandstand.games.base import IllegalAction, Json
from grandstand.games.choices import (
    REASONING,
    Chosen,
    Grammar,
    Many,
    Number,
    Option,
    Pick,
    Slot,
    Text,
    Value,
    allowed,
    default_value,
    place,
)

WRAPPERS: Final = ("action", "answer", "move", "choice", "arguments", "name")
"""Keys under which an answer may be nested, unless they name a slot."""
AROUND: Final = " \t\n,;.*'\"`"
"""Characters around a word that are ignored."""


def read(grammar: Grammar, answer: Json, keys: Collection[str] = ()) -> dict[str, Value]:
    """Return the choices of an answer: an object by slot, a list of words, or a bare word, by itself or under one of
    `keys` or WRAPPERS.

    Slots that have a default may be left out. Case, spaces, hyphens and arrows are ignored. Raise IllegalAction naming
    the slot at fault, what was read, and the nearest words.
    """
    parts = _Answer(answer, {*WRAPPERS, *keys})
    chosen: dict[str, Value] = {}
    while slots := grammar(dict(chosen)):
        chosen |= parts.stage(slots)
    parts.check_used(chosen)
    return chosen


class _Answer:
    """The parts of an answer that belong to no slot so far."""

    def __init__(self, answer: Json, wrappers: set[str]) -> None:
        self._wrappers = wrappers
        self._fields: dict[str, tuple[str, Any]] = {}
        """Folded key -> the key as it was written, and the value."""
        self._words: list[Any] = []
        """Words without a key."""
        self._open(answer)

    def _open(self, answer: Json) -> None:
        if isinstance(answer, Mapping):
            for key, value in answer.items():
                if key in self._wrappers and isinstance(value, Mapping | list):
                    self._open(value)
                elif key != REASONING and value is not None:
                    self._fields[_folded(str(key))] = (str(key), value)
        elif isinstance(answer, list | tuple):
            for item in answer:
                self._open(item)
        elif answer is not None:
            self._words.append(answer)

    def stage(self, slots: Sequence[Slot]) -> dict[str, Value]:
        """Return the values of the slots of a stage; a word under a wrapper that names none of them has no key."""
        names = {_folded(slot.name) for slot in slots}
        self._words += [self._fields.pop(key)[1] for key in list(self._fields) if key in self._wrappers - names]
        return {slot.name: self._take(slot, alone=len(slots) == 1) for slot in slots}

    def _take(self, slot: Slot, alone: bool) -> Value:
        """Return the slot's value, or its default if the answer has none for it."""
        if (key := _folded(slot.name)) in self._fields:
            return value_of(slot, self._fields.pop(key)[1])
        if isinstance(slot, Pick | Many):
            words = [word for word in self._words if _match(slot.options, word) is not None]
            words = words[:1] if isinstance(slot, Pick) else words
            self._words = [word for word in self._words if word not in words]
            if words:
                return value_of(slot, words[0] if isinstance(slot, Pick) else words)
        if self._words and (alone or isinstance(slot, Number)):
            return value_of(slot, self._words.pop(0))
        if isinstance(slot, Text) or slot.default is not None:
            return default_value(slot)
        raise IllegalAction(slot.name, f"is missing; {allowed(slot)}")

    def check_used(self, chosen: Chosen) -> None:
        """Raise IllegalAction naming a part that belongs to no slot."""
        for name, value in self._fields.values():
            raise IllegalAction(name, f"{_quoted(value)}: there is no such choice; there are {', '.join(chosen)}")
        if self._words:
            raise IllegalAction("answer", f"{_quoted(self._words[0])} belongs to none of {', '.join(chosen)}")


def value_of(slot: Slot, value: Any) -> Value:
    """Return the slot's value for `value`. Raise IllegalAction naming the slot, the text and the remedy."""
    if isinstance(slot, Pick):
        return _word(slot, slot.name, value)
    if isinstance(slot, Number):
        return _number(slot, value)
    if isinstance(slot, Text):
        if not isinstance(value, str) or len(value) > slot.limit:
            has = f"has {len(value)} characters" if isinstance(value, str) else f"{_quoted(value)} is no text"
            raise IllegalAction(slot.name, f"{has}; {allowed(slot)}")
        return value
    items = value if isinstance(value, list | tuple) else [value]
    words = dict.fromkeys(_word(slot, f"{slot.name}[{at}]", item) for at, item in enumerate(items))
    taken = [option for option in slot.options if option.word in words]
    others = [word for word in words if all(option.word != word for option in taken)]
    if not slot.least <= len(words) <= slot.most or len(set(map(place, taken))) < len(taken):
        raise IllegalAction(slot.name, f"has {len(words)}; {allowed(slot)}")
    return (*(option.word for option in taken), *others)


def _word(slot: Pick | Many, field: str, value: Any) -> str:
    word = _match(slot.options, value) or _match(slot.options, f"{slot.name} {value}")
    if word is None and isinstance(slot, Many) and isinstance(value, str) and 0 < len(value) <= slot.free:
        return value
    if word is None:
        raise IllegalAction(field, f"{_quoted(value)} is not possible; {allowed(slot, value)}")
    return word


def _match(options: Sequence[Option], value: Any) -> str | None:
    """Return the option's word that `value` means; None if it means none."""
    if isinstance(value, bool):
        value = "true" if value else "false"
    if not isinstance(value, str | int):
        return None
    folded = _folded(str(value))
    same = [option.word for option in options if _folded(option.word) == folded]
    return str(value) if str(value) in same else next(iter(same), None)


def _number(slot: Number, value: Any) -> int:
    digits = value.strip(AROUND) if isinstance(value, str) else value
    number = int(digits) if isinstance(digits, str) and re.fullmatch(r"[+-]?\d{1,18}", digits) else digits
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    if (
        not isinstance(number, int)
        or isinstance(number, bool)
        or number not in range(slot.low, slot.high + 1, slot.step)
    ):
        raise IllegalAction(slot.name, f"{_quoted(value)} is not possible; {allowed(slot)}")
    return number


def _folded(text: str) -> str:
    """Return the text without case, spaces, hyphens and arrows, for comparison."""
    return re.sub(r"\s*(?:->|→|[\s_–-])\s*", " ", text.strip(AROUND)).casefold()


def _quoted(value: Any) -> str:
    text = str(value)
    return repr(text if len(text) <= 60 else text[:60] + "…")
