"""The console command in a process of its own, as a user runs it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryFile

from tests.support.fork_server import fork_server
from tests.support.live_server import ROOT


def run(*arguments: str, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """Run `grandstand ARGUMENTS` of this checkout in `cwd`."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200", **env}
    with TemporaryFile() as errors:
        process = fork_server().start(arguments, stderr=errors.fileno(), env=environment, cwd=cwd or ROOT)
        with process.stdout as output:
            text = output.read()
        status = process.wait()
        errors.seek(0)
        return subprocess.CompletedProcess(arguments, status, text, errors.read().decode())


def grandstand(
    *arguments: str, cwd: Path | None = None, status: int = 0, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run `grandstand ARGUMENTS` of this checkout in `cwd`, and check its exit status."""
    done = run(*arguments, cwd=cwd, **env)
    assert done.returncode == status, f"status {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done


def words(text: str) -> str:
    """Return `text` without the line breaks of a terminal."""
    return " ".join(text.split())
