"""The grammar of moves: a seat's answer in slots, and functions on it for any game.

A game states the slots that come next, given what is chosen so far. The slots of one stage do not depend on each other;
a later stage may depend on the ones before it. The answer is complete when no slot comes next.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from random import Random
from typing import Any, Final, Literal, NamedTuple, TypeAlias

REASONING: Final = "reasoning"
"""The key of a player's reasoning, which is not a choice."""
NEAREST: Final = 3
"""The most words that a refusal suggests."""
LISTED: Final = 40
"""The most options of a slot that a refusal lists in full."""


class Option(NamedTuple):
    """An option of a slot."""

    word: str
    """Unique in its slot, and stable over versions: `A PAR - BUR`, `yorker`, `raise`."""
    text: str = ""
    """For people and prompts; empty if the word is clear by itself."""
    target: str = ""
    """The place of the picture that chooses this option when it is clicked; or two, apart by a space, which are clicked
    in turn: whom it helps, and where to. Twice the same one says: where that is."""
    help: str = ""
    """A sentence on what it does."""
    kind: str = ""
    """The kind of choice, if a slot has several: `move`, `support`."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A slot that takes one of its options."""

    name: str
    options: Sequence[Option]
    """At least one."""
    prompt: str = ""
    """The question in plain words; the name asks it where this is empty."""
    default: str | None = None
    """The word for an answer that leaves the slot out; None if no answer may."""


@dataclass(frozen=True, slots=True)
class Many:
    """A slot that takes a set of its options: recipients, builds. Options with the same target exclude each other."""

    name: str
    options: Sequence[Option]
    least: int
    most: int
    """At most the number of different targets; an option without a target counts as its own."""
    prompt: str = ""
    default: tuple[str, ...] | None = None
    """The words for an answer that leaves the slot out; None if no answer may."""
    stop: str = "done"
    """The word that ends a set of fewer than `most`, for players that choose it word by word."""
    free: int = 0
    """The most characters of a free text beside the options; 0 if none is allowed."""


@dataclass(frozen=True, slots=True)
class Number:
    """A slot that takes a number: a bet, a bid."""

    name: str
    low: int
    high: int
    step: int = 1
    unit: str = ""
    prompt: str = ""
    default: int | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """A slot that takes free text: a letter, a speech. It is empty if an answer leaves it out."""

    name: str
    limit: int
    """The most characters."""
    prompt: str = ""


Slot: TypeAlias = Pick | Many | Number | Text
Value: TypeAlias = str | int | tuple[str, ...]
"""The value of a slot: a word or a text, a number, or the words of a set in the order of the options."""
Chosen: TypeAlias = Mapping[str, Value]
"""The values chosen so far, by the name of the slot, in the order of the stages."""
Grammar: TypeAlias = Callable[[Chosen], Sequence[Slot]]
"""(the values chosen in the stages so far) -> the slots of the next stage; none if the answer is complete."""


def picks(*words: str) -> tuple[Option, ...]:
    """Return options that have words alone."""
    return tuple(map(Option, words))


def fill(grammar: Grammar, value: Callable[[Slot], Value]) -> dict[str, Value]:
    """Return the answer that has `value(slot)` in each slot."""
    chosen: dict[str, Value] = {}
    while slots := grammar(chosen):
        chosen |= {slot.name: value(slot) for slot in slots}
    return chosen


def default(grammar: Grammar) -> dict[str, Value]:
    """Return the answer with the default of each slot, and the first options where there is none."""
    return fill(grammar, default_value)


def drawn(grammar: Grammar, rng: Random) -> dict[str, Value]:
    """Return a random answer, drawn slot by slot with each value equally likely; texts are empty."""
    return fill(grammar, lambda slot: drawn_value(slot, rng))


def default_value(slot: Slot) -> Value:
    """Return the slot's default; without one, the first option, the first options, or the least number."""
    if isinstance(slot, Text):
        return ""
    if slot.default is not None:
        return slot.default
    if isinstance(slot, Number):
        return slot.low
    return slot.options[0].word if isinstance(slot, Pick) else tuple(_first(slot.options, slot.least))


def drawn_value(slot: Slot, rng: Random) -> Value:
    """Return a value of the slot at random. Of a set, the size is drawn first."""
    if isinstance(slot, Text):
        return ""
    if isinstance(slot, Pick):
        return rng.choice(slot.options).word
    if isinstance(slot, Number):
        return rng.randrange(slot.low, slot.high + 1, slot.step)
    shuffled = rng.sample(slot.options, len(slot.options))
    words = set(_first(shuffled, rng.randint(slot.least, slot.most)))
    return tuple(option.word for option in slot.options if option.word in words)


def offers(slot: Slot, value: Value) -> bool:
    """Return whether the slot takes the value."""
    if isinstance(slot, Text):
        return isinstance(value, str) and len(value) <= slot.limit
    if isinstance(slot, Number):
        return value in range(slot.low, slot.high + 1, slot.step)
    if isinstance(slot, Pick):
        return any(option.word == value for option in slot.options)
    taken = [option for option in slot.options if isinstance(value, tuple) and option.word in value]
    words = tuple(option.word for option in taken)
    if not isinstance(value, tuple) or value[: len(words)] != words or len(set(map(place, taken))) < len(taken):
        return False
    return slot.least <= len(value) <= slot.most and all(len(word) <= slot.free for word in value[len(words) :])


def place(option: Option) -> str:
    """Return a key that options of a set share if they exclude each other."""
    return option.target or option.word


def _first(options: Iterable[Option], count: int) -> list[str]:
    """Return the words of the first `count` options of which no two exclude each other."""
    words: dict[str, str] = {}
    for option in options:
        words.setdefault(place(option), option.word)
    return list(words.values())[:count]


def allowed(slot: Slot, value: Any = None) -> str:
    """Return a sentence on the values of the slot; of many options, those nearest to `value`."""
    if isinstance(slot, Number):
        steps = f" in steps of {slot.step}" if slot.step > 1 else ""
        return f"give a whole number from {slot.low} to {slot.high}{steps}"
    if isinstance(slot, Text):
        return f"give text of at most {slot.limit} characters"
    words = [option.word for option in slot.options]
    count = "one" if isinstance(slot, Pick) else f"{span(slot)} different ones"
    if len(words) <= LISTED and value is None:
        return f"give {count} of {', '.join(words)}"
    near = get_close_matches(str(value), words, NEAREST, 0) if value is not None else words[:NEAREST]
    return f"give {count} of {len(words)}, such as {', '.join(near)}"


def span(slot: Many) -> str:
    return str(slot.least) if slot.least == slot.most else f"{slot.least} to {slot.most}"


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
