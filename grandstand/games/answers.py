"""A seat's answer as data: its JSON schema, the reader that forgives its form, and the legal choices as text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final

from grandstand.games.base import IllegalAction, Json
from grandstand.games.choices import (
    Chosen,
    Grammar,
    Many,
    Number,
    Option,
    Pick,
    Slot,
    Text,
    Value,
    default_value,
    place,
)

WRAPPERS: Final = ("action", "answer", "move", "choice", "arguments")
"""Keys under which an answer may stand, where they name no slot."""
REASONING: Final = "reasoning"
"""The key of a player's own thought, which is no choice."""
AROUND: Final = " \t\n,;.*'\"`"
"""Characters around a word that do not count."""
NEAREST: Final = 3
"""Words that a refusal suggests."""
LISTED: Final = 40
"""Options of a slot that a refusal lists in full."""


def read(grammar: Grammar, answer: Json, keys: Collection[str] = ()) -> dict[str, Value]:
    """Return the choices of an answer: an object by slot, a list of words, or a bare word, by itself or under one of
    `keys` or WRAPPERS.

    Slots that have a default may be left out. Case, spaces, hyphens and arrows are forgiven. Raise IllegalAction naming
    the slot at fault, what was read, and the nearest words.
    """
    parts = _Answer(answer, {*WRAPPERS, *keys})
    chosen: dict[str, Value] = {}
    while slots := grammar(dict(chosen)):
        chosen |= parts.stage(slots)
    parts.check_used(chosen)
    return chosen


def schema(grammar: Grammar) -> Json:
    """Return the JSON schema of the answer: a property for each slot. Slots of later stages, whose options depend on
    the ones before, have the options of every way there, and may be null."""
    first = [slot.name for slot in grammar({})]
    properties: dict[str, Json] = {REASONING: {"type": "string"}}
    for name, slots in reachable(grammar).items():
        property_ = _property(slots)
        properties[name] = property_ if name in first else {"anyOf": [property_, {"type": "null"}]}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def listing(grammar: Grammar) -> str:
    """Return the legal choices as lines for a prompt: the first stage, then what comes after each of its options."""
    return "\n".join(_lines(grammar))


def reachable(grammar: Grammar) -> dict[str, list[Slot]]:
    """Return the slots by name that can come up; a later stage is looked up after each option of the ones before."""
    slots: dict[str, list[Slot]] = {}
    for _, stage in ways(grammar):
        for slot in stage:
            if slot not in slots.setdefault(slot.name, []):
                slots[slot.name].append(slot)
    return slots


def ways(grammar: Grammar, chosen: Chosen | None = None) -> Iterator[tuple[Chosen, Sequence[Slot]]]:
    """Yield every stage with what is chosen before it. One slot of a stage varies at a time, the others have their
    defaults."""
    before = dict(chosen or {})
    slots = grammar(before)
    if not slots:
        return
    yield before, slots
    defaults = {**before, **{slot.name: default_value(slot) for slot in slots}}
    for slot in slots:
        if isinstance(slot, Pick):
            for option in slot.options:
                yield from ways(grammar, {**defaults, slot.name: option.word})
    if not any(isinstance(slot, Pick) for slot in slots):
        yield from ways(grammar, defaults)


class _Answer:
    """The parts of an answer that no slot has taken so far."""

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
            self._words += answer
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
        raise IllegalAction(slot.name, f"is missing; {_allowed(slot)}")

    def check_used(self, chosen: Chosen) -> None:
        """Raise IllegalAction naming a part that belongs to no slot."""
        for name, value in self._fields.values():
            raise IllegalAction(name, f"{_quoted(value)}: there is no such choice; there are {', '.join(chosen)}")
        if self._words:
            raise IllegalAction("answer", f"{_quoted(self._words[0])} belongs to none of {', '.join(chosen)}")


