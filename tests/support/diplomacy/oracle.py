"""The oracle's side of the pipe that tests hold."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).parents[3]


class Oracle:
    """The `diplomacy` package in a process of its own, with an empty home, so that it finds no cache of other maps."""

    def __init__(self, program: str = "oracle_process.py") -> None:
        """Run `program`, a file beside this one that answers commands."""
        installed = subprocess.run(
            [ROOT / "scripts" / "diplomacy" / "oracle"],
            env={**os.environ, "PYTHON": sys.executable},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        self._home = TemporaryDirectory()
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", Path(__file__).with_name(program)],
            env={"PATH": os.environ["PATH"], "HOME": self._home.name, "PYTHONPATH": installed.stdout.strip()},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, do: str, **command: Any) -> Any:
        """The answer to one command of the program."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **command}) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the oracle died; its error stands above"
        return json.loads(answer)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()
        self._home.cleanup()
