"""MetricsWriter survive a kill, and a run that goes on has each step once."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow.parquet as pq
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import grandstand.trainer.metrics as metrics
from grandstand.trainer.config.files import load
from grandstand.trainer.metrics import (
    LINES,
    PARQUET,
    TENSORBOARD,
    MetricsError,
    MetricsTable,
    MetricsWriter,
    TensorBoard,
    read_lines,
)

KILLED = """
import os, signal, sys
from pathlib import Path
from grandstand.trainer.config.files import load
from grandstand.trainer.metrics import MetricsWriter
metrics = MetricsWriter(Path(sys.argv[1]), load("nano-diplomacy"))
for step in range(1, 6):
    metrics.log(step, {"kl/mean": step / 8, "benchmark/loss": -1.0})
    if step == 3:
        metrics.save()
os.kill(os.getpid(), signal.SIGKILL)
"""


def scalars(folder: Path, name: str) -> list[tuple[int, float]]:
    events = EventAccumulator(str(folder / TENSORBOARD))
    events.Reload()
    return [(event.step, event.value) for event in events.Scalars(name)]


@pytest.mark.long
def test_a_run_that_was_killed_has_each_step_once(tmp_path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert [row["step"] for row in read_lines(tmp_path)] == [1, 2, 3, 4, 5], "told before the kill"
    assert pq.read_table(tmp_path / PARQUET)["step"].to_pylist() == [1, 2, 3], "as of the checkpoint"

    with MetricsWriter(tmp_path, load("nano-diplomacy"), after=3) as again:
        assert [row["step"] for row in read_lines(tmp_path)] == [1, 2, 3]
        for step in (4, 5, 6):
            again.log(step, {"kl/mean": step / 4})

    expected = [0.125, 0.25, 0.375, 1.0, 1.25, 1.5]
    assert [row["kl/mean"] for row in read_lines(tmp_path)] == expected
    table = pq.read_table(tmp_path / PARQUET)
    assert table.column_names == ["step", "benchmark/loss", "kl/mean"]
    assert table["step"].to_pylist() == [1, 2, 3, 4, 5, 6]
    assert table["kl/mean"].to_pylist() == expected
    assert table["benchmark/loss"].to_pylist() == [-1.0, -1.0, -1.0, None, None, None]
    assert scalars(tmp_path, "kl/mean") == list(enumerate(expected, 1))
    assert scalars(tmp_path, "benchmark/loss") == [(1, -1.0), (2, -1.0), (3, -1.0)]


def test_a_line_that_a_kill_cut_short_is_left_out(tmp_path: Path) -> None:
    whole = '{"step":1,"kl/mean":0.5}\n'
    for length in range(1, len(whole)):
        (tmp_path / LINES).write_text(whole + whole.replace(":1,", ":2,")[:length], "utf-8")
        assert read_lines(tmp_path) == [{"step": 1, "kl/mean": 0.5}]
    table = MetricsTable(tmp_path, after=1)
    table.log(2, {"kl/mean": 0.25})
    table.close()
    assert [row["step"] for row in read_lines(tmp_path)] == [1, 2]


def test_a_line_that_is_broken_otherwise_is_told(tmp_path: Path) -> None:
    (tmp_path / LINES).write_text('{"step":1}\nnonsense\n{"step":2}\n', "utf-8")
    with pytest.raises(MetricsError, match=r"metrics\.jsonl: line 2 is no JSON"):
        MetricsTable(tmp_path, after=1)


def test_a_run_that_begins_anew_has_nothing_of_the_one_before(tmp_path: Path) -> None:
    for _ in range(2):
        table = MetricsTable(tmp_path)
        table.log(1, {"kl/mean": 1.0})
        table.close()
    assert read_lines(tmp_path) == [{"step": 1, "kl/mean": 1.0}]


def test_no_step_is_told_twice(tmp_path: Path) -> None:
    table = MetricsTable(tmp_path)
    table.log(3, {})
    for step in (3, 2):
        with pytest.raises(MetricsError, match=f"step {step} was told already; the last one was 3"):
            table.log(step, {})
    table.close()


def test_numbers_come_back_as_they_were(tmp_path: Path) -> None:
    values = {"a": 0.1 + 0.2, "b": 1e-300, "c": float("inf"), "d": -0.0, "e": 3}
    table = MetricsTable(tmp_path)
    table.log(1, values)
    table.log(2, {"a": float("nan")})
    table.close()
    first, second = read_lines(tmp_path)
    assert first == {"step": 1, **values}
    assert math.isnan(second["a"])
    stored = pq.read_table(tmp_path / PARQUET)
    assert stored["a"].to_pylist()[0] == 0.1 + 0.2
    assert stored["b"].to_pylist() == [1e-300, None]


def test_a_row_group_of_many_steps_is_read_back(tmp_path: Path) -> None:
    table = MetricsTable(tmp_path)
    for step in range(1, 301):
        table.log(step, {f"m/{step % 7}": float(step)})
    table.close()
    stored = pq.read_table(tmp_path / PARQUET)
    assert stored.num_rows == 300
    assert stored["m/3"].to_pylist() == [float(step) if step % 7 == 3 else None for step in range(1, 301)]


def test_tensorboard_sees_a_step_while_the_run_goes_on(tmp_path: Path) -> None:
    board = TensorBoard(tmp_path / TENSORBOARD)
    board.log(1, {"kl/mean": 0.5})
    assert scalars(tmp_path, "kl/mean") == [(1, 0.5)]
    board.close()


def test_tensorboard_can_be_left_out(tmp_path: Path) -> None:
    with MetricsWriter(tmp_path, load("nano-diplomacy", ["metrics.tensorboard=false"])) as report:
        report.log(1, {"kl/mean": 0.5})
    assert sorted(path.name for path in tmp_path.iterdir()) == [LINES, PARQUET]


@pytest.mark.parametrize("name", ["trackio", "wandb"])
def test_a_tracker_that_is_not_there_is_told_with_the_remedy(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "find_spec", lambda name: None)
    with pytest.raises(MetricsError, match=rf"metrics\.{name}: it is not installed; pip install {name}, or set it to"):
        MetricsWriter(tmp_path, load("nano-diplomacy", [f"metrics.{name}=true"]))


@pytest.fixture
def tracker(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Stands in for trackio and wandb: neither is among what the tests install."""
    calls: list[tuple[str, Any]] = []
    fake = SimpleNamespace(
        init=lambda **arguments: calls.append(("init", arguments)),
        log=lambda values, step: calls.append(("log", (step, values))),
        finish=lambda: calls.append(("finish", None)),
        __spec__=SimpleNamespace(),
    )
    for name in ("trackio", "wandb"):
        monkeypatch.setitem(sys.modules, name, fake)
    return calls


