"""Read YAML 1.2: `off` and `no` are strings, `1e-5` is a number, and duplicate keys are refused."""

from __future__ import annotations

import re
from typing import Any, ClassVar

import yaml

_WORDS = {
    "bool": (r"true|True|TRUE|false|False|FALSE", "tTfF"),
    "null": (r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    "int": (r"[-+]?[0-9]+", "-+0123456789"),
    "float": (r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
}
"""The core schema: type -> (pattern, possible first characters)."""


class YamlError(ValueError):
    """Text that is not a YAML mapping; the message says where."""


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """PyYAML's loader (YAML 1.1) with the scalar types of YAML 1.2."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise YamlError(f"line {node.start_mark.line + 1}: {key!r} is there twice; remove one")
        mapping: dict[Any, Any] = super().construct_mapping(node, deep=deep)
        return mapping


for _kind in ("bool", "null", "int", "float"):
    _looks, _begins = _WORDS[_kind]
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_kind}", re.compile(f"^(?:{_looks})$"), list(_begins))


def read_yaml(text: str) -> dict[str, Any]:
    """Return the mapping in the text. Raises YamlError."""
    try:
        data = yaml.load(text, _Loader)
    except yaml.YAMLError as error:
        raise YamlError(f"invalid YAML: {' '.join(str(error).split())}") from None
    if data is None:
        return {}
    if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
        raise YamlError("it must be a table: sections with their settings")
    return data
