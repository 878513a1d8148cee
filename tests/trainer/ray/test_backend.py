"""A run on a real cluster of two nodes ends with the same bits as in one process, whatever is killed meanwhile."""

from __future__ import annotations

import logging
import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import ray
import torch
from ray._private.state import actors
from ray.cluster_utils import Cluster

from grandstand.trainer import checkpoint, loop
from grandstand.trainer.backends import open_backend
from grandstand.trainer.config.files import RECORD
from grandstand.trainer.config.settings import TrainConfig, changed
from grandstand.trainer.loop import CHECKPOINTS
from grandstand.trainer.metrics import StepMetrics
from grandstand.trainer.model.sampler import BackendError
from grandstand.trainer.ray import cluster as connection
from grandstand.trainer.ray import pool
from grandstand.trainer.ray.backend import RayBackend
from grandstand.trainer.run import train
from tests.support.trainer.records import measured, recorded, same
from tests.support.trainer.tiny import tiny
from tests.support.waiting import running, until

GROUPS, SAMPLES = 6, 2
NODE: dict[str, Any] = {
    "num_cpus": 1,
    "object_store_memory": 80 * 2**20,
    "include_dashboard": False,
}

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]


def config(steps: int = 2, **backend: Any) -> TrainConfig:
    """Return the settings of the run, played here or as `backend` says."""
    return tiny(
        run={"steps": steps, "eval_every": 2},
        rollout={"groups": GROUPS, "samples": SAMPLES, "batch_groups": 1, "buffer_depth": 1},
        backend=backend,
    )


class TwoNodes:
    """A cluster of a head, with the resources of a learner, and two nodes with those of a worker each."""

    def __init__(self) -> None:
        head = {**NODE, "num_cpus": 0, "resources": {"learning": 1}}
        self.cluster = Cluster(initialize_head=True, head_node_args=head)
        self.nodes = [self.add(), self.add()]

    def add(self) -> Any:
        return self.cluster.add_node(**NODE, resources={"playing": 1})

    def settings(self, **more: Any) -> dict[str, Any]:
        here = {"engine": "ray", "address": self.cluster.address, "worker_resources": {"playing": 1}}
        return {**here, "workers": 2, **more}

    def remove(self, node_id: str) -> None:
        """Kill a node and everything on it."""
        node = next(node for node in self.nodes if node.node_id == node_id)
        self.cluster.remove_node(node, allow_graceful=False)
        self.nodes.remove(node)

    def restore(self) -> None:
        while len(self.nodes) < 2:
            self.nodes.append(self.add())


@pytest.fixture(scope="module")
def two_nodes() -> Iterator[TwoNodes]:
    nodes = TwoNodes()
    yield nodes
    nodes.cluster.shutdown()  # type: ignore[no-untyped-call]


