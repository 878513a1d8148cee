"""Sums of usage: everything is added, and an unknown price stays unknown."""

from __future__ import annotations

from grandstand.events import Usage
from grandstand.players.usage import UsageSums


def test_calls_tokens_and_cost_are_added() -> None:
    sums = UsageSums(1, 2, 3, 4, 5, 0.5, 6)
    sums.add_sums(UsageSums(10, 20, 30, 40, 50, 0.25, 60))
    answer = Usage(calls=1, tokens_in=1, tokens_out=1, tokens_cached=1, tokens_cache_written=1, tokens_reasoning=1)
    sums.add_sums(answer)
    assert sums == UsageSums(12, 23, 34, 45, 56, 0.75, 67)


def test_without_any_price_the_cost_is_unknown() -> None:
    sums = UsageSums()
    sums.add_sums(UsageSums(calls=1))
    assert sums.dollars is None
    sums.add_sums(UsageSums(dollars=0.0))
    assert sums.dollars == 0.0
