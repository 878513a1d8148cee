"""A command with make targets beside it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.waiting import PATIENCE, running, until

SCRIPT = Path(__file__).parents[2] / "scripts" / "beside"

WAITING = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(9999)"])
print(child.pid, file=open(sys.argv[1], "w"), flush=True)
time.sleep(9999)
"""

FAILING_MAKE = """#!/bin/sh
until [ -s "{pid}" ]; do sleep 0.1; done
echo "$2 failed"
exit 2
"""


@pytest.mark.long
@pytest.mark.parametrize("handler", [signal.SIG_DFL, signal.SIG_IGN], ids=["a-terminal", "a-background-job"])
def test_a_target_that_fails_ends_the_command_with_all_its_processes(tmp_path: Path, handler: signal.Handlers) -> None:
    """A background job of a shell without job control, as in a CI, has SIGINT ignored."""
    pid, make = tmp_path / "pid", tmp_path / "make"
    make.write_text(FAILING_MAKE.format(pid=pid))
    make.chmod(0o755)
    ended = subprocess.run(
        [SCRIPT, "lint types", sys.executable, "-c", WAITING, pid],
        preexec_fn=lambda: signal.signal(signal.SIGINT, handler),
        env={**os.environ, "MAKE": str(make)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ended.returncode == 1
    assert "lint failed" in ended.stdout
    assert "types failed" not in ended.stdout
    assert until(lambda: not running(int(pid.read_text())))
