"""Run a command as a process group of its own, and end all of it when this program's standard input closes.

So a server does not outlive the process that started it, however that ended: the kernel closes the pipe. This file is
run by itself (`python -I guard.py COMMAND ...`) and imports nothing of the project.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress

GRACE_SECONDS = 10.0
"""Seconds between asking the group to end and killing it."""


def main(command: Sequence[str]) -> int:
    """Return the command's exit status, by the shell's rule for signals."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    threading.Thread(target=_end_with_input, args=(child,), daemon=True).start()
    status = child.wait()
    _signal(child, signal.SIGKILL)  # processes that it left in its group
    return status if status >= 0 else 128 - status


def _end_with_input(child: subprocess.Popen[bytes]) -> None:
    while os.read(0, 4096):
        pass
    _signal(child, signal.SIGTERM)
    try:
        child.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        _signal(child, signal.SIGKILL)


def _signal(child: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(child.pid, number)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
