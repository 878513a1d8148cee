"""The schemas of all requests in whole matches, held to the rules of strict structured output.

    python -m tests.players.llm.test_strict_schemas

prints the share of the schemas of each game that keep them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any, Final

import pytest

from grandstand.games.base import Json
from grandstand.games.catalog import BUILT_IN
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.players.llm.prompt import reply_form, with_variants

KEYWORDS: Final = {
    "object": {"type", "properties", "required", "additionalProperties", "description"},
    "array": {"type", "items", "minItems", "maxItems", "description"},
    "string": {"type", "enum", "description", "pattern"},
    "integer": {"type", "enum", "minimum", "maximum", "multipleOf", "description"},
    "null": {"type"},
}
"""Type -> the keywords that strict mode takes beside it."""
PROPERTIES, DEPTH, ENUMS, CHARACTERS = 5000, 10, 1000, 120_000
"""The most properties, nested objects, words of all enums, and characters of names and words in a schema."""
LONG_ENUM, LONG_ENUM_CHARACTERS = 250, 15_000
"""The words of an enum from which their characters are limited, too."""


def broken(schema: Json) -> list[str]:
    """Return the rules of strict mode that a schema breaks: those of OpenAI's structured output, of February 2026."""
    nodes = list(_nodes(schema, 1))
    objects = [node for node, _ in nodes if node.get("type") == "object"]
    enums = [[str(word) for word in node["enum"]] for node, _ in nodes if "enum" in node]
    names = [name for node in objects for name in node["properties"]]
    rules = {
        "the root is an object": schema.get("type") == "object",
        "all properties are required": all(list(node["properties"]) == node["required"] for node in objects),
        "no others are allowed": all(node["additionalProperties"] is False for node in objects),
        "only known keywords": all(
            node.keys() == {"anyOf"} or node.keys() <= KEYWORDS.get(node.get("type"), set()) for node, _ in nodes
        ),
        f"at most {PROPERTIES} properties": len(names) <= PROPERTIES,
        f"at most {DEPTH} levels": max(depth for _, depth in nodes) <= DEPTH,
        f"at most {ENUMS} words": sum(map(len, enums)) <= ENUMS,
        f"at most {CHARACTERS} characters": len("".join([*names, *(word for enum in enums for word in enum)]))
        <= CHARACTERS,
        "no empty enum, and no word twice": all(enum and len(set(enum)) == len(enum) for enum in enums),
        "no long enum of long words": all(
            len(enum) <= LONG_ENUM or len("".join(enum)) <= LONG_ENUM_CHARACTERS for enum in enums
        ),
    }
    return [rule for rule, kept in rules.items() if not kept]


def _nodes(schema: Any, depth: int) -> Iterator[tuple[Any, int]]:
    """Yield a schema and those in it, with the number of objects around each, itself included."""
    yield schema, depth
    for inner in schema.get("properties", {}).values():
        yield from _nodes(inner, depth + 1)
    if "items" in schema:
        yield from _nodes(schema["items"], depth)
    for form in schema.get("anyOf", ()):
        yield from _nodes(form, depth)


def schemas(game: str, seeds: int, options: dict[str, Any]) -> Iterator[Json]:
    """Yield the schemas of all requests in matches of the strongest player that answers at once: of the decisions and,
    once a turn, of the messages, each with the player's notes and without."""
    spec = game_spec(game)
    press = spec.talk.press
    for seed in range(seeds):
        match = Match(spec, options, seed)
        while not match.over:
            asked = [(reply_form(spec), seat) for seat in match.waiting]
            asked += [(press.form, seat) for seat in press.speakers(match.game)] if press else []
            for form, seat in asked:
                for noted in (False, True):
                    yield with_variants(form, spec, noted, noted).schema(match.game, seat)
            for seat in match.waiting:
                match.apply(seat, spec.bots.players[spec.bots.default](match.game, seat, match.rng(seat)))


SHORT: Final = {"diplomacy": {"last_year": 1903}, "cricket": {"overs": 2}}
"""Options of short matches."""


@pytest.mark.few(1)
@pytest.mark.parametrize("game", sorted(BUILT_IN))
def test_every_schema_is_strict(game: str) -> None:
    for schema in schemas(game, 1, SHORT.get(game, {})):
        assert broken(schema) == [], json.dumps(schema)[:2000]


def test_what_strict_mode_refuses_is_found() -> None:
    text = {"type": "string"}
    whole = {"type": "object", "properties": {"a": text}, "required": ["a"], "additionalProperties": False}
    assert broken(whole) == []
    assert broken({**whole, "required": []}) == ["all properties are required"]
    assert broken({**whole, "additionalProperties": True}) == ["no others are allowed"]
    assert broken({**whole, "properties": {"a": {**text, "maxLength": 3}}}) == ["only known keywords"]
    assert broken({**whole, "properties": {"a": {**text, "enum": [str(n) for n in range(1001)]}}}) == [
        "at most 1000 words"
    ]
    assert broken({**whole, "properties": {"a": {**text, "enum": ["x" * 60 + str(n) for n in range(251)]}}}) == [
        "no long enum of long words"
    ]
    deep: Json = whole
    for _ in range(10):
        deep = {**whole, "properties": {"a": deep}}
    assert broken(deep) == ["at most 10 levels"]
    assert "the root is an object" in broken({"anyOf": [whole]})


def main() -> None:
    for game in sorted(BUILT_IN):
        faults = [broken(schema) for schema in schemas(game, 3, {})]
        kept = sum(not each for each in faults)
        reasons = "".join(f", {rule}" for rule in sorted({rule for each in faults for rule in each}))
        sys.stdout.write(f"{game}: {kept} of {len(faults)} ({kept / len(faults):.1%}){reasons}\n")


if __name__ == "__main__":
    main()
