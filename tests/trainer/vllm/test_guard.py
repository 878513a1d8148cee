"""The process that starts a guarded command may end in any way: none of the command's processes is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from grandstand.trainer.vllm import guard
from tests.support.waiting import PATIENCE, running, until

GUARD = [sys.executable, "-I", guard.__file__]
FAMILY = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(child.pid, flush=True)
time.sleep(60)
"""


def test_the_exit_status_is_the_commands() -> None:
    for code, status in (("import sys; sys.exit(3)", 3), ("import os; os.kill(os.getpid(), 9)", 137)):
        guarded = subprocess.Popen([*GUARD, sys.executable, "-c", code], stdin=subprocess.PIPE)
        assert guarded.wait(PATIENCE) == status
        assert guarded.stdin
        guarded.stdin.close()


def test_a_killed_parent_leaves_no_process_behind() -> None:
    parent = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import subprocess, sys, time\n"
            f"subprocess.Popen({[*GUARD, sys.executable, '-c', FAMILY]!r}, stdin=subprocess.PIPE)\n"
            "time.sleep(60)",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout
    grandchild = int(parent.stdout.readline())
    assert running(grandchild)
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    assert until(lambda: not running(grandchild))
    parent.stdout.close()


def test_what_a_dead_command_left_is_ended() -> None:
    code = FAMILY.replace("time.sleep(60)\n", "sys.exit(0)\n").replace('sys.exit(0)"', 'time.sleep(60)"')
    with subprocess.Popen(
        [*GUARD, sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as guarded:
        assert guarded.stdout
        left = int(guarded.stdout.readline())
        assert guarded.wait(PATIENCE) == 0
        assert until(lambda: not running(left))
