"""The wheel in an environment of its own, as for a user who installed it and has no checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from tests.support.fork_server import COMMANDS, ForkServer
from tests.support.live_server import ROOT

UV = Path(sys.executable).with_name("uv")
TRAINER = ("grandstand.commands.train.app", "grandstand.trainer.run", "grandstand.trainer.sweep.execution")


def run(*command: object, cwd: Path) -> str:
    """Run a program, which must succeed, and return its output."""
    result = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr[-3000:]
    return result.stdout


def build(out: Path) -> Path:
    """Build the source distribution, and the wheel from it, into a folder; return the wheel."""
    if not (ROOT / "frontend/dist/index.html").is_file():
        pytest.fail("The page is not built: run make setup.")
    run(UV, "build", "--quiet", "--no-build-isolation", "--python", sys.executable, "--out-dir", out, cwd=ROOT)
    (wheel,) = out.glob("*.whl")
    return wheel


@dataclass(frozen=True)
class Released:
    """A virtual environment with the wheel, and with the locked dependencies of the tests."""

    folder: Path

    @property
    def program(self) -> Path:
        """Return the path of the console command."""
        return self.folder / "bin/grandstand"

    @property
    def environment(self) -> dict[str, str]:
        """Return the variables of this process without those that point to the checkout."""
        return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}

    @cached_property
    def _fork_server(self) -> ForkServer:
        return ForkServer((*COMMANDS, *TRAINER), python=self.folder / "bin/python")

    def grandstand(self, *arguments: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
        """Run `grandstand ARGUMENTS` in a folder, in a forked process that has the imports. It must succeed."""
        environment = {**self.environment, "COLUMNS": "200", **env}
        with TemporaryFile() as errors:
            process = self._fork_server.start(arguments, stderr=errors.fileno(), env=environment, cwd=cwd)
            with process.stdout as output:
                text = output.read()
            status = process.wait()
            errors.seek(0)
            return _succeeded(subprocess.CompletedProcess(arguments, status, text, errors.read().decode()))

    def started(self, *arguments: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
        """Run the same in an interpreter of its own, for packages that read the variables when they are imported."""
        environment = {**self.environment, "COLUMNS": "200", **env}
        command = [str(self.program), *arguments]
        return _succeeded(
            subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
        )


def _succeeded(done: subprocess.CompletedProcess[str]) -> subprocess.CompletedProcess[str]:
    command = " ".join(done.args)
    assert done.returncode == 0, f"{command}\nstatus {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done


def install(wheel: Path, folder: Path) -> Released:
    """Return a new environment with the wheel.

    Its dependencies are those of the environment of the tests, whose own `.pth` files, with the checkout, are not read.
    """
    run(UV, "venv", "--quiet", "--python", sys.executable, folder, cwd=folder.parent)
    python = folder / "bin/python"
    packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip())
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    run(UV, "pip", "install", "--quiet", "--no-deps", "--python", python, wheel, cwd=folder)
    return Released(folder)
