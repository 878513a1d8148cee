"""Gemini's generateContent: a stream of whole responses, each with the next parts of the content."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

from grandstand.players.llm.completion import CallFailed, PendingCall, decoded, failed_within, objects, part
from grandstand.players.llm.dialects.base import TOOL, TOOL_PURPOSE, Dialect, Json, Query, merged
from grandstand.players.options import LLMOptions

BLOCKED = re.compile("SAFETY|RECITATION|LANGUAGE|BLOCKLIST|PROHIBITED|SPII|ARMOR|ESCALATION|JAILBREAK")
"""Matches the reasons for which a filter stops an answer, or blocks a prompt."""
NO_STRUCTURE = re.compile("schema|mime|structured|controlled generation|json mode", re.IGNORECASE)
"""Matches the errors of models without structured output. Errors on any field speak of a JSON payload."""
NO_THOUGHTS = re.compile("include_?thoughts|thinking|thought", re.IGNORECASE)


class Gemini(Dialect):
    """POST /models/NAME:streamGenerateContent. The key is in a header, never in the URL."""

    key_header = "x-goog-api-key"
    key_prefix = ""

    def url(self, options: LLMOptions) -> str:
        model = options.model if "/" in options.model else f"models/{options.model}"
        return f"{options.base_url}/{quote(model)}:streamGenerateContent?alt=sse"

    def body(self, query: Query) -> Json:
        options = query.options
        config: Json = {"maxOutputTokens": options.max_tokens}
        if options.temperature is not None and query.takes("temperature"):
            config["temperature"] = options.temperature
        if thinking := _thinking(query):
            config["thinkingConfig"] = thinking
        body: Json = {"contents": [_content(message) for message in query.dialogue], "generationConfig": config}
        if query.system:
            body["systemInstruction"] = {"parts": [{"text": query.system}]}
        match self.form(query):
            case "json_schema":
                config |= {"responseMimeType": "application/json", "responseJsonSchema": query.schema}
            case "json_object":
                config["responseMimeType"] = "application/json"
            case "tool":
                function = {"name": TOOL, "description": TOOL_PURPOSE, "parametersJsonSchema": query.schema}
                body["tools"] = [{"functionDeclarations": [function]}]
                forced = {"mode": "ANY", "allowedFunctionNames": [TOOL]}
                body["toolConfig"] = {"functionCallingConfig": forced}
        return merged(options.extra, body)

    def refused(self, query: Query, message: str) -> str:
        if NO_THOUGHTS.search(message) and "includeThoughts" in _thinking(query):
            return "thoughts"
        if "temperature" in message and query.options.temperature is not None and query.takes("temperature"):
            return "temperature"
        return self.refused_form(query, message) if NO_STRUCTURE.search(message) else ""

    def take(self, data: str, call: PendingCall) -> None:
        self.take_whole(data, call)

    def take_whole(self, data: str, call: PendingCall) -> None:
        """Add an answer: a response, or without `alt=sse` a list of them."""
        value = decoded(data)
        if not isinstance(value, list | dict):
            raise CallFailed("the endpoint sent JSON that is no object", again=True)
        for response in value if isinstance(value, list) else [value]:
            if not isinstance(response, dict):
                raise CallFailed("the endpoint sent JSON that is no object", again=True)
            _take(response, data, call)


def _content(message: Any) -> Json:
    role = "model" if message["role"] == "assistant" else "user"
    return {"role": role, "parts": [{"text": message["content"]}]}


def _thinking(query: Query) -> Json:
    """Return the configuration of the model's thinking. It asks for the thoughts unless thinking is turned off."""
    options = query.options
    thinking: Json = {}
    if options.thinking_tokens != 0 and query.takes("thoughts"):
        thinking["includeThoughts"] = True
    if options.thinking_tokens is not None:
        thinking["thinkingBudget"] = options.thinking_tokens
    if options.effort is not None:
        thinking["thinkingLevel"] = options.effort
    return thinking


def _take(response: Json, data: str, call: PendingCall) -> None:
    if response.get("error"):
        raise failed_within(response["error"], data)
    _count(response.get("usageMetadata"), call)
    if blocked := part(response, "promptFeedback", "blockReason"):
        call.add(call.refusal, f"the endpoint blocked the prompt: {blocked}")
        call.finished = True
    candidate = part(response, "candidates", 0)
    for item in objects(part(candidate, "content", "parts")):
        call.add(call.reasoning if item.get("thought") is True else call.text, item.get("text"))
        arguments = part(item, "functionCall", "args")
        if isinstance(arguments, dict):
            call.add(call.arguments, json.dumps(arguments, ensure_ascii=False))
    reason = part(candidate, "finishReason")
    if isinstance(reason, str):
        _finish(reason, call)


def _finish(reason: str, call: PendingCall) -> None:
    if BLOCKED.search(reason):
        call.add(call.refusal, f"the endpoint's filter stopped the answer: {reason}")
    elif reason not in ("STOP", "MAX_TOKENS", "FINISH_REASON_UNSPECIFIED"):
        raise CallFailed(f"the endpoint gave up its answer: {reason}", again=True)
    call.finished = reason != "FINISH_REASON_UNSPECIFIED"
    call.cut = reason == "MAX_TOKENS"


def _count(usage: Any, call: PendingCall) -> None:
    """Take the counts so far. The candidates' count does not include the thoughts'; a count of 0 is left out."""
    counts = [part(usage, name) or 0 for name in ("candidatesTokenCount", "thoughtsTokenCount")]
    written, reasoned = (count if type(count) is int else -1 for count in counts)
    more = part(usage, "toolUsePromptTokenCount") or 0
    read = part(usage, "promptTokenCount")
    if type(read) is int and type(more) is int and min(written, reasoned) >= 0:
        call.count(read + more, written + reasoned, part(usage, "cachedContentTokenCount"), 0, reasoned)
