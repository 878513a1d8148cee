"""The tasks of OpenEnv's task API: matches with a fixed seed and options, so that scores can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from grandstand.games.base import OptionError, Task
from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec


@dataclass(frozen=True)
class ResetTask:
    """One task; `reset` are the options that start it."""

    id: str
    index: int
    split: str
    reset: dict[str, Any]


@cache
def splits() -> Sequence[str]:
    """Return the splits: each game from its start, and its named sets: `GAME`, `GAME/SET`."""
    return [
        name
        for game in sorted(GAMES)
        for name in (game, *(f"{game}/{pack}" for pack in sorted(game_spec(game).learning.tasks)))
    ]


@cache
def tasks(split: str) -> Sequence[ResetTask]:
    """Return the tasks of a split, in a fixed order. Raises OptionError if there is no such split."""
    if split not in splits():
        raise OptionError(f"split: there is no {split!r}; there are {', '.join(splits())}")
    game, _, pack = split.partition("/")
    spec = game_spec(game)
    items = spec.learning.tasks[pack]() if pack else _beginnings(spec)
    return [
        ResetTask(
            f"{split}/{task.id}",
            index,
            split,
            {"game": game, "seat": task.seat, "options": dict(task.options), "seed": index},
        )
        for index, task in enumerate(items)
    ]


def reset_task(split: str, index: int) -> ResetTask:
    """Return one task. Raises OptionError."""
    items = tasks(split)
    if not 0 <= index < len(items):
        raise OptionError(f"index: {split} has the tasks 0 to {len(items) - 1}, not {index}")
    return items[index]


def _beginnings(spec: GameSpec) -> list[Task]:
    """Return the tasks of a game from its start, one for each seat."""
    return [Task(seat, seat, {}) for seat in spec.seats()]
