"""Offers each mutant to the tests that may see it."""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Queue
from threading import Event, Lock
from typing import Any

from scripts.mutants.copy import HANG, Copy
from scripts.mutants.draw import Mutant, read
from scripts.mutants.reach import reaching_tests
from tests.support.source import ROOT, module_name

MARKS = {
    "quick": "not browser and not long and not vllm",
    "browser": "browser and not long and not vllm",
    "long": "long and not vllm",
}
"""The tests of each phase. A mutant is offered to the next phase if it survives one; `make test` runs the first two."""
BATCHES = (3, 12, 48, 1000)
"""Test files in each process of pytest: most mutants die in the first."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of the tests of one phase on a mutant."""

    id: str
    phase: str
    status: str
    """killed, timeout, survived or invalid."""
    test: str = ""
    seconds: float = 0.0
    complete: bool = True
    """False if the bound was reached before all tests that may see the mutant had run."""


class Study:
    """The mutants and results of one folder."""

    def __init__(self, folder: Path, limit: float, seconds: Mapping[str, float]) -> None:
        self.folder, self.limit, self.seconds = folder, limit, seconds
        self.mutants = read(folder)
        self.results = results(folder)
        self._unmutated: dict[str, bool] = {line["test"]: line["passes"] for line in _lines(folder / "unmutated.jsonl")}
        self._lock = Lock()
        self.interrupted = Event()
        """Set when running tests have been killed, so that their results do not count."""

    def due(self, phases: Sequence[str], first: int, last: int) -> list[tuple[Mutant, str]]:
        """Return the mutants of that range with the phase that each is to be offered to next.

        A mutant that is invalid is replaced by one of its layer's reserve, and one that was killed is done.
        """
        layer_of = {mutant.id: mutant.layer for mutant in self.mutants}
        invalid = Counter(layer_of[result.id] for result in self.results if result.status == "invalid")
        chosen = [mutant for mutant in self.mutants if not mutant.reserve][first - 1 : last]
        for layer, number in invalid.items():
            chosen += [mutant for mutant in self.mutants if mutant.reserve and mutant.layer == layer][:number]
        done = {(result.id, result.phase) for result in self.results}
        ended = {result.id for result in self.results if result.status != "survived"}
        open_ = [(mutant, [phase for phase in phases if (mutant.id, phase) not in done]) for mutant in chosen]
        return [(mutant, left[0]) for mutant, left in open_ if left and mutant.id not in ended]

    def offer(self, copy: Copy, mutant: Mutant, phase: str) -> Result:
        """Offer a mutant to the tests of a phase."""
        begin = time.monotonic()
        while True:
            with copy.mutated(mutant):
                tests = self._page if mutant.layer == "frontend" else self._python
                result = tests(copy, mutant, phase)
            # A test that fails without the fault has not seen it.
            if result.status not in ("killed", "timeout") or not result.test or self._passes(copy, result.test):
                seconds = round(time.monotonic() - begin, 1)
                return Result(mutant.id, phase, result.status, result.test, seconds, result.complete)

    def note(self, result: Result) -> None:
        """Append a result to the folder's file."""
        with self._lock:
            self.results.append(result)
            _append(self.folder / "results.jsonl", asdict(result))

    def _python(self, copy: Copy, mutant: Mutant, phase: str) -> Result:
        remaining = self.limit
        for files in batches(reaching_tests(mutant.path, mutant.line, self.seconds)):
            if remaining <= 0:
                return Result(mutant.id, phase, "survived", complete=False)
            outcome, status = copy.pytest(["-m", MARKS[phase], *files, *self._left_out("--deselect")], remaining)
            if outcome is None:
                return Result(mutant.id, phase, "timeout" if status is None else "killed")
            if not outcome.collected and not copy.imports(module_name(ROOT / mutant.path)):
                return Result(mutant.id, phase, "invalid")
            if outcome.failed or (status not in (0, 5) and not outcome.over):
                return Result(mutant.id, phase, "timeout" if outcome.hung else "killed", outcome.failed)
            if outcome.over:
                return Result(mutant.id, phase, "survived", complete=False)
            remaining -= outcome.used
        return Result(mutant.id, phase, "survived")

    def _page(self, copy: Copy, mutant: Mutant, phase: str) -> Result:
        """Offer a fault of the page to its own tests, or build the page with it for those of the browser."""
        if phase == "quick":
            file = mutant.path.removeprefix("frontend/")
            test, status = copy.vitest(["related", file, *self._left_out("--exclude")], self.limit)
            state = "timeout" if status is None else "killed" if test else "survived" if status == 0 else "invalid"
            return Result(mutant.id, phase, state, test)
        try:
            if copy.execute(["npm", "run", "build"], 10 * HANG, folder="frontend") != 0:
                return Result(mutant.id, phase, "invalid")
            outcome, status = copy.pytest(["-m", MARKS[phase], "tests/e2e", *self._left_out("--deselect")], self.limit)
        finally:
            copy.restore_page()
        if outcome is None or outcome.failed:
            hung = status is None or (outcome is not None and outcome.hung)
            return Result(mutant.id, phase, "timeout" if hung else "killed", outcome.failed if outcome else "")
        return Result(mutant.id, phase, "survived", complete=not outcome.over)

    def _left_out(self, option: str) -> Iterator[str]:
        """Yield the options that leave out the tests which fail without a fault."""
        for test, passes in self._unmutated.items():
            if not passes and test.startswith("frontend/") == (option == "--exclude"):
                yield f"{option}={test.removeprefix('frontend/')}"

    def _passes(self, copy: Copy, test: str) -> bool:
        """Return whether a test, or a whole file of tests, passes without a fault. Each is tried once in a study."""
        if test not in self._unmutated:
            if test.startswith("frontend/"):
                passes = copy.vitest(["run", test.removeprefix("frontend/")], self.limit)[1] == 0
            else:
                outcome, _ = copy.pytest([test], self.limit)
                passes = outcome is not None and not outcome.failed
            if self.interrupted.is_set():
                return True
            with self._lock:
                self._unmutated[test] = passes
                _append(self.folder / "unmutated.jsonl", {"test": test, "passes": passes})
        return self._unmutated[test]


