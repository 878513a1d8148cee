"""A campaign: units, such as matches or trainings, that a plan draws and an executor carries out.

A plan draws units in rounds, and may look at the outcomes of earlier ones. A unit whose outcome is stored is not
carried out again, so a campaign that was interrupted or killed goes on when it is run again.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

from grandstand.campaigns.numbers import written
from grandstand.players.llm.budget import Budget

Unit = TypeVar("Unit")
Outcome = TypeVar("Outcome")
Unit_contra = TypeVar("Unit_contra", contravariant=True)

PILOT = 4
"""Matches that are played before the cost of the others is estimated."""


class CampaignRefused(Exception):
    """The campaign cannot go on; the message names the reason and the remedy. Stored outcomes are kept."""


@dataclass(frozen=True)
class Stopped:
    """The reason why a campaign ended early, and the exit status of its command."""

    why: str
    exit_status: int = 1

    @classmethod
    def by(cls, number: int) -> Self:
        """Return the end by signal `number`, with the exit status that shells use: 128 + `number`."""
        return cls(f"interrupted by {signal.Signals(number).name}", 128 + number)


BUDGET_SPENT = Stopped("the budget is spent")
TIME_SPENT = Stopped("the time is spent")


@dataclass(frozen=True)
class Deadline:
    """The time after which no unit begins; those that have begun go on to their end."""

    hours: float | None = None
    began: float = 0.0

    @classmethod
    def after(cls, hours: float | None) -> Self:
        """Return the deadline so many hours from now; None for none."""
        return cls(hours, time.monotonic())

    @property
    def over(self) -> bool:
        return self.hours is not None and time.monotonic() - self.began >= 3600 * self.hours


@dataclass(frozen=True)
class CampaignEstimate:
    """The expected use of the units that are left. `dollars` is None if no price is known."""

    left: int
    units: str
    """The units that are left, in words: `20 more matches`."""
    measured: int
    """The number of units from which it is computed."""
    source: str
    """These in words: `4 matches`."""
    seconds: float
    tokens: int = 0
    dollars: float | None = None

    @property
    def words(self) -> str:
        """Return the estimate as a sentence without its full stop."""
        cost = f", {self.tokens:,} tokens" if self.tokens else ""
        cost += f", ${self.dollars:.4f}" if self.dollars is not None else ""
        return f"{self.units} take about {written(self.seconds, 'seconds')}{cost}, estimated from {self.source}"

    def excess(self, budget: Budget) -> str:
        """Return which limit of the budget the estimate exceeds; empty if none."""
        if budget.tokens is not None and self.tokens > budget.tokens - budget.tokens_spent:
            return f"about {self.tokens:,} tokens are needed, and {budget.tokens - budget.tokens_spent:,} are left"
        if budget.dollars is not None and (self.dollars or 0.0) > budget.dollars - budget.dollars_spent:
            left = budget.dollars - budget.dollars_spent
            return f"about ${self.dollars:.4f} are needed, and ${left:.4f} are left"
        return ""


class CampaignObserver(Generic[Unit, Outcome]):
    """Observes a campaign; by default its methods do nothing. Executors may call it from any thread."""

    def drawn(self, units: Sequence[Unit]) -> None:
        """Handle the units that were drawn."""

    def restored(self, outcomes: Sequence[tuple[Unit, Outcome]]) -> None:
        """Handle the outcomes of drawn units that an earlier process stored."""

    def estimated(self, estimate: CampaignEstimate) -> None:
        """Handle the estimate of the units that are left. Raises CampaignRefused if it is too high."""

    def began(self, unit: Unit) -> None:
        """Note that a unit began, or was queued for a process."""

    def changed(self, unit: Unit, stage: str) -> None:
        """Note that a unit reached a stage, or advanced in it."""

    def ended(self, unit: Unit, outcome: Outcome) -> None:
        """Note that a unit ended in any way."""


class CampaignPlan(Protocol[Unit, Outcome]):
    """The units of a campaign."""

    def draw(self) -> Sequence[Unit]:
        """Return the units to carry out next; none if the campaign is over."""

    def stored(self, unit: Unit) -> Outcome | None:
        """Return the outcome that an earlier process stored; None if the unit is to be carried out."""

    def add(self, unit: Unit, outcome: Outcome) -> None:
        """Add the outcome of a unit."""

    def pilot(self, units: Sequence[Unit]) -> Sequence[Unit]:
        """Return the units to carry out before an estimate, from the first ones drawn."""

    def estimate(self) -> CampaignEstimate | None:
        """Return the expected use of the units that are left; None if nothing is known or the campaign has no end."""


class Executor(Protocol[Unit, Outcome]):
    """Carries out units, several at a time."""

    def execute(self, units: Sequence[Unit], observer: CampaignObserver[Unit, Outcome]) -> Stopped | None:
        """Carry out units and tell `observer`; return the reason of an early stop, if any.

        A unit that fails is an outcome, and does not stop the others.
        """


class Campaign(CampaignObserver[Unit, Outcome]):
    """A plan that is being carried out."""

    def __init__(
        self,
        plan: CampaignPlan[Unit, Outcome],
        executor: Executor[Unit, Outcome],
        observers: Sequence[CampaignObserver[Unit, Outcome]] = (),
    ) -> None:
        self._plan, self._executor, self._observers = plan, executor, observers

    def run(self) -> Stopped | None:
        """Carry out all units that have no outcome yet; return the reason of an early stop, if any.

        The estimate comes after the pilot, before the other units. Raises CampaignRefused.
        """
        estimated = False
        while units := self._plan.draw():
            for observer in self._observers:
                observer.drawn(units)
            left = self._without_stored(units)
            if left and not estimated:
                estimated = True
                first = self._plan.pilot(left)
                if stopped := self._execute(first):
                    return stopped
                left = [unit for unit in left if unit not in first]
                if (estimate := self._plan.estimate()) is not None:
                    for observer in self._observers:
                        observer.estimated(estimate)
            if stopped := self._execute(left):
                return stopped
        return None

    def _without_stored(self, units: Sequence[Unit]) -> Sequence[Unit]:
        """Add the outcomes that are stored, and return the units that are left to carry out."""
        left, outcomes = [], []
        for unit in units:
            outcome = self._plan.stored(unit)
            if outcome is None:
                left.append(unit)
            else:
                self._plan.add(unit, outcome)
                outcomes.append((unit, outcome))
        if outcomes:
            for observer in self._observers:
                observer.restored(outcomes)
        return left

    def _execute(self, units: Sequence[Unit]) -> Stopped | None:
        return self._executor.execute(units, self) if units else None

    def began(self, unit: Unit) -> None:
        for observer in self._observers:
            observer.began(unit)

    def changed(self, unit: Unit, stage: str) -> None:
        for observer in self._observers:
            observer.changed(unit, stage)

    def ended(self, unit: Unit, outcome: Outcome) -> None:
        self._plan.add(unit, outcome)
        for observer in self._observers:
            observer.ended(unit, outcome)
