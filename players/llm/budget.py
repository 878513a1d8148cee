"""What players may spend: tokens and money, held before a call and settled after it.

A call is refused where the most it could take does not fit in what is left, so a limit is a limit even when seven seats
call at the same time. A seat's own budget stands inside its episode's, and that inside the budget of an evaluation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


class BudgetSpent(Exception):
    """What is left does not cover the call; the message says how much was left of what.

    `wait` tells whether the budget is one to wait for, and the call would fit if those in progress cost nothing.
    """

    def __init__(self, message: str, budget: Budget, wait: bool) -> None:
        super().__init__(message)
        self.budget = budget
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, read and written; `cached` for those read that the endpoint had kept."""

    read: float
    written: float
    cached: float | None = None

    def dollars(self, tokens_in: int, tokens_out: int, cached: int = 0) -> float:
        """The price of a call; `cached` of its `tokens_in` were kept."""
        kept = self.read if self.cached is None else self.cached
        return ((tokens_in - cached) * self.read + cached * kept + tokens_out * self.written) / 1_000_000


@dataclass(slots=True)
class Budget:
    """Limits and what went. None is no limit. `whose` names it in messages: `the episode's`, `this seat's`."""

    whose: str
    tokens: int | None = None
    dollars: float | None = None
    within: Budget | None = None
    tokens_spent: int = 0
    dollars_spent: float = 0.0
    patient: bool = False
    """Whether a call waits for those in progress to be settled before it is refused."""
    spent_up: bool = False
    """Whether a call was refused, or given up while it waited: from then on nothing more is to be started."""
    _tokens_held: int = 0
    _dollars_held: float = 0.0

    def hold(self, tokens: int, dollars: float) -> None:
        """Set aside what a call may take at most. Raises BudgetSpent, and then nothing is held."""
        for budget in self._chain():
            budget._check(tokens, dollars)
        for budget in self._chain():
            budget._tokens_held += tokens
            budget._dollars_held += dollars

    def settle(self, held: tuple[int, float], spent: tuple[int, float]) -> None:
        """Give back what was held, (tokens, dollars), and book what the call took."""
        for budget in self._chain():
            budget._tokens_held -= held[0]
            budget._dollars_held -= held[1]
        self.book(*spent)

    def book(self, tokens: int, dollars: float) -> None:
        """Count as spent: what a call took, or what the log of a resumed episode tells of."""
        for budget in self._chain():
            budget.tokens_spent += tokens
            budget.dollars_spent += dollars

    def _chain(self) -> Iterator[Budget]:
        budget: Budget | None = self
        while budget is not None:
            yield budget
            budget = budget.within

    def _check(self, tokens: int, dollars: float) -> None:
        if self.tokens is not None:
            left = self.tokens - self.tokens_spent - self._tokens_held
            if tokens > left:
                what = f"{self.tokens} tokens has {max(0, left)} left; a call may take {tokens}"
                raise self._refusal(what, tokens <= left + self._tokens_held)
        if self.dollars is not None:
            money = self.dollars - self.dollars_spent - self._dollars_held
            if dollars > money:
                what = f"${self.dollars:g} has ${max(0.0, money):.4f} left; a call may take ${dollars:.4f}"
                raise self._refusal(what, dollars <= money + self._dollars_held)

    def _refusal(self, what: str, would_fit: bool) -> BudgetSpent:
        wait = self.patient and would_fit
        self.spent_up |= not wait
        return BudgetSpent(f"{self.whose} budget of {what}", self, wait)
