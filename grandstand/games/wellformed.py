"""The check that an action can be recorded: valid Unicode, finite numbers, limited nesting."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from grandstand.games.base import IllegalAction

DEEPEST = 32
"""The deepest nesting of objects and lists."""

MOST_VALUES = 10_000
"""The most values in an action."""

LONGEST_NAME = 60
"""The most characters of a field's name in an error."""


def check_action(action: Any) -> None:
    """Raise IllegalAction naming the first part of `action` that cannot be recorded."""
    if not isinstance(action, Mapping):
        raise IllegalAction("action", f"must be an object, not {type(action).__name__}")
    parts: list[tuple[str, Any, int]] = [("", action, 1)]
    values = 1
    while parts:
        name, value, depth = parts.pop()
        field = name[-LONGEST_NAME:]
        if isinstance(value, (Mapping, list, tuple)):
            values += len(value)
            if values > MOST_VALUES:
                raise IllegalAction(field or "action", f"has too many values: more than {MOST_VALUES}")
        if depth > DEEPEST:
            raise IllegalAction(field, f"has more than {DEEPEST} objects or lists within each other")
        if isinstance(value, str):
            if not _valid(value):
                raise IllegalAction(field, "is not valid Unicode: it has half of a surrogate pair; leave it out")
        elif isinstance(value, float):
            if not math.isfinite(value):
                raise IllegalAction(field, "must be a finite number")
        elif isinstance(value, Mapping):
            for key in reversed(list(value)):
                if not isinstance(key, str) or not _valid(key):
                    raise IllegalAction(field or "action", f"has a key that is not valid Unicode: {key!a:.60}")
                part = key[:LONGEST_NAME]
                parts.append((f"{field}.{part}" if field else part, value[key], depth + 1))
        elif isinstance(value, (list, tuple)):
            parts += [(f"{field}[{index}]", value[index], depth + 1) for index in reversed(range(len(value)))]


def _valid(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
