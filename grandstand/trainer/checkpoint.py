"""Checkpoints: the state from which a run continues exactly as if it had not stopped. Written atomically."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import torch

from grandstand.atomic import replace_folder

STATE = "state.pt"
_STEP = re.compile(r"step-(\d{6})")


class CheckpointError(ValueError):
    """An unusable checkpoint; the message says why."""


def save(folder: Path, step: int, state: dict[str, Any], keep: int) -> Path:
    """Write the checkpoint of `step` atomically, and delete all but the newest `keep`."""
    path = folder / f"step-{step:06d}"
    with replace_folder(path) as part:
        torch.save(state, part / STATE)
    for old in steps(folder)[:-keep]:
        shutil.rmtree(folder / f"step-{old:06d}")
    return path


def steps(folder: Path) -> list[int]:
    """Return the steps that have checkpoints, ascending."""
    matches = [_STEP.fullmatch(path.name) for path in folder.glob("step-*")] if folder.is_dir() else []
    return sorted(int(match[1]) for match in matches if match)


def latest(folder: Path) -> dict[str, Any] | None:
    """Return the newest state, or None. Raises CheckpointError if it cannot be read."""
    numbers = steps(folder)
    if not numbers:
        return None
    path = folder / f"step-{numbers[-1]:06d}" / STATE
    try:
        state: dict[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
    except Exception as error:
        raise CheckpointError(
            f"{path}: cannot be read ({error}); remove this checkpoint to go on from the one before it"
        ) from error
    return state
