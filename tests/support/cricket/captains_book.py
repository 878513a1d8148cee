"""The books of both captains of a cricket match, to check the lines on their records and habits by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from grandstand.games.story import StoryEvent

if TYPE_CHECKING:
    from tests.support.cricket.story_scorebook import Book

INNINGS = 2
"""Innings of a match without a Super Over."""
LEAST = 0.002
"""The share of the chance from which a plan makes a difference."""


@dataclass(frozen=True)
class Tally:
    """What a captain called so far: one entry for each over or ball."""

    plans: tuple[float, ...] = ()
    """The worth of each plan that is not natural."""
    planner: bool = False
    overs: tuple[float, ...] = ()
    """The worth of the calls of each over in which anything was called."""
    slips: tuple[tuple[str, bool], ...] = ()
    """By over: the phase, and whether it began with a slip."""
    asked: tuple[tuple[str, str], ...] = ()
    """By ball: the phase, and the intent."""
    fields: tuple[frozenset[str], ...] = ()
    """The kinds of each field that was set."""

    @property
    def record(self) -> tuple[float, ...]:
        return self.plans if self.planner else self.overs

    @property
    def good(self) -> int:
        return sum(worth >= LEAST for worth in self.record)

    @property
    def poor(self) -> int:
        return sum(worth <= -LEAST for worth in self.record)


def phase(book: Book) -> str:
    """Return the phase of the next ball."""
    if book.legal < book.powerplay:
        return "powerplay"
    return "late" if book.left <= 30 else "middle"


def slip(fielders: Iterable[str]) -> bool:
    return any(name.endswith(" slip") and name != "fly slip" for name in fielders)


def departs(plan: Mapping[str, Any]) -> bool:
    """Return whether a plan is not the natural one."""
    if "intents" in plan:
        return "shot" in plan or bool({*plan["intents"].values()} - {"normal"})
    return (plan["theme"], plan["zone"]) != ("natural", "natural")


class Captains:
    """The tallies of both captains, event by event."""

    def __init__(self) -> None:
        self.tallies: dict[str, Tally] = {"home": Tally(), "away": Tally()}
        self._called: set[str] = set()

    def read(self, event: StoryEvent, book: Book, first: bool) -> None:
        """Read an event before the book counts it; `first` is whether a ball is the first of its over."""
        data = event.data
        if book.number > INNINGS:
            return
        if event.type == "BallBowled":
            if first and book.fielders:
                self._add(book.bowling, slips=((phase(book), slip(book.fielders)),))
            if data["intent"] is not None and not data["free_hit"]:
                self._add(book.batting, asked=((phase(book), data["intent"]),))
        elif event.type == "FieldSet":
            kinds = {"slip"} & {"slip" * slip(data["places"])}
            if phase(book) != "powerplay":
                kinds |= {"rope"} if data["outside"] >= 4 else {"ring"} if data["outside"] <= 2 else set()
            self._add(book.bowling, fields=(frozenset(kinds),))
        elif event.type == "PlanJudged":
            worth = data["delta"]
            self._add(data["seat"], plans=(worth,) if worth is not None and departs(data["plan"]) else ())
            self.tallies[data["seat"]] = replace(self.tallies[data["seat"]], planner=True)
        elif event.type == "ChanceChanged":
            calls = [each for each in data["decisions"] if each["choice"] and "impact" not in each["choice"]]
            self._called.update(each["seat"] for each in calls)
        elif event.type in ("OverEnded", "InningsEnded"):
            for seat in self._called:
                self._add(seat, overs=(book.calls.get(seat, 0.0),))
            self._called = set()

    def _add(self, seat: str, **more: tuple[Any, ...]) -> None:
        tally = self.tallies[seat]
        self.tallies[seat] = replace(tally, **{name: getattr(tally, name) + added for name, added in more.items()})
