"""A seat's answer word by word, for policies that choose among the words that may come next."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

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
    place,
)


class Word(NamedTuple):
    """A word that may come next."""

    slot: str
    """The name of the slot."""
    word: str
    number: int
    """The number of slots before its own."""
    items: int = 0
    """The number of words of its set before it."""
    mark: Literal["", "item", "last", "stop"] = ""
    """In a set: `item`, the last possible item, or the word to stop."""


Step: TypeAlias = Sequence[Word]
"""The possible next words; never empty."""


class Layout(NamedTuple):
    """The shape of an answer's JSON, which models are prompted for and policies write piece by piece."""

    listed: str = ""
    """The key of a list: of answers, several of which may follow each other, or of an answer's words; '' where the
    object itself is the answer."""
    keyed: bool = True
    """True if a slot is written with its name; False if the list has the words alone."""
    nested: str = ""
    """The key of an object that has the slots after the first one; '' where they stand beside it."""
    beside: tuple[str, ...] = ()
    """Names of slots that are written beside a list of words."""

    @property
    def lead(self) -> str:
        """The beginning of every answer; the end follows from it."""
        return f'{{"{self.listed}": [{"{" if self.keyed else ""}' if self.listed else "{"

    @property
    def opened(self) -> str:
        """The text after the first slot, before the others."""
        return f', "{self.nested}": {{' if self.nested else ""

    def piece(self, word: Word) -> str:
        """Return the piece of a word. No piece of a step is a prefix of another."""
        text = word.word if word.word in ("true", "false") else json.dumps(word.word)
        comma = ", " if word.items or word.number > bool(self.opened) else ""
        if not self.keyed:
            return "]" if word.mark == "stop" else comma + text
        if not word.items:
            comma += f"{json.dumps(word.slot)}: {'[' if word.mark else ''}"
        if word.mark == "stop":
            return "]" if word.items else f"{comma}]"
        return comma + text + ("]" if word.mark == "last" else "") + ("" if word.number else self.opened)


OBJECT = Layout()


class Walk:
    """A walk through a grammar by words: the choices so far, and the steps that come next."""

    def __init__(self, grammar: Grammar, words: Sequence[str]) -> None:
        """Raise ValueError naming the word that cannot be chosen."""
        self._words = words
        self._done = 0
        self._written = 0
        self.chosen: dict[str, Value] = {}
        self.steps: list[Step] = []
        """Steps that do not depend on each other; none if the answer is complete."""
        while not self.steps and (slots := grammar(dict(self.chosen))):
            self._stage(slots)
        if not self.steps and self._done < len(words):
            raise ValueError(f"the answer is whole before {words[self._done]!r}")

    def _stage(self, slots: Sequence[Slot]) -> None:
        """Choose in the slots of a stage, and add the steps that have no words yet."""
        for slot in slots:
            if isinstance(slot, Text):
                self.chosen[slot.name] = ""
                continue
            if isinstance(slot, Many):
                if self.steps or not self._set(slot):
                    return
            elif self._done == len(self._words):
                self.steps.append([Word(slot.name, word, self._written) for word in _offered(slot)])
            else:
                word = self._next(_offered(slot))
                self.chosen[slot.name] = int(word) if isinstance(slot, Number) else word
            self._written += 1

    def _set(self, slot: Many) -> bool:
        """Choose a set, and return whether it is whole; if not, add the next step of it."""
        words: list[str] = []
        while offered := list(_set_step(slot, words)):
            if self._done == len(self._words):
                self.steps.append([self._item(slot, word, len(words)) for word in offered])
                return False
            word = self._next(offered)
            if word == slot.stop:
                break
            words.append(word)
        self.chosen[slot.name] = tuple(words)
        return True

    def _item(self, slot: Many, word: str, before: int) -> Word:
        """Return a word that may come next in a set of so many words."""
        last = before + 1 == slot.most
        return Word(slot.name, word, self._written, before, "stop" if word == slot.stop else "last" if last else "item")

    def _next(self, offered: Collection[str]) -> str:
        word = self._words[self._done]
        if word not in offered:
            raise ValueError(f"{word!r} is none of {', '.join(offered)}")
        self._done += 1
        return word


def words_of(grammar: Grammar, chosen: Chosen) -> list[str]:
    """Return the words of a whole answer."""
    words: list[str] = []
    before: dict[str, Value] = {}
    while slots := grammar(dict(before)):
        for slot in slots:
            value = before[slot.name] = chosen[slot.name]
            if isinstance(value, tuple):
                words += value
                if isinstance(slot, Many) and (rest := list(_set_step(slot, value))):
                    words.append(rest[-1])
            elif not isinstance(slot, Text):
                words.append(str(value))
    return words


def _offered(slot: Pick | Number) -> list[str]:
    if isinstance(slot, Pick):
        return [option.word for option in slot.options]
    return [str(number) for number in range(slot.low, slot.high + 1, slot.step)]


def _set_step(slot: Many, words: Sequence[str]) -> Iterator[str]:
    """Yield the options after the last one with which the set can still be large enough, then the word to stop."""
    if len(words) == slot.most:
        return
    rest = _after(slot.options, words)
    for at, option in enumerate(rest):
        if len({place(later) for later in rest[at:]}) >= slot.least - len(words):
            yield option.word
    if len(words) >= slot.least:
        yield slot.stop


def _after(options: Sequence[Option], words: Sequence[str]) -> Sequence[Option]:
    """Return the options after the chosen ones, so that each set can be written in one way only."""
    if not words:
        return options
    last = next(option for option in options if option.word == words[-1])
    return [option for option in options[options.index(last) + 1 :] if place(option) != place(last)]
