"""The console command in a process of its own, as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.live_server import ROOT


def grandstand(
    *arguments: str, cwd: Path | None = None, status: int = 0, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run `grandstand ARGUMENTS` and check its exit status. In another folder it is still this checkout that runs."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "grandstand", *arguments],
        cwd=cwd or ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200", **env},
    )
    assert done.returncode == status, f"status {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done


def words(text: str) -> str:
    """Return `text` without the line breaks of a terminal."""
    return " ".join(text.split())
