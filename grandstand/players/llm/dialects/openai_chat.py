"""OpenAI's chat completions, as OpenAI, vLLM, Ollama, OpenRouter, LiteLLM and Hugging Face's router speak it."""

from __future__ import annotations

import json
from typing import Any

from grandstand.players.llm.completion import (
    CallFailed,
    PendingCall,
    decoded_object,
    error_message,
    failed_within,
    objects,
    part,
)
from grandstand.players.llm.dialects.base import TOOL, TOOL_PURPOSE, Dialect, Json, Query, merged
from grandstand.players.options import LLMOptions

FILTERED = "the endpoint's content filter stopped the answer"


class OpenAIChat(Dialect):
    """POST /chat/completions."""

    def url(self, options: LLMOptions) -> str:
        return f"{options.base_url}/chat/completions"

    def body(self, query: Query) -> Json:
        options = query.options
        body: Json = {"model": options.model, "messages": [dict(item) for item in query.messages], "stream": True}
        body["max_tokens" if query.takes("max_tokens") else "max_completion_tokens"] = options.max_tokens
        if query.takes("stream_options"):
            body["stream_options"] = {"include_usage": True}
        if options.temperature is not None and query.takes("temperature"):
            body["temperature"] = options.temperature
        if options.effort is not None:
            body["reasoning_effort"] = options.effort
        match self.form(query):
            case "json_schema":
                schema = {"name": TOOL, "strict": True, "schema": query.schema}
                body["response_format"] = {"type": "json_schema", "json_schema": schema}
            case "json_object":
                body["response_format"] = {"type": "json_object"}
            case "tool":
                function = {"name": TOOL, "description": TOOL_PURPOSE, "strict": True, "parameters": query.schema}
                body["tools"] = [{"type": "function", "function": function}]
                body["tool_choice"] = {"type": "function", "function": {"name": TOOL}}
        return merged(options.extra, body)

    def refused(self, query: Query, message: str) -> str:
        body = self.body(query)
        if "max_completion_tokens" in message and "max_tokens" in body:
            return "max_tokens"
        for name in ("stream_options", "temperature"):
            if name in message and name in body and query.takes(name):
                return name
        return self.refused_form(query, message)

    def take(self, data: str, call: PendingCall) -> None:
        if data.strip() == "[DONE]":
            call.finished = call.ended = True
        else:
            self._take(data, "delta", call)

    def take_whole(self, data: str, call: PendingCall) -> None:
        self._take(data, "message", call)
        call.finished = True

    def _take(self, data: str, name: str, call: PendingCall) -> None:
        event = decoded_object(data)
        if event.get("error"):
            raise failed_within(event["error"], data)
        _count(event.get("usage"), call)
        choice = part(event, "choices", 0)
        message = part(choice, name)
        if isinstance(message, dict):
            _take_message(message, call)
        if reason := part(choice, "finish_reason"):
            if reason == "error":
                raise CallFailed(f"the endpoint failed within its answer: {error_message(data)}", again=True)
            call.finished = True
            call.cut = reason == "length"
            if reason == "content_filter" and not call.refusal:
                call.refusal.append(FILTERED)


def _take_message(message: Json, call: PendingCall) -> None:
    text, thought = _content(message.get("content"))
    call.add(call.text, text)
    thoughts = (thought, message.get("reasoning_content"), message.get("reasoning"), _details(message))
    call.add(call.reasoning, next((item for item in thoughts if isinstance(item, str) and item), ""))
    call.add(call.refusal, message.get("refusal"))
    for tool_call in objects(message.get("tool_calls")):
        arguments = part(tool_call, "function", "arguments")
        call.add(call.arguments, json.dumps(arguments) if isinstance(arguments, dict) else arguments)


def _content(content: Any) -> tuple[str, str]:
    """Return (text, reasoning) of a content, which may be a list of typed parts."""
    if not isinstance(content, list):
        return (content, "") if isinstance(content, str) else ("", "")
    text, thought = "", ""
    for item in objects(content):
        if item.get("type") == "text" and isinstance(item.get("text"), str):
            text += item["text"]
        elif item.get("type") == "thinking":
            thought += _content(item.get("thinking"))[0]
    return text, thought


def _details(message: Json) -> str:
    """Return the texts and summaries in OpenRouter's `reasoning_details`."""
    texts = [item.get("text") or item.get("summary") for item in objects(message.get("reasoning_details"))]
    return "".join(text for text in texts if isinstance(text, str))


def _count(usage: Any, call: PendingCall) -> None:
    call.count(
        part(usage, "prompt_tokens"),
        part(usage, "completion_tokens"),
        part(usage, "prompt_tokens_details", "cached_tokens"),
        part(usage, "prompt_tokens_details", "cache_write_tokens"),
        part(usage, "completion_tokens_details", "reasoning_tokens"),
    )
