#!/usr/bin/env python3
"""Write the page's TypeScript types from the Python ones: the wire, and every game's events.

`--check` writes nothing and fails where a file on disk differs. Needs Node and the page's packages (`npm ci`).
"""

from __future__ import annotations

import argparse
import difflib
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from games.base import GameEvent, MessageSent  # noqa: E402
from games.registry import GAMES, game_spec  # noqa: E402
from models import HOUSE_EVENTS, WIRE_TYPES, Frame, StartEpisode  # noqa: E402

FRONTEND = ROOT / "frontend"
COMMAND = "scripts/generate_types.py"
HEADER = f"/* Written by {COMMAND} from {{source}}. Do not edit: change the source and run it again. */"

Schema = dict[str, Any]
Inputs = list[tuple[Any, Any, TypeAdapter[Any]]]


def wire_types() -> str:
    """`types.gen.ts`: every wire type, and the house's events by name."""
    requests = {StartEpisode}
    models = [(model, "validation" if model in requests else "serialization") for model in WIRE_TYPES]
    _, schema = models_json_schema(models, ref_template="#/definitions/{model}")  # type: ignore[arg-type]
    definitions = schema["$defs"]
    _, event_schema = _dataclass_schemas((MessageSent,))
    definitions |= event_schema
    frame = TypeAdapter(Frame).json_schema(mode="serialization", ref_template="#/definitions/{model}")
    definitions |= frame.pop("$defs")
    definitions["Frame"] = frame | {"description": "What a socket carries, server to page: one JSON object a message."}
    by_name = [*HOUSE_EVENTS, MessageSent.__name__]
    keep = {model.__name__ for model in requests}
    return _typescript(
        "HouseEvents", "The data of the house's own events, by type.", by_name, definitions, keep, "models.py"
    )


def game_types(game: str) -> str:
    """`boards/<game>/events.gen.ts`: the game's own events by name."""
    own = [event for event in game_spec(game).events if event is not MessageSent]
    names, definitions = _dataclass_schemas(own)
    text = f"The data of the events of {game}, by type."
    return _typescript("GameEvents", text, names, definitions, set(), f"games/{game}")


def _dataclass_schemas(events: Sequence[type[GameEvent]]) -> tuple[list[str], dict[str, Schema]]:
    """The names of `events`, and JSON schemas of them and of the dataclasses they are made of."""
    for event in events:
        if not is_dataclass(event):
            raise TypeError(f"{event.__name__}: a game's events are dataclasses")
    inputs: Inputs = [(event, "serialization", TypeAdapter(event)) for event in events]
    _, schema = TypeAdapter.json_schemas(inputs, ref_template="#/definitions/{model}")
    definitions: dict[str, Schema] = schema.get("$defs", {})
    for event in events:
        order = [field.name for field in fields(event)]
        definitions[event.__name__]["properties"] = {
            name: definitions[event.__name__].get("properties", {})[name] for name in order
        }
    return [event.__name__ for event in events], definitions


def _typescript(
    root: str, text: str, by_name: Sequence[str], definitions: dict[str, Schema], keep: set[str], source: str
) -> str:
    for name, schema in definitions.items():
        _tidy(schema, keep_required=name in keep)
    schema = {
        "title": root,
        "description": text,
        "type": "object",
        "properties": {name: {"$ref": f"#/definitions/{name}"} for name in by_name},
        "required": list(by_name),
        "additionalProperties": False,
        "definitions": dict(sorted(definitions.items())),
    }
    command = ["node", "scripts/schema-to-types.mjs"]
    request = json.dumps({"schema": schema, "name": root, "header": HEADER.format(source=source)})
    result = subprocess.run(command, input=request, capture_output=True, text=True, cwd=FRONTEND, check=False)
    if result.returncode:
        raise SystemExit(f"json-schema-to-typescript failed; is `npm ci` done in frontend/?\n{result.stderr}")
    return result.stdout


def _tidy(schema: Schema, *, keep_required: bool) -> None:
    """Drop pydantic's titles (each would become a type of its own); what cannot be None is always there."""
    schema.pop("title", None)
    for child in _children(schema):
        _tidy(child, keep_required=keep_required)
    if "properties" in schema and not keep_required:
        schema["required"] = [name for name, field in schema["properties"].items() if not _nullable(field)]
    schema.pop("default", None)


def _children(schema: Schema) -> Iterator[Schema]:
    for value in (*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")):
        if isinstance(value, dict):
            yield value
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        yield from schema.get(key, ())


def _nullable(schema: Schema) -> bool:
    known = {"$ref", "type", "anyOf", "oneOf", "allOf", "enum", "const"} & schema.keys()
    return not known or schema.get("type") == "null" or any(map(_nullable, schema.get("anyOf", ())))


def outputs() -> dict[Path, str]:
    """Every generated file and what it should hold."""
    games = {FRONTEND / "src/boards" / game / "events.gen.ts": game_types(game) for game in GAMES}
    return {FRONTEND / "src/types.gen.ts": wire_types()} | games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a file is out of date")
    check = parser.parse_args().check
    stale = False
    for path, text in outputs().items():
        name = str(path.relative_to(ROOT))
        old = path.read_text() if path.exists() else ""
        if old == text:
            continue
        stale = True
        if check:
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), text.splitlines(True), name, "generated"))
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(f"wrote {name}")
    if check and stale:
        sys.exit(f"The page's types differ from the Python ones. Run: make generate   (or {COMMAND})")


if __name__ == "__main__":
    main()
