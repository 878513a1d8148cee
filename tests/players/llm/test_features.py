"""The options of each dialect: those that it does not have are refused by name, with the remedy."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from grandstand.players.llm.features import FEATURES, DialectName
from grandstand.players.options import LLMOptions


def options(dialect: DialectName, **fields: Any) -> LLMOptions:
    return LLMOptions(dialect=dialect, **{"base_url": "https://x/v1", "model": "m", **fields})


WRONG: list[tuple[DialectName, dict[str, Any], str]] = [
    ("anthropic", {"effort": "none"}, "effort: the dialect anthropic has no such effort; choose one of low, medium"),
    ("gemini", {"effort": "max"}, "effort: the dialect gemini has no such effort; choose one of minimal, low"),
    ("openai-chat", {"thinking_tokens": 2000}, "thinking_tokens: the dialect openai-chat has no such option; use eff"),
    ("openai-responses", {"thinking_tokens": 0}, "thinking_tokens: the dialect openai-responses has no such option"),
    ("anthropic", {"thinking_tokens": 1000}, "thinking_tokens: must be 0 or at least 1024"),
    ("anthropic", {"thinking_tokens": 4096}, "thinking_tokens: must be less than max_tokens"),
    ("anthropic", {"thinking_tokens": 2000, "structured": "tool"}, "goes without structured = 'tool'"),
    ("gemini", {"thinking_tokens": 2000, "effort": "low"}, "thinking_tokens: goes without effort"),
    ("anthropic", {"structured": "json_object"}, "structured: the dialect anthropic has no json_object; choose one of"),
    ("openai-chat", {"prompt_cache": "5m"}, "prompt_cache: the dialect openai-chat has no such option"),
    ("gemini", {"prompt_cache": "off"}, "prompt_cache: the dialect gemini has no such option"),
    ("anthropic", {"temperature": 1.5}, "temperature: must be at most 1 in the dialect anthropic"),
    ("anthropic", {"extra": {"system": "x"}}, "extra: must not contain system"),
    ("gemini", {"extra": {"contents": []}}, "extra: must not contain contents"),
    ("openai-responses", {"extra": {"input": "x"}}, "extra: must not contain input"),
    ("openai-chat", {"extra": {"reasoning_effort": "low"}, "effort": "low"}, "leave one of them out"),
    ("openai-chat", {"price_cache_write": 1.0}, "price_cache_write goes with price_in and price_out"),
]


@pytest.mark.parametrize(("dialect", "fields", "complaint"), WRONG, ids=[complaint for _, _, complaint in WRONG])
def test_an_option_that_a_dialect_does_not_have_is_refused(
    dialect: DialectName, fields: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        options(dialect, **fields)
    assert complaint in str(refused.value)


@pytest.mark.parametrize(("dialect", "features"), FEATURES.items(), ids=FEATURES)
def test_every_option_that_a_dialect_has_is_taken(dialect: DialectName, features: Any) -> None:
    for effort in features.efforts:
        assert options(dialect, effort=effort).effort == effort
    for structured in features.structured:
        assert options(dialect, structured=structured).structured == structured
    assert options(dialect, temperature=features.hottest, extra={"top_p": 0.9})
    if features.thinking_tokens:
        assert options(dialect, thinking_tokens=0, max_tokens=2000).thinking_tokens == 0
        assert options(dialect, thinking_tokens=1024, max_tokens=2000).thinking_tokens == 1024


@pytest.mark.parametrize("last", ["", "/", "/chat/completions", "/responses", "/messages", "/messages/"])
def test_the_address_may_name_the_request(last: str) -> None:
    assert options("anthropic", base_url=f"https://x/v1{last}").base_url == "https://x/v1"
