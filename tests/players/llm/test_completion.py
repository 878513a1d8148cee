"""The common part of an answer while it arrives: what it holds, what it counts, and the waits that are asked for."""

from __future__ import annotations

import json
import time
from email.utils import formatdate

import pytest

from grandstand.players.llm.completion import (
    CallFailed,
    PendingCall,
    decoded_object,
    error_message,
    failed_within,
    part,
    retry_after,
    tokens,
)


def test_tokens_are_estimated_from_bytes() -> None:
    assert tokens("abcde") == 2
    assert tokens("é" * 4) == 2
    call = PendingCall()
    call.add(call.text, "abcde")
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
        ('[{"error": {"code": 429, "message": "no"}}]', "no"),
        ('{"type": "response.failed", "response": {"error": {"code": "x", "message": "no"}}}', "no"),
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


def test_a_wait_in_milliseconds_goes_before_one_in_seconds() -> None:
    assert retry_after({"retry-after-ms": "250", "retry-after": "1"}) == 0.25
    assert retry_after({"retry-after-ms": "soon", "retry-after": "1"}) == 1.0
    assert retry_after({"retry-after-ms": "-5"}) == 0.0


def retry_info(delay: object) -> dict[str, object]:
    return {
        "error": {"code": 429, "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}]}
    }


@pytest.mark.parametrize(
    ("delay", "seconds"),
    [("37s", 37.0), ("0.847655010s", 0.84765501), ("s", 0.0), (5, 0.0), ("-1s", 0.0), ("infs", 0.0)],
)
def test_reads_the_wait_in_the_details_of_an_error(delay: object, seconds: float) -> None:
    assert retry_after({}, json.dumps(retry_info(delay))) == seconds
    assert retry_after({}, json.dumps([retry_info(delay)])) == seconds, "as in a stream without events"
    assert retry_after({"retry-after": "2"}, json.dumps(retry_info(delay))) == 2.0


@pytest.mark.parametrize(
    "body", ["", "[]", "{}", "[1]", '{"error": {"details": 5}}', '{"error": {"details": [1, {}]}}']
)
def test_a_body_without_a_wait_is_none(body: str) -> None:
    assert retry_after({}, body) == 0.0


def test_an_answer_that_broke_off_costs_at_least_what_arrived() -> None:
    call = PendingCall(begun=True)
    call.count(100, 1)
    call.add(call.text, "x" * 40)
    assert call.spent(50) == (100, 10, True)
    call.finished = True
    assert call.spent(50) == (100, 1, False)
    assert PendingCall().spent(50) == (0, 0, False), "nothing was accepted"
    assert PendingCall(begun=True, read=70).spent(50) == (70, 0, True)


def test_counts_must_make_sense() -> None:
    call = PendingCall()
    call.count(100, 20, 60, 41, 21)
    assert (call.counted, call.cached, call.cache_written, call.reasoned) == ((100, 20), 60, 0, 0)
    call.count(100, 20, 60, 40, 20)
    assert (call.cached, call.cache_written, call.reasoned) == (60, 40, 20)
    call.count(-1, 20)
    call.count(True, 20)
    assert call.counted == (100, 20)


def test_the_arguments_of_a_tool_call_are_the_answer() -> None:
    call = PendingCall(finished=True)
    call.add(call.text, "I call the tool.")
    call.add(call.arguments, '{"orders": []}')
    assert call.completion().text == '{"orders": []}'


@pytest.mark.parametrize(
    ("error", "again"),
    [
        ({"type": "overloaded_error"}, True),
        ({"type": "api_error"}, True),
        ({"type": "rate_limit_error"}, True),
        ({"code": "server_error"}, True),
        ({"code": 503, "status": "UNAVAILABLE"}, True),
        ("overloaded", True),
        ({"type": "authentication_error"}, False),
        ({"type": "invalid_request_error"}, False),
        ({"type": "billing_error"}, False),
        ({"code": "insufficient_quota"}, False),
        ({"code": 400, "status": "INVALID_ARGUMENT"}, False),
    ],
)
def test_an_error_within_an_answer_tells_if_another_try_may_help(error: object, again: bool) -> None:
    assert failed_within(error, json.dumps({"error": error})).again is again


def test_a_wait_within_an_answer_is_kept() -> None:
    body = retry_info("3s")
    assert failed_within(body["error"], json.dumps(body)).wait == 3.0


def test_parts_of_any_value() -> None:
    value = {"a": [{"b": 1}]}
    assert part(value, "a", 0, "b") == 1
    assert part(value, "a", 1, "b") is None
    assert part(value, "a", "b") is None
    assert part(value, 0) is None
    assert part(None, "a") is None


@pytest.mark.parametrize("text", ["", "{", "[1]", "5", "[" * 100_000])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(CallFailed):
        decoded_object(text)
