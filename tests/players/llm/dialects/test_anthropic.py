"""Anthropic's messages: requests with thinking and caching, blocks of content, and counts at both ends of a stream."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grandstand.players.llm.completion import CallFailed, Completion, PendingCall
from grandstand.players.llm.dialects import DIALECTS
from tests.support.players.queries import SCHEMA, query

MESSAGES = DIALECTS["anthropic"]


def pending(*events: dict[str, Any]) -> PendingCall:
    call = PendingCall(begun=True)
    for event in events:
        MESSAGES.take(json.dumps(event), call)
    return call


def delta(**fields: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": 0, "delta": fields}


def stop(reason: str, **more: Any) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason, **more}, "usage": {"output_tokens": 5}}


def start(**usage: Any) -> dict[str, Any]:
    return {"type": "message_start", "message": {"content": [], "usage": usage}}


def test_the_request_has_a_cached_system_prompt_and_a_schema() -> None:
    cached = {"type": "text", "text": "You play.", "cache_control": {"type": "ephemeral"}}
    assert MESSAGES.body(query("anthropic", effort="low", extra={"top_k": 5})) == {
        "top_k": 5,
        "model": "m",
        "max_tokens": 2000,
        "system": [cached],
        "messages": [
            {"role": "user", "content": "Play."},
            {"role": "assistant", "content": "{}"},
            {"role": "user", "content": "Again."},
        ],
        "stream": True,
        "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": SCHEMA}},
        "thinking": {"type": "adaptive", "display": "summarized"},
    }


def test_a_model_thinks_as_it_does_unless_the_options_say_otherwise() -> None:
    assert "thinking" not in MESSAGES.body(query("anthropic"))
    assert MESSAGES.body(query("anthropic", thinking_tokens=0))["thinking"] == {"type": "disabled"}
    budget = {"type": "enabled", "budget_tokens": 1500, "display": "summarized"}
    assert MESSAGES.body(query("anthropic", thinking_tokens=1500))["thinking"] == budget


def test_a_forced_tool_call_excludes_thinking() -> None:
    body = MESSAGES.body(query("anthropic", structured="tool", effort="low"))
    assert body["tool_choice"] == {"type": "tool", "name": "answer", "disable_parallel_tool_use": True}
    assert body["tools"][0]["input_schema"] == SCHEMA
    assert body["output_config"] == {"effort": "low"}
    assert "thinking" not in body
    thinking = MESSAGES.body(query("anthropic", "json_schema", thinking_tokens=1500))
    assert "tools" not in thinking, "asked to think, the model is rather left free in the form of its answer"


@pytest.mark.parametrize(
    ("cache", "control"),
    [(None, {"type": "ephemeral"}), ("5m", {"type": "ephemeral"}), ("1h", {"type": "ephemeral", "ttl": "1h"})],
)
def test_the_cache_lasts_as_long_as_the_options_say(cache: str | None, control: dict[str, str]) -> None:
    assert MESSAGES.body(query("anthropic", prompt_cache=cache))["system"][0]["cache_control"] == control


def test_the_cache_can_be_left_alone() -> None:
    assert MESSAGES.body(query("anthropic", prompt_cache="off"))["system"] == [{"type": "text", "text": "You play."}]


REFUSALS: list[tuple[str, str, dict[str, Any]]] = [
    ("adaptive thinking is not supported on this model", "adaptive", {"effort": "low"}),
    ("thinking.adaptive.display: Extra inputs are not permitted", "display", {"effort": "low"}),
    ("thinking.enabled.display: Extra inputs are not permitted", "display", {"thinking_tokens": 1024}),
    ("system.0.cache_control: Extra inputs are not permitted", "cache_control", {}),
    ("`temperature` is deprecated for this model.", "temperature", {"temperature": 0.5}),
    ("output_config.format: Extra inputs are not permitted", "json_schema", {}),
    ("Schema is too complex.", "json_schema", {}),
]


@pytest.mark.parametrize(("message", "field", "options"), REFUSALS, ids=[refusal[0] for refusal in REFUSALS])
def test_a_field_that_the_endpoint_rejects_is_left_out(message: str, field: str, options: dict[str, Any]) -> None:
    assert MESSAGES.refused(query("anthropic", **options), message) == field
    assert field not in str(MESSAGES.body(query("anthropic", field, **options)))


def test_models_without_forced_tool_calls_answer_freely() -> None:
    message = 'tool_choice: type "tool" is not supported on this model'
    asked = query("anthropic", "json_schema")
    assert MESSAGES.refused(asked, message) == "tool"
    assert "tools" not in MESSAGES.body(query("anthropic", "json_schema", "tool"))
    assert MESSAGES.refused(query("anthropic", structured="tool"), message) == "", "the roster names it"


@pytest.mark.parametrize(
    ("message", "options"),
    [
        ("This model does not support the effort parameter.", {"effort": "max"}),
        ("thinking.type: enabled is not supported on this model", {"thinking_tokens": 1024}),
    ],
)
def test_what_the_roster_asks_of_the_reasoning_is_not_left_out(message: str, options: dict[str, Any]) -> None:
    assert MESSAGES.refused(query("anthropic", **options), message) == ""


def test_counts_are_those_of_the_end_with_all_that_was_read() -> None:
    call = pending(start(input_tokens=50, cache_read_input_tokens=30, cache_creation_input_tokens=20, output_tokens=1))
    assert (call.counted, call.read, call.cached, call.cache_written) == (None, 100, 30, 20)
    assert call.spent(7) == (100, 0, True)
    usage = {"output_tokens": 40, "output_tokens_details": {"thinking_tokens": 15}}
    end = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage}
    MESSAGES.take(json.dumps(end), call)
    assert (call.counted, call.cached, call.cache_written, call.reasoned) == ((100, 40), 30, 20, 15)


def test_counts_at_the_end_replace_those_of_the_start() -> None:
    usage = {"input_tokens": 60, "cache_read_input_tokens": 40, "output_tokens": 9}
    end = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage}
    call = pending(start(input_tokens=50, output_tokens=1), end)
    assert (call.counted, call.cached) == ((100, 9), 40)


@pytest.mark.parametrize(
    "usage", [{}, {"input_tokens": "many"}, {"input_tokens": -5}, {"input_tokens": 5, "output_tokens": None}]
)
def test_counts_that_make_no_sense_are_left_out(usage: dict[str, Any]) -> None:
    assert pending(start(**usage), {"type": "message_delta", "delta": {}, "usage": usage}).counted is None


def test_blocks_of_thinking_are_paragraphs() -> None:
    block = {"type": "content_block_start", "content_block": {"type": "thinking", "thinking": "", "signature": ""}}
    redacted = {"type": "content_block_start", "content_block": {"type": "redacted_thinking", "data": "EmwK"}}
    call = pending(
        block,
        delta(thinking="a"),
        delta(signature="EqQB"),
        redacted,
        block,
        delta(thinking="b"),
        delta(text="{}"),
        stop("end_turn"),
    )
    assert call.completion() == Completion("{}", reasoning="a\n\nb")


def test_the_end_of_an_answer_is_explained() -> None:
    assert pending(delta(text="{"), stop("max_tokens")).completion().cut
    assert pending(delta(text="{"), stop("model_context_window_exceeded")).completion().cut
    details = {"type": "refusal", "category": "cyber", "explanation": "Declined."}
    assert pending(stop("refusal", stop_details=details)).completion().refusal == "Declined."
    assert pending(stop("refusal", stop_details=None)).completion().refusal
    with pytest.raises(CallFailed, match="paused"):
        pending(stop("pause_turn"))
    with pytest.raises(CallFailed, match="without content"):
        pending(stop("end_turn")).completion()
    with pytest.raises(CallFailed, match="broke off"):
        pending(start(input_tokens=5), {"type": "ping"}, delta(text="{")).completion()


@pytest.mark.parametrize(
    ("kind", "again"), [("overloaded_error", True), ("api_error", True), ("authentication_error", False)]
)
def test_errors_within_an_answer_keep_their_words(kind: str, again: bool) -> None:
    with pytest.raises(CallFailed, match="failed within its answer: Overloaded") as failed:
        pending({"type": "error", "error": {"type": kind, "message": "Overloaded"}})
    assert failed.value.again is again