@pytest.fixture(autouse=True)
def whole_cluster(two_nodes: TwoNodes, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    torch.set_num_threads(1)
    for module in (pool, connection):
        monkeypatch.setattr(module, "POLL", 0.02)
    two_nodes.restore()
    yield
    assert not ray.is_initialized(), "a run that has ended is still connected"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the run in one process."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    train(config(), folder)
    return folder


def assert_same(folder: Path, whole: Path) -> None:
    """Compare all that two runs leave: matches, learner, league and metrics."""
    first, second = (checkpoint.latest(path / CHECKPOINTS) for path in (whole, folder))
    assert first is not None
    assert second is not None
    assert same(first["learner"], second["learner"])
    assert events(folder) == events(whole)
    assert recorded(folder) == recorded(whole)
    without = [{key: row[key] for key in row if not key.startswith("workers/")} for row in measured(folder)]
    assert without == measured(whole)


def events(folder: Path) -> list[Any]:
    """Return all events of matches but for their times."""
    with closing(sqlite3.connect(folder / RECORD)) as database:
        rows = database.execute(
            "SELECT episode_id, seq, type, audience, data FROM events WHERE episode_id NOT LIKE 'run-%' ORDER BY 1, 2"
        ).fetchall()
    assert len(rows) > 100
    return rows


class Watcher:
    """The backend of a run, once all its workers are ready, and a worker that is held up in the middle of its part."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.victim: dict[str, Any] = {}
        monkeypatch.setattr(loop, "open_backend", self._open)

    def _open(self, *arguments: Any) -> RayBackend:
        opened = open_backend(*arguments)
        assert isinstance(opened, RayBackend)
        assert until(lambda: opened.pool.alive == 2)
        self.backend = opened
        return opened

    def hold(self) -> None:
        """Stop a worker, so that it ends none of its parts any more."""
        self.victim = living("RolloutWorker")[0]
        os.kill(self.victim["Pid"], signal.SIGSTOP)

    def during_step(self, strike: Callable[[], None]) -> Callable[[str, int, int], None]:
        """Return a `doing` that strikes when only the part of a held worker is left of the first step."""
        struck = False

        def doing(what: str, done: int, whole: int) -> None:
            nonlocal struck
            if what != "playing step 1":
                return
            if not self.victim:
                self.hold()
            elif done == whole - SAMPLES and not struck:
                struck = True
                strike()

        return doing


def living(kind: str) -> list[dict[str, Any]]:
    """Return the actors of a class that are alive."""
    table = [{**actor, "Pid": actor["Pid"], "Node": actor["Address"]["NodeID"]} for actor in actors().values()]
    return [actor for actor in table if actor["State"] == "ALIVE" and actor["ActorClassName"].endswith(kind)]


def test_a_run_that_was_begun_here_goes_on_there_to_the_same_bits(
    two_nodes: TwoNodes, whole: Path, tmp_path: Path
) -> None:
    train(config(steps=1), tmp_path)
    steps: list[StepMetrics] = []
    train(config(**two_nodes.settings()), tmp_path, resume=True, report=steps.append)
    assert_same(tmp_path, whole)
    (step,) = steps
    assert step.metrics["workers/alive"] >= 1
    assert step.metrics["workers/restarted"] == step.metrics["workers/groups_replayed"] == 0
    assert not changed(config(), config(**two_nodes.settings()))


def test_a_killed_node_costs_its_unfinished_matches_only(
    two_nodes: TwoNodes,
    whole: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    watcher = Watcher(monkeypatch)

    def strike() -> None:
        two_nodes.remove(watcher.victim["Node"])
        if running(watcher.victim["Pid"]):
            os.kill(watcher.victim["Pid"], signal.SIGKILL)

    steps: list[StepMetrics] = []

    def report(step: StepMetrics) -> None:
        steps.append(step)
        if step.step == 1:  # a machine joins, and the worker that waits for it is sent the versions
            two_nodes.restore()
            assert until(lambda: watcher.backend.pool.alive == 2)

    with caplog.at_level(logging.WARNING):
        train(
            config(**two_nodes.settings()),
            tmp_path,
            report=report,
            doing=watcher.during_step(strike),
        )
    assert_same(tmp_path, whole)
    first, last = (step.metrics for step in steps)
    assert first["workers/groups_replayed"] == 1
    assert first["workers/alive"] == 1, "the other node has no resources for two"
    assert watcher.backend.pool.restarted == 1
    assert last["workers/groups_replayed"] >= 1
    assert "was lost in the middle of 1 groups, which are played again" in caplog.text
    assert capfd.readouterr().out == "", "the run's own output is JSON, if it is asked for"


def test_a_killed_worker_and_a_killed_learner_are_replaced(
    two_nodes: TwoNodes, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher = Watcher(monkeypatch)
    doing = watcher.during_step(lambda: os.kill(watcher.victim["Pid"], signal.SIGKILL))
    placed: list[str] = []

    def kill_learner(what: str, done: int, whole: int) -> None:
        doing(what, done, whole)
        if what == "learning from step 2":
            (learner,) = living("LearnerWorker")
            placed.append(learner["Node"])
            os.kill(learner["Pid"], signal.SIGKILL)

    steps: list[StepMetrics] = []
    settings = two_nodes.settings(learner="actor", learner_cpus=0, learner_resources={"learning": 1})
    train(config(**settings), tmp_path, doing=kill_learner, report=steps.append)
    assert_same(tmp_path, whole)
    head: Any = two_nodes.cluster.head_node
    assert placed == [head.node_id]
    assert [step.metrics["workers/learner_restarted"] for step in steps] == [0, 1]
    assert watcher.backend.pool.replayed == 1


def test_a_run_without_workers_stops_with_the_remedy_and_goes_on_here(
    two_nodes: TwoNodes, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "WAIT_SECONDS", 3.0)
    watcher = Watcher(monkeypatch)

    def strike() -> None:
        for node in list(two_nodes.nodes):
            two_nodes.remove(node.node_id)
        os.kill(watcher.victim["Pid"], signal.SIGKILL)

    def doing(what: str, done: int, whole: int) -> None:
        if what == "playing step 2" and not watcher.victim:
            watcher.hold()
            strike()

    with pytest.raises(BackendError, match=r"no worker for .* A worker reserves 1 CPU, 1 playing; .*resume the run"):
        train(config(**two_nodes.settings()), tmp_path, doing=doing)
    monkeypatch.undo()
    train(config(), tmp_path, resume=True)
    assert_same(tmp_path, whole)
