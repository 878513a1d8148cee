"""Measured figures and records of runs, to compare two of them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import torch

from grandstand.trainer.league.store import FILE
from grandstand.trainer.metrics import read_lines


def same(first: Any, second: Any) -> bool:
    """Equal to the bit, through and through."""
    if isinstance(first, torch.Tensor):
        return torch.equal(first, second)
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(same(value, second[key]) for key, value in first.items())
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(map(same, first, second))
    return bool(first == second)


def recorded(folder: Path) -> list[Any]:
    """Return the results, the decisions and the players of a run's league."""
    with closing(sqlite3.connect(folder / FILE)) as database:
        tables = [
            database.execute(f"SELECT * FROM {table}").fetchall()
            for table in ("matches", "seats", "payoffs", "decisions")
        ]
        names = database.execute("SELECT name, parent, landmark FROM players").fetchall()
    assert all(tables)
    return [*tables, names]


def measured(folder: Path) -> list[dict[str, float]]:
    """All that was told of every step but how long it took."""
    names = ("rollout_time_s", "training_time_s", "step_time_s", "tokens_per_s")
    timed = {*(f"benchmark/{name}" for name in names), "buffer/depth"}
    return [{name: value for name, value in row.items() if name not in timed} for row in read_lines(folder)]
