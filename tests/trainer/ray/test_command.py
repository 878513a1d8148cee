"""Commands of a sweep on a real Ray cluster of two nodes: their output, their ends, and the loss of a node.

Those of the last two tests are processes as a sweep starts them; the others are run from this one, which is connected
once.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from ray.cluster_utils import Cluster

from grandstand.trainer.metrics import read_lines
from grandstand.trainer.ray.cluster import ClusterConnection, Reservation
from grandstand.trainer.ray.command import RemoteCommand, run
from grandstand.trainer.ray.parcel import process_info
from grandstand.trainer.sweep.execution import Execution
from grandstand.trainer.sweep.expansion import Sweep
from grandstand.trainer.sweep.layout import attempts, failure_of, state_of
from tests.support.command import grandstand
from tests.support.live_server import ROOT
from tests.support.trainer.fake_sweep import COMMAND, fake_sweep
from tests.support.trainer.tiny_sweep import TINY
from tests.support.waiting import running, until

NODE: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False}

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Start a cluster of two nodes that execute a command each."""
    cluster = Cluster(initialize_head=True, head_node_args=NODE)
    cluster.add_node(**NODE)
    yield cluster
    cluster.shutdown()  # type: ignore[no-untyped-call]


Run = Callable[..., int]


@pytest.fixture(scope="module")
def run_there(cluster: Cluster) -> Iterator[Run]:
    """Run commands on the nodes from this process, with one connection."""
    connection = ClusterConnection(cluster.address)
    yield lambda *words: run(cluster.address, Reservation(1, 0, {}), words)
    connection.close()


def test_a_cluster_that_does_not_answer_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("127.0.0.1:1", Reservation(1, 0, {}), ["true"]) == 126
    assert "address: no Ray cluster at 127.0.0.1:1" in capsys.readouterr().err


def test_output_and_status_come_back(run_there: Run, capsys: pytest.CaptureFixture[str]) -> None:
    script = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    assert run_there(sys.executable, "-c", script) == 3
    assert capsys.readouterr() == ("out\n", "err\n")


def test_a_signal_is_told_from_a_status(run_there: Run) -> None:
    script = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    assert run_there(sys.executable, "-c", script) == 128 + signal.SIGKILL


def test_a_program_that_is_not_there_is_named(run_there: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_there("no-such-program") == 126
    assert "no-such-program: No such file or directory; every node needs the same" in capsys.readouterr().err


def test_a_process_that_is_lost_while_it_starts_is_replaced(
    run_there: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    lost = tmp_path / "lost"

    class DiesOnce(RemoteCommand):
        def __init__(self) -> None:
            super().__init__()
            if not lost.exists():
                lost.touch()
                os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr("grandstand.trainer.ray.command.RemoteCommand", DiesOnce)
    assert run_there("echo", "out") == 0
    assert lost.exists()
    assert capsys.readouterr() == ("out\n", "")


def started(cluster: Cluster, script: str, pid: Path) -> subprocess.Popen[str]:
    """Start a command as a terminal does, and wait until it has written its process's number to `pid`."""
    options = ["--address", cluster.address, "--cpus", "1", "--gpus", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "grandstand.trainer.ray.command", *options, "--", sys.executable, "-c", script],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert until(lambda: pid.exists() and bool(pid.read_text()))
    return process


def test_an_interrupt_that_comes_before_the_command_has_started_reaches_it() -> None:
    command = RemoteCommand()
    interrupt = Thread(target=command.interrupt)
    interrupt.start()
    script = "import sys, time; print('begun', file=sys.stderr, flush=True); time.sleep(1e3)"
    ended = command.execute([sys.executable, "-c", script], str(ROOT), "", process_info().code)
    interrupt.join()
    assert ended.status == -signal.SIGINT or "KeyboardInterrupt" in ended.errors


def test_an_interrupt_reaches_the_command_on_its_node(cluster: Cluster, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    process = started(
        cluster, f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(1e3)", pid
    )
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 128 + signal.SIGINT, errors
    assert errors.rstrip().endswith("KeyboardInterrupt"), "the command ended by itself"
    assert until(lambda: not running(int(pid.read_text())))


def test_a_second_interrupt_kills_what_the_first_one_does_not_end(cluster: Cluster, tmp_path: Path) -> None:
    pid, interrupted = tmp_path / "pid", tmp_path / "interrupted"
    script = f"""import os, pathlib, signal, time
signal.signal(signal.SIGINT, lambda *_: pathlib.Path({str(interrupted)!r}).touch())
pathlib.Path({str(pid)!r}).write_text(str(os.getpid()))
while True:
    time.sleep(1)
"""
    process = started(cluster, script, pid)
    process.send_signal(signal.SIGINT)
    assert until(interrupted.exists)
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == 128 + signal.SIGINT
    assert until(lambda: not running(int(pid.read_text())))


def on_cluster(cluster: Cluster, folder: Path) -> Sweep:
    """Return a sweep of two runs without a base to clone, each of which a node executes."""
    criterion = {"name": "x", "metric": "last/base/gain", "arm": "A", "against": 0.0, "direction": "greater"}
    settings = {**TINY["defaults"], "run": {**TINY["defaults"]["run"], "steps": 4}, "clone": {"bots": []}}
    return fake_sweep(
        folder,
        {"A": 0.0},
        seeds=[1, 2],
        defaults=settings,
        measure={"games": 20, "against": ["base"], "versions": ["last"]},
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


def test_matches_are_played_on_the_nodes(cluster: Cluster, tmp_path: Path) -> None:
    play = ("play", "cricket", "--players", "random", "--set", "overs=1", "--matches", "2", "--json")
    here = json.loads(grandstand(*play, "--jobs", "1").stdout)
    there = json.loads(grandstand(*play, "--jobs", "2", "--ray", cluster.address, "--out", str(tmp_path)).stdout)
    assert [row["scores"] for row in there["results"]] == [row["scores"] for row in here["results"]]
