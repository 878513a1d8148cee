#!/usr/bin/env python3
"""Write the page's TypeScript types from the Python ones: the wire, and every game's events and views.

`--check` writes nothing and fails where a file on disk differs. Needs Node and the page's packages (`npm ci`).
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, MISSING, Field, fields, is_dataclass
from inspect import cleandoc, getsource
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grandstand.campaign_events import CAMPAIGN_EVENTS, CAMPAIGNS  # noqa: E402
from grandstand.events import CORE_EVENTS  # noqa: E402
from grandstand.games.base import Items, MessageSent  # noqa: E402
from grandstand.games.catalog import BUILT_IN  # noqa: E402
from grandstand.games.picture import COLOURS, PictureSeen, PictureShown  # noqa: E402
from grandstand.games.registry import game_spec  # noqa: E402
from grandstand.games.spec import GameSpec  # noqa: E402
from grandstand.models import Event, Wire  # noqa: E402
from grandstand.server.bodies import audience, health, lobby, matches, people, players, sandbox, seats  # noqa: E402
from grandstand.spectator import frames  # noqa: E402
from grandstand.spectator.frames import EpisodeSummary, PublishBatch, Published  # noqa: E402

WIRE_TYPES: tuple[type[Wire], ...] = (
    *CORE_EVENTS.values(),
    *CAMPAIGN_EVENTS.values(),
    Event,
    EpisodeSummary,
    frames.Snapshot,
    frames.EventFrame,
    frames.WithheldFrame,
    frames.SnapshotFrame,
    frames.ResyncFrame,
    frames.EventPage,
    matches.StartEpisode,
    seats.PlayEpisode,
    matches.StartTournament,
    matches.TournamentForecast,
    people.EnterKey,
    people.OwnModelSeat,
    matches.Command,
    matches.ForkEpisode,
    seats.SeatView,
    seats.SeatAction,
    seats.SaveDraft,
    seats.AskChoices,
    seats.SeatChoices,
    seats.SeatToken,
    sandbox.OpenSandbox,
    sandbox.AskSandbox,
    sandbox.SandboxPosition,
    people.Session,
    matches.ImportedFile,
    people.Ticket,
    PublishBatch,
    Published,
    matches.EpisodeList,
    lobby.Lobby,
    lobby.Highlight,
    matches.RecordedDecision,
    lobby.GameInfo,
    audience.CallQuestion,
    audience.MatchAudience,
    audience.SendReaction,
    players.PlayerRecord,
    players.PageReport,
    health.ClipList,
    health.Problem,
)
"""The types that cross between server and page, or server and publisher."""

FRONTEND = ROOT / "frontend"
COMMAND = "scripts/generate_types.py"
WIRE_FILES = "models.py, events.py, campaign_events.py, report.py, server/bodies/ and spectator/frames.py"
HEADER = f"/* Written by {COMMAND} from {{source}}. Do not edit: change the source and run it again. */"

Schema: TypeAlias = dict[str, Any]

EVENT_OF = """
/** The events of a map from type to data, as a union that `switch (event.type)` narrows. */
export type EventOf<Events> = {
  [T in keyof Events & string]: Omit<Event, 'type' | 'data'> & {
    type: T;
    data: { [Name in keyof Events[T]]: Events[T][Name] };
  };
}[keyof Events & string];
/** An event that any game may have. A type that this page does not know is none of these: `switch` needs a default. */
export type CoreEvent = EventOf<CoreEvents>;
"""
CAMPAIGN_NAMES = f"""
/** The games of episodes that are campaigns. */
export const CAMPAIGNS: readonly string[] = {json.dumps(CAMPAIGNS)};
"""
GAME_EVENT = """
/** An event that a board of this game receives. A type that it does not know is none of these. */
export type GameEvent = EventOf<GameEvents & CoreEvents>;
"""
IMPORTS = "import type { CoreEvents, EventOf } from '../../types.gen';"
PICTURE_EVENT = """
/** An event that says what is to be seen. */
export type PictureEvent = EventOf<PictureEvents>;
/** The colours of seats without colours of their own, in the order of the seats: on light and on dark ground. */
"""


class Wired(GenerateJsonSchema):
    """JSON schemas in which output has every field, and input may leave out those with a default."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        return self.mode == "serialization" or super().field_is_required(field, total)


def wire_types() -> str:
    """`types.gen.ts`: every wire type, and the core events by type."""
    requests = {
        matches.StartEpisode,
        seats.PlayEpisode,
        matches.StartTournament,
        matches.OwnModel,
        people.EnterKey,
        seats.AskChoices,
        sandbox.AskSandbox,
    }
    models = [(model, "validation" if model in requests else "serialization") for model in WIRE_TYPES]
    template = "#/definitions/{model}"
    _, schema = models_json_schema(models, ref_template=template, schema_generator=Wired)  # type: ignore[arg-type]
    definitions: dict[str, Schema] = schema["$defs"]
    frame = TypeAdapter(frames.Frame).json_schema(mode="serialization", ref_template=template, schema_generator=Wired)
    definitions |= frame.pop("$defs")
    definitions["Frame"] = frame | {"description": "What a socket carries, server to page: one JSON object a message."}
    for model in definitions.values():
        _tidy(model)
    _data_schema(MessageSent, definitions)
    text = "The data of the core events, by type."
    return (
        _typescript("CoreEvents", text, [*CORE_EVENTS, *CAMPAIGN_EVENTS, MessageSent.__name__], definitions, WIRE_FILES)
        + EVENT_OF
        + CAMPAIGN_NAMES
    )


