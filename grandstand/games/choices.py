"""The grammar of moves: a seat's answer in slots, and what follows from it for every game alike.

A game states the slots that come next, given what is chosen so far. The slots of one stage do not depend on each other;
a later stage may depend on the ones before it. The answer is whole when no slot comes next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

REASONING: Final = "reasoning"
"""The key of a player's own thought, which is no choice."""
NEAREST: Final = 3
"""Words that a refusal suggests."""
LISTED: Final = 40
"""Options of a slot that a refusal lists in full."""


class Option(NamedTuple):
    """One thing that may be chosen in a slot."""

    word: str
    """Unique in its slot, and stable over versions: `A PAR - BUR`, `yorker`, `raise`."""
    text: str = ""
    """For people and prompts; empty where the word says all."""
    target: str = ""
    """The place of the picture that chooses this option when it is clicked; or two, apart by a space, which are clicked
    in turn: whom it helps, and where to. Twice the same one says: where that is."""
    help: str = ""
    """A sentence on what it does."""
    kind: str = ""
    """What kind of choice it is, where a slot has several: `move`, `support`."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A slot for one of its options."""

    name: str
    options: Sequence[Option]
    """At least one."""
    prompt: str = ""
    """The question in plain words; the name asks it where this is empty."""
    default: str | None = None
    """The word for an answer that leaves the slot out; None if no answer may."""


@dataclass(frozen=True, slots=True)
class Many:
    """A slot for a set of its options: recipients, builds. Options with the same target exclude each other."""

    name: str
    options: Sequence[Option]
    least: int
    most: int
    """At most as many as there are different targets; an option without a target is one by itself."""
    prompt: str = ""
    default: tuple[str, ...] | None = None
    """The words for an answer that leaves the slot out; None if no answer may."""
    stop: str = "done"
    """The word that ends a set of fewer than `most`, for players that choose it word by word."""
    free: int = 0
    """Characters of a text that may be chosen beside the options; 0 if none may."""


@dataclass(frozen=True, slots=True)
class Number:
    """A slot for a number: a bet, a bid."""

    name: str
    low: int
    high: int
    step: int = 1
    unit: str = ""
    prompt: str = ""
    default: int | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """A slot for free text: a letter, a speech. An answer may leave it out; it is empty then."""

    name: str
    limit: int
    """Characters, at most."""
    prompt: str = ""


Slot: TypeAlias = Pick | Many | Number | Text
Value: TypeAlias = str | int | tuple[str, ...]
"""What is chosen in a slot: a word or a text, a number, or the words of a set in the order of the options."""
Chosen: TypeAlias = Mapping[str, Value]
"""What is chosen so far, by the name of the slot, in the order of the stages."""
Grammar: TypeAlias = Callable[[Chosen], Sequence[Slot]]
"""(what is chosen in the stages so far) -> the slots of the next stage; none if the answer is whole."""


def picks(*words: str) -> tuple[Option, ...]:
    """Return options whose words say all."""
    return tuple(map(Option, words))


def fill(grammar: Grammar, value: Callable[[Slot], Value]) -> dict[str, Value]:
    """Return the whole answer that has `value(slot)` in each slot."""
    chosen: dict[str, Value] = {}
    while slots := grammar(chosen):
        chosen |= {slot.name: value(slot) for slot in slots}
    return chosen


def default(grammar: Grammar) -> dict[str, Value]:
    """Return the whole answer of a seat that leaves out what it may, and takes the first options for the rest."""
    return fill(grammar, default_value)


def drawn(grammar: Grammar, rng: Random) -> dict[str, Value]:
    """Return a whole answer drawn slot by slot, each value of a slot equally likely; texts are empty."""
    return fill(grammar, lambda slot: drawn_value(slot, rng))


def default_value(slot: Slot) -> Value:
    """Return the slot's default; where it has none, the first option, the first options, or the least number."""
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
    """Return what two options of a set that exclude each other have in common."""
    return option.target or option.word


def _first(options: Iterable[Option], count: int) -> list[str]:
    """Return the words of the first options of which no two exclude each other."""
    words: dict[str, str] = {}
    for option in options:
        words.setdefault(place(option), option.word)
    return list(words.values())[:count]


def allowed(slot: Slot, value: Any = None) -> str:
    """Return what the slot takes; of many options, those nearest to `value`."""
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