@pytest.mark.parametrize("name", ["trackio", "wandb"])
def test_a_tracker_knows_a_run_that_goes_on(name: str, tmp_path: Path, tracker: list[tuple[str, Any]]) -> None:
    config = load("nano-diplomacy", [f"metrics.{name}=true"])
    with MetricsWriter(tmp_path, config) as report:
        report.log(1, {"kl/mean": 0.5})
    with MetricsWriter(tmp_path, config, after=1) as report:
        report.log(2, {"kl/mean": 0.25})
    begun, first, _, again, second, _ = tracker
    assert begun == again
    assert begun[1]["project"] == "grandstand"
    assert begun[1]["resume"] == "allow"
    assert begun[1]["config"]["run"]["name"] == "nano-diplomacy"
    assert "nano-diplomacy" in begun[1]["name"]
    assert [first, second] == [("log", (1, {"kl/mean": 0.5})), ("log", (2, {"kl/mean": 0.25}))]


def test_a_file_that_cannot_be_finished_does_not_take_the_place_of_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = MetricsTable(tmp_path)
    table.log(1, {"a": 1.0})
    table.save()
    table.log(2, {"a": 2.0})

    def full(*_: Any) -> None:
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as broken:
        broken.setattr(pq, "write_table", full)
        with pytest.raises(OSError, match="No space left"):
            table.save()
    assert pq.read_table(tmp_path / PARQUET)["step"].to_pylist() == [1]
    assert sorted(path.name for path in tmp_path.iterdir()) == [LINES, PARQUET]
    table.close()
    assert json.loads((tmp_path / LINES).read_text().splitlines()[1]) == {"step": 2, "a": 2.0}
