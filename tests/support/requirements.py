"""Requirements of some tests beyond `make setup`: packages of an extra, programs, environments made by a script.

A test whose requirement is missing is skipped with the remedy as its reason. Under `pytest --all`, which `make test`
uses, it fails instead, so that a check never passes because something was not installed.
"""

from __future__ import annotations

import importlib
import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

EXTRAS = {
    "cartesia": "voice",
    "fastmcp": "openenv",
    "huggingface_hub": "train",
    "openai": "openenv",
    "openenv": "openenv",
    "pettingzoo": "pettingzoo",
    "pyspiel": "openspiel",
    "peft": "train",
    "psycopg": "scale",
    "pyarrow": "train",
    "ray": "ray",
    "redis": "scale",
    "safetensors": "train",
    "tensorboard": "train",
    "textarena": "textarena",
    "tomli_w": "train",
    "torch": "train",
    "transformers": "train",
    "vl_convert": "train",
    "yaml": "train",
}
"""The extra that installs each optional package which tests import, directly or through their helpers."""

ELSEWHERE = ("/usr/sbin", "/usr/local/sbin")
"""Folders of programs that an ordinary user's PATH may lack."""


class MissingRequirementError(Exception):
    """A requirement of a test that this machine does not have; the message names the remedy."""


def program(*names: str, remedy: str) -> str:
    """Return the path of the first of `names` that is installed; raise MissingRequirementError without any."""
    for name in names:
        path = shutil.which(name) or shutil.which(name, path=":".join(ELSEWHERE))
        if path is not None:
            return path
    raise MissingRequirementError(f"needs {' or '.join(names)}: {remedy}")


def chromium() -> str:
    """Return the path of this machine's Chromium."""
    return program("chromium", "chromium-browser", "google-chrome", remedy="run scripts/setup/browser")


def file(path: Path, *, remedy: str) -> Path:
    """Return `path` if it is a file, and raise MissingRequirementError otherwise."""
    if not path.is_file():
        raise MissingRequirementError(f"needs {path}: {remedy}")
    return path


def package(name: str) -> Any:
    """Import the module `name` of an extra, and raise MissingRequirementError if that extra is not installed."""
    installed(name.partition(".")[0])
    return importlib.import_module(name)


def installed(name: str) -> None:
    """Raise MissingRequirementError unless the package `name` of an extra is installed; do not import it."""
    if importlib.util.find_spec(name) is None:
        raise MissingRequirementError(_without(name))


def missing_requirement(error: BaseException) -> str | None:
    """Return the missing requirement that `error` reports, or None for another error."""
    for cause in _causes(error):
        if isinstance(cause, MissingRequirementError):
            return str(cause)
        if isinstance(cause, ModuleNotFoundError) and cause.name:
            package = cause.name.partition(".")[0]
            if package in EXTRAS and importlib.util.find_spec(package) is None:
                return _without(package)
    return None


def _without(package: str) -> str:
    extra = EXTRAS[package]
    return f"needs the {extra} extra ({package} is not installed): run `make .venv/.{extra}`"


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
