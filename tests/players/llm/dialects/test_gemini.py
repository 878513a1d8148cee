"""Gemini's generateContent: requests with thinking, parts of content, blocked prompts and stopped answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grandstand.players.llm.completion import CallFailed, Completion, PendingCall
from grandstand.players.llm.dialects import DIALECTS
from grandstand.players.options import LLMOptions
from tests.support.players.queries import SCHEMA, query

GEMINI = DIALECTS["gemini"]


def pending(*responses: Any) -> PendingCall:
    call = PendingCall(begun=True)
    for response in responses:
        GEMINI.take(json.dumps(response), call)
    return call


def parts(*items: Any, finish: str | None = None) -> dict[str, Any]:
    return {"candidates": [{"content": {"parts": list(items), "role": "model"}, "finishReason": finish}]}


def test_the_request_asks_for_thoughts_and_a_schema() -> None:
    extra = {"safetySettings": [], "generationConfig": {"topK": 5}}
    assert GEMINI.body(query("gemini", effort="low", temperature=0.5, extra=extra)) == {
        "safetySettings": [],
        "systemInstruction": {"parts": [{"text": "You play."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "Play."}]},
            {"role": "model", "parts": [{"text": "{}"}]},
            {"role": "user", "parts": [{"text": "Again."}]},
        ],
        "generationConfig": {
            "topK": 5,
            "maxOutputTokens": 2000,
            "temperature": 0.5,
            "thinkingConfig": {"includeThoughts": True, "thinkingLevel": "low"},
            "responseMimeType": "application/json",
            "responseJsonSchema": SCHEMA,
        },
    }


def test_a_budget_of_thinking_may_be_none_at_all() -> None:
    config = GEMINI.body(query("gemini", thinking_tokens=512))["generationConfig"]
    assert config["thinkingConfig"] == {"includeThoughts": True, "thinkingBudget": 512}
    config = GEMINI.body(query("gemini", thinking_tokens=0))["generationConfig"]
    assert config["thinkingConfig"] == {"thinkingBudget": 0}, "thoughts cannot be asked for where there are none"


def test_a_forced_tool_call_and_a_plain_object_are_asked_for_by_name() -> None:
    body = GEMINI.body(query("gemini", structured="tool"))
    assert body["toolConfig"] == {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["answer"]}}
    assert body["tools"][0]["functionDeclarations"][0]["parametersJsonSchema"] == SCHEMA
    config = GEMINI.body(query("gemini", structured="json_object"))["generationConfig"]
    assert config["responseMimeType"] == "application/json"
    assert "responseJsonSchema" not in config


@pytest.mark.parametrize(
    ("model", "path"),
    [
        ("gemini-3.5-flash", "/models/gemini-3.5-flash:streamGenerateContent?alt=sse"),
        ("models/gemini-3.5-flash", "/models/gemini-3.5-flash:streamGenerateContent?alt=sse"),
        ("tunedModels/mine", "/tunedModels/mine:streamGenerateContent?alt=sse"),
        ("a b?c#d", "/models/a%20b%3Fc%23d:streamGenerateContent?alt=sse"),
    ],
)
def test_the_model_is_in_the_address(model: str, path: str) -> None:
    options = LLMOptions(dialect="gemini", base_url="https://x/v1beta/", model=model)
    assert GEMINI.url(options) == f"https://x/v1beta{path}"


REFUSALS: list[tuple[str, str]] = [
    ("Thinking_config.include_thoughts is only enabled when thinking is enabled.", "thoughts"),
    ('Invalid JSON payload received. Unknown name "includeThoughts"', "thoughts"),
    ("Thinking is not supported by this model.", "thoughts"),
    ("temperature is not supported by this model", "temperature"),
    ("Invalid JSON payload received. Unknown name \"responseJsonSchema\" at 'generation_config'", "json_schema"),
    ("Function calling with a response mime type: 'application/json' is unsupported", "json_schema"),
]


@pytest.mark.parametrize(("message", "field"), REFUSALS, ids=[refusal[0] for refusal in REFUSALS])
def test_a_field_that_the_endpoint_rejects_is_left_out(message: str, field: str) -> None:
    assert GEMINI.refused(query("gemini", temperature=0.5), message) == field
    left = {"thoughts": "includeThoughts", "json_schema": "responseJsonSchema"}.get(field, field)
    assert left not in str(GEMINI.body(query("gemini", field, temperature=0.5)))


def test_another_unknown_field_does_not_cost_the_structure() -> None:
    message = 'Invalid JSON payload received. Unknown name "mine": Cannot find field.'
    assert GEMINI.refused(query("gemini", extra={"mine": 1}), message) == ""


def test_an_effort_that_a_model_does_not_have_is_not_left_out() -> None:
    message = "Thinking level MINIMAL is not supported for this model."
    assert GEMINI.refused(query("gemini", "thoughts", effort="minimal"), message) == ""


def test_thoughts_are_parts_of_their_own_and_counted_apart() -> None:
    usage = {"promptTokenCount": 90, "toolUsePromptTokenCount": 10, "candidatesTokenCount": 5, "thoughtsTokenCount": 7}
    call = pending(
        parts({"text": "hm", "thought": True}),
        parts({"text": "{"}, {"text": "}"}),
        parts({"text": "", "thoughtSignature": "CiQB"}, finish="STOP") | {"usageMetadata": usage},
    )
    assert call.completion() == Completion("{}", reasoning="hm")
    assert (call.counted, call.reasoned) == ((100, 12), 7)


@pytest.mark.parametrize(
    "usage",
    [None, 5, {}, {"promptTokenCount": "many"}, {"promptTokenCount": 5, "candidatesTokenCount": "x"}],
)
def test_counts_that_make_no_sense_are_left_out(usage: Any) -> None:
    assert pending({"usageMetadata": usage}).counted is None


def test_a_count_of_nothing_is_left_out_by_the_endpoint() -> None:
    assert pending({"usageMetadata": {"promptTokenCount": 5}}).counted == (5, 0)


@pytest.mark.parametrize("reason", ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"])
def test_a_filter_stops_an_answer(reason: str) -> None:
    assert reason in pending(parts({"text": "{"}, finish=reason)).completion().refusal


def test_a_filter_blocks_a_prompt() -> None:
    call = pending({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 5}})
    assert call.completion().refusal == "the endpoint blocked the prompt: SAFETY"
    assert call.counted == (5, 0)


def test_the_end_of_an_answer_is_explained() -> None:
    assert pending(parts({"text": "{"}, finish="MAX_TOKENS")).completion().cut
    with pytest.raises(CallFailed, match="gave up its answer: MALFORMED_FUNCTION_CALL") as failed:
        pending(parts(finish="MALFORMED_FUNCTION_CALL"))
    assert failed.value.again
    with pytest.raises(CallFailed, match="without content"):
        pending(parts(finish="STOP")).completion()
    with pytest.raises(CallFailed, match="broke off"):
        pending(parts({"text": "{"})).completion()


def test_an_error_may_stand_in_a_list() -> None:
    call = PendingCall(begun=True)
    with pytest.raises(CallFailed, match="failed within its answer: overloaded") as failed:
        GEMINI.take_whole('[{"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}]', call)
    assert failed.value.again
