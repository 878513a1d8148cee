"""The machine and the versions with which a run is trained, noted in its folder."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

MACHINES = "machines.jsonl"
"""File in a run's folder with a line for each time that it was begun or resumed."""
PACKAGES = ("grandstand", "torch", "transformers", "peft", "numpy", "vllm")


def note_machine(folder: Path) -> None:
    """Append this machine to the run's notes."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / MACHINES).open("a", encoding="utf-8") as file:
        file.write(json.dumps(machine()) + "\n")


def machine() -> dict[str, Any]:
    """Return the machine, the versions of the libraries, and the commit of a checkout."""
    return {
        "platform": platform.platform(),
        "processor": _processor(),
        "cpus": os.cpu_count(),
        "gpus": _gpus(),
        "python": platform.python_version(),
        "packages": {name: installed for name in PACKAGES if (installed := _version(name))},
        "commit": _output(["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--abbrev=12"]),
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def _gpus() -> list[str]:
    return _output(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]).splitlines()


def _output(command: list[str]) -> str:
    """Return the output of a program; '' if it fails or is not installed."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
