"""What a captain does and how it worked, and how far that is from what is usual."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

from grandstand.games.cricket import laws

FILE = Path(laws.__file__).parents[1] / "data" / "habits.json"
"""Which calls make a habit and what is usual, for the page as well."""
_DATA: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
SLIPS = frozenset[str](_DATA["slips"])
ATTACKS = frozenset[str](_DATA["intents"]["attack"])
"""The intents with which a captain asks his batters to attack."""
CARES = frozenset[str](_DATA["intents"]["care"])
USUAL: Mapping[str, Mapping[str, float]] = _DATA["usual"]
"""Habit -> phase -> the usual share."""
UNUSUAL: Mapping[str, float] = _DATA["unusual"]
"""The standard deviations from the usual share that make a habit."""
MATTERS: float = _DATA["matters"]
"""The share of the chance of winning from which a plan gained or cost anything."""
LAST_FIVE: int = _DATA["late"]
"""Legal balls of the last phase of an innings: five overs."""


def phase_of(balls: int, overs: int, powerplay: int) -> str:
    """Return the phase of the ball after so many legal balls."""
    if balls < powerplay:
        return "powerplay"
    return "late" if 6 * overs - balls <= LAST_FIVE else "middle"


def has_slip(places: Iterable[str]) -> bool:
    """Return whether one of the fielders is a slip."""
    return not SLIPS.isdisjoint(places)


@dataclass(slots=True)
class Habit:
    """How often a captain did something that captains do at times."""

    name: str
    by_phase: Counter[str] = field(default_factory=Counter)
    """Phase -> how often it could have been done."""
    rests_on: list[int] = field(default_factory=list)
    """The numbers of the events in which it was done."""

    def note(self, phase: str, done: bool, seq: int) -> None:
        """Count one more chance to do it."""
        self.by_phase[phase] += 1
        if done:
            self.rests_on.append(seq)

    @property
    def times(self) -> int:
        """Return how often it was done."""
        return len(self.rests_on)

    @property
    def chances(self) -> int:
        """Return how often it could have been done."""
        return self.by_phase.total()

    @property
    def apart(self) -> float:
        """Return the standard deviations by which it was done more often than is usual; negative for less often."""
        usual = USUAL[self.name]
        mean = sum(count * usual[phase] for phase, count in self.by_phase.items())
        variance = sum(count * usual[phase] * (1 - usual[phase]) for phase, count in self.by_phase.items())
        return (self.times - mean) / sqrt(variance) if variance else 0.0


@dataclass(slots=True)
class Captaincy:
    """What a captain's calls in this match show so far, Super Overs left out."""

    slips: Habit = field(default_factory=lambda: Habit("slip"))
    """The overs that began with a slip."""
    attacks: Habit = field(default_factory=lambda: Habit("attack"))
    """The balls on which the batters were asked to attack, free hits left out."""
    cares: Habit = field(default_factory=lambda: Habit("care"))
    """The same of those on which they were asked for care."""
    plans: bool = False
    """Whether the captain plans overs; the record is that of the plans then, else that of the calls of each over."""
    worked: list[int] = field(default_factory=list)
    """The numbers of the events that judge a plan that gained something, or end an over whose calls did."""
    failed: list[int] = field(default_factory=list)
    worth: float = 0.0
    """What all plans, or the calls of all overs, were worth to the chance of winning."""
    fields: set[str] = field(default_factory=set)
    """The kinds of fields so far: `slip`, and after the powerplay `ring` and `rope`."""
    said: set[tuple[str, int]] = field(default_factory=set)
    """The kinds of lines on it that have been said, each with the number of the innings."""

    def batting(self) -> Habit:
        """Return the batting habit that is the less usual one."""
        return max(self.attacks, self.cares, key=lambda habit: habit.apart)

    def judge(self, worth: float, seq: int) -> None:
        """Count a plan, or the calls of an over."""
        self.worth += worth
        if abs(worth) >= MATTERS:
            (self.worked if worth > 0 else self.failed).append(seq)

    @property
    def judged(self) -> list[int]:
        """Return the numbers of the events of `worked` and `failed`, in order."""
        return sorted((*self.worked, *self.failed))
