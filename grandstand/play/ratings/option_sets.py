"""Option sets: the games, options and versions of the rules whose results may be compared with each other."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from grandstand.games.base import OptionError
from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.games.spec import game_options


@dataclass(frozen=True, slots=True)
class OptionSet:
    """A game, the options of a match that differ from the defaults as JSON, and the version of the rules."""

    game: str
    options: str
    rules: int

    @classmethod
    def of(cls, game: str, options: Mapping[str, Any], rules: int) -> OptionSet:
        """Return the set of a recorded match. An option that is set to its default equals one that is not set."""
        return cls(game, json.dumps(_non_default(game, options), sort_keys=True, default=str), rules)

    @property
    def id(self) -> str:
        """Return a short name for addresses."""
        return blake2b(f"{self.game}/{self.rules}/{self.options}".encode(), digest_size=5).hexdigest()

    @property
    def label(self) -> str:
        """Return the set in plain words: the game's own for the options that it words, and name=value for others."""
        options: dict[str, Any] = json.loads(self.options)
        words, current = _words(self.game, options), self.rules
        if self.game in GAMES:
            current = game_spec(self.game).rules.version
        parts = [text for text in words.values() if text]
        parts += [f"{name}={_value(value)}" for name, value in sorted(options.items()) if name not in words]
        if self.rules != current:
            parts.append(f"rules {self.rules}")
        return ", ".join(parts) or "the game's defaults"


def _words(game: str, options: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the game's words for its options, without those that only an older version had."""
    if game not in GAMES:
        return {}
    spec = game_spec(game)
    names = {field.name for field in dataclasses.fields(spec.rules.options)}
    try:
        return spec.rules.option_words(game_options(spec, {name: options[name] for name in options if name in names}))
    except OptionError:
        return {}


def _non_default(game: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that differ from the game's defaults."""
    if game not in GAMES:
        return dict(options)
    spec = game_spec(game)
    try:
        values = game_options(spec, options)
    except OptionError:
        return dict(options)
    defaults = spec.rules.options()
    current = {field.name: getattr(values, field.name) for field in dataclasses.fields(spec.rules.options)}
    return {name: value for name, value in current.items() if value != getattr(defaults, name)}


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)[:60]
