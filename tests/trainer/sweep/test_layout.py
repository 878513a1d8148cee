"""Files of a run that a kill or a broken disk left unfinished."""

from __future__ import annotations

from pathlib import Path

from grandstand.trainer.sweep.execution import Execution
from grandstand.trainer.sweep.layout import attempts, failure_of, machines, measured, measurements, state_of
from tests.trainer.sweep.fake_sweep import fake_sweep


def test_a_damaged_measurement_is_made_again(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})
    run = sweep.runs[0]
    Execution(sweep, 1).execute([run])
    first, second = measurements(sweep, run)
    whole = measured(first)
    first.file.write_text('{"mean": 0.')
    assert state_of(sweep, run) == "interrupted"
    Execution(sweep, 1).execute([run])
    assert state_of(sweep, run) == "completed"
    assert measured(first) == whole
    assert [attempt["stage"] for attempt in attempts(run)].count(f"measure {second.file.stem}") == 1


def test_lines_that_were_cut_short_are_left_out(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})
    run = sweep.runs[0]
    Execution(sweep, 1).execute([run])
    count = len(attempts(run))
    for path in (run.folder / "attempts.jsonl", run.train_folder / "machines.jsonl"):
        with path.open("a") as file:
            file.write('{"stage": "tr')
    assert len(attempts(run)) == count
    assert len(machines(run)) == 1


def test_a_run_without_a_folder_is_planned(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})
    assert state_of(sweep, sweep.runs[0]) == "planned"
    assert failure_of(sweep.runs[0].folder) is None
