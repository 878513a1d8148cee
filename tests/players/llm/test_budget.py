"""Budgets: a limit is a limit, also for calls that run at the same time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.players.llm.budget import Budget, BudgetSpent, Price


def test_prices_are_for_a_million_tokens() -> None:
    assert Price(0.25, 2.0).dollars(1_000_000, 500_000) == 1.25


def test_tokens_that_are_written_to_a_cache_have_their_own_price() -> None:
    price = Price(4.0, 20.0, cached=0.4, cache_written=5.0)
    assert price.dollars(1_000_000, 0, cached=250_000, cache_written=500_000) == pytest.approx(1.0 + 0.1 + 2.5)
    assert price.most(1_000_000, 100_000) == pytest.approx(5.0 + 2.0), "the whole prompt may be written to it"
    assert Price(4.0, 20.0).dollars(1_000_000, 0, cache_written=500_000) == 4.0
    assert Price(4.0, 20.0, cache_written=1.0).most(1_000_000, 0) == 4.0


def test_what_is_held_is_not_there_for_others() -> None:
    budget = Budget("the episode's", tokens=100)
    budget.hold(60, 0.0)
    with pytest.raises(BudgetSpent, match=r"the episode's budget of 100 tokens has 40 left; a call may take 60"):
        budget.hold(60, 0.0)
    budget.settle((60, 0.0), (10, 0.0))
    budget.hold(90, 0.0)
    with pytest.raises(BudgetSpent):
        budget.hold(1, 0.0)


def test_money_is_limited_like_tokens() -> None:
    budget = Budget("this seat's", dollars=0.01)
    budget.hold(1000, 0.008)
    budget.settle((1000, 0.008), (800, 0.006))
    with pytest.raises(BudgetSpent, match=r"this seat's budget of \$0.01 has \$0.0040 left; a call may take \$0.0080"):
        budget.hold(1000, 0.008)


def test_the_outer_budget_limits_and_counts_too() -> None:
    whole = Budget("the episode's", tokens=100)
    first, two = (Budget("this seat's", tokens=80, within=whole) for _ in range(2))
    first.hold(80, 0.0)
    with pytest.raises(BudgetSpent, match="the episode's"):
        two.hold(80, 0.0)
    two.hold(20, 0.0)  # the refused call left nothing held
    first.settle((80, 0.0), (80, 0.0))
    two.settle((20, 0.0), (20, 0.0))
    assert (whole.tokens_spent, first.tokens_spent, two.tokens_spent) == (100, 80, 20)


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=30))
def test_calls_that_keep_to_their_hold_never_break_the_limit(calls: list[tuple[int, int]]) -> None:
    budget = Budget("the episode's", tokens=100)
    running: list[tuple[int, int]] = []
    for most, spent in calls:
        try:
            budget.hold(most, 0.0)
        except BudgetSpent:
            if running:
                held, took = running.pop(0)
                budget.settle((held, 0.0), (took, 0.0))
            continue
        running.append((most, min(most, spent)))
    for held, took in running:
        budget.settle((held, 0.0), (took, 0.0))
    assert budget.tokens_spent <= 100
    assert budget._tokens_held == 0
