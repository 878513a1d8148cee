"""The learner of a run whose steps several processes take together."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor

from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.distributed.worker import READY, StateRequest, StepRequest, join, packed, work
from grandstand.trainer.learning.learner import AdapterOf, Diverged, Learner, LearnerLost, Mismatch
from grandstand.trainer.model.batch import TrainingSample
from grandstand.trainer.model.policy import Policy, PolicyError

GRACE = 10.0
"""Seconds in which a process that failed sends its error and ends."""


def open_local_learner(config: TrainConfig, policy: Policy, base: Path | None) -> Learner:
    """Return a learner of as many processes as the settings ask for; `base` is the model below the adapter.

    Raises PolicyError if there are fewer GPUs than processes.
    """
    if config.optimizer.processes == 1:
        return Learner(config, policy)
    if policy.device.type == "cuda" and (gpus := torch.cuda.device_count()) < config.optimizer.processes:
        raise PolicyError(
            f"optimizer.processes: each of the {config.optimizer.processes} needs a GPU, and there are {gpus}; "
            f"set it to {gpus} or less"
        )
    return DistributedLearner(config, policy, base)


@dataclass
class _Worker:
    """Another process of the learner."""

    rank: int
    process: BaseProcess
    requests: Connection
    error: str = ""

    def ready(self) -> bool:
        """Wait for the process, and return whether it is ready, or has sent an error instead."""
        self._receive(self.requests.recv_bytes())
        return not self.error

    def failure(self) -> str:
        """Return the reason why the process failed, or an empty text if it has not failed."""
        try:
            while self.requests.poll():
                self._receive(self.requests.recv_bytes())
        except (EOFError, OSError):
            pass
        if self.error:
            return self.error
        if self.process.is_alive():
            return ""
        code = self.process.exitcode or 0
        return f"it was ended by {signal.Signals(-code).name}" if code < 0 else f"it ended with status {code}"

    def _receive(self, message: bytes) -> None:
        if message != READY:
            self.error = message.decode().strip()


class DistributedLearner(Learner):
    """The first process of several. The others start with the first step, and end with `close` or with any error."""

    def __init__(self, config: TrainConfig, policy: Policy, base: Path | None) -> None:
        super().__init__(config, policy)
        self._base = base
        self._workers: list[_Worker] = []
        self._meeting: TemporaryDirectory[str] | None = None
        """Folder of the file by which the processes meet, for as long as they need it."""
        self._closed = False

    def step(self, samples: Sequence[TrainingSample], step: int, adapter_of: AdapterOf) -> dict[str, float]:
        """Learn from `samples` in all processes. Raises, besides what a single process raises, LearnerLost."""
        older = {sample.version for sample in samples if sample.choices} - {step - 1}
        adapters = {version: adapter_of(version) for version in sorted(older)}
        with self._together(f"step {step}"):
            if not self._workers:
                self._start()
            self._send(StepRequest(samples, step, adapters))
            return super().step(samples, step, adapters.__getitem__)

    def reset(self, adapter: Mapping[str, Tensor]) -> None:
        super().reset(adapter)
        self._share("the new beginning", self.state_dict())

    def load_state_dict(self, state: dict[str, Any]) -> None:
        super().load_state_dict(state)
        self._share("the loading of a checkpoint", state)

    def close(self) -> None:
        self._closed = True
        for worker in self._workers:
            worker.requests.close()
        for worker in self._workers:
            worker.process.join(GRACE)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.process.close()
        self._workers.clear()
        if dist.is_initialized():
            dist.destroy_process_group()
        if self._meeting is not None:
            self._meeting.cleanup()

    def _start(self) -> None:
        """Start the other processes; they take over this learner's state."""
        self._meeting = TemporaryDirectory(prefix="grandstand-learner-")
        store = Path(self._meeting.name) / "store"
        spawning = multiprocessing.get_context("spawn")
        for rank in range(1, self._config.optimizer.processes):
            ours, theirs = spawning.Pipe()
            arguments = (self._config, self._base, rank, store, theirs)
            process = spawning.Process(target=work, args=arguments, name=f"learner {rank}", daemon=True)
            process.start()
            theirs.close()
            self._workers.append(_Worker(rank, process, ours))
        if not all(worker.ready() for worker in self._workers):
            raise ConnectionError("not all processes are ready")
        self._group = join(self._config, self.policy, 0, store)
        self._send(StateRequest(self.state_dict()))

    def _share(self, activity: str, state: dict[str, Any]) -> None:
        """Have the other processes take over a state, if they have started."""
        if self._workers:
            with self._together(activity):
                self._send(StateRequest(state))

    def _send(self, request: StepRequest | StateRequest) -> None:
        content = packed(request)
        for worker in self._workers:
            worker.requests.send_bytes(content)

    @contextmanager
    def _together(self, activity: str) -> Iterator[None]:
        """End all processes at an error, and name the one that failed. Raises LearnerLost."""
        if self._closed:
            raise LearnerLost(f"{activity}: the processes of the learner have ended")
        try:
            yield
        except (Mismatch, Diverged):
            self.close()
            raise
        except BaseException as error:
            failures = self._failures() if isinstance(error, Exception) else []
            self.close()
            if not failures:
                raise
            raise LearnerLost(f"{activity}: {'; '.join(failures)}") from error

    def _failures(self) -> list[str]:
        """Return a line for each process that has failed, waiting for the first of them."""
        wait([worker.process.sentinel for worker in self._workers], GRACE)
        count = self._config.optimizer.processes
        failed = [(worker.rank, worker.failure()) for worker in self._workers]
        return [
            f"process {rank} of the learner's {count} (0 to {count - 1}) failed: {why}" for rank, why in failed if why
        ]
