"""A pool of workers on a cluster: tasks go to whichever is free, and those of a lost worker to another."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from queue import Empty, PriorityQueue
from typing import Any, Generic, TypeVar

import ray
from ray.actor import ActorHandle

from grandstand.trainer.model.sampler import BackendError
from grandstand.trainer.ray.cluster import (
    LOST,
    POLL,
    PoolClosed,
    Reservation,
    reason,
    resources,
    start_actor,
    stop_actor,
    wait_for,
)

log = logging.getLogger(__name__)

T = TypeVar("T")
Prepare = Callable[[ActorHandle[Any], Callable[[], None]], str]
"""Prepares a new worker, calling the function while waiting, and returns the worker's name."""

MOST_LOSSES = 5
"""Workers that may be lost with one task before the task is given up as the cause."""
WAIT_SECONDS = 300.0
"""Longest time without any worker before the run stops, in which a cluster may replace a node."""
LONGEST_PAUSE = 60.0
"""Seconds between two attempts to start a worker that is lost each time; the first pause is 1."""


@dataclass(order=True)
class WorkerTask(Generic[T]):
    """A call of a worker. The oldest task is the first to be taken, again so after its worker was lost."""

    number: int
    call: Callable[[ActorHandle[Any]], ray.ObjectRef[T]] = field(compare=False)
    weight: int = field(compare=False)
    """Number of groups in the task."""
    result: Future[T] = field(compare=False, default_factory=Future)
    losses: int = field(compare=False, default=0)
    wanted: bool = field(compare=False, default=True)


class Pool:
    """Workers, each with a thread here that sends it one task at a time and replaces it when it is lost."""

    def __init__(self, name: str, kind: type[Any], place: Reservation, workers: int, prepare: Prepare) -> None:
        """`prepare` makes new workers ready. After WAIT_SECONDS without any worker, whoever waits for a result fails.

        What `prepare` raises, except for a loss, ends the run if there was no worker yet; later ones are tried again.
        """
        self._name, self._kind, self._place, self._prepare = name, kind, place, prepare
        self._tasks: PriorityQueue[WorkerTask[Any]] = PriorityQueue()
        self._numbers = count()
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._empty_since = time.monotonic()
        self._begun = False
        """True once a worker has been ready."""
        self._failure: BaseException | None = None
        self._trouble = ""
        """The reason why the last worker was lost or did not start."""
        self.alive = 0
        """Workers that are ready or at work."""
        self.restarted = 0
        """Workers that took the place of a lost one."""
        self.replayed = 0
        """Groups that were begun again after a loss."""
        self._threads = [
            threading.Thread(target=self._run, name=f"ray {name} {number}", daemon=True) for number in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, call: Callable[[ActorHandle[Any]], ray.ObjectRef[T]], weight: int = 1) -> WorkerTask[T]:
        """Add a task of `weight` groups."""
        task = WorkerTask(next(self._numbers), call, weight)
        self._tasks.put(task)
        return task

    def result(self, task: WorkerTask[T], waiting: Callable[[], None] = lambda: None) -> T:
        """Return the result of a task, calling `waiting` in the meantime.

        Raises what the task raised, and BackendError if no worker can be had or the task loses every one.
        """
        while not wait([task.result], timeout=POLL).done:
            self.check()
            waiting()
        return task.result.result()

    def wait_until_ready(self) -> None:
        """Return when there is a worker. Raises BackendError, or what the first worker raised when it was prepared."""
        while not self.alive:
            self.check()
            self._closing.wait(POLL / 10)

    def check(self) -> None:
        """Raise BackendError if there has been no worker for too long, or what kept the first one from starting."""
        if self._failure is not None:
            raise self._failure
        with self._lock:
            seconds = 0.0 if self.alive else time.monotonic() - self._empty_since
        if seconds > WAIT_SECONDS:
            trouble = f" The last one: {self._trouble}." if self._trouble else ""
            raise BackendError(
                f"there has been no {self._name} for {seconds:.0f} s.{trouble} A {self._name} "
                f"reserves {self._place}; the nodes have {resources()}. Join nodes with `ray start --address`, or "
                "lower what it reserves, and resume the run"
            )

    def close(self) -> None:
        """Stop the workers."""
        self._closing.set()
        for thread in self._threads:
            thread.join()

    # --- the thread of a worker ---------------------------------------------------------------------------------------

    def _run(self) -> None:
        pause, replaces = 0.0, False
        while not self._closing.wait(pause):
            finished = 0
            actor = start_actor(self._kind, self._place)
            try:
                name = self._prepare(actor, self._check_open)
                with self._counted(replaces):
                    log.info("%s %s is ready", self._name, name)
                    for task in self._each():
                        self._do(task, actor, name)
                        finished += 1
            except PoolClosed:
                return
            except LOST as error:
                self._trouble, replaces = reason(error), True
                log.warning("a %s was lost: %s", self._name, self._trouble)
            except Exception as error:
                self._trouble = reason(error)
                if not self._begun:
                    self._failure = error
                    return
                log.warning("a %s did not start: %s", self._name, self._trouble)
            finally:
                stop_actor(actor)
            pause = 0.0 if finished else min(LONGEST_PAUSE, max(1.0, 2 * pause))

    @contextmanager
    def _counted(self, replaces: bool) -> Iterator[None]:
        with self._lock:
            self.alive += 1
            self._begun = True
            self.restarted += replaces
        try:
            yield
        finally:
            with self._lock:
                self.alive -= 1
                self._empty_since = time.monotonic()

    def _each(self) -> Iterator[WorkerTask[Any]]:
        """Yield tasks as they come. Raises PoolClosed."""
        while True:
            self._check_open()
            with suppress(Empty):
                task = self._tasks.get(timeout=POLL)
                if task.wanted:
                    yield task

    def _do(self, task: WorkerTask[Any], actor: ActorHandle[Any], name: str) -> None:
        """Execute a task on the worker. Raises one of LOST, after the task has been put back, or PoolClosed."""
        try:
            task.result.set_result(wait_for(task.call(actor), self._check_open))
        except LOST as error:
            task.losses += 1
            with self._lock:
                self.replayed += task.weight
            if task.losses == MOST_LOSSES:
                task.result.set_exception(BackendError(_too_often(self._name, reason(error))))
            else:
                log.warning(
                    "%s %s was lost in the middle of %d groups, which are played again", self._name, name, task.weight
                )
                self._tasks.put(task)
            raise
        except PoolClosed:
            raise
        except Exception as error:
            task.result.set_exception(error)

    def _check_open(self) -> None:
        if self._closing.is_set():
            raise PoolClosed


def _too_often(name: str, last: str) -> str:
    return (
        f"the same task has lost {MOST_LOSSES} {name}s one after the other, the last one so: {last}. If memory is "
        "short, lower rollout.batch_groups or backend.workers, or have each reserve more; then resume the run"
    )
