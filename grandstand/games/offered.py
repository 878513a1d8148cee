"""The choices of a seat in four forms: lines of a prompt, JSON schemas, tools, and plain data."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

from grandstand.games.base import IllegalAction, Json
from grandstand.games.choices import (
    OBJECT,
    REASONING,
    Chosen,
    Grammar,
    Layout,
    Many,
    Number,
    Option,
    Pick,
    Slot,
    Text,
    allowed,
    default_value,
    span,
)

MOST_WORDS: Final = 250
"""The most options of a slot that a schema lists, by the limits of endpoints; with more, it is a string."""
LISTED: Final = 12
"""The most options of a set in a later stage that a prompt lists; with more, it has the first as examples."""
ACT: Final = "act"
"""The tool of a game whose first stage is not one pick of words that can name tools."""
MOST_TOOLS: Final = 20
"""The most options of the first stage that become tools; with more, they are words of the tool ACT."""
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""The names of tools that clients accept."""


def reachable(grammar: Grammar, chosen: Chosen | None = None) -> dict[str, list[Slot]]:
    """Return the slots by name that can follow the choices so far; a later stage is looked up after each option of
    the ones before."""
    slots: dict[str, list[Slot]] = {}
    for _, stage in ways(grammar, chosen):
        for slot in stage:
            if slot not in slots.setdefault(slot.name, []):
                slots[slot.name].append(slot)
    return slots


def ways(grammar: Grammar, chosen: Chosen | None = None) -> Iterator[tuple[Chosen, Sequence[Slot]]]:
    """Yield every stage with the choices before it. One slot of a stage varies at a time, the others have their
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


def without(grammar: Grammar, words: Collection[str]) -> Grammar:
    """Return the choices without some options of the first slot."""

    def slots(chosen: Chosen) -> Sequence[Slot]:
        stage = grammar(chosen)
        if chosen or not stage or not isinstance(pick := stage[0], Pick):
            return stage
        return [replace(pick, options=[option for option in pick.options if option.word not in words]), *stage[1:]]

    return slots if words else grammar


# --- as lines of a prompt ---------------------------------------------------------------------------------------------


def listing(grammar: Grammar) -> str:
    """Return the legal choices as lines for a prompt: a line for each slot, or for each option of the one slot of the
    first stage, with the slots that come after it.

    Options that begin with the slot's name are written without it, and those that differ in the last word together:
    `A PAR: H | - BUR, GAS | S A MAR - BUR`. The words of a later slot that an earlier line has are not repeated.
    """
    first = grammar({})
    if len(first) == 1 and isinstance(pick := first[0], Pick):
        earlier: dict[frozenset[str], str] = {}
        later = [_later(grammar, {pick.name: option.word}, earlier) for option in pick.options]
        if any(later):
            lines = [f"- {_named(option)}{slots}" for option, slots in zip(pick.options, later, strict=True)]
            return "\n".join([f"{_head(pick)}:", *lines])
    lines = [_line(slot) for slot in first]
    for before, slots in ways(grammar):
        if path := ", ".join(f"{name} {value}" for name, value in before.items() if value):
            lines += [f"after {path}: {_line(slot)}" for slot in slots]
    return "\n".join(lines)


def _later(grammar: Grammar, chosen: Chosen, earlier: dict[frozenset[str], str]) -> str:
    """Return the slots that can come after what is chosen, in parentheses: `(length: natural, yorker; ...)`. One that
    does not come after the defaults names the option after which it comes. `earlier` are the words listed so far."""
    usual = {slot.name: default_value(slot) for slot in grammar(chosen)}
    slots: dict[str, list[Slot]] = {}
    after: dict[str, str] = {}
    for before, stage in ways(grammar, chosen):
        other = next((f"after {value}, " for name, value in before.items() if usual.get(name, value) != value), "")
        for slot in stage:
            slots.setdefault(slot.name, []).append(slot)
            after.setdefault(slot.name, other)
    texts = [f"{after[name]}{name}: {_shortened(name, forms, earlier)}" for name, forms in slots.items()]
    return f"({'; '.join(texts)})" if texts else ""


def _shortened(name: str, slots: Sequence[Slot], earlier: dict[frozenset[str], str]) -> str:
    """Return the values of a slot, without words that an earlier slot lists beside this one's default."""
    slot = slots[0]
    if not isinstance(slot, Pick):
        return _words(slots)
    words = [option.word for option in _union(slots)]
    others = frozenset(words) - {slot.default}
    if len(others) > 1 and others in earlier:
        return f"{slot.default}, or as {'above' if earlier[others] == name else earlier[others]}"
    earlier.setdefault(frozenset(words), name)
    return _words(slots)


