"""A further process of the learner: it holds the same policy, and takes every step together with the first process."""

from __future__ import annotations

import io
import os
import signal
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor

from grandstand.games.registry import game_spec
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.distributed.group import ProcessGroup
from grandstand.trainer.distributed.sharding import shard
from grandstand.trainer.learning.learner import Learner
from grandstand.trainer.model.batch import TrainingSample
from grandstand.trainer.model.policy import Policy, load, with_adapter

READY = b"ready"
TIMEOUT = timedelta(minutes=30)
"""Longest time that a process waits for the others within a step."""
LOOPBACK = "lo0" if sys.platform == "darwin" else "lo"


@dataclass(frozen=True)
class StepRequest:
    """A request of the first process to the others to take a gradient step."""

    samples: Sequence[TrainingSample]
    step: int
    adapters: Mapping[int, Mapping[str, Tensor]]
    """The adapters of the older versions that sampled."""


@dataclass(frozen=True)
class StateRequest:
    """A request to take over a learner's state."""

    state: dict[str, Any]


def packed(request: StepRequest | StateRequest) -> bytes:
    """Return the request as bytes, tensors included."""
    buffer = io.BytesIO()
    torch.save(request, buffer)
    return buffer.getvalue()


def join(config: TrainConfig, policy: Policy, rank: int, store: Path) -> ProcessGroup:
    """Join the learner's processes, which meet at the file `store`; return when all have joined."""
    processes, sharded = config.optimizer.processes, config.optimizer.shard
    os.environ.setdefault("GLOO_SOCKET_IFNAME", LOOPBACK)
    dist.init_process_group(
        "cpu:gloo,cuda:nccl" if policy.device.type == "cuda" else "gloo",
        init_method=store.absolute().as_uri(),
        rank=rank,
        world_size=processes,
        timeout=TIMEOUT,
    )
    if sharded:
        shard(policy, processes)
    return ProcessGroup(in_step=sharded)


def work(config: TrainConfig, base: Path | None, rank: int, store: Path, requests: Connection) -> None:
    """Answer the requests of the first process until it closes the connection. An error is its last message."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    try:
        torch.set_num_threads(config.policy.threads)
        if config.policy.device != "cpu" and torch.cuda.is_available():
            torch.cuda.set_device(rank)
        policy = with_adapter(load(config.policy, game_spec(config.game.name), base), config.policy, config.run.seed)
        requests.send_bytes(READY)
        learner = Learner(config, policy, join(config, policy, rank, store))
        while True:
            _answer(learner, torch.load(io.BytesIO(requests.recv_bytes()), weights_only=False))
    except (EOFError, ConnectionResetError):
        return
    except BaseException:
        requests.send_bytes(traceback.format_exc().encode())
        sys.exit(1)


def _answer(learner: Learner, request: StepRequest | StateRequest) -> None:
    if isinstance(request, StateRequest):
        learner.load_state_dict(request.state)
    else:
        learner.step(request.samples, request.step, request.adapters.__getitem__)


def _end_with_parent() -> None:
    """End this process when the first one has ended, even if it waits for it in the middle of a step."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
