"""The engine of campaigns, with units that are numbers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from grandstand.campaigns.campaign import (
    BUDGET_SPENT,
    Campaign,
    CampaignEstimate,
    CampaignObserver,
    CampaignRefused,
    Deadline,
    Stopped,
)
from grandstand.players.llm.budget import Budget


class Squares:
    """Two rounds: the second one has the squares of the first. `known` are stored."""

    def __init__(self, known: Sequence[int] = (), pilots: int = 0) -> None:
        self.known, self.pilots = known, pilots
        self.outcomes: dict[int, int] = {}
        self._rounds = 0

    def draw(self) -> Sequence[int]:
        self._rounds += 1
        return {1: [2, 3, 4], 2: list(self.outcomes.values())}.get(self._rounds, [])

    def stored(self, unit: int) -> int | None:
        return unit * unit if unit in self.known else None

    def add(self, unit: int, outcome: int) -> None:
        self.outcomes[unit] = outcome

    def pilot(self, units: Sequence[int]) -> Sequence[int]:
        return units[: self.pilots]

    def estimate(self) -> CampaignEstimate | None:
        done = len(self.outcomes)
        return CampaignEstimate(6 - done, "more", done, f"{done} units", 60.0) if done else None


class Multiplier:
    """Carries out units one after the other, and stops before the unit `stop`."""

    def __init__(self, stop: int = 0) -> None:
        self.stop = stop
        self.rounds: list[Sequence[int]] = []

    def execute(self, units: Sequence[int], observer: CampaignObserver[int, int]) -> Stopped | None:
        self.rounds.append(list(units))
        for unit in units:
            if unit == self.stop:
                return BUDGET_SPENT
            observer.began(unit)
            observer.ended(unit, unit * unit)
        return None


class Notes(CampaignObserver[int, int]):
    def __init__(self, refuse: bool = False) -> None:
        self.lines: list[str] = []
        self.refuse = refuse

    def drawn(self, units: Sequence[int]) -> None:
        self.lines.append(f"drawn {list(units)}")

    def restored(self, outcomes: Sequence[tuple[int, int]]) -> None:
        self.lines.append(f"restored {dict(outcomes)}")

    def estimated(self, estimate: CampaignEstimate) -> None:
        self.lines.append(estimate.words)
        if self.refuse:
            raise CampaignRefused("too much")

    def began(self, unit: int) -> None:
        self.lines.append(f"began {unit}")

    def ended(self, unit: int, outcome: int) -> None:
        self.lines.append(f"ended {unit}")


def test_units_that_are_stored_are_not_carried_out_and_rounds_rest_on_outcomes() -> None:
    plan, executor, notes = Squares(known=[3, 9]), Multiplier(), Notes()
    assert Campaign(plan, executor, [notes]).run() is None
    assert executor.rounds == [[2, 4], [4, 16]]
    assert plan.outcomes == {2: 4, 3: 9, 4: 16, 9: 81, 16: 256}
    assert notes.lines[:3] == [
        "drawn [2, 3, 4]",
        "restored {3: 9}",
        "more take about 1 min, estimated from 1 units",
    ]
    assert "restored {9: 81}" in notes.lines


def test_the_estimate_comes_after_the_pilot_and_before_the_rest() -> None:
    notes = Notes()
    Campaign(Squares(pilots=2), Multiplier(), [notes]).run()
    assert notes.lines[:7] == [
        "drawn [2, 3, 4]",
        "began 2",
        "ended 2",
        "began 3",
        "ended 3",
        "more take about 1 min, estimated from 2 units",
        "began 4",
    ]
    assert sum("estimated" in line for line in notes.lines) == 1


def test_an_estimate_that_is_refused_ends_it() -> None:
    plan = Squares(pilots=1)
    with pytest.raises(CampaignRefused, match="too much"):
        Campaign(plan, Multiplier(), [Notes(refuse=True)]).run()
    assert plan.outcomes == {2: 4}, "the pilot is kept"


def test_an_early_stop_draws_nothing_more() -> None:
    plan, notes = Squares(), Notes()
    assert Campaign(plan, Multiplier(stop=4), [notes]).run() == BUDGET_SPENT
    assert plan.outcomes == {2: 4, 3: 9}
    assert sum(line.startswith("drawn") for line in notes.lines) == 1


@pytest.mark.parametrize(
    ("tokens", "dollars", "excess"),
    [
        (None, None, ""),
        (1_500, None, ""),
        (900, None, "about 1,000 tokens are needed, and 900 are left"),
        (None, 0.5, "about $0.7500 are needed, and $0.5000 are left"),
    ],
)
def test_an_estimate_names_the_limit_that_it_exceeds(tokens: int | None, dollars: float | None, excess: str) -> None:
    estimate = CampaignEstimate(1, "a match", 1, "1 match", 1.0, 1_000, 0.75)
    assert estimate.excess(Budget("a test's", tokens, dollars)) == excess


def test_a_deadline() -> None:
    assert not Deadline.after(None).over
    assert not Deadline.after(1.0).over
    assert Deadline.after(0.0).over