def batches(files: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the files in groups of growing size."""
    for size in BATCHES:
        if files:
            yield files[:size]
        files = files[size:]


def run(study: Study, phases: Sequence[str], first: int, last: int, jobs: int) -> None:
    """Offer the mutants of a range to the tests, on so many copies of the checkout at a time, until none is due."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        Path(folder).chmod(0o755)  # PostgreSQL, which never runs as root, has its folders within
        every = [Copy(Path(folder) / str(number)) for number in range(jobs)]
        copies: Queue[Copy] = Queue()
        for each in every:
            copies.put(each)

        def offer(mutant: Mutant, phase: str) -> None:
            copy = copies.get()
            try:
                result = study.offer(copy, mutant, phase)
            finally:
                copies.put(copy)
            if study.interrupted.is_set():  # and the tests were ended, which would look like a kill
                return
            study.note(result)
            words = result.status + ("" if result.complete else " within the limit")
            place = f"{mutant.path}:{mutant.line}"
            print(
                f"{result.id} {place} {mutant.operator}: {phase}, {words} {result.test} {result.seconds} s", flush=True
            )

        while due := study.due(phases, first, last):
            print(f"{len(due)} due", flush=True)
            pool = ThreadPoolExecutor(jobs)
            try:
                for done in [pool.submit(offer, mutant, phase) for mutant, phase in due]:
                    done.result()
            except BaseException:
                study.interrupted.set()
                pool.shutdown(wait=False, cancel_futures=True)
                for each in every:
                    each.end_all()
                raise
            finally:
                pool.shutdown()


def results(folder: Path) -> list[Result]:
    """Return the results that were written into `folder`."""
    return [Result(**line) for line in _lines(folder / "results.jsonl")]


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def _append(path: Path, line: Mapping[str, object]) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
