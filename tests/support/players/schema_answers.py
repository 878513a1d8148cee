"""Answers that follow from their JSON schema alone, as those of a model do that must keep to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def answer_to(schema: Mapping[str, Any]) -> Any:
    """The first value that the schema allows: the first word, one item of a list, a short text."""
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return answer_to(schema["anyOf"][0])
    kind = schema.get("type")
    if kind == "object":
        return {name: answer_to(inner) for name, inner in schema["properties"].items()}
    if kind == "array":
        return [answer_to(schema["items"])]
    if kind in ("integer", "number"):
        return schema.get("minimum", 0)
    return {"string": "x", "boolean": True}.get(str(kind))
