"""A throw-away copy of the checkout, in which one fault at a time is made and offered to tests."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from scripts.mutants.draw import Mutant
from scripts.mutants.session import Outcome
from tests.support.source import ROOT

SHARED = (".venv", ".cache", "frontend/node_modules")
"""Installed folders, which the copy has as links."""
HANG = 60
"""Seconds after which one test is ended. Quick tests take few; a test that is as slow without the fault is left out."""
ENDS = (0, 1, 2, 5)
"""Exit statuses of pytest that tell about tests; 5 is for no tests. Of others, its own log tells."""


class Copy:
    """A copy of the checkout's files in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "source"
        self._temporary = folder / "tmp"
        self._log = folder / "log"
        self._mutated = 0
        self._temporary.mkdir(parents=True)
        listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        for name in subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0"):
            if name and (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.root / name)
        for name in SHARED:
            if (ROOT / name).exists():
                (self.root / name).symlink_to(ROOT / name)
        self.restore_page()
        if not self.imports("grandstand"):
            raise RuntimeError(f"`import grandstand` in {self.root} finds the package elsewhere")

    def restore_page(self) -> None:
        """Copy the built page, which a fault in its source may have changed."""
        shutil.rmtree(self.root / "frontend/dist", ignore_errors=True)
        if (ROOT / "frontend/dist").exists():
            shutil.copytree(ROOT / "frontend/dist", self.root / "frontend/dist")

    @contextmanager
    def mutated(self, mutant: Mutant) -> Iterator[None]:
        """Make the fault within the block.

        The file's time is another for each fault: Python takes a compiled file for valid by time and size.
        """
        path = self.root / mutant.path
        source, before = path.read_bytes(), path.stat().st_mtime
        self._mutated += 1
        path.write_bytes(mutant.apply(source))
        os.utime(path, (before, before + 2 * self._mutated))
        try:
            yield
        finally:
            path.write_bytes(source)
            os.utime(path, (before, before))

    def imports(self, module: str) -> bool:
        """Return whether `module` can be imported here, and is that of this copy."""
        program = f"import {module} as module, sys; sys.exit(not module.__file__.startswith({str(self.root)!r}))"
        return self.execute([sys.executable, "-c", program], HANG) == 0

    def pytest(self, arguments: Sequence[str], limit: float) -> tuple[Outcome | None, int | None]:
        """Run pytest on these files or tests, and return what it found, if it came to its end, and its exit status."""
        report = self._temporary / "outcome.json"
        report.unlink(missing_ok=True)
        options = ["-x", "-q", "-p", "scripts.mutants.session", "-p", "no:cacheprovider", f"--timeout={HANG}"]
        options.append(f"--basetemp={self._temporary / 'pytest'}")
        environment = {"MUTANT_OUTCOME": str(report), "MUTANT_LIMIT": str(limit)}
        command = [sys.executable, "-m", "pytest", *options, *arguments]
        status = self.execute(command, 2 * limit + 4 * HANG, **environment)
        if status is not None and status >= 0 and status not in ENDS:
            raise RuntimeError(f"pytest ended with {status}:\n{self._log.read_text(errors='replace')[-2000:]}")
        return Outcome(**json.loads(report.read_bytes())) if report.exists() else None, status

    def vitest(self, arguments: Sequence[str], limit: float) -> tuple[str, int | None]:
        """Run vitest, and return the first test file that failed, and the exit status."""
        report = self._temporary / "vitest.json"
        report.unlink(missing_ok=True)
        options = ["--run", "--bail=1", "--passWithNoTests", "--reporter=json", f"--outputFile={report}"]
        status = self.execute(["npx", "vitest", *arguments, *options], 2 * limit + HANG, folder="frontend")
        results = json.loads(report.read_bytes())["testResults"] if report.exists() else []
        failed = [result["name"] for result in results if result["status"] == "failed"]
        return Path(failed[0]).relative_to(self.root).as_posix() if failed else "", status

    def execute(self, command: Sequence[str], seconds: float, folder: str = "", **more: str) -> int | None:
        """Return the exit status of a command, or None if it did not end within so many seconds.

        Every process that it has left is ended.
        """
        own = {"MUTANT_COPY": str(self.root), "PYTHONPATH": str(self.root), "TMPDIR": str(self._temporary)}
        with self._log.open("wb") as log:
            process = subprocess.Popen(
                command,
                cwd=self.root / folder,
                env={**os.environ, **own, **more},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # so that Ctrl-C ends the study, and not its tests as if they had failed
            )
            try:
                return process.wait(seconds)
            except subprocess.TimeoutExpired:
                return None
            finally:
                self.end_all()
                process.wait()

    def end_all(self) -> None:
        """End every process that was started here."""
        mine = f"MUTANT_COPY={self.root}\0".encode()
        for environment in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):
                if mine in environment.read_bytes():
                    os.kill(int(environment.parent.name), signal.SIGKILL)
