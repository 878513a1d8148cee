"""A lost worker is replaced and its task done by another, until a task has lost too many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import ray
from ray.actor import ActorHandle

from grandstand.trainer.model.sampler import BackendError, SamplerError
from grandstand.trainer.ray import pool as module
from grandstand.trainer.ray.cluster import Reservation, wait_for
from grandstand.trainer.ray.pool import MOST_LOSSES, Pool
from tests.support.trainer.actors import Pretender
from tests.support.waiting import PATIENCE, until

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("connection")]


def call(method: str, *arguments: object) -> Callable[[ActorHandle[Any]], ray.ObjectRef[Any]]:
    """Return a task that calls a method of `Pretender`."""

    def made(actor: ActorHandle[Any]) -> ray.ObjectRef[Any]:
        result: ray.ObjectRef[Any] = getattr(actor, method).remote(*arguments)
        return result

    return made


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Pool]]:
    monkeypatch.setattr(module, "LONGEST_PAUSE", 0.01)
    pools: list[Pool] = []

    def opened(workers: int = 1, place: Reservation | None = None, problem: str = "", wait: float = PATIENCE) -> Pool:
        monkeypatch.setattr(module, "WAIT_SECONDS", wait)

        def prepare(actor: ActorHandle[Any], check: Callable[[], None]) -> str:
            return str(wait_for(actor.start.remote(problem), check))

        pools.append(Pool("worker", Pretender, place or Reservation(0.1, 0, {}), workers, prepare))
        return pools[-1]

    yield opened
    for pool in pools:
        pool.close()


def test_results_come_back_and_errors_of_a_task_are_no_loss(make: Callable[..., Pool]) -> None:
    pool = make(workers=2)
    tasks = [pool.submit(call("double", number)) for number in range(8)]
    broken = pool.submit(call("fail"))
    assert [pool.result(task) for task in tasks] == [0, 2, 4, 6, 8, 10, 12, 14]
    with pytest.raises(SamplerError, match="the engine is away"):
        pool.result(broken)
    assert pool.result(pool.submit(call("double", 21))) == 42
    assert (pool.restarted, pool.replayed) == (0, 0)
    assert until(lambda: pool.alive == 2)


def test_a_task_is_done_again_by_another_worker(make: Callable[..., Pool], tmp_path: Path) -> None:
    pool = make()
    task = pool.submit(call("die", str(tmp_path / "notes"), 2), weight=3)
    later = pool.submit(call("double", 1))
    assert pool.result(task) == 3
    assert pool.result(later) == 2
    assert (pool.restarted, pool.replayed, task.losses) == (2, 6, 2)


def test_a_task_that_loses_every_worker_is_given_up(make: Callable[..., Pool], tmp_path: Path) -> None:
    pool = make()
    task = pool.submit(call("die", str(tmp_path / "notes"), 99))
    with pytest.raises(BackendError, match=r"lost 5 workers one after the other.*lower rollout\.batch_groups"):
        pool.result(task)
    assert len((tmp_path / "notes").read_text()) == MOST_LOSSES
    assert pool.result(pool.submit(call("double", 4))) == 8, "the others are done"


def test_a_task_that_nobody_waits_for_is_not_begun(make: Callable[..., Pool], tmp_path: Path) -> None:
    pool = make()
    first = pool.submit(call("hold", str(tmp_path / "go")))
    unwanted = pool.submit(call("die", str(tmp_path / "notes"), 0))
    last = pool.submit(call("double", 1))
    unwanted.wanted = False
    (tmp_path / "go").touch()
    pool.result(first)
    assert pool.result(last) == 2
    assert not (tmp_path / "notes").exists()


def test_what_keeps_the_first_worker_from_starting_ends_the_run(make: Callable[..., Pool]) -> None:
    pool = make(problem="vLLM is not installed")
    with pytest.raises(SamplerError, match="vLLM is not installed"):
        pool.wait_until_ready()


def test_what_no_node_has_is_named(make: Callable[..., Pool]) -> None:
    pool = make(place=Reservation(1, 2, {"no-such": 1}), wait=0.5)
    with pytest.raises(BackendError, match=r"reserves 1 CPU, 2 GPU, 1 no-such; the nodes have \d+ CPU.*ray start"):
        pool.wait_until_ready()
