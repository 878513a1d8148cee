"""The fixed references of a report: gaps over the base, ratings, and exploitation of bots."""

from __future__ import annotations

import json
from pathlib import Path

from grandstand.trainer.sweep.execution import Execution
from grandstand.trainer.sweep.references import reference_parts
from tests.support.trainer.fake_sweep import fake_sweep


def test_there_are_none_before_a_run_is_completed(tmp_path: Path) -> None:
    assert list(reference_parts(fake_sweep(tmp_path, {"A": 0.0, "B": 0.2}))) == []


def test_last_and_best_are_compared_with_the_base(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.2})
    Execution(sweep, 3).execute(sweep.runs)
    scores, _ = reference_parts(sweep)
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in scores.splitlines()[2:]]
    assert [line[:3] for line in lines] == [
        [arm, version, "base"] for arm in ("A", "B") for version in ("last", "best")
    ]
    assert lines[0][3].startswith("0.5 (")
    assert lines[2][5].startswith(("0.19", "0.2"))
    assert lines[2][6] == "–", "there is no Elo difference"


def test_exploitation_is_compared_with_what_the_ratings_expect(tmp_path: Path) -> None:
    """The policy is rated 1600 and a bot 1700; it is 50, 60 and 70 points ahead: 160 more than expected in the mean."""
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.2})
    Execution(sweep, 3).execute(sweep.runs)
    for run in sweep.of_arm("A"):
        row = {"step": 5, "league/rating/policy": 1600.0, "league/rating/random": 1700.0}
        row |= {"exploitation/random": 40.0 + 10 * run.seed, "exploitation/random/low": 0.0}
        with (run.train_folder / "metrics.jsonl").open("a") as file:
            file.write(json.dumps(row) + "\n")
    table = list(reference_parts(sweep))[2]
    policy, bot = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    assert policy[:3] == ["A", "policy", "1600 (no interval)"]
    assert bot[:2] == ["A", "random"]
    assert bot[3].startswith("60 (")
    assert bot[4].startswith("160 (")
