"""Replace `${dotted.path}` in the values of a file by the value at that path of the same file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

_REFERENCE = re.compile(r"\$\{([^{}]*)\}")


class InterpolationError(ValueError):
    """A reference without a value; the message names the field that has it, and the remedy."""


def interpolated(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data with every reference replaced. Raises InterpolationError.

    A value that is one reference takes the referenced value with its type; within a longer text its words are inserted.

    >>> interpolated({"parameters": {"steps": 40}, "run": {"steps": "${parameters.steps}"}})
    {'parameters': {'steps': 40}, 'run': {'steps': 40}}
    """
    return {name: _value(value, data, name, ()) for name, value in data.items()}


def _value(value: Any, data: Mapping[str, Any], where: str, above: tuple[str, ...]) -> Any:
    if isinstance(value, Mapping):
        return {name: _value(inner, data, f"{where}.{name}", above) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_value(inner, data, f"{where}.{number}", above) for number, inner in enumerate(value)]
    if not isinstance(value, str):
        return value
    whole = _REFERENCE.fullmatch(value)
    if whole:
        return _referenced(whole[1], data, where, above)
    text = _REFERENCE.sub(lambda match: _words(_referenced(match[1], data, where, above), match[1], where), value)
    if "${" in text:
        raise InterpolationError(f"{where}: {value!r} has a reference that does not end; write ${{dotted.path}}")
    return text


def _referenced(path: str, data: Mapping[str, Any], where: str, above: Sequence[str]) -> Any:
    if path in above:
        raise InterpolationError(f"{where}: ${{{path}}} refers to itself, through {' and '.join(above)}")
    at: Any = data
    for depth, part in enumerate(path.split(".")):
        if not isinstance(at, Mapping) or part not in at:
            raise InterpolationError(f"{where}: ${{{path}}} does not exist; {_instead(path, depth, at)}")
        at = at[part]
    return _value(at, data, where, (*above, path))


def _instead(path: str, depth: int, at: Any) -> str:
    """Return a sentence that lists the values at the deepest existing part of the path."""
    parts = path.split(".")
    begin = ".".join(parts[:depth]) or "the file"
    if not isinstance(at, Mapping):
        return f"{begin} is {at!r}"
    names = [str(name) for name in at]
    near = get_close_matches(parts[depth], names, n=1)
    return f"{begin} has {', '.join([*near, *(name for name in names if name not in near)])}"


def _words(value: Any, path: str, where: str) -> str:
    if isinstance(value, Mapping | list):
        raise InterpolationError(f"{where}: ${{{path}}} is a table or a list; a text takes a word or a number")
    return str(value)
