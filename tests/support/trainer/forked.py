"""Processes forked from one that has imported the trainer: its imports take seconds of every start of a process."""

from __future__ import annotations

import multiprocessing
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkServerContext

    from grandstand.trainer.config.settings import TrainConfig

MODULES = ("grandstand.trainer.run", "grandstand.trainer.distributed.worker", __name__)


def forking() -> ForkServerContext:
    """Return the context of these processes. The one that forks them is started with the first."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(MODULES))
    return context


def killed_at(config: TrainConfig, folder: Path, line: str) -> list[int]:
    """Start the run, or go on with it, and SIGKILL it as soon as it reports `line`.

    Return the processes that it had started.
    """
    context = forking()
    reports, sender = context.Pipe(duplex=False)
    process = context.Process(target=_train, args=(config, folder, sender))
    process.start()
    sender.close()
    try:
        while not str(reports.recv()).startswith(line):
            pass
        children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=False)
    except EOFError:
        raise AssertionError(f"the run ended without reporting {line!r}") from None
    finally:
        process.kill()
        process.join()
        reports.close()
    assert process.exitcode == -signal.SIGKILL
    return [int(child) for child in children.stdout.split()]


def _train(config: TrainConfig, folder: Path, reports: Connection) -> None:
    import torch

    from grandstand.trainer.run import train

    torch.set_num_threads(1)
    train(
        config,
        folder,
        resume=True,
        doing=lambda activity, done, whole: reports.send(f"{activity} {done} {whole}"),
        report=lambda stepped: reports.send(f"took step {stepped.step}"),
    )
