"""The connection of a run to a Ray cluster, and the actors that it starts there."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import ray
from ray.actor import ActorHandle
from ray.exceptions import (
    NodeDiedError,
    ObjectLostError,
    OutOfMemoryError,
    RayActorError,
    RayError,
    RaySystemError,
    RayTaskError,
    WorkerCrashedError,
)

from grandstand.trainer.model.sampler import BackendError
from grandstand.trainer.ray.parcel import ProcessInfo, process_info

log = logging.getLogger(__name__)

T = TypeVar("T")

LOST = (NodeDiedError, ObjectLostError, OutOfMemoryError, RayActorError, WorkerCrashedError)
"""Errors that mean that a process or a node is gone, with the result of its task."""
CONNECT_SECONDS = 10.0
"""Longest time for a cluster to accept a connection."""
POLL = 0.5
"""Seconds between checks whether the run has ended, while it waits for a result."""


START = (
    "Start one with `ray start --head`, join other machines with `ray start --address=host:port`, and run this on one "
    "of them"
)


DETAILS = ("class_name:", "actor_id:", "namespace:", "pid:")
"""Beginnings of uninformative lines in Ray's errors."""
LONGEST_REASON = 450
"""The most characters of the reason for a loss."""


class PoolClosed(Exception):
    """The run has ended, and nobody needs the result."""


class Reservation(NamedTuple):
    """The resources that an actor reserves on a node."""

    cpus: float
    gpus: float
    resources: Mapping[str, float]

    def __str__(self) -> str:
        parts = {"CPU": self.cpus, "GPU": self.gpus, **self.resources}
        return ", ".join(f"{amount:g} {name}" for name, amount in parts.items() if amount) or "nothing"


class ClusterConnection:
    """A connection to the cluster at `address`. It is closed only if it was opened here."""

    def __init__(self, address: str) -> None:
        """Connect, or start a cluster on this machine if there is no address. Raises BackendError."""
        self._opened = not ray.is_initialized()
        if not self._opened:
            return
        _check_address(address)
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            ray.init(
                address or "local",
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
                configure_logging=False,
            )
        except (ConnectionError, RuntimeError, ValueError, RayError) as error:
            raise BackendError(
                f"backend.address: cannot use the Ray cluster at {address or 'this machine'}: {reason(error)}. "
                f"{START}. If it asks for a token, set RAY_AUTH_MODE=token and its RAY_AUTH_TOKEN here too"
            ) from error
        # Ray would print the deaths of its processes to standard output, where a run writes its metrics. The run logs
        # them itself, with what they cost.
        ray._private.worker._worker_logs_enabled = False

    def close(self) -> None:
        if self._opened and ray.is_initialized():
            ray.shutdown()


def _check_address(address: str) -> None:
    """Raise BackendError at once for an address where nothing answers; Ray itself would wait a minute."""
    if address in ("", "auto", "local"):
        return
    host, _, port = address.rpartition(":")
    if "/" in host or not (host and port.isdigit()):
        raise BackendError(f"backend.address: {address!r} is no address of a node; give host:port, or `auto`. {START}")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise BackendError(f"backend.address: no Ray cluster at {address}: {error}. {START}") from error


def start_actor(kind: type[Any], place: Reservation) -> ActorHandle[Any]:
    """Create an actor; it is scheduled when a node has the resources for it.

    Ray does not restart it and repeats none of its tasks: a restarted actor has lost its state, so its owner creates
    another and sends it everything again.
    """
    remote: Any = ray.remote(kind)
    actor: ActorHandle[Any] = remote.options(
        num_cpus=place.cpus,
        num_gpus=place.gpus,
        resources=dict(place.resources),
        max_restarts=0,
        max_task_retries=0,
        scheduling_strategy="SPREAD",
    ).remote()
    return actor


def stop_actor(actor: ActorHandle[Any]) -> None:
    """Kill an actor, so that no result of it comes late."""
    if ray.is_initialized():
        ray.kill(actor)


def wait_for(result: ray.ObjectRef[T], check: Callable[[], None]) -> T:
    """Return the result of a call, calling `check` while waiting, which may raise.

    Raises one of LOST if the process is gone, and what the call raised otherwise.
    """
    while not ray.wait([result], timeout=POLL)[0]:
        check()
    try:
        return ray.get(result)
    except RayTaskError as error:
        raise error.cause from error
    except RaySystemError as error:
        raise BackendError(
            f"the Ray cluster does not answer any more: {reason(error)}. Start it again, and resume the run"
        ) from error


def reason(error: BaseException) -> str:
    """Return an error of Ray on one line: its beginning, and its end, where a traceback has its cause."""
    lines = [line.strip() for line in str(error).splitlines()]
    wanted = [line for line in lines if line.strip("^~ ") and not line.startswith(DETAILS)]
    text = " ".join(wanted)
    return (
        text if len(text) <= LONGEST_REASON else f"{text[: LONGEST_REASON // 3]} … {text[-LONGEST_REASON * 2 // 3 :]}"
    )


def resources() -> str:
    """Describe the resources of the nodes that are alive."""
    listed: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
    nodes = [node["Resources"] for node in listed if node["Alive"]]
    described = [
        ", ".join(
            f"{amount:g} {name}"
            for name, amount in sorted(node.items())
            if not name.startswith(("node:", "memory", "object_store_memory", "accelerator_type"))
        )
        for node in nodes
    ]
    return "; ".join(item or "nothing to reserve" for item in described)


def same_code(info: ProcessInfo) -> str:
    """Return the name of a process of the cluster. Raises BackendError if it runs another Grandstand."""
    own = process_info()
    name = f"on {info.host}, process {info.pid}"
    if info.code != own.code:
        raise BackendError(
            f"{name}: it has another version of Grandstand ({info.code}) than this process ({own.code}); install "
            "the same one on every machine, and start Ray there again"
        )
    if info.torch != own.torch:
        log.warning("%s: torch is %s there, and %s here: results may differ", name, info.torch, own.torch)
    return name
