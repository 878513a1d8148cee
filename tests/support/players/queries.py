"""Queries for the tests of the dialects."""

from __future__ import annotations

from typing import Any

from grandstand.players.llm.dialects.base import Query
from grandstand.players.llm.features import DialectName
from grandstand.players.options import LLMOptions

SCHEMA = {"type": "object", "properties": {"orders": {"type": "array"}}}
PROMPT = [
    {"role": "system", "content": "You play."},
    {"role": "user", "content": "Play."},
    {"role": "assistant", "content": "{}"},
    {"role": "user", "content": "Again."},
]


def query(dialect: DialectName, *refused: str, schema: dict[str, Any] = SCHEMA, **options: Any) -> Query:
    """Return a query after the endpoint refused some fields."""
    fields = {"base_url": "http://x/v1", "model": "m", "max_tokens": 2000, **options}
    return Query(LLMOptions(dialect=dialect, **fields), PROMPT, schema, frozenset(refused))
