"""Sums of usage: of the calls of one answer, and of the answers of a seat, a player or a whole evaluation."""

from __future__ import annotations

from dataclasses import dataclass

from grandstand.events import Usage


@dataclass(slots=True)
class UsageSums:
    """Calls, tokens and cost. `dollars` is None if no price is known."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    tokens_reasoning: int = 0
    dollars: float | None = None
    tokens_cache_written: int = 0

    @property
    def tokens(self) -> int:
        """Return all tokens, read and written."""
        return self.tokens_in + self.tokens_out

    def add_sums(self, usage: Usage | UsageSums) -> None:
        """Add the calls, tokens and cost of `usage`."""
        self.calls += usage.calls
        self.tokens_in += usage.tokens_in
        self.tokens_out += usage.tokens_out
        self.tokens_cached += usage.tokens_cached
        self.tokens_reasoning += usage.tokens_reasoning
        self.tokens_cache_written += usage.tokens_cache_written
        if usage.dollars is not None:
            self.dollars = (self.dollars or 0.0) + usage.dollars
