"""OpenAI's chat completions: requests, and the pieces of an answer from the endpoints that speak them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grandstand.players.llm.completion import CallFailed, Completion, PendingCall
from grandstand.players.llm.dialects import DIALECTS
from tests.support.players.queries import SCHEMA, query

CHAT = DIALECTS["openai-chat"]


def event(**delta: Any) -> str:
    return json.dumps({"choices": [{"delta": delta}]})


def end(reason: str) -> str:
    return json.dumps({"choices": [{"delta": {}, "finish_reason": reason}]})


def taken(*events: str) -> Completion:
    call = PendingCall(begun=True)
    for item in events:
        CHAT.take(item, call)
    return call.completion()


def test_pieces_make_the_answer() -> None:
    assert taken(event(role="assistant"), event(content='{"a"'), event(content=": 1}"), end("stop")) == Completion(
        '{"a": 1}'
    )


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
def test_reasoning_has_two_names(key: str) -> None:
    assert taken(event(**{key: "hm"}), event(content="a"), end("stop")) == Completion("a", reasoning="hm")


def test_content_may_come_in_typed_parts() -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "a"}]
    assert taken(event(content=parts), end("stop")) == Completion("a", reasoning="hm")


def test_says_why_there_is_no_answer() -> None:
    assert taken(event(content="{"), end("length")).cut
    assert taken(event(refusal="no"), end("stop")).refusal == "no"
    assert "filter" in taken(end("content_filter")).refusal
    with pytest.raises(CallFailed, match="broke off after about 1 tokens"):
        taken(event(content="{"))
    with pytest.raises(CallFailed, match="without content"):
        taken(end("stop"))


def test_counts_come_from_the_endpoint_where_they_make_sense() -> None:
    call = PendingCall()
    CHAT.take('{"usage": null}', call)
    CHAT.take('{"usage": {"prompt_tokens": true, "completion_tokens": 3}}', call)
    assert call.counted is None
    CHAT.take('{"usage": {"prompt_tokens": 12, "completion_tokens": 3}}', call)
    CHAT.take('{"usage": null}', call)
    assert call.counted == (12, 3)


def test_openrouters_details_are_thoughts_where_there_is_no_text_of_them() -> None:
    details = [
        {"type": "reasoning.text", "text": "h", "signature": None},
        {"type": "reasoning.summary", "summary": "m"},
        {"type": "reasoning.encrypted", "data": "gAAA"},
        5,
    ]
    assert taken(event(reasoning_details=details), event(content="a"), end("stop")).reasoning == "hm"
    assert taken(event(reasoning="hm", reasoning_details=details), event(content="a"), end("stop")).reasoning == "hm"


def test_a_gateway_may_fail_by_the_reason_of_its_end() -> None:
    with pytest.raises(CallFailed, match="failed within") as failed:
        taken(event(content="{"), end("error"))
    assert failed.value.again


def test_the_arguments_of_a_tool_call_may_be_an_object() -> None:
    call = event(tool_calls=[{"index": 0, "function": {"name": "answer", "arguments": {"orders": []}}}])
    assert taken(call, end("tool_calls")) == Completion('{"orders": []}')


def test_the_request_has_what_the_options_say() -> None:
    body = CHAT.body(query("openai-chat", effort="low", structured="tool", extra={"top_p": 0.9}))
    assert body["reasoning_effort"] == "low"
    assert body["top_p"] == 0.9
    assert body["tool_choice"] == {"type": "function", "function": {"name": "answer"}}
    (tool,) = body["tools"]
    assert (tool["function"]["name"], tool["function"]["strict"]) == ("answer", True)
    assert tool["function"]["parameters"] == SCHEMA
    assert "response_format" not in body
    assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "user"]


def test_an_effort_that_a_model_does_not_have_is_not_left_out() -> None:
    message = "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model."
    assert CHAT.refused(query("openai-chat", effort="minimal"), message) == ""


def test_tokens_written_to_a_cache_are_counted() -> None:
    call = PendingCall()
    details = {"cached_tokens": 20, "cache_write_tokens": 30}
    usage = {"prompt_tokens": 100, "completion_tokens": 5, "prompt_tokens_details": details}
    CHAT.take(json.dumps({"choices": [], "usage": usage}), call)
    assert (call.counted, call.cached, call.cache_written) == ((100, 5), 20, 30)