def value_of(slot: Slot, value: Any) -> Value:
    """Return what `value` chooses in the slot. Raise IllegalAction naming the slot, what was read and the remedy."""
    if isinstance(slot, Pick):
        return _word(slot, slot.name, value)
    if isinstance(slot, Number):
        return _number(slot, value)
    if isinstance(slot, Text):
        if not isinstance(value, str) or len(value) > slot.limit:
            raise IllegalAction(slot.name, f"must be text of at most {slot.limit} characters")
        return value
    items = value if isinstance(value, list | tuple) else [value]
    words = {_word(slot, f"{slot.name}[{index}]", item) for index, item in enumerate(items)}
    taken = [option for option in slot.options if option.word in words]
    if not slot.least <= len(taken) <= slot.most or len(set(map(place, taken))) < len(taken):
        raise IllegalAction(slot.name, f"has {len(taken)}; {_allowed(slot)}")
    return tuple(option.word for option in taken)


def _word(slot: Pick | Many, field: str, value: Any) -> str:
    word = _match(slot.options, value) or _match(slot.options, f"{slot.name} {value}")
    if word is None:
        raise IllegalAction(field, f"{_quoted(value)} is not possible; {_allowed(slot, value)}")
    return word


def _match(options: Sequence[Option], value: Any) -> str | None:
    """Return the word that was meant; None if there is none."""
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
        raise IllegalAction(slot.name, f"{_quoted(value)} is not possible; {_allowed(slot)}")
    return number


def _folded(text: str) -> str:
    """Return the text without the differences of spelling that are forgiven."""
    return re.sub(r"\s*(?:->|→|[\s_–-])\s*", " ", text.strip(AROUND)).casefold()


def _quoted(value: Any) -> str:
    text = str(value)
    return repr(text if len(text) <= 60 else text[:60] + "…")


def _allowed(slot: Slot, value: Any = None) -> str:
    """Return what the slot takes; of many options, those nearest to `value`."""
    if isinstance(slot, Number):
        steps = f" in steps of {slot.step}" if slot.step > 1 else ""
        return f"give a whole number from {slot.low} to {slot.high}{steps}"
    if isinstance(slot, Text):
        return f"give text of at most {slot.limit} characters"
    words = [option.word for option in slot.options]
    count = "one" if isinstance(slot, Pick) else f"{_span(slot)} different ones"
    if len(words) <= LISTED and value is None:
        return f"give {count} of {', '.join(words)}"
    near = get_close_matches(str(value), words, NEAREST, 0) if value is not None else words[:NEAREST]
    return f"give {count} of {len(words)}, such as {', '.join(near)}"


def _span(slot: Many) -> str:
    return str(slot.least) if slot.least == slot.most else f"{slot.least} to {slot.most}"


def _property(slots: Sequence[Slot]) -> Json:
    """Return the schema of a slot that can have any of these forms."""
    first = slots[0]
    if isinstance(first, Text):
        return {"type": "string", "description": first.prompt} if first.prompt else {"type": "string"}
    if isinstance(first, Number):
        numbers = [slot for slot in slots if isinstance(slot, Number)]
        low, high = min(slot.low for slot in numbers), max(slot.high for slot in numbers)
        return {"type": "integer", "minimum": low, "maximum": high}
    options = dict.fromkeys(option.word for slot in slots if isinstance(slot, Pick | Many) for option in slot.options)
    words = {"type": "string", "enum": list(options)}
    return words if isinstance(first, Pick) else {"type": "array", "items": words}


def _lines(grammar: Grammar) -> Iterator[str]:
    for before, slots in ways(grammar):
        path = ", ".join(f"{name} {value}" for name, value in before.items() if value)
        yield from (f"after {path}: {_line(slot)}" if path else _line(slot) for slot in slots)


def _line(slot: Slot) -> str:
    """Return a slot as one line: its name, the question, and what it takes."""
    question = f" ({slot.prompt})" if slot.prompt else ""
    if isinstance(slot, Text | Number):
        return f"{slot.name}{question}: {_allowed(slot)}"
    words = ", ".join(f"{option.word} ({option.text})" if option.text else option.word for option in slot.options)
    count = "" if isinstance(slot, Pick) else f" {_span(slot)} of"
    return f"{slot.name}{question}:{count} {words}"
