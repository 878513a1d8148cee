"""A small file system that can be filled: writes to it fail as they do on a full disk."""

from __future__ import annotations

import errno
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

from tests.support.requirements import MissingRequirementError


class SmallDisk:
    """A mounted file system."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Use all that is free."""
        with self._ballast.open("ab", buffering=0) as file:
            for size in (1 << 20, 512):
                _write_without_end(file, b"x" * size)

    def make_room(self) -> None:
        """Free what `fill` used."""
        self._ballast.unlink(missing_ok=True)


def _write_without_end(file: FileIO, piece: bytes) -> None:
    try:
        while True:
            file.write(piece)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[SmallDisk]:
    """Mount a file system of `size`, such as `2m`, at a new folder for the block."""
    folder.mkdir(parents=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        raise MissingRequirementError("needs the right to mount a file system")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
