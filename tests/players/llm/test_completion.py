"""Pieces of an endpoint's answer, in the dialects there are."""

from __future__ import annotations

import json
import time
from email.utils import formatdate
from typing import Any

import pytest

from grandstand.players.llm.completion import CallFailed, Completion, PendingCall, error_message, retry_after, tokens


def event(**delta: Any) -> str:
    return json.dumps({"choices": [{"delta": delta}]})


def end(reason: str) -> str:
    return json.dumps({"choices": [{"delta": {}, "finish_reason": reason}]})


def taken(*events: str) -> Completion:
    call = PendingCall(begun=True)
    for item in events:
        call.take(item, "delta")
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
    call.take('{"usage": null}', "delta")
    call.take('{"usage": {"prompt_tokens": true, "completion_tokens": 3}}', "delta")
    assert call.counted is None
    call.take('{"usage": {"prompt_tokens": 12, "completion_tokens": 3}}', "delta")
    call.take('{"usage": null}', "delta")
    assert call.counted == (12, 3)


def test_tokens_are_estimated_from_bytes() -> None:
    assert tokens("abcde") == 2
    assert tokens("é" * 4) == 2
    call = PendingCall()
    call.take(event(content="abcde"), "delta")
    assert call.written == 2


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('{"error": {"message": "no", "type": "x"}}', "no"),
        ('{"error": "no"}', "no"),
        ('{"message": "no"}', "no"),
        ('{"detail": "no"}', "no"),
        ("no", "no"),
        ('{"error": {"code": 1}}', '{"error": {"code": 1}}'),
        ("[" * 50_000, "[" * 50_000),
    ],
)
def test_finds_the_words_of_an_error(body: str, message: str) -> None:
    assert error_message(body) == message


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("2", 2.0), ("0.5", 0.5), ("-3", 0.0), ("inf", 0.0), ("nan", 0.0), ("soon", 0.0), ("", 0.0), ("9" * 400, 0.0)],
)
def test_reads_how_long_to_wait(text: str, seconds: float) -> None:
    assert retry_after({"retry-after": text}) == seconds


def test_reads_until_when_to_wait() -> None:
    assert 50 < retry_after({"retry-after": formatdate(time.time() + 60, usegmt=True)}) < 61
    assert retry_after({"retry-after": formatdate(time.time() - 60, usegmt=True)}) == 0
