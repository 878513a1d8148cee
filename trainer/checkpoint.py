"""Checkpoints: all that a run needs to go on exactly as it would have. Whole or not there."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

import torch

STATE = "state.pt"
_STEP = re.compile(r"step-(\d{6})")


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the message says why."""


def save(folder: Path, step: int, state: dict[str, Any], keep: int) -> Path:
    """Write the checkpoint of `step` and drop all but the newest `keep`. A reader sees it whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    whole, part = folder / f"step-{step:06d}", folder / f".step-{step:06d}.part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    with (part / STATE).open("wb") as file:
        torch.save(state, file)
        file.flush()
        os.fsync(file.fileno())
    shutil.rmtree(whole, ignore_errors=True)
    part.rename(whole)
    _sync(folder)
    for old in steps(folder)[:-keep]:
        shutil.rmtree(folder / f"step-{old:06d}")
    return whole


def steps(folder: Path) -> list[int]:
    """The steps that there are checkpoints of, ascending."""
    found = [_STEP.fullmatch(path.name) for path in folder.glob("step-*")] if folder.is_dir() else []
    return sorted(int(match[1]) for match in found if match)


def latest(folder: Path) -> dict[str, Any] | None:
    """The newest state; None where there is none. Raises CheckpointError where it cannot be read."""
    known = steps(folder)
    if not known:
        return None
    path = folder / f"step-{known[-1]:06d}" / STATE
    try:
        state: dict[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
    except Exception as error:
        raise CheckpointError(
            f"{path}: cannot be read ({error}); remove this checkpoint to go on from the one before it"
        ) from error
    return state


def _sync(folder: Path) -> None:
    """Have the directory's entries on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
