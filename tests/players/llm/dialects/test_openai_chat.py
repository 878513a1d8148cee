"""OpenAI's chat completions: requests, and the pieces of an answer from the endpoints that speak them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grandstand.players.llm.completion import CallFailed, Completion, PendingCall
from grandstand.players.llm.dialects import DIALECTS

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
