"""The versions of a policy on disk: one folder each that never changes, published whole."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grandstand.trainer.policy import Policy

BASE_FOLDER, VERSIONS = "base", "versions"
"""The folders of a run that hold the policy before its first step, and its versions."""
ADAPTER = "adapter_model.safetensors"
"""The file of a version's folder that holds its weights."""
_VERSION = re.compile(r".+@v(\d{6})")


def versions_in(folder: Path) -> dict[int, Path]:
    """The folder of each version in `folder`, ascending. Raises OSError where there is no such folder."""
    found = ((_VERSION.fullmatch(path.name), path) for path in folder.iterdir())
    return dict(sorted((int(match[1]), path) for match, path in found if match))


class Versions:
    """Adapters in `folder`, as `NAME@v000012`. Version 0 is the policy before its first step."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self._name = name
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, version: int) -> Path:
        return self.folder / f"{self._name}@v{version:06d}"

    def save(self, version: int, policy: Policy) -> Path:
        """Publish the adapter as `version`; whole or not at all. What was there under the number goes."""
        whole = self.path(version)
        part = whole.with_name(f".{whole.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        policy.save(part)
        shutil.rmtree(whole, ignore_errors=True)
        part.rename(whole)
        return whole

    def kept(self) -> list[int]:
        """The versions there are, ascending."""
        return list(versions_in(self.folder))

    def drop(self, version: int) -> None:
        shutil.rmtree(self.path(version), ignore_errors=True)
