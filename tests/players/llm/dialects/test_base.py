"""The common part of dialects: the form of an answer that is asked for, and the merging of the roster's fields."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from grandstand.players.llm.completion import CallFailed, PendingCall
from grandstand.players.llm.dialects import DIALECTS
from grandstand.players.llm.dialects.base import merged
from grandstand.players.llm.features import DialectName
from tests.support.players.dialect_wires import WIRES, Counts, Part, Wire
from tests.support.players.queries import query

FORMS: list[tuple[DialectName, str, list[str]]] = [
    ("openai-chat", "auto", ["json_schema", "json_object", ""]),
    ("openai-responses", "auto", ["json_schema", "json_object", ""]),
    ("anthropic", "auto", ["json_schema", "tool", ""]),
    ("gemini", "auto", ["json_schema", "json_object", ""]),
    ("openai-chat", "json_schema", ["json_schema"]),
    ("openai-chat", "json_object", ["json_object"]),
    ("openai-chat", "tool", ["tool"]),
    ("anthropic", "tool", ["tool"]),
    ("gemini", "off", [""]),
]


@pytest.mark.parametrize(("dialect", "structured", "forms"), FORMS)
def test_the_next_form_is_tried_after_one_is_refused(dialect: DialectName, structured: str, forms: list[str]) -> None:
    refused: list[str] = []
    for form in forms:
        assert DIALECTS[dialect].form(query(dialect, *refused, structured=structured)) == form
        refused.append(form)


@pytest.mark.parametrize(
    ("dialect", "structured", "form"),
    [
        ("openai-chat", "auto", "json_object"),
        ("openai-chat", "json_schema", "json_object"),
        ("openai-chat", "tool", "json_object"),
        ("anthropic", "auto", ""),
        ("anthropic", "tool", ""),
        ("gemini", "tool", "json_object"),
    ],
)
def test_without_a_schema_an_object_is_the_best(dialect: DialectName, structured: str, form: str) -> None:
    assert DIALECTS[dialect].form(query(dialect, schema={}, structured=structured)) == form


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_form_that_the_roster_names_is_never_given_up(dialect: DialectName) -> None:
    rejection = "the json_schema is not supported"
    assert DIALECTS[dialect].refused(query(dialect, "summary", "thoughts"), rejection) == "json_schema"
    named = query(dialect, "summary", "thoughts", structured="json_schema")
    assert DIALECTS[dialect].refused(named, rejection) == ""


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("message", ["maximum context length exceeded", "", "overloaded", "no such model"])
def test_other_errors_refuse_no_field(dialect: DialectName, message: str) -> None:
    assert DIALECTS[dialect].refused(query(dialect), message) == ""


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_refused_field_is_refused_once(dialect: DialectName) -> None:
    """An endpoint that rejects everything is asked a bounded number of times."""
    everything = (
        "temperature max_completion_tokens stream_options store summary thinking display cache_control tool "
        "include_thoughts response_format schema json"
    )
    refused: list[str] = []
    while name := DIALECTS[dialect].refused(query(dialect, *refused, temperature=0.5), everything):
        assert name not in refused
        refused.append(name)
    assert 2 < len(refused) < 8


def test_fields_of_the_roster_are_kept_beside_ours() -> None:
    extra: dict[str, Any] = {"top_p": 0.9, "generationConfig": {"topK": 5, "maxOutputTokens": 1}, "tools": [1]}
    ours = {"generationConfig": {"maxOutputTokens": 100}, "tools": [2]}
    assert merged(extra, ours) == {
        "top_p": 0.9,
        "generationConfig": {"topK": 5, "maxOutputTokens": 100},
        "tools": [2],
    }
    assert extra["generationConfig"]["maxOutputTokens"] == 1


PARTS: list[Part] = [("thought", "hm"), ("text", "{}"), ("tool", '{"a": 1}'), ("refusal", "no")]
NONSENSE: list[Any] = [None, True, -1, 10**12, 1.5, "", "\ud800", [], [5], {}, {"type": "text"}, [{"text": 5}], [[]]]


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of all values within a JSON value."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from places(item, (*path, key))


def with_nonsense(value: Any, path: tuple[str | int, ...], nonsense: Any) -> Any:
    """Return a copy of the value with `nonsense` at `path`."""
    changed = json.loads(json.dumps(value))
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = nonsense
    return changed


def answers(wire: Wire) -> list[list[Any]]:
    """Return the events of a stream, and a whole answer."""
    frames = b"".join(wire.stream(PARTS, counts=Counts(cached=10, cache_written=10, reasoned=5))).decode()
    lines = [line.removeprefix("data: ") for line in frames.splitlines() if line.startswith("data: {")]
    return [[json.loads(line) for line in lines], [wire.answer(PARTS, "stop", Counts())]]


@pytest.mark.few(1)
@pytest.mark.parametrize("wire", list(WIRES.values()), ids=list(WIRES))
def test_nonsense_at_any_place_of_an_answer_is_ignored_or_refused(wire: Wire) -> None:
    dialect = DIALECTS[wire.dialect]
    tried = 0
    for take, events in zip((dialect.take, dialect.take_whole), answers(wire), strict=True):
        for number, event in enumerate(events):
            for path in places(event):
                for nonsense in NONSENSE:
                    call = PendingCall(begun=True)
                    changed = [*events[:number], with_nonsense(event, path, nonsense), *events[number + 1 :]]
                    with suppress(CallFailed):
                        for item in changed:
                            take(json.dumps(item), call)
                        assert isinstance(call.completion().text, str)
                    read, written, _ = call.spent(7)
                    assert read >= call.cached + call.cache_written >= 0
                    assert written >= call.reasoned >= 0
                    tried += 1
    assert tried > 500
