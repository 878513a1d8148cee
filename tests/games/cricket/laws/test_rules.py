from __future__ import annotations

import pytest

from grandstand.games.cricket.laws.rules import POWERPLAY_BALLS, format_rules, super_over_rules


@pytest.mark.parametrize(("overs", "name"), [(5, "1.3"), (8, "2.2"), (12, "3.4"), (17, "5.1"), (20, "6.0")])
def test_powerplay_follows_the_icc_table(overs: int, name: str) -> None:
    whole, balls = map(int, name.split("."))
    rules = format_rules(overs)
    assert rules.powerplay_balls == 6 * whole + balls == POWERPLAY_BALLS[overs]
    assert rules.in_powerplay(rules.powerplay_balls - 1)
    assert not rules.in_powerplay(rules.powerplay_balls)


@pytest.mark.parametrize(("overs", "whole"), [(5, 2), (6, 2), (8, 2), (10, 3), (20, 6)])
def test_ipl_conditions_use_whole_overs(overs: int, whole: int) -> None:
    assert format_rules(overs, "ipl").powerplay_balls == 6 * whole


@pytest.mark.parametrize(
    ("overs", "most", "how_many"),
    [(20, 4, 11), (5, 1, 11), (8, 2, 3), (12, 3, 2), (7, 2, 2), (4, 1, 11), (1, 1, 11)],
)
def test_quota_is_a_fifth_and_one_over_more_for_as_few_as_needed(overs: int, most: int, how_many: int) -> None:
    rules = format_rules(overs)
    assert (rules.bowler_max_overs, rules.bowlers_at_max) == (most, how_many)
    assert rules.may_bowl(most - 1, 0)
    assert not rules.may_bowl(most, 0)


def test_fielders_outside_the_circle_in_t20() -> None:
    rules = format_rules(20)
    assert [rules.max_outside(balls) for balls in (0, 35, 36, 119)] == [2, 2, 5, 5]


def test_fielders_outside_the_circle_in_fifty_overs() -> None:
    rules = format_rules(50)
    assert [rules.max_outside(balls) for balls in (0, 59, 60, 239, 240, 299)] == [2, 2, 4, 4, 5, 5]


def test_super_over_has_one_review_two_wickets_and_no_powerplay() -> None:
    rules = super_over_rules()
    assert (rules.balls, rules.wickets, rules.reviews, rules.max_outside(0)) == (6, 2, 1, 5)


@pytest.mark.parametrize("overs", [0, 51, -1])
def test_other_lengths_are_refused(overs: int) -> None:
    with pytest.raises(ValueError, match="1 to 50"):
        format_rules(overs)
