"""Describe settings in words: for error messages, the command line and the table in the documentation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from grandstand.trainer.config.schedule import Schedule, Weight
from grandstand.trainer.config.settings import TrainConfig

BEGIN, END = "<!-- settings -->", "<!-- end of the settings -->"
"""Lines of the document between which `document` writes the tables."""


class SettingRow(NamedTuple):
    """One setting."""

    key: str
    default: str
    takes: str
    help: str
    may_change: bool


def takes(info: FieldInfo) -> str:
    """Return the values that the setting takes, in words: `a whole number, at least 1`."""
    return _kind(info.annotation) + _bounds(info.metadata)


def _kind(kind: Any) -> str:
    origin, inner = get_origin(kind), get_args(kind)
    if kind == Schedule:
        return f"{_kind(Weight)}, or a list of [step, weight]"
    if origin is Annotated:
        return _kind(inner[0]) + _bounds(inner[1:])
    if origin is Literal:
        return _either([json.dumps(word) for word in inner])
    if origin in (Union, UnionType):
        return _either([_kind(part) for part in inner if part is not NoneType])
    if origin is tuple:
        many = len(inner) == 2 and inner[1] is Ellipsis
        return f"a list, each {_kind(inner[0])}" if many else f"a list of {len(inner)}, each {_kind(inner[0])}"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return "a table" if inner[1] is Any else f"a table, each value {_kind(inner[1])}"
    return {bool: "true or false", int: "a whole number", float: "a number", str: "text"}[kind]


def _either(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _bounds(metadata: Iterable[Any]) -> str:
    words = []
    for bound in _flat(metadata):
        match bound:
            case Ge(ge=least):
                words.append(f"at least {least}")
            case Gt(gt=below):
                words.append(f"above {below}")
            case Le(le=most):
                words.append(f"at most {most}")
            case Lt(lt=above):
                words.append(f"below {above}")
    return f", {' and '.join(words)}" if words else ""


def _flat(metadata: Iterable[Any]) -> Iterator[Any]:
    for part in metadata:
        yield from part.metadata if isinstance(part, FieldInfo) else (part,)


def sections(model: type[BaseModel] = TrainConfig, prefix: str = "") -> Iterator[tuple[str, str, list[SettingRow]]]:
    """Yield (name, description, settings) of every section, in the order of the file."""
    inner = {name: info.annotation for name, info in model.model_fields.items()}
    tables = {n: kind for n, kind in inner.items() if isinstance(kind, type) and issubclass(kind, BaseModel)}
    rows = [_row(prefix + name, info) for name, info in model.model_fields.items() if name not in tables]
    if rows:
        yield prefix.rstrip("."), " ".join((model.__doc__ or "").split()), rows
    for name, table in tables.items():
        yield from sections(table, f"{prefix}{name}.")


def _row(key: str, info: FieldInfo) -> SettingRow:
    default = info.get_default(call_default_factory=True, validated_data={})
    text = json.dumps(list(default) if isinstance(default, tuple) else default, ensure_ascii=False)
    extra = info.json_schema_extra
    return SettingRow(
        key, text, takes(info), info.description or "", isinstance(extra, dict) and bool(extra.get("may_change"))
    )


def tables() -> str:
    """Return every section as a Markdown table."""
    parts = []
    for name, about, rows in sections():
        lines = [f"## [{name}]", "", about, "", "| setting | default | takes | meaning |", "|---|---|---|---|"]
        for row in rows:
            help_text = row.help + (" †" if row.may_change else "")
            cells = (f"`{row.key.removeprefix(name + '.')}`", f"`{row.default}`", row.takes, help_text)
            lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def document(text: str) -> str:
    """Return the document with new tables between its two marks. Raises ValueError if a mark is missing."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the document lacks the lines {BEGIN} and {END}")
    return f"{head}{BEGIN}\n\n{tables()}\n\n{END}{tail}"
