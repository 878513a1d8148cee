"""Evaluation: which matches are played, and what is made of their measures."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from grandstand.campaigns.evaluation.trials import Trial, compared, over_units, seed_of, trials_of
from grandstand.games.base import OptionError
from grandstand.games.registry import game_spec
from grandstand.play.ratings.intervals import Interval

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
    assert [trial.task.seat for trial in trials[::2]] == list(game_spec("diplomacy").seats())
    assert len({trial.unit for trial in trials}) == 14


def test_unknown_packs_and_options_are_refused() -> None:
    with pytest.raises(OptionError, match="pack: cricket has no 'x'; there are default, powerplay"):
        trials_of(CRICKET, "x", {}, ("neutral", "neutral"))
    with pytest.raises(OptionError, match=r"options\.weather: cricket has no such option"):
        trials_of(CRICKET, "", {"weather": "fine"}, ("neutral", "neutral"))


def test_seeds_hang_on_the_task_and_the_repeat() -> None:
    task = cricket("neutral")[0].task
    assert seed_of(1, task, 0) == seed_of(1, task, 0)
    assert len({seed_of(1, task, 0), seed_of(1, task, 1), seed_of(2, task, 0)}) == 3


def test_an_interval_is_over_units() -> None:
    base = cricket("neutral")[0]
    trials = [replace(base, unit=unit) for unit in "aabb"]
    assert over_units(trials, [0.0, 1.0, 1.0, 2.0]) == [0.5, 1.5]
    assert over_units(trials, [0.0, None, 1.0, None]) == [0.0, 1.0]
    assert over_units([replace(base, unit="a")] * 3, [1.0, 2.0, 3.0]) == [1.0, 2.0, 3.0]
    showings = [{"x": value} for value in (1.0, 2.0, 3.0, 4.0)]
    row = compared(trials, showings, showings)["x"]
    assert row["player"] == Interval(2.5, None, None, 2)


def test_a_trial_that_a_side_did_not_play_itself_counts_for_neither_of_them() -> None:
    base = cricket("neutral")[0]
    trials = [replace(base, unit=unit) for unit in "abc"]
    row = compared(trials, [{"score": 1.0}, None, {"score": 0.0}], [{"score": 0.0}, {"score": 1.0}, None])["score"]
    assert (row["player"].mean, row["player"].n) == (0.5, 2)
    assert (row["reference"].mean, row["reference"].n) == (0.5, 2)
    assert (row["difference"].mean, row["difference"].n) == (1.0, 1)


def test_a_player_that_never_played_has_no_score() -> None:
    (row, _) = compared([cricket("neutral")[0]], [None], [None]).values()
    assert {interval.mean for interval in row.values()} == {None}


def test_scores_stay_within_their_bounds() -> None:
    base = cricket("neutral")[0]
    trials = [replace(base, unit=str(number)) for number in range(5)]
    row = compared(trials[:3], [{"win": 1.0}] * 3, [{"win": 0.0}] * 3)["win"]
    assert row["player"].low == pytest.approx(0.2924, abs=1e-4)
    assert row["reference"].high == pytest.approx(0.7076, abs=1e-4)
    row = compared(trials, [{"win": 1.0}] * 5, [{"win": 0.0}] * 5)["win"]
    assert row["difference"].ci95 is not None
    assert row["difference"].ci95[1] == 1.0


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_few_differences_have_no_interval(count: int) -> None:
    base = cricket("neutral")[0]
    trials = [replace(base, unit=str(number)) for number in range(count)]
    player = [{"score": 0.5 + 0.1 * number} for number in range(count)]
    difference = compared(trials, player, [{"score": 0.5}] * count)["score"]["difference"]
    assert (difference.ci95, difference.n) == (None, count)


def test_small_differences_are_told_from_nothing() -> None:
    """Differences with a standard deviation of .05 in 28 matches: Student's interval is .02 to either side."""
    base, luck = cricket("neutral")[0], Random(7)
    trials = [replace(base, unit=str(number)) for number in range(28)]
    reference = [{"score": luck.random() / 4} for _ in trials]
    player = [{"score": measures["score"] + luck.gauss(0.03, 0.05)} for measures in reference]
    difference = compared(trials, player, reference)["score"]["difference"]
    assert difference.margin is not None
    assert difference.margin < 0.025
    assert difference.excludes(0.0)
