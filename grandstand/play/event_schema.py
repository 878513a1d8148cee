"""Schemas of event data: the core types, and Pydantic models made from the dataclasses of each game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache
from types import UnionType
from typing import Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from pydantic import BaseModel, ConfigDict, create_model

from grandstand.campaign_events import CAMPAIGN_EVENTS
from grandstand.events import CORE_EVENTS
from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec

STRICT = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


@cache
def event_schemas(game: str) -> dict[str, type[BaseModel]]:
    """Return the models that validate event data, by event type: the core's, and a known game's or a campaign's."""
    schemas: dict[str, type[BaseModel]] = dict(CORE_EVENTS)
    if game in GAMES:
        kinds: tuple[Any, ...] = game_spec(game).events
        return schemas | {kind.__name__: _model(kind) for kind in kinds}
    return schemas | CAMPAIGN_EVENTS


@cache
def _model(kind: Any) -> type[BaseModel]:
    """Return a model with the fields of a dataclass or TypedDict, which validate nothing themselves."""
    hints = get_type_hints(kind, include_extras=True)
    plain = get_type_hints(kind)
    required = kind.__required_keys__ if is_typeddict(kind) else hints
    fields: dict[str, Any] = {
        name: (_wire(plain[name]), ... if name in required and get_origin(hint) is not NotRequired else None)
        for name, hint in hints.items()
    }
    return create_model(kind.__name__, __config__=STRICT, **fields)


def _wire(kind: Any) -> Any:
    """Return `kind` with every dataclass and TypedDict in it replaced by a model."""
    if is_dataclass(kind) or is_typeddict(kind):
        return _model(kind)
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return Union[tuple(map(_wire, args))]  # noqa: UP007 - made of parts
    if origin in (list, Sequence):
        return list[_wire(args[0])]  # type: ignore[misc]
    if origin in (dict, Mapping):
        return dict[args[0], _wire(args[1])]  # type: ignore[misc,valid-type]
    return kind
