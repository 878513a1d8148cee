"""OpenAI's responses API: typed events, of which the last has the whole answer."""

from __future__ import annotations

from typing import Any

from grandstand.players.llm.completion import CallFailed, PendingCall, decoded_object, failed_within, objects, part
from grandstand.players.llm.dialects.base import TOOL, TOOL_PURPOSE, Dialect, Json, Query, merged
from grandstand.players.llm.dialects.openai_chat import FILTERED
from grandstand.players.options import LLMOptions

FINAL = {"response.completed": "completed", "response.incomplete": "incomplete", "response.failed": "failed"}
"""The status of an answer, by the type of the event that ends it."""


class OpenAIResponses(Dialect):
    """POST /responses. Nothing is stored at the endpoint."""

    def url(self, options: LLMOptions) -> str:
        return f"{options.base_url}/responses"

    def body(self, query: Query) -> Json:
        options = query.options
        body: Json = {
            "model": options.model,
            "instructions": query.system,
            "input": [{"type": "message", **message} for message in query.dialogue],
            "stream": True,
            "max_output_tokens": options.max_tokens,
        }
        if query.takes("store"):
            body["store"] = False
        if options.temperature is not None and query.takes("temperature"):
            body["temperature"] = options.temperature
        reasoning: Json = {} if options.effort is None else {"effort": options.effort}
        if query.takes("summary"):
            reasoning["summary"] = "auto"
        if reasoning:
            body["reasoning"] = reasoning
        match self.form(query):
            case "json_schema":
                schema = {"type": "json_schema", "name": TOOL, "strict": True, "schema": query.schema}
                body["text"] = {"format": schema}
            case "json_object":
                body["text"] = {"format": {"type": "json_object"}}
            case "tool":
                tool = {"type": "function", "name": TOOL, "description": TOOL_PURPOSE, "strict": True}
                body["tools"] = [tool | {"parameters": query.schema}]
                body["tool_choice"] = {"type": "function", "name": TOOL}
        return merged(options.extra, body)

    def refused(self, query: Query, message: str) -> str:
        body = self.body(query)
        if query.takes("summary") and ("summar" in message or ("reasoning" in message and not query.options.effort)):
            return "summary"
        for name in ("store", "temperature"):
            if name in message and name in body and query.takes(name):
                return name
        return self.refused_form(query, message)

    def take(self, data: str, call: PendingCall) -> None:
        if data.strip() == "[DONE]":  # some gateways end every stream like this
            call.ended = True
            return
        event = decoded_object(data)
        kind, delta = event.get("type"), event.get("delta")
        if kind == "error" or event.get("error"):
            raise failed_within(event.get("error") or event, data)
        match kind:
            case "response.output_text.delta":
                call.add(call.text, delta)
            case "response.function_call_arguments.delta":
                call.add(call.arguments, delta)
            case "response.reasoning_summary_text.delta" | "response.reasoning_text.delta":
                call.add(call.reasoning, delta)
            case "response.reasoning_summary_part.added":
                call.add(call.reasoning, "\n\n" if call.reasoning else "")
            case "response.refusal.delta":
                call.add(call.refusal, delta)
        if isinstance(kind, str) and kind in FINAL:
            self._finish(event.get("response"), FINAL[kind], data, call)
            call.ended = True

    def take_whole(self, data: str, call: PendingCall) -> None:
        response = decoded_object(data)
        if response.get("error"):
            raise failed_within(response["error"], data)
        self._finish(response, response.get("status"), data, call)

    def _finish(self, response: Any, status: Any, data: str, call: PendingCall) -> None:
        """Take the counts and the end of an answer, and its text if it was not streamed."""
        _count(part(response, "usage"), call)
        if status == "failed":
            raise failed_within(part(response, "error"), data)
        if not (call.text or call.arguments or call.refusal):
            _take_output(response, call)
        reason = part(response, "incomplete_details", "reason")
        if reason == "content_filter" and not call.refusal:
            call.refusal.append(FILTERED)
        call.cut = reason == "max_output_tokens"
        if status == "incomplete" and not (call.cut or call.refusal):
            raise CallFailed("the endpoint left its answer incomplete", again=True)
        if status == "cancelled":
            raise CallFailed("the endpoint cancelled its answer", again=True)
        call.finished = True


def _take_output(response: Any, call: PendingCall) -> None:
    thought = not call.reasoning
    for item in objects(part(response, "output")):
        match item.get("type"):
            case "message":
                for content in objects(item.get("content")):
                    call.add(call.text, content.get("text"))
                    call.add(call.refusal, content.get("refusal"))
            case "function_call":
                call.add(call.arguments, item.get("arguments"))
            case "reasoning" if thought:
                for text in objects(item.get("summary")) or objects(item.get("content")):
                    call.add(call.reasoning, text.get("text"))


def _count(usage: Any, call: PendingCall) -> None:
    call.count(
        part(usage, "input_tokens"),
        part(usage, "output_tokens"),
        part(usage, "input_tokens_details", "cached_tokens"),
        part(usage, "input_tokens_details", "cache_write_tokens"),
        part(usage, "output_tokens_details", "reasoning_tokens"),
    )
