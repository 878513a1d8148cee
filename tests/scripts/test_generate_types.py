"""The generator of the page's types: what is there, what may be absent, and what stands in for drift."""

from __future__ import annotations

import importlib.util
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest

from grandstand.games.base import GameEvent, Items
from grandstand.games.catalog import GAMES
from grandstand.games.picture import COLOURS, Thing
from grandstand.games.registry import game_spec

SCRIPT = Path(__file__).parents[2] / "scripts/generate_types.py"


class Part(TypedDict):
    """A piece of an event."""

    name: str
    size: NotRequired[int]


class Line(Part):
    figures: Annotated[list[str | int], Items(str, int)]
    """[name, runs]"""
    out: str | None


@dataclass(frozen=True, slots=True)
class Happened(GameEvent):
    """Something happened."""

    kind: Literal["a", "b"]
    parts: dict[str, list[Part]]
    who: str | None
    rest: Any
    weight: float = 1.0
    marks: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Unusable(GameEvent):
    when: complex


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_types", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_field_is_required_unless_old_records_may_lack_it(generator: ModuleType) -> None:
    definitions: dict[str, Any] = {}
    generator._data_schema(Happened, definitions)
    assert definitions["Happened"]["required"] == ["kind", "parts"]
    assert definitions["Part"]["required"] == ["name"]
    assert definitions["Happened"]["properties"]["parts"] == {
        "type": "object",
        "additionalProperties": {"type": "array", "items": {"$ref": "#/definitions/Part"}},
    }


def test_a_list_whose_items_are_named_is_a_tuple_and_fields_keep_their_docstrings(generator: ModuleType) -> None:
    definitions: dict[str, Any] = {}
    generator._data_schema(Line, definitions)
    line = definitions["Line"]
    assert line["properties"]["figures"] == {
        "type": "array",
        "items": [{"type": "string"}, {"type": "integer"}],
        "minItems": 2,
        "maxItems": 2,
        "description": "[name, runs]",
    }
    assert line["required"] == ["name", "figures", "out"]


@pytest.mark.parametrize("game", GAMES)
def test_what_a_seat_knows_has_a_type_that_holds_in_a_match(generator: ModuleType, game: str) -> None:
    spec = game_spec(game)
    rules = spec.rules.new(spec.rules.options(), 1)
    data, view = rules.observation(rules.to_act()[0]), generator._observation(spec)
    if view.__name__ == "dict":  # a game of a library, whose positions have no type of ours
        assert json.loads(json.dumps(data)) == data
        return
    definitions: dict[str, Any] = {}
    generator._data_schema(view, definitions)
    assert set(definitions[view.__name__]["required"]) <= set(data) <= set(definitions[view.__name__]["properties"])


def test_a_pair_is_a_tuple_and_seats_get_the_colours_of_pictures(generator: ModuleType) -> None:
    definitions: dict[str, Any] = {}
    generator._data_schema(Thing, definitions)
    place, point = definitions["Thing"]["properties"]["at"]["anyOf"]
    assert place == {"type": "string"}
    assert point == {"type": "array", "items": [{"type": "number"}] * 2, "minItems": 2, "maxItems": 2}
    assert f"  ['{COLOURS[-1][0]}', '{COLOURS[-1][1]}'],\n] as const;\n" in generator.picture_types()


def test_data_that_json_does_not_take_is_named(generator: ModuleType) -> None:
    with pytest.raises(TypeError, match="complex"):
        generator._data_schema(Unusable, {})


def test_check_fails_on_drift_and_names_the_remedy(
    generator: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written = generator.ROOT / "frontend/src/types.gen.ts"
    monkeypatch.setattr(generator, "outputs", lambda: {written: written.read_text() + "more\n"})
    monkeypatch.setattr(sys, "argv", ["generate_types.py", "--check"])
    with pytest.raises(SystemExit) as stopped:
        generator.main()
    assert "make generate" in str(stopped.value)
    assert "+more" in capsys.readouterr().out
    monkeypatch.setattr(generator, "outputs", lambda: {written: written.read_text()})
    generator.main()
