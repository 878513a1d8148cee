"""Anthropic's messages API: blocks of content with indices, counts at both ends of a stream."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from grandstand.players.llm.completion import CallFailed, PendingCall, decoded_object, failed_within, objects, part
from grandstand.players.llm.dialects.base import TOOL, TOOL_PURPOSE, Dialect, Form, Json, Query, merged
from grandstand.players.options import LLMOptions

CUT = {"max_tokens", "model_context_window_exceeded"}
"""Stop reasons of an answer that was cut off."""


class Anthropic(Dialect):
    """POST /messages."""

    key_header = "x-api-key"
    key_prefix = ""
    headers: ClassVar[Mapping[str, str]] = {"anthropic-version": "2023-06-01"}
    forms = ("json_schema", "tool")

    def url(self, options: LLMOptions) -> str:
        return f"{options.base_url}/messages"

    def body(self, query: Query) -> Json:
        options, form = query.options, self.form(query)
        system: Json = {"type": "text", "text": query.system}
        if options.prompt_cache != "off" and query.takes("cache_control"):
            lasting = {"ttl": "1h"} if options.prompt_cache == "1h" else {}
            system["cache_control"] = {"type": "ephemeral", **lasting}
        body: Json = {
            "model": options.model,
            "max_tokens": options.max_tokens,
            "system": [system],
            "messages": [dict(message) for message in query.dialogue],
            "stream": True,
        }
        if not query.system:
            del body["system"]
        if options.temperature is not None and query.takes("temperature"):
            body["temperature"] = options.temperature
        output: Json = {} if options.effort is None else {"effort": options.effort}
        if form == "json_schema":
            output["format"] = {"type": "json_schema", "schema": query.schema}
        elif form == "tool":
            body["tools"] = [{"name": TOOL, "description": TOOL_PURPOSE, "input_schema": query.schema}]
            body["tool_choice"] = {"type": "tool", "name": TOOL, "disable_parallel_tool_use": True}
        if output:
            body["output_config"] = output
        if thinking := _thinking(query, form):
            body["thinking"] = thinking
        return merged(options.extra, body)

    def form(self, query: Query) -> Form:
        """Return the best form. If the model is asked to think, return no form instead of a forced tool call."""
        form = super().form(query)
        return "" if form == "tool" and query.options.thinking_tokens else form

    def refused(self, query: Query, message: str) -> str:
        thinking = _thinking(query, self.form(query))
        if self.form(query) == "tool" and "tool" in message:
            return self.refused_form(query, message)
        if "display" in message and "display" in thinking:
            return "display"
        if "thinking" in message and thinking.get("type") == "adaptive":
            return "adaptive"
        if "cache_control" in message and query.options.prompt_cache != "off" and query.takes("cache_control"):
            return "cache_control"
        if "temperature" in message and query.options.temperature is not None and query.takes("temperature"):
            return "temperature"
        return self.refused_form(query, message)

    def take(self, data: str, call: PendingCall) -> None:
        event = decoded_object(data)
        if event.get("error") or event.get("type") == "error":
            raise failed_within(event.get("error"), data)
        match event.get("type"):
            case "message_start":
                _count(part(event, "message", "usage"), call, last=False)
            case "content_block_start":
                _take_block(part(event, "content_block"), call)
            case "content_block_delta":
                delta = event.get("delta")
                call.add(call.text, part(delta, "text"))
                call.add(call.arguments, part(delta, "partial_json"))
                call.add(call.reasoning, part(delta, "thinking"))
            case "message_delta":
                _count(event.get("usage"), call, last=True)
                _finish(event.get("delta"), call)
            case "message_stop":
                call.finished = call.ended = True

    def take_whole(self, data: str, call: PendingCall) -> None:
        message = decoded_object(data)
        if message.get("error") or message.get("type") == "error":
            raise failed_within(message.get("error"), data)
        _count(message.get("usage"), call, last=True)
        for block in objects(message.get("content")):
            _take_block(block, call)
        _finish(message, call)
        call.finished = True


def _thinking(query: Query, form: Form) -> Json:
    """Return the configuration of the model's thinking; empty if the model's own is kept.

    A forced tool call excludes thinking. The newest models return no thoughts unless `display` asks for them.
    """
    budget = query.options.thinking_tokens
    display = {"display": "summarized"} if query.takes("display") else {}
    if budget == 0:
        return {"type": "disabled"}
    if budget is not None:
        return {"type": "enabled", "budget_tokens": budget, **display}
    if query.options.effort is not None and form != "tool" and query.takes("adaptive"):
        return {"type": "adaptive", **display}
    return {}


def _take_block(block: Any, call: PendingCall) -> None:
    """Add a block of content: complete without streaming, empty at its start in a stream."""
    match part(block, "type"):
        case "text":
            call.add(call.text, part(block, "text"))
        case "thinking":
            call.add(call.reasoning, "\n\n" if call.reasoning else "")
            call.add(call.reasoning, part(block, "thinking"))
        case "tool_use" if part(block, "input"):
            call.add(call.arguments, json.dumps(part(block, "input"), ensure_ascii=False))


def _finish(message: Any, call: PendingCall) -> None:
    reason = part(message, "stop_reason")
    if not isinstance(reason, str):
        return
    if reason == "pause_turn":
        raise CallFailed("the endpoint paused its answer", again=True)
    call.finished = True
    call.cut = reason in CUT
    if reason == "refusal":
        why = part(message, "stop_details", "explanation")
        call.add(call.refusal, why if isinstance(why, str) and why else "the endpoint's classifiers stopped the answer")


def _count(usage: Any, call: PendingCall, *, last: bool) -> None:
    """Take the counts of a message. The counts at the start lack the written tokens. The counts at the end are
    cumulative, and may lack the read tokens."""
    fresh = part(usage, "input_tokens")
    if type(fresh) is int:
        cached = part(usage, "cache_read_input_tokens") or 0
        cache_written = part(usage, "cache_creation_input_tokens") or 0
        extra = [count for count in (cached, cache_written) if type(count) is int and count > 0]
        call.count(fresh + sum(extra), 0, cached, cache_written)
        call.read, call.counted = call.counted[0] if call.counted else None, None
    if last and call.read is not None:
        reasoned = part(usage, "output_tokens_details", "thinking_tokens")
        call.count(call.read, part(usage, "output_tokens"), call.cached, call.cache_written, reasoned)
