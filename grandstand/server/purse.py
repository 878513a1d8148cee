"""What visitors use of this server: one account each, in credits, from which everything that they ask for is paid.

A purse refills steadily, so all that is kept of a visitor is the time at which its purse is full again, and of a
visitor with a full purse nothing (the generic cell rate algorithm). Where visitors compete, the one whose purse is full
the soonest comes first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from grandstand.events import EpisodeEnded, EpisodeStarted, VoiceReady
from grandstand.models import Event, flat

REFILL: Final = 3600.0
"""Seconds in which an empty purse becomes full."""
KEPT: Final = 100_000
"""Visitors whose purses are remembered; of more, those that have spent least are forgotten."""

SLOT_SECOND: Final = 1 / 60
"""Credits for a second in a slot of matches."""
CPU_SECOND: Final = 1 / 15
"""Credits for a CPU second of work. An hour of one core then costs as much as an hour of four slots."""
EVENT: Final = 1 / 1000
"""Credits for an event that the record keeps."""
MEBIBYTE: Final = 1 / 10
"""Credits for a MiB of files that are kept."""
SPOKEN_LINE: Final = 1 / 10
"""Credits for a line that a paid service reads aloud."""

MATCH: Final = 10.0
"""Credits that a match in a slot takes at its start; when it ends, it has cost what it used."""
RESET: Final = 1 / 4
"""Credits for a match over OpenEnv, which takes no slot, besides those for its events."""
TAKE: Final = 1 / 2
"""Credits for a seat that is taken back, which is recorded."""
CALL: Final = 1 / 50
"""Credits for a call or a reaction."""


class CannotAfford(Exception):
    """A visitor has too few credits; `seconds` is the time until there are enough."""

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message)
        self.seconds = seconds


class Purse:
    """The accounts of all visitors. The visitor '' is an operator, who has none."""

    def __init__(self, credits: float, refill: float = REFILL, clock: Callable[[], float] = time.monotonic) -> None:
        """Give every visitor `credits`; an empty purse is full again after `refill` seconds."""
        self.credits = credits
        self.clock = clock
        self.seconds = refill / credits
        """Seconds in which one credit comes back."""
        self._full: dict[str, float] = {}
        """Visitor -> the time at which its purse is full."""

    def __len__(self) -> int:
        """Return the number of visitors whose purses are remembered."""
        return len(self._full)

    def full_at(self, visitor: str) -> float:
        """Return the time at which the visitor's purse is full: now, unless it has spent something."""
        return max(self._full.get(visitor, 0.0), self.clock())

    def balance(self, visitor: str) -> float:
        """Return the credits of a visitor; below 0 if what it began has cost more than it had."""
        now = self.clock()
        return self.credits - max(0.0, self._full.get(visitor, now) - now) / self.seconds

    def wait(self, visitor: str, cost: float) -> float:
        """Return the seconds until the visitor has `cost`; a full purse is enough for anything."""
        return max(0.0, round((min(cost, self.credits) - self.balance(visitor)) * self.seconds, 6))

    def check(self, visitor: str, cost: float, what: str) -> None:
        """Raise CannotAfford if the visitor has less than the `cost` of `what`."""
        if visitor and (seconds := self.wait(visitor, cost)):
            left = f"{max(0.0, self.balance(visitor)):.1f} of {self.credits:g} are left to you"
            detail = f"not enough credits for {what}: it takes {cost:g}, and {left}; try again in {_time(seconds)}"
            raise CannotAfford(detail, seconds)

    def charge(self, visitor: str, cost: float) -> None:
        """Take `cost` from the visitor's purse, whether it is there or not; below 0 it is given back."""
        if not visitor:
            return
        if len(self._full) >= KEPT:
            self._forget()
        self._full[visitor] = self.full_at(visitor) + cost * self.seconds
        if self._full[visitor] <= self.clock():
            del self._full[visitor]

    def draw(self, visitor: str, cost: float, what: str) -> None:
        """Take the `cost` of `what` from the visitor's purse. Raise CannotAfford if it has less."""
        self.check(visitor, cost, what)
        self.charge(visitor, cost)

    def _forget(self) -> None:
        """Forget full purses, and of the others the half that has spent least if there are still too many."""
        now = self.clock()
        spent = sorted((at, visitor) for visitor, at in self._full.items() if at > now)
        self._full = {visitor: at for at, visitor in (spent if len(spent) < KEPT else spent[KEPT // 2 :])}


@dataclass(slots=True)
class _MatchCost:
    """A visitor's unfinished match."""

    visitor: str
    deposit: float
    """The credits that it took at its start; 0 if it has no slot."""
    delay: float
    """Seconds for which it keeps its slot after its end."""
    cost: float = 0.0
    """The credits that its events have cost so far."""
    begun: float | None = None


class MatchCosts:
    """Charges visitors for the matches that they start, as an observer of the bus: for events and time in a slot."""

    def __init__(self, purse: Purse) -> None:
        self.purse = purse
        self._matches: dict[str, _MatchCost] = {}

    def check(self, visitor: str, *, apart: bool) -> None:
        """Raise CannotAfford if the visitor cannot start a match; one that is played apart takes no slot."""
        self.purse.check(visitor, RESET if apart else MATCH, "a match")

    def begin(self, episode_id: str, visitor: str, delay: float, *, apart: bool) -> None:
        """Take the credits of a new match from the visitor's purse; it pays for the rest when the match ends."""
        if visitor:
            self.purse.charge(visitor, RESET if apart else MATCH)
            self._matches[episode_id] = _MatchCost(visitor, 0.0 if apart else MATCH, delay)

    def forget(self, episode_id: str) -> None:
        """Charge nothing more for a match: another server plays it."""
        self._matches.pop(episode_id, None)

    def on_events(self, events: Sequence[Event]) -> None:
        match = self._matches.get(events[0].episode_id)
        if match is None:
            return
        kinds = [event.type for event in flat(events)]
        match.cost += EVENT * len(kinds) + SPOKEN_LINE * kinds.count(VoiceReady.__name__)
        if EpisodeStarted.__name__ in kinds:
            match.begun = self.purse.clock()
        if EpisodeEnded.__name__ in kinds:
            self._end(self._matches.pop(events[0].episode_id))

    def on_released(self, episode_id: str) -> None: ...

    def _end(self, match: _MatchCost) -> None:
        """Charge what a match has used, less what it took at its start. One that never began had no slot."""
        if match.deposit and match.begun is not None:
            match.cost += SLOT_SECOND * (self.purse.clock() - match.begun + match.delay)
        self.purse.charge(match.visitor, match.cost - match.deposit)


def _time(seconds: float) -> str:
    return f"{ceil(seconds)} s" if seconds < 120 else f"{ceil(seconds / 60)} min"