def game_types(game: str) -> str:
    """Return `boards/<game>/events.gen.ts`: the game's own events by type, and what a seat knows."""
    spec = game_spec(game)
    own = [event for event in spec.rules.events if event not in (MessageSent, PictureShown, PictureSeen)]
    definitions: dict[str, Schema] = {}
    for kind in (*own, _observation(spec)):
        _data_schema(kind, definitions)
    text = f"The data of the events of {game}, by type."
    types = _typescript("GameEvents", text, [event.__name__ for event in own], definitions, f"games/{game}", IMPORTS)
    return types + GAME_EVENT


def picture_types() -> str:
    """Return `boards/picture/picture.gen.ts`: the events of pictures, which any game may have, and seats' colours."""
    definitions: dict[str, Schema] = {}
    events = (PictureShown, PictureSeen)
    for kind in events:
        _data_schema(kind, definitions)
    text = "The data of the events of pictures, by type."
    imports = "import type { EventOf } from '../../types.gen';"
    names = [event.__name__ for event in events]
    types = _typescript("PictureEvents", text, names, definitions, "games/picture.py", imports)
    pairs = "".join(f"  ['{light}', '{dark}'],\n" for light, dark in COLOURS)
    return f"{types}{PICTURE_EVENT}export const COLOURS = [\n{pairs}] as const;\n"


def _observation(spec: GameSpec) -> Any:
    """Return the type of what a seat knows, as the game's method declares it."""
    rules = type(spec.rules.new(spec.rules.options(), 1))
    return get_type_hints(rules.observation, include_extras=True)["return"]


PLAIN: dict[Any, Schema] = {
    Any: {},
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
}


def _data_schema(kind: Any, definitions: dict[str, Schema]) -> Schema:
    """Return the JSON schema of JSON-ready data of type `kind`; dataclasses and TypedDicts go into `definitions`."""
    if get_origin(kind) is None and kind in PLAIN:
        return dict(PLAIN[kind])
    origin, args = get_origin(kind), get_args(kind)
    if origin in (NotRequired, Required):
        return _data_schema(args[0], definitions)
    if origin is Annotated:
        return _tuple_schema(kind)
    if origin in (Union, UnionType):
        return {"anyOf": [_data_schema(part, definitions) for part in args]}
    if origin is Literal:
        return {"enum": list(args)}
    if origin is tuple:
        return _items_schema(args)
    if origin in (list, Sequence):
        return {"type": "array", "items": _data_schema(args[0], definitions)}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": _data_schema(args[1], definitions)}
    if is_dataclass(kind) or is_typeddict(kind):
        if kind.__name__ not in definitions:
            _define(kind, definitions)
        return {"$ref": f"#/definitions/{kind.__name__}"}
    raise TypeError(f"{kind}: fields are str, int, float, bool, None, lists, dicts and dataclasses of them")


def _tuple_schema(kind: Any) -> Schema:
    """Return the schema of a list whose items are known one by one."""
    for note in kind.__metadata__:
        if isinstance(note, Items):
            return _items_schema(note.kinds)
    raise TypeError(f"{kind}: the only annotation known here is Items")


def _items_schema(kinds: Sequence[Any]) -> Schema:
    items = [dict(PLAIN[kind]) for kind in kinds]
    return {"type": "array", "items": items, "minItems": len(kinds), "maxItems": len(kinds)}


def _define(kind: Any, definitions: dict[str, Schema]) -> None:
    hints = {name: hint for name, hint in get_type_hints(kind, include_extras=True).items() if hint is not KW_ONLY}
    doc = cleandoc(kind.__doc__ or "")
    schema = definitions[kind.__name__] = {"type": "object"}
    if not doc.startswith(f"{kind.__name__}("):  # which is what a dataclass without a docstring gets
        schema["description"] = doc
    notes = _field_notes(kind)
    schema["properties"] = {name: _described(_data_schema(hints[name], definitions), notes.get(name)) for name in hints}
    optional: frozenset[str] = getattr(kind, "__optional_keys__", frozenset())
    absent = optional | {name for name, hint in hints.items() if get_origin(hint) is NotRequired}
    if is_dataclass(kind):  # an old record may lack what has a default or may be None
        absent |= {field.name for field in fields(kind) if _has_default(field)}
        absent |= {name for name, field in schema["properties"].items() if _nullable(field)}
    schema["required"] = [name for name in schema["properties"] if name not in absent]


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _described(schema: Schema, note: str | None) -> Schema:
    """Return `schema` with a description; a reference takes none, for it would become a type of its own."""
    return schema if note is None or "$ref" in schema else {**schema, "description": note}


def _field_notes(kind: type) -> dict[str, str]:
    """Return the docstrings that stand below the fields of a class, by field."""
    try:
        source = ast.parse(dedent(getsource(kind))).body[0]
    except OSError:  # a class that was made by a call
        return {}
    notes: dict[str, str] = {}
    for field, below in pairwise(source.body if isinstance(source, ast.ClassDef) else ()):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(note))):
                notes[name] = cleandoc(note)
    return notes


def _typescript(
    root: str, text: str, by_name: Sequence[str], definitions: dict[str, Schema], source: str, imports: str = ""
) -> str:
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
    header = [HEADER.format(source=source), imports]
    request = json.dumps({"schema": schema, "name": root, "header": "\n".join(filter(None, header))})
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
    games = {FRONTEND / "src/boards" / game / "events.gen.ts": game_types(game) for game in BUILT_IN}
    picture = {FRONTEND / "src/boards/picture/picture.gen.ts": picture_types()}
    return {FRONTEND / "src/types.gen.ts": wire_types()} | picture | games


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
