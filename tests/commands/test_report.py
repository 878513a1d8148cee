"""`grandstand report`, as its user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grandstand.models import Draft
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from grandstand.trainer.config.files import RECORD
from grandstand.trainer.metrics import StepMetrics
from grandstand.trainer.sweep.execution import Execution
from grandstand.trainer.sweep.folder import open_sweep_folder
from tests.support.command import grandstand, words
from tests.support.live_server import ROOT
from tests.support.trainer import training_run
from tests.support.trainer.fake_sweep import fake_sweep

pytestmark = pytest.mark.long


def test_a_sweep_is_reported_and_tracked_beside_planned_ones(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.2})
    open_sweep_folder(sweep)
    Execution(sweep, 3).execute(sweep.runs)
    sweep.path.unlink()  # the folder is enough
    done = grandstand("report", str(sweep.folder))
    assert "B gains more: supported, 0 is outside the interval" in words(done.stdout)
    files = {path.name for path in (sweep.folder / "report").iterdir()}
    assert files >= {"report.md", "criterion-0.vl.json", "curve-kl-mean.vl.json"}
    results = json.loads(grandstand("report", str(sweep.folder), "--json").stdout)
    assert results["criteria"][0]["verdict"] == "supported"
    page = tmp_path / "tracker.md"
    grandstand("report", "--tracker", str(sweep.folder), str(ROOT / "experiments"), "--out", str(page), cwd=tmp_path)
    text = page.read_text()
    assert text.count("\n## ") == 14
    assert "| [tiny](#tiny) | completed | 6 of 6 | supported |" in text
    assert (
        "| [Experiment 13: grouping strategies](#experiment-13-grouping-strategies) | planned | 0 of 24 | – |" in text
    )


def test_claims_of_several(tmp_path: Path) -> None:
    page = tmp_path / "claims.md"
    grandstand("report", "--claims", "--scale", "micro", str(ROOT / "experiments"), "--out", str(page), cwd=tmp_path)
    text = page.read_text()
    assert "13 experiments at the scale `micro` (13 planned) with 40 claims: 40 not run." in text
    both = grandstand("report", "--claims", "--tracker", str(ROOT / "experiments"), status=2)
    assert "take --tracker or --claims" in words(both.stderr)


def test_requests_that_cannot_be_met(tmp_path: Path) -> None:
    missing = grandstand("report", str(tmp_path), status=2)
    assert "there is no sweep in it" in words(missing.stderr)
    several = grandstand("report", str(tmp_path), str(tmp_path), status=2)
    assert "name one sweep's folder, or take --tracker or --claims for several" in words(several.stderr)
    empty = grandstand("report", "--tracker", str(tmp_path), status=2)
    assert "there is no sweep in it, and no file of one" in words(empty.stderr)


CRICKET = ("cricket", "--set", "overs=1", "--jobs", "1")


@pytest.mark.parametrize(
    "command",
    [
        ("tournament", *CRICKET, "--players", "random,neutral", "--matches", "4"),
        ("eval", *CRICKET, "--player", "random", "--pack", "start"),
    ],
    ids=lambda command: command[0],
)
def test_records_of_matches_are_reported_too(command: tuple[str, ...], tmp_path: Path) -> None:
    records = tmp_path / "records"
    printed = grandstand(*command, "--records", str(records)).stdout
    done = grandstand("report", str(records))
    headline = done.stdout.splitlines()[0]
    assert headline in printed
    assert f"**{headline}**" in (records / "report/report.md").read_text()
    assert json.loads(grandstand("report", str(records), "--json").stdout)["headline"] == headline
    grandstand(*command, "--records", str(records), "--resume")


def test_a_training_run_is_reported_from_its_record(tmp_path: Path) -> None:
    run: list[Draft | StepMetrics] = [*training_run.opening(), *training_run.steps(4)]
    recorder = Recorder(tmp_path / RECORD)
    bus = Bus(recorder)
    bus.open("run-nano-1", 1)
    bus.publish("run-nano-1", training_run.with_report(run))
    recorder.close()
    assert grandstand("report", str(tmp_path)).stdout.splitlines()[0] == "Step 4"
    assert (tmp_path / "report/report.md").read_text().startswith("# Training nano-diplomacy\n\n**Step 4**")
