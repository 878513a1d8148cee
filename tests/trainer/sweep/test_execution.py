"""Runs of a sweep as processes: what ends, what fails, what is killed, and what goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grandstand.campaigns.campaign import Campaign, CampaignObserver, Stopped
from grandstand.trainer.metrics import read_lines
from grandstand.trainer.sweep.execution import Execution, command_line, train_arguments
from grandstand.trainer.sweep.expansion import Sweep, SweepRun, load_sweep
from grandstand.trainer.sweep.layout import (
    State,
    attempts,
    best_step,
    failure_of,
    is_locked,
    measured,
    measurements,
    state_of,
)
from grandstand.trainer.sweep.plan import SweepPlan
from tests.support.command import grandstand
from tests.support.live_server import ROOT
from tests.support.trainer.fake_sweep import fake_data, fake_sweep
from tests.support.trainer.fake_training import BREAKS_OFF, KILLED, NO_CLONE
from tests.support.trainer.tiny_sweep import tiny_sweep, written
from tests.support.waiting import until


def execute(sweep: Sweep, jobs: int = 2) -> dict[str, str]:
    """Execute the runs that have no result, and return the states of all."""
    Campaign(SweepPlan(sweep), Execution(sweep, jobs)).run()
    return {run.id: state_of(sweep, run) for run in sweep.runs}


class Stages(CampaignObserver[SweepRun, State]):
    """Notes the stages of runs."""

    def __init__(self) -> None:
        self.stages: list[tuple[str, str]] = []

    def changed(self, unit: SweepRun, stage: str) -> None:
        self.stages.append((unit.id, stage))


def test_every_run_is_trained_and_measured(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})
    assert set(execute(sweep).values()) == {"completed"}
    run = sweep.runs[0]
    assert [attempt["stage"] for attempt in attempts(run)] == [
        "train",
        "measure",
    ]
    assert [item.version for item in measurements(sweep, run)] == [4, 2]
    assert all(measured(item) is not None for item in measurements(sweep, run))
    assert best_step(run, "eval/vs_base/gain") == 2
    assert run.train_folder.name == "run"
    assert (run.folder / "settings.toml").read_text() == run.config.resolved()


@pytest.mark.long
def test_what_is_completed_is_not_executed_again(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})
    execute(sweep)
    changed = fake_sweep(tmp_path, {"A": 0.0, "B": 0.2})
    before = [attempts(run) for run in changed.of_arm("A")]
    assert {state_of(changed, run) for run in changed.of_arm("B")} == {"planned"}
    assert set(execute(changed).values()) == {"completed"}
    assert [attempts(run) for run in changed.of_arm("A")] == before, "the arm whose settings are the same stays"


@pytest.mark.long
def test_a_failed_run_is_attributed_and_does_not_stop_the_others(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": BREAKS_OFF, "C": KILLED})
    states = execute(sweep)
    assert [states[f"{arm}-s2"] for arm in "ABC"] == ["completed", "failed", "failed"]
    broke, killed = (failure_of(sweep.by_id[f"{arm}-s1"].folder) for arm in "BC")
    assert broke is not None
    assert killed is not None
    assert (broke.cause, broke.message) == (
        "training",
        "grandstand train: the run broke off: the loss is not finite",
    )
    assert (killed.cause, killed.message) == ("killed", "by SIGKILL")


@pytest.mark.long
def test_a_killed_run_is_resumed_by_the_next_execution(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "C": KILLED})
    execute(sweep)
    (tmp_path / "mercy").touch()
    assert set(execute(sweep).values()) == {"completed"}
    run = sweep.by_id["C-s1"]
    trained = [attempt for attempt in attempts(run) if attempt["stage"] == "train"]
    assert ["--resume" in attempt["command"] for attempt in trained] == [False, True]
    assert [row["step"] for row in read_lines(run.train_folder)] == [1, 2, 3, 4]
    assert failure_of(run.folder) is None


def test_a_run_waits_for_the_one_that_it_begins_with(tmp_path: Path) -> None:
    data = {
        "runs": {
            "P": {"name": "first", "config": {"kl": {"beta": BREAKS_OFF}}},
            "A": {"name": "alone", "config": {"kl": {"beta": 0.2}}},
            "B": {"name": "after", "starts_from": "P", "config": {"kl": {"beta": 0.1}}},
        },
        "analysis": {
            "primary_metric": "last/base/score",
            "success_criteria": [
                {
                    "name": "x",
                    "metric": "kl/mean:mean",
                    "arm": "B",
                    "against": 0.0,
                    "direction": "less",
                    "least_effect": 1,
                }
            ],
        },
    }
    sweep = fake_sweep(tmp_path, {"A": 0.0}, **data, matched="none")
    states = execute(sweep, jobs=3)
    assert [states[f"{arm}-s1"] for arm in "PAB"] == ["failed", "completed", "failed"]
    failure = failure_of(sweep.by_id["B-s1"].folder)
    assert failure is not None
    assert (failure.cause, failure.message) == ("parent", "P-s1, with whose policy it begins, has no result")
    assert sweep.by_id["B-s1"].config.policy.init == str(sweep.by_id["P-s1"].train_folder)


@pytest.mark.long
def test_a_base_is_made_once_for_all_sweeps_in_a_folder(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})
    noted = Stages()
    Execution(sweep, 3).execute(sweep.runs, noted)
    assert [[attempt["stage"] for attempt in attempts(base)] for base in sweep.bases] == [["base"]] * 3
    assert sum(stage == "preparing" for _, stage in dict.fromkeys(noted.stages)) == 3
    for run in sweep.runs:
        assert run.base is not None
        train, _ = attempts(run)
        assert f"--base {run.base.folder}" in train["command"]
    metadata = {"name": "other", "hypothesis": "Of another sweep."}
    data = fake_data({"A": 0.0, "B": 0.2}, metadata=metadata)
    other = load_sweep(written(tmp_path, data, "other.yaml"), tmp_path / "others")
    assert set(execute(other).values()) == {"completed"}
    assert [len(attempts(base)) for base in other.bases] == [1, 1, 1]
    assert [len(attempts(run)) for run in other.of_arm("A")] == [2, 2, 2], "the runs with the same settings are shared"


def test_a_base_that_cannot_be_cloned_is_attributed_and_tried_once(tmp_path: Path) -> None:
    data = fake_data({"A": 0.0, "B": 0.1})
    data["defaults"]["clone"] = {**data["defaults"]["clone"], "games": NO_CLONE}
    sweep = load_sweep(written(tmp_path, data), tmp_path / "results")
    assert set(execute(sweep).values()) == {"failed"}
    failures = [failure_of(run.folder) for run in sweep.runs]
    assert {(failure.cause, failure.stage) for failure in failures if failure} == {("base", "base")}
    assert failures[0] is not None
    assert failures[0].message == "grandstand train: no choices to learn from"
    assert [len(attempts(base)) for base in sweep.bases] == [1, 1, 1]


@pytest.mark.long
def test_two_sweeps_at_a_time_execute_a_shared_run_once(tmp_path: Path) -> None:
    first = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})
    data = fake_data({"A": 0.0, "B": 0.1}, metadata={"name": "other", "hypothesis": "The same."})
    second = load_sweep(written(tmp_path, data, "other.yaml"), tmp_path / "others")
    threads = [threading.Thread(target=execute, args=(sweep,)) for sweep in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {state_of(second, run) for run in second.runs} == {"completed"}
    assert [[attempt["stage"] for attempt in attempts(run)] for run in first.runs] == [["train", "measure"]] * 6
    assert [len(attempts(base)) for base in first.bases] == [1, 1, 1]


def test_measurements_before_a_kill_are_kept(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})
    run = sweep.runs[0]
    Execution(sweep, 1).execute([run])
    first, second = measurements(sweep, run)
    kept = {"result": measured(first)}
    first.file.unlink()
    second.file.unlink()
    (first.file.parent / "results-20.part").write_text(json.dumps(kept) + '\n{"result": {"games": 2')
    assert state_of(sweep, run) == "interrupted"
    Execution(sweep, 1).execute([run])
    assert measured(first) == kept["result"]
    again = attempts(run)[-1]["command"]
    assert f"--version {second.version}" in again
    assert f"--version {first.version}" not in again


def test_a_command_that_cannot_be_executed_is_attributed_to_it(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1}, runner={"command": "no-such-program {arguments}"})
    assert set(execute(sweep).values()) == {"failed"}
    failure = failure_of(sweep.runs[0].folder)
    assert failure is not None
    assert failure.cause == "command"
    assert "check runner.command" in failure.message


@pytest.mark.long
def test_output_that_is_no_result_is_attributed_to_the_command(tmp_path: Path) -> None:
    script = tmp_path / "wrapper.py"
    script.write_text(
        "import subprocess, sys\n"
        f"subprocess.run([sys.executable, {str(ROOT / 'tests/support/trainer/fake_training.py')!r}, *sys.argv[1:]],\n"
        "               stdout=subprocess.DEVNULL)\n"
        "print('Goodbye')\n"
    )
    command = f"{sys.executable} {script} {{arguments}}"
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1}, runner={"command": command})
    execute(sweep)
    failure = failure_of(sweep.runs[0].folder)
    assert failure is not None
    assert (failure.cause, failure.stage) == ("command", "measure")


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("grandstand {arguments}", ["grandstand", "train", "--out", "a b"]),
        ("ssh gpu{slot} 'cd g && grandstand {arguments}'", ["ssh", "gpu1", "cd g && grandstand train --out 'a b'"]),
        ("run --seed {name} -- {arguments}", ["run", "--seed", "RUN", "--", "train", "--out", "a b"]),
    ],
)
def test_the_command_template(template: str, words: list[str], tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1}, runner={"command": template})
    name = sweep.runs[0].config.run.name
    ours = [name if word == "RUN" else word for word in words]
    assert command_line(sweep, sweep.runs[0], ["train", "--out", "a b"], slot=1) == ours


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Have SIGINT raise KeyboardInterrupt also where the tests run in the background, with the signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_the_processes_and_leaves_them_to_be_resumed(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})
    (tmp_path / "hold").touch()
    execution = Execution(sweep, 2)

    def interrupt() -> None:
        assert until(lambda: all(read_lines(run.train_folder) for run in sweep.runs[:2]))
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    assert execution.execute(sweep.runs) == Stopped("interrupted by SIGINT", 130)
    thread.join()
    states = [state_of(sweep, run) for run in sweep.runs]
    assert states == ["interrupted", "interrupted", "planned", "planned", "planned", "planned"]
    assert not any(is_locked(run.folder) for run in sweep.runs[:2])
    (tmp_path / "hold").unlink()
    assert set(execute(sweep).values()) == {"completed"}


def started(sweep: Sweep, folder: Path) -> subprocess.Popen[str]:
    """Start `grandstand sweep --run` in a process."""
    return subprocess.Popen(
        [sys.executable, "-m", "grandstand", "sweep", str(sweep.path), "--run", "--no-pilot", "--out", str(folder)],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def test_cpu_time_is_noted_unless_the_command_may_run_elsewhere(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})
    Execution(sweep, 1).execute([sweep.runs[0]])
    assert [attempt["cpu"] for attempt in attempts(sweep.runs[0])] == [None, None]


def real_sweep(folder: Path) -> Sweep:
    """Return a sweep of two training runs of the tiny policy, measured once each."""
    analysis: dict[str, Any] = {
        "primary_metric": "last/random/score",
        "success_criteria": [
            {
                "name": "x",
                "metric": "kl/mean:mean",
                "arm": "A",
                "against": 1.0,
                "direction": "less",
                "least_effect": 0.1,
            }
        ],
    }
    data = tiny_sweep(
        runs={"A": {"name": "alone"}},
        measure={"games": 20, "against": ["random"], "versions": ["last"]},
        analysis=analysis,
    )
    data["defaults"]["run"] = {"steps": 3, "checkpoint_every": 1}
    return load_sweep(written(folder, data), folder / "results")


def killed_process(run: SweepRun) -> int:
    """Wait until the run has taken a step, and kill its process."""
    assert until(lambda: len(read_lines(run.train_folder)) >= 1, seconds=300)
    pid = int(
        subprocess.check_output(["pgrep", "-f", "--", f"-m grandstand train .*{run.train_folder}"], text=True).split()[
            0
        ]
    )
    os.kill(pid, signal.SIGKILL)
    return pid


@pytest.mark.long
def test_a_sweep_goes_on_after_a_run_and_the_sweep_itself_are_killed(tmp_path: Path) -> None:
    """With real training: a killed run is attributed and resumed; a run whose sweep is killed goes on by itself."""
    sweep = real_sweep(tmp_path)
    first, second = sweep.runs
    with started(sweep, sweep.folder) as process:
        killed_process(first)
        assert until(lambda: len(read_lines(second.train_folder)) >= 1, seconds=300)
        failure = failure_of(first.folder)
        process.kill()
    assert failure is not None
    assert (failure.cause, failure.stage) == ("killed", "train")
    assert state_of(sweep, first) == "failed"
    assert state_of(sweep, second) == "running", "the process that the sweep left goes on"
    grandstand("sweep", str(sweep.path), "--run", "--no-pilot", "--out", str(sweep.folder))
    assert [state_of(sweep, run) for run in sweep.runs] == ["completed", "completed"]
    resumed = [attempt["command"] for attempt in attempts(first) if attempt["stage"] == "train"]
    assert ["--resume" in command for command in resumed] == [False, True]
    assert not [attempt for attempt in attempts(second) if attempt["stage"] == "train"], "it was waited for"
    assert [row["step"] for run in sweep.runs for row in read_lines(run.train_folder)] == [1, 2, 3, 1, 2, 3]
    status = json.loads(grandstand("sweep", str(sweep.path), "--status", "--json", "--out", str(sweep.folder)).stdout)
    assert [row["step"] for row in status["runs"]] == [3, 3]


def test_training_begins_with_the_settings_and_goes_on_without_them(tmp_path: Path) -> None:
    run = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1}).runs[0]
    assert train_arguments(run)[1:3] == ["--config", str(run.folder / "settings.toml")]
    run.train_folder.mkdir(parents=True)
    (run.train_folder / "config.toml").touch()
    assert train_arguments(run)[1] == "--resume"
