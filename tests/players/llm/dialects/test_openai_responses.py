"""OpenAI's responses: requests, events of a stream, and answers whose text is in their last event alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grandstand.players.llm.completion import CallFailed, Completion, PendingCall
from grandstand.players.llm.dialects import DIALECTS
from tests.support.players.queries import SCHEMA, query

RESPONSES = DIALECTS["openai-responses"]


def taken(*events: dict[str, Any]) -> Completion:
    call = PendingCall(begun=True)
    for event in events:
        RESPONSES.take(json.dumps(event), call)
    return call.completion()


def ended(status: str, **fields: Any) -> dict[str, Any]:
    return {"type": f"response.{status}", "response": {"status": status, **fields}}


def test_the_request_is_stored_nowhere_and_has_a_strict_schema() -> None:
    assert RESPONSES.body(query("openai-responses", effort="high", temperature=0.5)) == {
        "model": "m",
        "instructions": "You play.",
        "input": [
            {"type": "message", "role": "user", "content": "Play."},
            {"type": "message", "role": "assistant", "content": "{}"},
            {"type": "message", "role": "user", "content": "Again."},
        ],
        "stream": True,
        "store": False,
        "max_output_tokens": 2000,
        "temperature": 0.5,
        "reasoning": {"effort": "high", "summary": "auto"},
        "text": {"format": {"type": "json_schema", "name": "answer", "strict": True, "schema": SCHEMA}},
    }


def test_a_forced_tool_call_and_a_plain_object_are_asked_for_by_name() -> None:
    body = RESPONSES.body(query("openai-responses", structured="tool"))
    assert body["tool_choice"] == {"type": "function", "name": "answer"}
    assert body["tools"][0]["parameters"] == SCHEMA
    body = RESPONSES.body(query("openai-responses", structured="json_object"))
    assert body["text"] == {"format": {"type": "json_object"}}


REFUSALS = [
    ("Your organization must be verified to generate reasoning summaries.", "summary"),
    ("Unsupported parameter: 'reasoning.effort' is not supported with this model.", "summary"),
    ("Unknown parameter: 'store'.", "store"),
    ("Unsupported parameter: 'temperature' is not supported with this model.", "temperature"),
    ("Invalid parameter: 'text.format' of type 'json_schema' is not supported with this model.", "json_schema"),
]


@pytest.mark.parametrize(("message", "field"), REFUSALS, ids=[field for _, field in REFUSALS])
def test_a_field_that_the_endpoint_rejects_is_left_out(message: str, field: str) -> None:
    assert RESPONSES.refused(query("openai-responses", temperature=0.5), message) == field
    body = RESPONSES.body(query("openai-responses", field, temperature=0.5))
    assert field not in str(body)


def test_an_effort_that_a_model_does_not_have_is_not_left_out() -> None:
    message = "Unsupported value: 'reasoning.effort' does not support 'xhigh' with this model."
    assert RESPONSES.refused(query("openai-responses", effort="xhigh"), message) == ""
    assert RESPONSES.body(query("openai-responses", "summary", effort="xhigh"))["reasoning"] == {"effort": "xhigh"}


def test_the_text_of_the_last_event_counts_where_none_was_streamed() -> None:
    output = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"type": "message", "content": [{"type": "output_text", "text": "{}"}]},
    ]
    assert taken(ended("completed", output=output)) == Completion("{}", reasoning="hm")
    delta = {"type": "response.output_text.delta", "delta": "[]"}
    assert taken(delta, ended("completed", output=output)) == Completion("[]"), "and not twice"


def test_open_models_write_their_reasoning_itself() -> None:
    reasoning = {"type": "response.reasoning_text.delta", "delta": "hm"}
    text = {"type": "response.output_text.delta", "delta": "{}"}
    assert taken(reasoning, text, ended("completed")) == Completion("{}", reasoning="hm")


def test_parts_of_a_summary_are_paragraphs() -> None:
    part = {"type": "response.reasoning_summary_part.added"}
    first, second = ({"type": "response.reasoning_summary_text.delta", "delta": text} for text in ("a", "b"))
    text = {"type": "response.output_text.delta", "delta": "{}"}
    assert taken(part, first, part, second, text, ended("completed")).reasoning == "a\n\nb"


def test_an_answer_that_is_left_incomplete_is_explained() -> None:
    assert taken(ended("incomplete", incomplete_details={"reason": "max_output_tokens"})).cut
    assert "filter" in taken(ended("incomplete", incomplete_details={"reason": "content_filter"})).refusal
    with pytest.raises(CallFailed, match="incomplete"):
        taken(ended("incomplete", incomplete_details={"reason": "steered"}))
    with pytest.raises(CallFailed, match="broke off"):
        taken({"type": "response.output_text.delta", "delta": "{"})
    with pytest.raises(CallFailed, match="cancelled"):
        RESPONSES.take_whole('{"status": "cancelled", "output": []}', PendingCall())


@pytest.mark.parametrize(
    ("event", "again"),
    [
        ({"type": "error", "code": "server_error", "message": "the engine died"}, True),
        (ended("failed", error={"code": "rate_limit_exceeded", "message": "the engine died"}), True),
        (ended("failed", error={"code": "invalid_prompt", "message": "the engine died"}), False),
    ],
)
def test_errors_within_an_answer_keep_their_words(event: dict[str, Any], again: bool) -> None:
    with pytest.raises(CallFailed, match="failed within its answer: the engine died") as failed:
        taken(event)
    assert failed.value.again is again
