"""Commands of a sweep on a real Ray cluster of two nodes: their output, their ends, and the loss of a node."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from ray.cluster_utils import Cluster

from grandstand.trainer.metrics import read_lines
from grandstand.trainer.sweep.execution import Execution
from grandstand.trainer.sweep.expansion import Sweep
from grandstand.trainer.sweep.layout import attempts, failure_of, state_of
from tests.support.live_server import ROOT
from tests.support.trainer.fake_sweep import COMMAND, fake_sweep
from tests.support.waiting import until

NODE: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False}

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Start a head that executes nothing, and two nodes that execute a command each."""
    cluster = Cluster(initialize_head=True, head_node_args={**NODE, "num_cpus": 0})
    for _ in range(2):
        cluster.add_node(**NODE)
    yield cluster
    cluster.shutdown()  # type: ignore[no-untyped-call]


def words(cluster: Cluster, *command: str) -> list[str]:
    options = ("--address", cluster.address, "--cpus", "1", "--gpus", "0")
    return [sys.executable, "-m", "grandstand.trainer.ray.command", *options, "--", *command]


def execute(cluster: Cluster, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words(cluster, *command), cwd=ROOT, capture_output=True, text=True, check=False)


def test_output_and_status_come_back(cluster: Cluster) -> None:
    script = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    done = execute(cluster, sys.executable, "-c", script)
    assert (done.returncode, done.stdout) == (3, "out\n")
    assert done.stderr.endswith("err\n")


def test_a_signal_is_told_from_a_status(cluster: Cluster) -> None:
    script = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    assert execute(cluster, sys.executable, "-c", script).returncode == 128 + signal.SIGKILL


def test_a_program_that_is_not_there_is_named(cluster: Cluster) -> None:
    done = execute(cluster, "no-such-program")
    assert done.returncode == 126
    assert "no-such-program: No such file or directory; every node needs the same" in done.stderr


def test_a_cluster_that_does_not_answer_is_named() -> None:
    command = [sys.executable, "-m", "grandstand.trainer.ray.command", "--address", "127.0.0.1:1"]
    done = subprocess.run(
        [*command, "--cpus", "1", "--gpus", "0", "--", "true"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 126
    assert "runner.address: no Ray cluster at 127.0.0.1:1" in done.stderr


def test_an_interrupt_ends_the_command_on_its_node(cluster: Cluster, tmp_path: Path) -> None:
    script = f"import os, time; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); time.sleep(1000)"
    process = subprocess.Popen(
        words(cluster, sys.executable, "-c", script),
        cwd=ROOT,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert until(lambda: (tmp_path / "pid").exists() and bool((tmp_path / "pid").read_text()))
    process.send_signal(signal.SIGINT)
    assert process.wait() != 0
    pid = int((tmp_path / "pid").read_text())
    assert until(lambda: not alive(pid))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def on_cluster(cluster: Cluster, folder: Path) -> Sweep:
    """Return a sweep of two runs, each of which a node executes."""
    criterion = {"name": "x", "metric": "last/base/gain", "arm": "A", "against": 0.0, "direction": "greater"}
    return fake_sweep(
        folder,
        {"A": 0.0},
        seeds=[1, 2],
        analysis={"primary_metric": "last/base/gain", "success_criteria": [{**criterion, "least_effect": 0.01}]},
        runner={"command": COMMAND, "engine": "ray", "address": cluster.address, "jobs": 2},
    )


def test_a_lost_node_costs_its_unfinished_run_alone(cluster: Cluster, tmp_path: Path) -> None:
    sweep = on_cluster(cluster, tmp_path)
    (tmp_path / "hold").touch()
    thread = Thread(target=lambda: Execution(sweep, 2).execute(sweep.runs), daemon=True)
    thread.start()
    assert until(lambda: all(read_lines(run.train_folder) for run in sweep.runs), seconds=120)
    cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
    assert until(lambda: any(failure_of(run.folder) is not None for run in sweep.runs), seconds=120)
    (tmp_path / "hold").unlink()
    thread.join(120)
    failures = {run.id: failure for run in sweep.runs if (failure := failure_of(run.folder)) is not None}
    assert sorted(state_of(sweep, run) for run in sweep.runs) == ["completed", "failed"]
    (failure,) = failures.values()
    assert (failure.cause, failure.stage) == ("killed", "train")
    assert failure.message.startswith("by SIGKILL")
    Execution(sweep, 1).execute(sweep.runs)  # on the node that is left
    assert {state_of(sweep, run) for run in sweep.runs} == {"completed"}
    (run,) = (run for run in sweep.runs if run.id in failures)
    trained = [attempt["command"] for attempt in attempts(run) if attempt["stage"] == "train"]
    assert ["--resume" in command for command in trained] == [False, True]
    assert [row["step"] for row in read_lines(run.train_folder)] == [1, 2, 3, 4]
