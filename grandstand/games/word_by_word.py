"""A seat's answer word by word, for policies that choose among the words that may come next."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from grandstand.games.choices import Chosen, Grammar, Many, Number, Option, Pick, Slot, Value, place


class Word(NamedTuple):
    """A word that may come next, and the piece of JSON that stands for it in an answer."""

    slot: str
    """The name of the slot."""
    word: str
    json: str
    """None of a step's pieces begins another."""


Step: TypeAlias = Sequence[Word]
"""The words of which one comes next; never empty."""


class Walk:
    """The way through a grammar that some words take: what they choose, and the steps that come next."""

    def __init__(self, grammar: Grammar, words: Sequence[str]) -> None:
        """Raise ValueError naming the word that cannot be chosen."""
        self._words = words
        self._done = 0
        self.chosen: dict[str, Value] = {}
        self.steps: list[Step] = []
        """Steps that do not depend on each other; none if the answer is whole."""
        while not self.steps and (slots := grammar(dict(self.chosen))):
            self.steps = self._stage(slots)
        if not self.steps and self._done < len(words):
            raise ValueError(f"the answer is whole before {words[self._done]!r}")

    def _stage(self, slots: Sequence[Slot]) -> list[Step]:
        """Choose in the slots of a stage, and return the steps for which there are no more words."""
        steps: list[Step] = []
        for number, slot in enumerate(slots, len(self.chosen)):
            if isinstance(slot, Many):
                if steps or (steps := self._set(slot, number)):
                    return steps
            elif isinstance(slot, Pick | Number):
                step = [Word(slot.name, word, _key(slot.name, number) + json.dumps(word)) for word in _words(slot)]
                if self._done == len(self._words):
                    steps.append(step)
                else:
                    word = self._next(step)
                    self.chosen[slot.name] = int(word) if isinstance(slot, Number) else word
            else:
                self.chosen[slot.name] = ""
        return steps

    def _set(self, slot: Many, number: int) -> list[Step]:
        """Choose a set, and return the next step of it if there are no more words."""
        words: list[str] = []
        while step := list(_set_step(slot, words, _key(slot.name, number))):
            if self._done == len(self._words):
                return [step]
            word = self._next(step)
            if word == slot.stop:
                break
            words.append(word)
        self.chosen[slot.name] = tuple(words)
        return []

    def _next(self, step: Step) -> str:
        word = self._words[self._done]
        if word not in (offered := [option.word for option in step]):
            raise ValueError(f"{word!r} is none of {', '.join(offered)}")
        self._done += 1
        return word


def words_of(grammar: Grammar, chosen: Chosen) -> list[str]:
    """Return the words of a whole answer."""
    words: list[str] = []
    before: dict[str, Value] = {}
    while slots := grammar(before):
        for slot in slots:
            value = chosen[slot.name]
            if isinstance(slot, Many):
                assert isinstance(value, tuple)
                words += value
                if list(_set_step(slot, value, "")):
                    words.append(slot.stop)
            elif isinstance(slot, Pick | Number):
                words.append(str(value))
            before[slot.name] = value
    return words


def _words(slot: Pick | Number) -> list[str]:
    if isinstance(slot, Pick):
        return [option.word for option in slot.options]
    return [str(number) for number in range(slot.low, slot.high + 1, slot.step)]


def _set_step(slot: Many, words: Sequence[str], key: str) -> Iterator[Word]:
    """Yield the options after the last one with which the set can still be large enough, and the word to stop."""
    if len(words) == slot.most:
        return
    rest = _after(slot.options, words)
    begin = ", " if words else f"{key}["
    for at, option in enumerate(rest):
        if len({place(later) for later in rest[at:]}) >= slot.least - len(words):
            end = "]" if len(words) + 1 == slot.most else ""
            yield Word(slot.name, option.word, begin + json.dumps(option.word) + end)
    if len(words) >= slot.least:
        yield Word(slot.name, slot.stop, "]" if words else f"{key}[]")


def _after(options: Sequence[Option], words: Sequence[str]) -> Sequence[Option]:
    """Return the options that come after those chosen, so that no two ways lead to the same set."""
    if not words:
        return options
    last = next(option for option in options if option.word == words[-1])
    return [option for option in options[options.index(last) + 1 :] if place(option) != place(last)]


def _key(name: str, number: int) -> str:
    return f"{', ' if number else ''}{json.dumps(name)}: "
