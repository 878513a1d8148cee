"""Evaluation: the same luck for the player and its reference, honest intervals, faults that are counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from games.base import OptionError
from games.registry import game_spec
from players.evaluation import (
    Showing,
    Trial,
    check_players,
    compared,
    interval,
    over_units,
    play_trial,
    seed_of,
    student,
    trials_of,
)

CRICKET = game_spec("cricket")


def cricket(player: str, against: str = "neutral", seed: int = 5) -> list[Trial]:
    return trials_of(CRICKET, "chase-30", {}, (player, against), repeats=2, limit=3, seed=seed)


def test_a_pack_gives_every_situation_in_every_role() -> None:
    trials = cricket("heuristic")
    assert len(trials) == 3 * 2 * 2
    assert len({trial.unit for trial in trials}) == 3
    assert [trial.task.seat for trial in trials[:4]] == ["home", "home", "away", "away"]
    assert len({trial.seed for trial in trials}) == len(trials)


def test_whole_matches_are_units_of_their_own() -> None:
    trials = trials_of(game_spec("diplomacy"), "", {}, ("random", "hold"), repeats=2)
    assert [trial.task.seat for trial in trials[::2]] == list(game_spec("diplomacy").seats)
    assert len({trial.unit for trial in trials}) == 14


def test_evaluation_is_reproducible_by_its_seed() -> None:
    first = [play_trial(trial) for trial in cricket("heuristic")]
    assert first == [play_trial(trial) for trial in cricket("heuristic")]
    assert first != [play_trial(trial) for trial in cricket("heuristic", seed=6)]
    assert all(showing.faults == 0 < showing.choices for showing in first)


def test_the_reference_faces_the_same_luck() -> None:
    """A player that differs from the reference in one early call only must differ from it in few trials."""
    trials = cricket("neutral")
    again = [replace(trial, player="cricsheet") for trial in trials if trial.task.seat == "away"]
    same = [trial for trial in trials if trial.task.seat == "away"]
    # Cricsheet's captain bowls naturally, as the neutral one does: with one luck the matches are the same.
    assert [play_trial(trial).measures for trial in same] == [play_trial(trial).measures for trial in again]


def test_nobody_gains_on_itself() -> None:
    trials = cricket("neutral")
    showings = [play_trial(trial) for trial in trials]
    found = compared(trials, showings, showings)
    assert {row["difference"].mean for row in found.values()} == {0.0}
    assert found["decisions"]["player"].mean == 0
    assert {"score", "win", "decisions", "luck", "score_less_luck", "runs"} <= set(found)


def test_diplomacy_is_measured_by_its_score() -> None:
    (trial,) = trials_of(game_spec("diplomacy"), "", {"last_year": 1902}, ("random", "hold"), limit=1)
    assert set(play_trial(trial).measures) == {"score", "win"}


def test_faults_are_counted(tmp_path: Path) -> None:
    """An endpoint that refuses every call: its fallback plays, and the report says so."""
    roster = tmp_path / "players.toml"
    roster.write_text(
        '[[player]]\nname = "absent"\nkind = "llm"\n'
        '[player.options]\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\nretries = 0\nfallback = "neutral"\n'
    )
    trial = replace(trials_of(CRICKET, "five-over", {"overs": 5}, ("absent", "neutral"), limit=1)[0], roster=roster)
    showing = play_trial(trial)
    assert showing.faults == showing.choices > 0


@pytest.mark.parametrize(
    ("names", "complaint"),
    [(("nobody",), "no player 'nobody'"), (("heuristic", "person"), "played from outside")],
)
def test_who_cannot_be_evaluated_is_refused(names: Sequence[str], complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        check_players(CRICKET, names, None)


def test_unknown_packs_and_options_are_refused() -> None:
    with pytest.raises(OptionError, match="pack: cricket has no 'x'; there are default, powerplay"):
        trials_of(CRICKET, "x", {}, ("neutral", "neutral"))
    with pytest.raises(OptionError, match=r"options\.weather: cricket has no such option"):
        trials_of(CRICKET, "", {"weather": "fine"}, ("neutral", "neutral"))


def test_seeds_hang_on_the_task_and_the_repeat() -> None:
    task = cricket("neutral")[0].task
    assert seed_of(1, task, 0) == seed_of(1, task, 0)
    assert len({seed_of(1, task, 0), seed_of(1, task, 1), seed_of(2, task, 0)}) == 3


@pytest.mark.parametrize(
    ("freedom", "exact"), [(1, 12.706), (3, 3.182), (4, 2.776), (9, 2.262), (30, 2.042), (1000, 1.962)]
)
def test_students_t(freedom: int, exact: float) -> None:
    assert student(freedom) == pytest.approx(exact, abs=0.006)


def test_intervals() -> None:
    assert interval([3.0]).half is None
    found = interval([1.0, 2.0, 3.0, 4.0, 5.0])
    assert found.mean == 3
    assert found.half == pytest.approx(2.776 * 1.5811 / 5**0.5, abs=0.006)


def test_an_interval_is_over_units() -> None:
    base = cricket("neutral")[0]
    trials = [replace(base, unit=unit) for unit in "aabb"]
    assert over_units(trials, [0.0, 1.0, 1.0, 2.0]) == interval([0.5, 1.5])
    assert over_units([replace(base, unit="a")] * 3, [1.0, 2.0, 3.0]) == interval([1.0, 2.0, 3.0])
    showings = [Showing({"x": value}, 1, 0) for value in (1.0, 2.0, 3.0, 4.0)]
    assert compared(trials, showings, showings)["x"]["player"] == interval([1.5, 3.5])
