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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from inspect import cleandoc
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grandstand.games.base import MessageSent  # noqa: E402
from grandstand.games.registry import GAMES, game_spec  # noqa: E402
from grandstand.models import CORE_EVENTS, WIRE_TYPES, Frame, StartEpisode  # noqa: E402

FRONTEND = ROOT / "frontend"
COMMAND = "scripts/generate_types.py"
HEADER = f"/* Written by {COMMAND} from {{source}}. Do not edit: change the source and run it again. */"

Schema = dict[str, Any]


class Wired(GenerateJsonSchema):
    """What the server sends has every field; what it takes may leave out those with a default."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        return self.mode == "serialization" or super().field_is_required(field, total)


def wire_types() -> str:
    """`types.gen.ts`: every wire type, and the house's events by name."""
    requests = {StartEpisode}
    models = [(model, "validation" if model in requests else "serialization") for model in WIRE_TYPES]
    template = "#/definitions/{model}"
    _, schema = models_json_schema(models, ref_template=template, schema_generator=Wired)  # type: ignore[arg-type]
    definitions: dict[str, Schema] = schema["$defs"]
    frame = TypeAdapter(Frame).json_schema(mode="serialization", ref_template=template, schema_generator=Wired)
    definitions |= frame.pop("$defs")
    definitions["Frame"] = frame | {"description": "What a socket carries, server to page: one JSON object a message."}
    for model in definitions.values():
        _tidy(model)
    _data_schema(MessageSent, definitions)
    text = "The data of the house's own events, by type."
    return _typescript("CoreEvents", text, [*CORE_EVENTS, MessageSent.__name__], definitions, "models.py")


def game_types(game: str) -> str:
    """`boards/<game>/events.gen.ts`: the game's own events by name."""
    own = [event for event in game_spec(game).events if event is not MessageSent]
    definitions: dict[str, Schema] = {}
    for event in own:
        _data_schema(event, definitions)
    text = f"The data of the events of {game}, by type."
    return _typescript("GameEvents", text, [event.__name__ for event in own], definitions, f"games/{game}")


PLAIN: dict[Any, Schema] = {
    Any: {},
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
}


def _data_schema(kind: Any, definitions: dict[str, Schema]) -> Schema:
    """The JSON schema of JSON-ready data of type `kind`; dataclasses and TypedDicts go into `definitions`."""
    if kind in PLAIN:
        return dict(PLAIN[kind])
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return {"anyOf": [_data_schema(part, definitions) for part in args]}
    if origin is Literal:
        return {"enum": list(args)}
    if origin in (list, Sequence):
        return {"type": "array", "items": _data_schema(args[0], definitions)}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": _data_schema(args[1], definitions)}
    if is_dataclass(kind) or is_typeddict(kind):
        if kind.__name__ not in definitions:
            _define(kind, definitions)
        return {"$ref": f"#/definitions/{kind.__name__}"}
    raise TypeError(f"{kind}: an event's fields are str, int, float, bool, None, lists, dicts and dataclasses of them")


def _define(kind: Any, definitions: dict[str, Schema]) -> None:
    hints = get_type_hints(kind, include_extras=True)
    absent = {name for name, hint in hints.items() if get_origin(hint) is NotRequired}
    schema = definitions[kind.__name__] = {"type": "object", "description": cleandoc(kind.__doc__ or "")}
    plain = get_type_hints(kind)
    schema["properties"] = {name: _data_schema(plain[name], definitions) for name in hints}
    schema["required"] = [
        name for name, field in schema["properties"].items() if not (_nullable(field) or name in absent)
    ]


def _typescript(root: str, text: str, by_name: Sequence[str], definitions: dict[str, Schema], source: str) -> str:
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


def _tidy(schema: Schema) -> None:
    """Drop pydantic's titles, each of which would become a type of its own; what may be None may be absent."""
    schema.pop("title", None)
    schema.pop("default", None)
    for child in _children(schema):
        _tidy(child)
    if "required" in schema:
        schema["required"] = [name for name in schema["required"] if not _nullable(schema["properties"][name])]


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
