"""Budgets of tokens and dollars, reserved before a call and settled after it.

A call is refused if its maximum cost exceeds the remaining budget, so that a limit holds even when seven seats call at
the same time. A seat's budget is within its episode's, and that within the budget of an evaluation.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

DAY = 86_400
"""Seconds of a day."""

Clock = Callable[[], float]
"""Returns the Unix time in seconds."""


def day_of(at: float) -> int:
    """Return the number of the day (UTC) of a Unix time."""
    return int(at // DAY)


class BudgetSpent(Exception):
    """The remaining budget does not cover the call; the message names the limit and the remainder.

    `wait` is true if the budget is patient and the call would fit if the calls in progress cost nothing.
    """

    def __init__(self, message: str, budget: Budget, wait: bool) -> None:
        super().__init__(message)
        self.budget = budget
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, read and written.

    `cached` is for tokens read from the endpoint's cache, `cache_written` for tokens read that it writes to its cache.
    """

    read: float
    written: float
    cached: float | None = None
    cache_written: float | None = None

    def dollars(self, tokens_in: int, tokens_out: int, cached: int = 0, cache_written: int = 0) -> float:
        """Return the price of a call. `cached` and `cache_written` are parts of `tokens_in`."""
        cached_price = self.read if self.cached is None else self.cached
        cache_price = self.read if self.cache_written is None else self.cache_written
        fresh = (tokens_in - cached - cache_written) * self.read
        return (fresh + cached * cached_price + cache_written * cache_price + tokens_out * self.written) / 1_000_000

    def most(self, tokens_in: int, tokens_out: int) -> float:
        """Return the highest price of a call, in which the whole prompt may be written to the cache."""
        return max(self.dollars(tokens_in, tokens_out), self.dollars(tokens_in, tokens_out, cache_written=tokens_in))


@dataclass(slots=True)
class Budget:
    """Limits and spending. None is no limit. `whose` names it in messages: `the episode's`, `this seat's`."""

    whose: str
    tokens: int | None = None
    dollars: float | None = None
    within: Budget | None = None
    tokens_spent: int = 0
    dollars_spent: float = 0.0
    patient: bool = False
    """True if a call waits until calls in progress are settled before it is refused."""
    spent_up: bool = False
    """True once a call was refused, or cancelled while it waited: then no further work should be started."""
    _tokens_held: int = 0
    _dollars_held: float = 0.0

    def hold(self, tokens: int, dollars: float) -> None:
        """Reserve the maximum cost of a call. Raises BudgetSpent, and then nothing is reserved."""
        for budget in self._chain():
            budget._check(tokens, dollars)
        for budget in self._chain():
            budget._tokens_held += tokens
            budget._dollars_held += dollars

    def settle(self, reserved: tuple[int, float], spent: tuple[int, float]) -> None:
        """Release the reserved (tokens, dollars) of a call, and book its cost."""
        for budget in self._chain():
            budget._tokens_held -= reserved[0]
            budget._dollars_held -= reserved[1]
        self.book(*spent)

    def book(self, tokens: int, dollars: float, until: Budget | None = None) -> None:
        """Add the cost of a call, or the spending reported in the log of a resumed episode.

        The budget `until`, and those that contain it, have counted this cost already.
        """
        for budget in self._chain():
            if budget is until:
                break
            budget.tokens_spent += tokens
            budget.dollars_spent += dollars

    def book_earlier(self, tokens: int, dollars: float, at: float, until: Budget | None = None) -> None:
        """Add spending from before this process, of the Unix time `at`."""
        self.book(tokens, dollars, until)

    def roll(self) -> None:
        """Begin the next period, in a budget that has periods, if it is due."""

    @property
    def refusal(self) -> str:
        """Return the public reason why no call is made once this budget is spent; empty for the usual one."""
        return ""

    def _chain(self) -> Iterator[Budget]:
        budget: Budget | None = self
        while budget is not None:
            budget.roll()
            yield budget
            budget = budget.within

    def _check(self, tokens: int, dollars: float) -> None:
        if self.tokens is not None:
            remaining = self.tokens - self.tokens_spent - self._tokens_held
            if tokens > remaining:
                what = f"{self.tokens} tokens has {max(0, remaining)} left; a call may take {tokens}"
                raise self._refusal(what, tokens <= remaining + self._tokens_held)
        if self.dollars is not None:
            money = self.dollars - self.dollars_spent - self._dollars_held
            if dollars > money:
                what = f"${self.dollars:g} has ${max(0.0, money):.4f} left; a call may take ${dollars:.4f}"
                raise self._refusal(what, dollars <= money + self._dollars_held)

    def _refusal(self, what: str, would_fit: bool) -> BudgetSpent:
        wait = self.patient and would_fit
        self.spent_up |= not wait
        return BudgetSpent(f"{self.whose} budget of {what}", self, wait)


@dataclass(slots=True)
class DayBudget(Budget):
    """A budget that is reset at midnight UTC. Calls wait until today's reports in the record are counted."""

    clock: Clock = time.time
    counted: bool = False
    """True once the spending before this process began is included."""
    day: int = field(init=False)

    def __post_init__(self) -> None:
        self.patient = True
        self.day = day_of(self.clock())

    def roll(self) -> None:
        today = day_of(self.clock())
        if today != self.day:
            self.day, self.tokens_spent, self.dollars_spent, self.spent_up = today, 0, 0.0, False

    def book_earlier(self, tokens: int, dollars: float, at: float, until: Budget | None = None) -> None:
        if day_of(at) == self.day:
            self.book(tokens, dollars, until)

    @property
    def refusal(self) -> str:
        return f"{self.whose} budget is spent; the next day begins at midnight UTC"

    def _check(self, tokens: int, dollars: float) -> None:
        limited = self.tokens is not None or self.dollars is not None
        if limited and not self.counted:
            raise self._refusal("today has not been counted yet", True)
        Budget._check(self, tokens, dollars)
