"""An actor of tests. Its module imports little, so that its processes start quickly."""

from __future__ import annotations

import os
from pathlib import Path

from grandstand.trainer.model.sampler import SamplerError
from tests.support.waiting import until


class Pretender:
    """An actor whose tasks end as a test wants them to."""

    def __init__(self) -> None:
        self.pid = os.getpid()

    def start(self, problem: str) -> int:
        if problem:
            raise SamplerError(problem)
        return self.pid

    def double(self, number: int) -> int:
        return 2 * number

    def fail(self) -> None:
        raise SamplerError("the engine is away")

    def hold(self, path: str) -> bool:
        """Return when there is such a file."""
        return until(Path(path).exists)

    def die(self, notes: str, times: int) -> int:
        """End the process, the first `times` times."""
        with Path(notes).open("a") as file:
            file.write("x")
        died = len(Path(notes).read_text())
        if died <= times:
            os._exit(1)
        return died