def _line(slot: Slot) -> str:
    """Return a slot as one line: its name, the question, and what it takes."""
    if isinstance(slot, Pick) and all(option.word.startswith(f"{slot.name} ") for option in slot.options):
        endings: dict[str, list[str]] = {}
        for option in slot.options:
            beginning, space, last = option.word.removeprefix(f"{slot.name} ").rpartition(" ")
            endings.setdefault(beginning + space, []).append(last)
        groups = (f"{beginning}{', '.join(words)}" for beginning, words in endings.items())
        return f"{_head(slot)}: {' | '.join(groups)}"
    return f"{_head(slot)}: {_words([slot], in_full=True)}"


def _words(slots: Sequence[Slot], in_full: bool = False) -> str:
    """Return the values of a slot that can have any of these forms. Options of a set that exclude each other are joined
    by `or`."""
    slot = slots[0]
    if isinstance(slot, Text | Number):
        return allowed(slot)
    options = _union(slots)
    if isinstance(slot, Pick):
        return ", ".join(map(_named, options))
    if len(options) > LISTED and not in_full:
        return f"{span(slot)} of {len(options)}, such as {', '.join(option.word for option in options[:3])}"
    places = groupby(options, lambda option: option.target or option.word)
    return f"{span(slot)} of {', '.join(' or '.join(map(_named, some)) for _, some in places)}"


def _union(slots: Sequence[Slot]) -> list[Option]:
    return list(dict.fromkeys(option for slot in slots if isinstance(slot, Pick | Many) for option in slot.options))


def _named(option: Option) -> str:
    return f"{option.word} ({option.text})" if option.text else option.word


def _head(slot: Slot) -> str:
    return f"{slot.name} ({slot.prompt})" if slot.prompt else slot.name


# --- as JSON schemas --------------------------------------------------------------------------------------------------


def schema(grammar: Grammar, layout: Layout = OBJECT) -> Json:
    """Return the JSON schema of an answer in this shape, every property required and no others. Slots of later stages,
    whose options depend on the ones before, have the options of every way there, and may be null."""
    reasoning: dict[str, Json] = {REASONING: {"type": "string"}}
    if not layout.listed:
        return _object({**reasoning, **_properties(grammar)})
    if layout.keyed:
        return _object({**reasoning, layout.listed: {"type": "array", "items": _item(grammar, layout)}})
    slots = {slot.name: slot for slot in grammar({})}
    words = [option.word for name in slots if name not in layout.beside for option in _union([slots[name]])]
    beside = {name: _property([slots[name]]) for name in layout.beside if name in slots}
    return _object({**reasoning, layout.listed: {"type": "array", "items": _enum(words)}, **beside})


def _item(grammar: Grammar, layout: Layout) -> Json:
    """Return the schema of one of several answers: split by the first pick if the slots after it are nested."""
    [first, *_] = grammar({})
    if not layout.nested or not isinstance(first, Pick):
        return _object(_properties(grammar))
    forms = []
    for option in first.options:
        arguments = _properties(grammar, {first.name: option.word})
        tool = {"type": "string", "enum": [option.word]}
        forms.append(_object({first.name: tool, layout.nested: _object(arguments)}))
    return {"anyOf": forms}


def _properties(grammar: Grammar, chosen: Chosen | None = None) -> dict[str, Json]:
    """Return a property for each slot after the choices so far; it may be null if the slot can be left out."""
    always = {slot.name for slot in grammar(chosen or {}) if not chosen or not _optional(slot)}
    properties = {name: _property(slots) for name, slots in reachable(grammar, chosen).items()}
    return {name: each if name in always else {"anyOf": [each, {"type": "null"}]} for name, each in properties.items()}


def _optional(slot: Slot) -> bool:
    return isinstance(slot, Text) or slot.default is not None


def _property(slots: Sequence[Slot]) -> Json:
    """Return the schema of a slot that can have any of these forms."""
    first = slots[0]
    if isinstance(first, Text):
        return {"type": "string", "description": first.prompt} if first.prompt else {"type": "string"}
    if isinstance(first, Number):
        numbers = [slot for slot in slots if isinstance(slot, Number)]
        low, high = min(slot.low for slot in numbers), max(slot.high for slot in numbers)
        return {"type": "integer", "minimum": low, "maximum": high}
    words = _enum([option.word for option in _union(slots)])
    if isinstance(first, Pick):
        return words
    return {"type": "array", "items": {"type": "string"} if first.free else words}


