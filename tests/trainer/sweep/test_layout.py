"""Files of a run that a kill or a broken disk left unfinished."""

from __future__ import annotations

from pathlib import Path

from grandstand.games.registry import game_spec
from grandstand.trainer.league.matchmaking import plan_evaluation
from grandstand.trainer.sweep.execution import Execution
from grandstand.trainer.sweep.layout import LABEL, attempts, failure_of, machines, measured, measurements, state_of
from tests.support.trainer.fake_sweep import fake_sweep


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
    again = [attempt["command"] for attempt in attempts(run) if attempt["stage"] == "measure"][-1]
    assert f"--version {first.version}" in again
    assert f"--version {second.version}" not in again, "only what is damaged is measured again"


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


def test_measurements_are_in_situations_of_their_own_and_the_same_in_every_arm(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1})
    first, second = (sweep.by_id[name].config for name in ("A-s1", "B-s1"))
    spec, opponents = game_spec(first.game.name), {"base": 1.0}
    labels = ("vs_base", "vs_field", f"{LABEL}-base", f"{LABEL}-random")
    seeds = [{plan.seed for plan in plan_evaluation(first, spec, label, 50, opponents)} for label in labels]
    assert len(set[int]().union(*seeds)) == 200, "the best version is chosen in others than it is reported in"
    own, other = (plan_evaluation(config, spec, labels[2], 50, opponents) for config in (first, second))
    assert [(plan.seed, plan.trained_seats, plan.opponents, plan.warmup) for plan in own] == [
        (plan.seed, plan.trained_seats, plan.opponents, plan.warmup) for plan in other
    ]
