from __future__ import annotations

from itertools import pairwise

import pytest

from grandstand.games.cricket.laws.rules import format_rules, super_over_rules
from grandstand.games.cricket.model.expected_runs import outlook


def test_expected_runs_fall_with_balls_and_with_wickets() -> None:
    table = outlook("modern", format_rules(20))
    for wickets in range(10):
        column = [row[wickets] for row in table.mean]
        assert all(later < earlier + 0.1 for earlier, later in pairwise(column))  # context cells are not smooth
    for row in table.mean[:-1]:
        assert all(more < fewer + 0.1 for fewer, more in pairwise(row))
    assert all(runs == 0 for runs in table.mean[-1])
    assert all(row[10] == 0 for row in table.mean)


def test_expectations_are_those_of_real_innings() -> None:
    """First-innings means: 186 in 2023-24, 168 in 2018-22; the programme knows nobody's form, hence the margin."""
    assert outlook("modern", format_rules(20)).mean[0][0] == pytest.approx(186, abs=8)
    assert outlook("classic", format_rules(20)).mean[0][0] == pytest.approx(168, abs=8)


def test_a_chase_gets_harder_with_every_run_needed() -> None:
    table = outlook("modern", format_rules(20))
    chances = [table.chase(60, 3, need) for need in range(0, 200, 5)]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] == 1
    assert table.chase(120, 3, 1) == 0


def test_a_super_over_ends_with_two_wickets() -> None:
    assert outlook("modern", super_over_rules()).mean[0][2] == 0
