"""The options that each dialect of a chat endpoint has; others are refused when a roster is read.

This module is imported at start, so it imports nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

DialectName = Literal["openai-chat", "openai-responses", "anthropic", "gemini"]
Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
Structured = Literal["auto", "json_schema", "json_object", "tool", "off"]
PromptCache = Literal["5m", "1h", "off"]

SHORTEST_THOUGHT = 1024
"""The smallest `budget_tokens` that Anthropic's API accepts."""


@dataclass(frozen=True, slots=True)
class Features:
    """The options of a dialect, and the fields of its requests that the client writes itself."""

    efforts: tuple[Effort, ...]
    written: frozenset[str]
    structured: tuple[Structured, ...] = ("auto", "json_schema", "json_object", "tool", "off")
    thinking_tokens: bool = False
    prompt_cache: bool = False
    hottest: float = 2.0


FEATURES: dict[DialectName, Features] = {
    "openai-chat": Features(
        efforts=("none", "minimal", "low", "medium", "high", "xhigh", "max"),
        written=frozenset({"messages", "model", "stream", "max_tokens", "temperature", "response_format"}),
    ),
    "openai-responses": Features(
        efforts=("none", "minimal", "low", "medium", "high", "xhigh", "max"),
        written=frozenset({"input", "instructions", "model", "stream", "max_output_tokens", "temperature"}),
    ),
    "anthropic": Features(
        efforts=("low", "medium", "high", "xhigh", "max"),
        written=frozenset({"messages", "system", "model", "stream", "max_tokens", "temperature", "thinking"}),
        structured=("auto", "json_schema", "tool", "off"),
        thinking_tokens=True,
        prompt_cache=True,
        hottest=1.0,
    ),
    "gemini": Features(
        efforts=("minimal", "low", "medium", "high", "xhigh"),
        written=frozenset({"contents", "systemInstruction"}),
        thinking_tokens=True,
    ),
}


@dataclass(frozen=True, slots=True)
class DialectOptions:
    """The options of an entry that depend on its dialect."""

    dialect: DialectName
    effort: Effort | None
    thinking_tokens: int | None
    prompt_cache: PromptCache | None
    structured: Structured
    temperature: float | None
    max_tokens: int
    extra: dict[str, Any]


def complaints(options: DialectOptions) -> Iterator[str]:
    """Yield an explanation, with its remedy, of each option that the dialect does not have."""
    features, dialect = FEATURES[options.dialect], f"the dialect {options.dialect}"
    if options.effort is not None and options.effort not in features.efforts:
        yield f"effort: {dialect} has no such effort; choose one of {', '.join(features.efforts)}"
    if options.structured not in features.structured:
        yield f"structured: {dialect} has no {options.structured}; choose one of {', '.join(features.structured)}"
    if options.prompt_cache is not None and not features.prompt_cache:
        yield f"prompt_cache: {dialect} has no such option, its endpoints cache by themselves; leave it out"
    if options.temperature is not None and options.temperature > features.hottest:
        yield f"temperature: must be at most {features.hottest:g} in {dialect}"
    if written := sorted(features.written & options.extra.keys()):
        yield f"extra: must not contain {', '.join(written)}, which the client writes; use the options for these"
    if options.effort is not None and "reasoning_effort" in options.extra:
        yield "effort: stands in extra as reasoning_effort too; leave one of them out"
    if options.thinking_tokens is not None:
        yield from _thinking_complaints(options, features, dialect)


def _thinking_complaints(options: DialectOptions, features: Features, dialect: str) -> Iterator[str]:
    thinking = options.thinking_tokens or 0
    if not features.thinking_tokens:
        yield f"thinking_tokens: {dialect} has no such option; use effort"
    elif thinking >= options.max_tokens:
        yield "thinking_tokens: must be less than max_tokens, which includes them; raise max_tokens"
    elif options.dialect == "gemini" and options.effort is not None:
        yield "thinking_tokens: goes without effort in the dialect gemini; leave one of them out"
    elif options.dialect == "anthropic" and 0 < thinking < SHORTEST_THOUGHT:
        yield f"thinking_tokens: must be 0 or at least {SHORTEST_THOUGHT} in {dialect}"
    elif options.dialect == "anthropic" and thinking and options.structured == "tool":
        yield f"thinking_tokens: goes without structured = 'tool' in {dialect}; use json_schema"