def _enum(words: Sequence[str]) -> Json:
    return {"type": "string", "enum": list(words)} if 0 < len(words) <= MOST_WORDS else {"type": "string"}


def _object(properties: Mapping[str, Json], required: Collection[str] | None = None) -> Json:
    required = list(properties if required is None else required)
    return {"type": "object", "properties": dict(properties), "required": required, "additionalProperties": False}


# --- as tools and as data ---------------------------------------------------------------------------------------------


def tools(grammar: Grammar, taken: Collection[str] = ()) -> list[Json]:
    """Return the choices as tools: name, description and the JSON schema of the arguments. Each option of the first
    stage is a tool and the later slots are its arguments, if that stage is one pick of few words that can name tools
    and are not `taken`; else there is one tool, ACT."""
    slots = grammar({})
    if pick := _pick_of_tools(slots, taken):
        return _option_tools(grammar, pick)
    prompts = "".join(f" {slot.prompt}." for slot in slots if slot.prompt)
    return [_tool(ACT, f"Answer for the seat.{prompts}", grammar, {})] if slots else []


def called(grammar: Grammar, tool: str, arguments: Mapping[str, Any], taken: Collection[str] = ()) -> dict[str, Any]:
    """Return a call of one of `tools` as an answer by slot. Raise IllegalAction naming a tool that is not offered."""
    names = [each["name"] for each in tools(grammar, taken)]
    if tool not in names:
        there = f"there are {', '.join(names)}" if names else "there is none"
        raise IllegalAction(tool, f"is not among the tools that are offered now; {there}")
    pick = _pick_of_tools(grammar({}), taken)
    before = {pick.name: tool} if pick else {}
    slots = {_key(name): name for name in reachable(grammar, before)}
    return {**{slots.get(key, key): value for key, value in arguments.items()}, **before}


def _pick_of_tools(slots: Sequence[Slot], taken: Collection[str]) -> Pick | None:
    """Return the slot whose options are tools; None if there is one tool for all slots."""
    if len(slots) != 1 or not isinstance(pick := slots[0], Pick) or len(pick.options) > MOST_TOOLS:
        return None
    words = [option.word for option in pick.options]
    return pick if all(_NAME.fullmatch(word) for word in words) and not set(words) & set(taken) else None


def _option_tools(grammar: Grammar, pick: Pick) -> list[Json]:
    return [
        _tool(option.word, option.help or option.text, grammar, {pick.name: option.word}) for option in pick.options
    ]


def _tool(name: str, description: str, grammar: Grammar, chosen: Chosen) -> Json:
    required = [_key(slot.name) for slot in grammar(chosen) if not _optional(slot)]
    arguments = {_key(name): _property(slots) for name, slots in reachable(grammar, chosen).items()}
    return {"name": name, "description": description, "parameters": _object(arguments, required)}


def _key(name: str) -> str:
    """Return the name of a slot as an argument, in the letters that clients take: `A_PAR`."""
    return re.sub(r"[^A-Za-z0-9_.-]", "_", name)


def legal(grammar: Grammar, layout: Layout = OBJECT) -> dict[str, Json]:
    """Return the choices as data, in the shape of an answer: the values of each slot by its name; words that are listed
    without names stand under the key of the list; and where the slots after the first are nested, its options are
    `tools`, and `must` is the first of them. `count` has the least and the most words of sets that are listed."""
    if layout.nested:
        options = [each for slot in grammar({})[:1] if isinstance(slot, Pick) for each in _option_tools(grammar, slot)]
        return {"must": options[0]["name"] if options else None, "tools": options}
    takes = {slot.name: _takes(slot) for slot in grammar({})}
    if layout.keyed or not layout.listed:
        return takes
    beside = {name: takes.pop(name) for name in layout.beside if name in takes}
    count = {slot.name: [slot.least, slot.most] for slot in grammar({}) if isinstance(slot, Many)}
    return {layout.listed: takes, **beside, **({"count": count} if count else {})}


def _takes(slot: Slot) -> Json:
    """Return the words that may be chosen, the bounds of a number, or the length of a text."""
    if isinstance(slot, Pick | Many):
        return [option.word for option in slot.options]
    return [slot.low, slot.high] if isinstance(slot, Number) else slot.limit
