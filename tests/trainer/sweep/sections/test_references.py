"""The fixed references of a report: gaps over the base, ratings, and exploitation of bots."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grandstand.report import Section, Table, Value
from grandstand.trainer.sweep.analysis import analyse
from grandstand.trainer.sweep.execution import Execution
from grandstand.trainer.sweep.expansion import Sweep
from grandstand.trainer.sweep.sections.references import reference_sections
from grandstand.trainer.sweep.sections.state import read_state
from tests.support.trainer.fake_sweep import fake_sweep


def sections(sweep: Sweep) -> list[Section]:
    return list(reference_sections(read_state(sweep, analyse(sweep))))


def rows(section: Section) -> list[list[Value]]:
    assert isinstance(section.body, Table)
    return [row.cells for row in section.body.rows]


@pytest.fixture
def completed(tmp_path: Path) -> Sweep:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.2})
    Execution(sweep, 3).execute(sweep.runs)
    return sweep


def test_there_are_none_before_a_run_is_completed(tmp_path: Path) -> None:
    assert sections(fake_sweep(tmp_path, {"A": 0.0, "B": 0.2})) == []


def test_last_and_best_are_compared_with_the_base(completed: Sweep) -> None:
    [scores] = sections(completed)
    lines = rows(scores)
    assert [[cell.value for cell in line[:3]] for line in lines] == [
        [arm, version, "base"] for arm in ("A", "B") for version in ("last", "best")
    ]
    assert lines[0][3].value == 0.5
    assert lines[2][5].value == pytest.approx(0.2, abs=0.01)
    assert lines[2][5].n == 3
    assert lines[2][6].value is None, "there is no Elo difference"


def test_exploitation_is_compared_with_what_the_ratings_expect(completed: Sweep) -> None:
    """The policy is rated 1600 and a bot 1700; it is 50, 60 and 70 points ahead: 160 more than expected in the mean."""
    for run in completed.of_arm("A"):
        row = {"step": 5, "league/rating/policy": 1600.0, "league/rating/random": 1700.0}
        row |= {"exploitation/random": 40.0 + 10 * run.seed, "exploitation/random/low": 0.0}
        with (run.train_folder / "metrics.jsonl").open("a") as file:
            file.write(json.dumps(row) + "\n")
    _, ratings = sections(completed)
    policy, bot = rows(ratings)
    assert [cell.value for cell in policy] == ["A", "policy", 1600, None, None]
    assert policy[2].low is None
    assert [cell.value for cell in bot] == ["A", "random", 1700, 60, 160]
    assert bot[4].low is not None
