"""Write files and folders atomically, and lock a folder for one process."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """Yield a temporary file path, and put that file at `path` when the block succeeds; delete it otherwise."""
    part = _part(path)
    try:
        yield part
        _sync(part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def replace_folder(path: Path) -> Iterator[Path]:
    """Yield a new temporary folder, and put it at `path` when the block succeeds; delete it otherwise.

    A temporary folder left by a killed process is deleted first.
    """
    part = _part(path)
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        yield part
        for file in part.rglob("*"):
            _sync(file)
        shutil.rmtree(path, ignore_errors=True)
        part.rename(path)
        _sync(path.parent)
    finally:
        shutil.rmtree(part, ignore_errors=True)


@contextmanager
def lock_folder(folder: Path) -> Iterator[int]:
    """Lock `folder` for this process while the block lasts, creating it if needed, and yield the lock's descriptor.

    The lock ends with the process, however it ends; processes that inherit the descriptor keep it until they end too.
    Raises BlockingIOError if another process has it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield file.fileno()


def _part(path: Path) -> Path:
    return path.with_name(f".{path.name}.part")


def _sync(path: Path) -> None:
    """Flush a file, or the entries of a folder, to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
