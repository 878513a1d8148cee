"""`grandstand sweep`, as its user runs it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from grandstand.atomic import lock_folder
from grandstand.main import load
from grandstand.trainer import extras
from tests.support.command import grandstand, words
from tests.support.live_server import ROOT
from tests.support.trainer.fake_sweep import fake_data
from tests.support.trainer.fake_training import BREAKS_OFF
from tests.support.trainer.tiny_sweep import written
from tests.support.waiting import until

pytestmark = pytest.mark.long


def sweep(folder: Path, *options: str, status: int = 0) -> str:
    """Return what `grandstand sweep FILE OPTIONS` prints."""
    done = grandstand("sweep", str(folder / "tiny.yaml"), *options, "--out", str(folder / "out"), status=status)
    return words(done.stdout + done.stderr)


@pytest.mark.long
def test_planned_run_looked_up_and_not_run_twice(tmp_path: Path) -> None:
    written(tmp_path, fake_data({"A": 0.0, "B": 0.2}))
    planned = sweep(tmp_path, "--dry-run")
    assert "A KL penalty of 0.5 keeps the policy nearer to its base." in planned
    assert "kl.beta: 0.0 → 0.2" in planned
    assert "6 runs from 3 bases in" in planned
    assert "no estimate: nothing is measured yet" in planned
    assert not (tmp_path / "out").exists()
    ended = sweep(tmp_path, "--run", "--jobs", "3")
    assert "6 runs and " in ended
    assert "to clone take about" in ended
    assert "estimated from a pilot of one step" in ended
    assert "B gains more: supported, 0 is outside the interval" in ended
    assert "6 completed" in sweep(tmp_path, "--status")
    again = json.loads(
        grandstand("sweep", str(tmp_path / "tiny.yaml"), "--run", "--json", "--out", str(tmp_path / "out")).stdout
    )
    assert {row["state"] for row in again["runs"]} == {"completed"}


@pytest.mark.long
def test_an_interrupt_says_how_to_go_on(tmp_path: Path) -> None:
    path = written(tmp_path, fake_data({"A": 0.0, "B": 0.2}))
    (tmp_path / "hold").touch()
    words_of = ["sweep", str(path), "--run", "--no-pilot", "--out", str(tmp_path / "out")]
    process = subprocess.Popen(
        [sys.executable, "-m", "grandstand", *words_of], cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    assert until(lambda: any(tmp_path.glob("store/runs/*/run/metrics.jsonl")))
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate()
    assert process.returncode == 143
    assert "interrupted by SIGTERM; go on with: grandstand sweep" in words(errors)
    (tmp_path / "hold").unlink()
    assert "1 interrupted" in sweep(tmp_path, "--status")
    assert "supported" in sweep(tmp_path, "--run", "--no-pilot", "--jobs", "3")


def test_failed_runs_are_named_and_the_status_is_1(tmp_path: Path) -> None:
    written(tmp_path, fake_data({"A": 0.0, "B": BREAKS_OFF}))
    ended = sweep(tmp_path, "--run", "--no-pilot", "--jobs", "3", status=1)
    assert "B-s1 failed (training): grandstand train: the run broke off: the loss is not finite" in ended
    rows = json.loads(
        grandstand("sweep", str(tmp_path / "tiny.yaml"), "--status", "--json", "--out", str(tmp_path / "out")).stdout
    )["runs"]
    assert [row["state"] for row in rows] == ["completed", "failed"] * 3


def test_further_seeds_are_not_run_once_everything_is_decided(tmp_path: Path) -> None:
    written(tmp_path, fake_data({"A": 0.0, "B": 0.2}, seeds=[1, 2, 3, 4, 5, 6], looks=[3, 6]))
    sweep(tmp_path, "--run", "--no-pilot", "--jobs", "3")
    assert "6 completed" in (status := sweep(tmp_path, "--status"))
    assert "6 planned" in status


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "choose one of --dry-run, --run and --status"),
        (["--run", "--status"], "choose one of"),
        (["--dry-run", "--scale", "huge"], "scales: there is no 'huge'; there are none"),
        (["--dry-run", "--like", "nowhere"], "--like: nowhere is no training run with a step in it"),
    ],
)
def test_requests_that_cannot_be_met(options: list[str], message: str, tmp_path: Path) -> None:
    written(tmp_path, fake_data({"A": 0.0, "B": 0.2}))
    assert message in sweep(tmp_path, *options, status=2)


@pytest.mark.long
def test_one_process_at_a_time_runs_a_sweep(tmp_path: Path) -> None:
    written(tmp_path, fake_data({"A": 0.0, "B": 0.2}))
    sweep(tmp_path, "--run", "--no-pilot", "--jobs", "3")
    with lock_folder(tmp_path / "out"):
        assert "another process runs this sweep" in sweep(tmp_path, "--run", status=2)


@pytest.mark.parametrize("verb", [["sweep", "x.yaml", "--dry-run"], ["report", "x"]])
def test_without_the_extra_the_remedy_is_named(
    verb: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "yaml" else True)
    with pytest.raises(SystemExit) as ended:
        load(verb[0]).main(verb[1:], verb[0])
    assert ended.value.code == 2
    assert "yaml not installed: pip install 'grandstand[train]'" in words(capsys.readouterr().err)
