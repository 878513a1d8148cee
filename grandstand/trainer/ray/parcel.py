"""Messages between machines: folders as bytes, which need no shared disk, and a digest of the code."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

Parcel = Mapping[str, bytes]
"""The files of a folder: path inside it -> contents."""

PACKAGES = ("campaigns", "games", "play", "players", "spectator", "trainer")
"""The packages that play and learn."""


@dataclass(frozen=True)
class ProcessInfo:
    """A process of the cluster: its machine, and the versions that should be the same in all processes."""

    host: str
    pid: int
    code: str
    torch: str


@cache
def process_info() -> ProcessInfo:
    """Describe this process, with the code that it was started with."""
    return ProcessInfo(platform.node(), os.getpid(), code_digest(), version("torch"))


def pack(folder: Path) -> Parcel:
    """Read all files of a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def unpack(parcel: Parcel, folder: Path) -> Path:
    """Write a parcel into a folder, and return the folder."""
    for name, contents in parcel.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents)
    return folder


def code_digest() -> str:
    """Return a digest of the source of Grandstand in this process."""
    digest = hashlib.sha256()
    for package in PACKAGES:
        (folder,) = map(Path, import_module(f"grandstand.{package}").__path__)
        for path in sorted(folder.rglob("*.py")):
            digest.update(f"{package}/{path.relative_to(folder).as_posix()}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
