"""A match played by the command."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from tests.support.source import ROOT


def grandstand(*arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "grandstand", *arguments], cwd=ROOT, capture_output=True, text=True, check=check
    )


def play(*arguments: str) -> Any:
    return json.loads(grandstand("play", "diplomacy", "--set", "last_year=1902", "--json", *arguments).stdout)
