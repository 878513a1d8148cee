"""The versions of a policy on disk: one immutable folder each, published atomically."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

from grandstand.atomic import replace_folder

BASE_FOLDER, VERSIONS = "base", "versions"
"""Folders in a run's folder: the policy before its first step, and its versions."""
PULLED = "pulled.json"
"""File that marks a folder that was pulled from a Hub."""
ADAPTER = "adapter_model.safetensors"
"""File in a version's folder that holds its weights."""
_VERSION = re.compile(r".+@v(\d{6})")


def versions_in(folder: Path) -> dict[int, Path]:
    """Return the folder of each version in `folder`, ascending. Raises OSError if there is no such folder."""
    matches = ((_VERSION.fullmatch(path.name), path) for path in folder.iterdir())
    return dict(sorted((int(match[1]), path) for match, path in matches if match))


class Versions:
    """Adapters in `folder`, as `NAME@v000012`. Version 0 is the policy before its first step."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self._name = name
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, version: int) -> Path:
        return self.folder / f"{self._name}@v{version:06d}"

    def save(self, version: int, write: Callable[[Path], None]) -> Path:
        """Publish the folder that `write` fills as `version`, atomically; replace an earlier one of that number."""
        path = self.path(version)
        with replace_folder(path) as part:
            write(part)
        return path

    def kept(self) -> list[int]:
        """Return the numbers of the versions on disk, ascending."""
        return list(versions_in(self.folder))

    def drop(self, version: int) -> None:
        shutil.rmtree(self.path(version), ignore_errors=True)
