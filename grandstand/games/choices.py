"""The grammar of moves: a seat's answer in slots, and functions on it for any game.

A game states the slots that come next, given what is chosen so far. The slots of one stage do not depend on each other;
a later stage may depend on the ones before it. The answer is complete when no slot comes next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

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
