"""The wire formats of the four dialects, as their endpoints write them: frames of streams, whole answers and errors.

Each has the quirks of the real one: named events, pings, counts at both ends, keep-alive comments, line ends, and no
`[DONE]` where the real one has none.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from grandstand.players.llm.features import DialectName

Json = Any
Kind = Literal["text", "thought", "tool", "refusal"]
Part = tuple[Kind, str]
"""A part of an answer: (kind, text). The text of a tool call is its arguments."""
End = Literal["stop", "length", "filter"]


@dataclass(frozen=True)
class Counts:
    """The tokens of an answer: those cached are among those read, and those of the reasoning among those written."""

    read: int = 100
    written: int = 20
    cached: int = 0
    cache_written: int = 0
    reasoned: int = 0


COUNTS = Counts()


class Wire(ABC):
    """The format of a dialect. `path` is that of a request for the model `m` below `/v1`."""

    dialect: ClassVar[DialectName]
    path: ClassVar[str]
    key_header: ClassVar[str]

    @abstractmethod
    def begin(self) -> list[bytes]:
        """Return the frames before the first part."""

    @abstractmethod
    def part(self, part: Part, index: int, piece: int) -> list[bytes]:
        """Return the frames of a part, whose text comes `piece` characters at a time."""

    @abstractmethod
    def finish(self, parts: Sequence[Part], end: End, counts: Counts | None) -> list[bytes]:
        """Return the frames after the last part."""

    @abstractmethod
    def answer(self, parts: Sequence[Part], end: End, counts: Counts) -> Json:
        """Return a whole answer that is not streamed."""

    @abstractmethod
    def failure(self, message: str) -> bytes:
        """Return the frame of an error within a stream."""

    @abstractmethod
    def error(self, status: int, message: str, **more: Any) -> Json:
        """Return the body of an error."""

    @abstractmethod
    def usage(self, value: Json) -> bytes:
        """Return a frame whose counts are `value`, which may be nonsense."""

    def stream(
        self, parts: Sequence[Part], end: End = "stop", counts: Counts | None = COUNTS, piece: int = 7
    ) -> list[bytes]:
        """Return all frames of a correct stream."""
        frames = self.begin()
        for index, part in enumerate(parts):
            frames += self.part(part, index, piece)
        return frames + self.finish(parts, end, counts)


def pieces(text: str, length: int) -> Iterator[str]:
    return (text[at : at + length] for at in range(0, len(text), length))


def frame(data: Json, event: str = "", newline: str = "\n") -> bytes:
    """Return an event of a stream."""
    name = f"event: {event}{newline}" if event else ""
    return f"{name}data: {json.dumps(data)}{newline}{newline}".encode()


def joined(parts: Sequence[Part], kind: Kind) -> str:
    return "".join(text for name, text in parts if name == kind)


CHUNK = {"id": "c", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": "m"}


class ChatWire(Wire):
    dialect = "openai-chat"
    path = "/v1/chat/completions"
    key_header = "authorization"

    def begin(self) -> list[bytes]:
        return [b": keep-alive\n\n", self._chunk({"role": "assistant", "content": "", "refusal": None})]

    def part(self, part: Part, index: int, piece: int) -> list[bytes]:
        kind, text = part
        name = {"text": "content", "thought": "reasoning_content", "refusal": "refusal", "tool": ""}[kind]
        if name:
            return [self._chunk({name: item}) for item in pieces(text, piece)]
        function = {"name": "answer", "arguments": ""}
        call = {"index": 0, "id": "call_1", "type": "function", "function": function}
        return [self._chunk({"tool_calls": [call]})] + [
            self._chunk({"tool_calls": [{"index": 0, "function": {"arguments": item}}]}) for item in pieces(text, piece)
        ]

    def finish(self, parts: Sequence[Part], end: End, counts: Counts | None) -> list[bytes]:
        frames = [self._chunk({}, self._reason(parts, end))]
        if counts:
            frames.append(frame({**CHUNK, "choices": [], **self._counts(counts)}))
        return [*frames, b"data: [DONE]\n\n"]

    def answer(self, parts: Sequence[Part], end: End, counts: Counts) -> Json:
        message: Json = {"role": "assistant", "content": joined(parts, "text") or None}
        if thought := joined(parts, "thought"):
            message["reasoning_content"] = thought
        if tool := joined(parts, "tool"):
            message["tool_calls"] = [{"id": "1", "type": "function", "function": {"name": "a", "arguments": tool}}]
        if refusal := joined(parts, "refusal"):
            message["refusal"] = refusal
        choice = {"index": 0, "message": message, "finish_reason": self._reason(parts, end)}
        return {**CHUNK, "object": "chat.completion", "choices": [choice], **self._counts(counts)}

    def failure(self, message: str) -> bytes:
        return frame({"error": {"message": message, "code": 502}})

    def error(self, status: int, message: str, **more: Any) -> Json:
        return {"error": {"message": message, "type": "error", "param": None, "code": None, **more}}

    def usage(self, value: Json) -> bytes:
        return frame({"choices": [], "usage": value})

    def _chunk(self, delta: Json, finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return frame({**CHUNK, "choices": [choice], "usage": None})

    def _reason(self, parts: Sequence[Part], end: End) -> str:
        tool = "tool_calls" if joined(parts, "tool") else "stop"
        return {"stop": tool, "length": "length", "filter": "content_filter"}[end]

    def _counts(self, counts: Counts) -> Json:
        return {
            "usage": {
                "prompt_tokens": counts.read,
                "completion_tokens": counts.written,
                "total_tokens": counts.read + counts.written,
                "prompt_tokens_details": {"cached_tokens": counts.cached, "cache_write_tokens": counts.cache_written},
                "completion_tokens_details": {"reasoning_tokens": counts.reasoned},
            }
        }


class ResponsesWire(Wire):
    dialect = "openai-responses"
    path = "/v1/responses"
    key_header = "authorization"

    def begin(self) -> list[bytes]:
        response = self._response([], "in_progress", None)
        return [
            self._event("response.created", response=response),
            self._event("response.in_progress", response=response),
        ]

    def part(self, part: Part, index: int, piece: int) -> list[bytes]:
        kind, text = part
        item = self._item(part)
        at = {"item_id": item["id"], "output_index": index}
        added = self._event("response.output_item.added", output_index=index, item=item | {"status": "in_progress"})
        done = self._event("response.output_item.done", output_index=index, item=item)
        delta = {
            "text": "response.output_text.delta",
            "refusal": "response.refusal.delta",
            "tool": "response.function_call_arguments.delta",
            "thought": "response.reasoning_summary_text.delta",
        }[kind]
        deltas = [self._event(delta, **at, content_index=0, delta=piece_) for piece_ in pieces(text, piece)]
        if kind == "thought":
            summary = {"type": "summary_text", "text": ""}
            added += self._event("response.reasoning_summary_part.added", **at, summary_index=0, part=summary)
            done = self._event("response.reasoning_summary_text.done", **at, summary_index=0, text=text) + done
        elif kind == "text":
            content = {"type": "output_text", "text": "", "annotations": []}
            added += self._event("response.content_part.added", **at, content_index=0, part=content)
            done = self._event("response.output_text.done", **at, content_index=0, text=text) + done
        return [added, *deltas, done]

    def finish(self, parts: Sequence[Part], end: End, counts: Counts | None) -> list[bytes]:
        response = self._response(parts, "completed" if end == "stop" else "incomplete", counts, end)
        return [self._event("response.completed" if end == "stop" else "response.incomplete", response=response)]

    def answer(self, parts: Sequence[Part], end: End, counts: Counts) -> Json:
        return self._response(parts, "completed" if end == "stop" else "incomplete", counts, end)

    def failure(self, message: str) -> bytes:
        error = {"code": "server_error", "message": message}
        return self._event("response.failed", response=self._response([], "failed", None) | {"error": error})

    def error(self, status: int, message: str, **more: Any) -> Json:
        return {"error": {"message": message, "type": "error", "param": None, "code": None, **more}}

    def usage(self, value: Json) -> bytes:
        return self._event("response.completed", response=self._response([], "completed", None) | {"usage": value})

    def _event(self, kind: str, **data: Any) -> bytes:
        return frame({"type": kind, "sequence_number": 1, **data}, kind)

    def _item(self, part: Part) -> Json:
        kind, text = part
        if kind == "thought":
            return {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": text}]}
        if kind == "tool":
            return {"id": "fc_1", "type": "function_call", "call_id": "call_1", "name": "answer", "arguments": text}
        content: Json = {"type": "output_text", "text": text, "annotations": []}
        if kind == "refusal":
            content = {"type": "refusal", "refusal": text}
        return {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [content]}

    def _response(self, parts: Sequence[Part], status: str, counts: Counts | None, end: End = "stop") -> Json:
        reason = {"stop": None, "length": "max_output_tokens", "filter": "content_filter"}[end]
        usage = counts and {
            "input_tokens": counts.read,
            "input_tokens_details": {"cached_tokens": counts.cached, "cache_write_tokens": counts.cache_written},
            "output_tokens": counts.written,
            "output_tokens_details": {"reasoning_tokens": counts.reasoned},
            "total_tokens": counts.read + counts.written,
        }
        return {
            "id": "resp_1",
            "object": "response",
            "status": status,
            "error": None,
            "incomplete_details": reason and {"reason": reason},
            "output": [self._item(part) for part in parts],
            "usage": usage,
        }


class AnthropicWire(Wire):
    dialect = "anthropic"
    path = "/v1/messages"
    key_header = "x-api-key"

    def begin(self) -> list[bytes]:
        return [self._start(COUNTS), frame({"type": "ping"}, "ping")]

    def stream(
        self, parts: Sequence[Part], end: End = "stop", counts: Counts | None = COUNTS, piece: int = 7
    ) -> list[bytes]:
        frames = super().stream(parts, end, counts, piece)
        return [self._start(counts), *frames[1:]]

    def part(self, part: Part, index: int, piece: int) -> list[bytes]:
        kind, text = part
        if kind == "refusal":
            return []  # refusals have no part of their own
        block, name, field = {
            "text": ({"type": "text", "text": ""}, "text_delta", "text"),
            "thought": ({"type": "thinking", "thinking": "", "signature": ""}, "thinking_delta", "thinking"),
            "tool": (
                {"type": "tool_use", "id": "toolu_1", "name": "answer", "input": {}},
                "input_json_delta",
                "partial_json",
            ),
        }[kind]
        deltas: list[Json] = [{"type": name, field: item} for item in pieces(text, piece)]
        if kind == "tool":
            deltas.insert(0, {"type": name, field: ""})
        if kind == "thought":
            deltas.append({"type": "signature_delta", "signature": "EqQBCgIYAhIM"})
        return [
            frame({"type": "content_block_start", "index": index, "content_block": block}, "content_block_start"),
            *(
                frame({"type": "content_block_delta", "index": index, "delta": delta}, "content_block_delta")
                for delta in deltas
            ),
            frame({"type": "content_block_stop", "index": index}, "content_block_stop"),
        ]

    def finish(self, parts: Sequence[Part], end: End, counts: Counts | None) -> list[bytes]:
        delta = self._end(parts, end)
        data: Json = {"type": "message_delta", "delta": delta}
        if counts:
            details = {"thinking_tokens": counts.reasoned}
            data["usage"] = {"output_tokens": counts.written, "output_tokens_details": details}
        return [frame(data, "message_delta"), frame({"type": "message_stop"}, "message_stop")]

    def answer(self, parts: Sequence[Part], end: End, counts: Counts) -> Json:
        blocks: list[Json] = []
        for kind, text in parts:
            if kind == "text":
                blocks.append({"type": "text", "text": text})
            elif kind == "thought":
                blocks.append({"type": "thinking", "thinking": text, "signature": "EqQBCgIYAhIM"})
            elif kind == "tool":
                blocks.append({"type": "tool_use", "id": "toolu_1", "name": "answer", "input": json.loads(text)})
        details = {"thinking_tokens": counts.reasoned}
        usage = self._usage(counts) | {"output_tokens": counts.written, "output_tokens_details": details}
        return {"id": "msg_1", "type": "message", "content": blocks, **self._end(parts, end), "usage": usage}

    def failure(self, message: str) -> bytes:
        return frame({"type": "error", "error": {"type": "overloaded_error", "message": message}}, "error")

    def error(self, status: int, message: str, **more: Any) -> Json:
        kinds = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}
        kind = kinds.get(status, "api_error" if status >= 500 else "invalid_request_error")
        return {"type": "error", "error": {"type": kind, "message": message, **more}, "request_id": "req_1"}

    def usage(self, value: Json) -> bytes:
        return frame({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": value}, "message_delta")

    def _start(self, counts: Counts | None) -> bytes:
        message: Json = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": []}
        if counts:
            message["usage"] = self._usage(counts) | {"output_tokens": 1}
        return frame({"type": "message_start", "message": message | {"stop_reason": None}}, "message_start")

    def _usage(self, counts: Counts) -> Json:
        return {
            "input_tokens": counts.read - counts.cached - counts.cache_written,
            "cache_creation_input_tokens": counts.cache_written,
            "cache_read_input_tokens": counts.cached,
            "cache_creation": {"ephemeral_5m_input_tokens": counts.cache_written, "ephemeral_1h_input_tokens": 0},
        }

    def _end(self, parts: Sequence[Part], end: End) -> Json:
        refusal = joined(parts, "refusal")
        if refusal or end == "filter":
            details = {"type": "refusal", "category": "general_harms", "explanation": refusal or None}
            return {"stop_reason": "refusal", "stop_sequence": None, "stop_details": details}
        stop = "tool_use" if joined(parts, "tool") else "end_turn"
        return {"stop_reason": "max_tokens" if end == "length" else stop, "stop_sequence": None, "stop_details": None}


class GeminiWire(Wire):
    dialect = "gemini"
    path = "/v1/models/m:streamGenerateContent?alt=sse"
    key_header = "x-goog-api-key"

    def begin(self) -> list[bytes]:
        return []

    def part(self, part: Part, index: int, piece: int) -> list[bytes]:
        kind, text = part
        if kind == "refusal":
            return []
        if kind == "tool":
            return [self._frame([{"functionCall": {"name": "answer", "args": json.loads(text)}}])]
        more = {"thought": True} if kind == "thought" else {}
        return [self._frame([{"text": item, **more}]) for item in pieces(text, piece)]

    def finish(self, parts: Sequence[Part], end: End, counts: Counts | None) -> list[bytes]:
        return [self._sse(self._last([], parts, end, counts))]

    def answer(self, parts: Sequence[Part], end: End, counts: Counts) -> Json:
        """Return the answer of `streamGenerateContent` without `alt=sse`: a list."""
        content: list[Json] = []
        for kind, text in parts:
            if kind == "tool":
                content.append({"functionCall": {"name": "answer", "args": json.loads(text)}})
            elif kind != "refusal":
                content.append({"text": text} | ({"thought": True} if kind == "thought" else {}))
        return [self._response(content), self._last([], parts, end, counts)]

    def failure(self, message: str) -> bytes:
        return self._sse(self.error(503, message))

    def error(self, status: int, message: str, **more: Any) -> Json:
        names = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED"}
        return {"error": {"code": status, "message": message, "status": names.get(status, "UNAVAILABLE"), **more}}

    def usage(self, value: Json) -> bytes:
        return self._sse({"candidates": [{"finishReason": "STOP"}], "usageMetadata": value})

    def _sse(self, data: Json) -> bytes:
        return frame(data, newline="\r\n")

    def _frame(self, parts: list[Json]) -> bytes:
        return self._sse(self._response(parts))

    def _response(self, parts: list[Json]) -> Json:
        return {
            "candidates": [{"content": {"parts": parts, "role": "model"}, "index": 0}],
            "usageMetadata": {"promptTokenCount": 1, "totalTokenCount": 1},  # replaced by those of later responses
            "modelVersion": "m",
            "responseId": "r",
        }

    def _last(self, content: list[Json], parts: Sequence[Part], end: End, counts: Counts | None) -> Json:
        if joined(parts, "refusal"):
            return {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, **self._usage(counts)}
        reason = {"stop": "STOP", "length": "MAX_TOKENS", "filter": "SAFETY"}[end]
        parts_ = content or [{"text": "", "thoughtSignature": "CiQB"}]
        candidate = {"content": {"parts": parts_, "role": "model"}, "finishReason": reason, "index": 0}
        return {"candidates": [candidate], **self._usage(counts), "modelVersion": "m"}

    def _usage(self, counts: Counts | None) -> Json:
        if counts is None:
            return {"usageMetadata": None}
        usage = {
            "promptTokenCount": counts.read,
            "candidatesTokenCount": counts.written - counts.reasoned,
            "totalTokenCount": counts.read + counts.written,
            "cachedContentTokenCount": counts.cached,
            "thoughtsTokenCount": counts.reasoned,
        }
        return {"usageMetadata": {name: count for name, count in usage.items() if count}}  # proto3 leaves out zeros


WIRES: dict[DialectName, Wire] = {
    wire.dialect: wire for wire in (ChatWire(), ResponsesWire(), AnthropicWire(), GeminiWire())
}
