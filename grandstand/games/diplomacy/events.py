"""The events of a Diplomacy match, beside `MessageSent`. Units, orders and places are in saved-game notation."""

from __future__ import annotations

from dataclasses import dataclass, field

from grandstand.games.base import GameEvent, Json, SeatId
from grandstand.games.diplomacy.types import Capture, PactTerm, Position, ResolvedOrder


@dataclass(frozen=True, slots=True)
class PhaseAdvanced(GameEvent):
    """A phase begins."""

    phase: str
    state: Position


@dataclass(frozen=True, slots=True)
class OrdersSubmitted(GameEvent):
    """A power has given its orders, which stay secret until the phase is resolved."""

    seat: SeatId
    phase: str


@dataclass(frozen=True, slots=True)
class OrdersResolved(GameEvent):
    """A phase was played. In winter, removals by civil disorder are among the orders, with the result `disband`."""

    phase: str
    orders: dict[SeatId, list[ResolvedOrder]]


@dataclass(frozen=True, slots=True)
class PromiseReplaced(GameEvent):
    """A power promised another order, `by`, to a unit for which it had promised `promise` to `recipients` before.

    Everybody who had the first promise has the second: the first no longer binds. Both are as their sender wrote them.
    """

    power: SeatId
    phase: str
    promise: str
    by: str
    recipients: list[SeatId]
    public: bool = False

    def seats(self) -> frozenset[SeatId] | None:
        return _parties(self.power, self.recipients, self.public)


@dataclass(frozen=True, slots=True)
class PromiseKept(GameEvent):
    """A power gave `order` to a unit as it had promised to `recipients` in the same phase.

    `promise` is as its sender wrote it, `meant` the same in standard notation.
    """

    power: SeatId
    phase: str
    promise: str
    order: str
    recipients: list[SeatId]
    public: bool = False
    meant: str = ""

    def seats(self) -> frozenset[SeatId] | None:
        return _parties(self.power, self.recipients, self.public)


@dataclass(frozen=True, slots=True)
class PromiseBroken(GameEvent):
    """A power gave `order` to a unit for which it had promised `promise` to `recipients` in the same phase.

    `promise` is as its sender wrote it, `meant` the same in standard notation.
    """

    power: SeatId
    phase: str
    promise: str
    order: str
    recipients: list[SeatId]
    public: bool = False
    meant: str = ""

    def seats(self) -> frozenset[SeatId] | None:
        return _parties(self.power, self.recipients, self.public)


@dataclass(frozen=True, slots=True)
class LieNoted(GameEvent):
    """A power noted, for itself alone, that it does not mean to keep `promise`, given to `recipients`."""

    power: SeatId
    phase: str
    promise: str
    recipients: list[SeatId]
    public: bool = False

    def seats(self) -> frozenset[SeatId] | None:
        return frozenset((self.power,))


def _parties(power: SeatId, recipients: list[SeatId], public: bool) -> frozenset[SeatId] | None:
    """Return who knows a promise: its sender and recipients, or everybody if it was public."""
    return None if public else frozenset((power, *recipients))


class _PactEvent(GameEvent):
    """An event of a pact, which its parties alone know."""

    __slots__ = ()
    parties: list[SeatId]

    def seats(self) -> frozenset[SeatId] | None:
        return frozenset(self.parties)


@dataclass(frozen=True, slots=True)
class PactOffered(_PactEvent):
    """A power offered others a pact: orders of all parties for one to three seasons, and places that none enters.

    `pact` names it, `until` is its last phase, and `penalty` what follows if it is broken: `void`, or `war`. `counters`
    is the offer that this one answers. It binds once all have accepted it.
    """

    pact: str
    phase: str
    power: SeatId
    parties: list[SeatId]
    terms: list[PactTerm]
    zones: list[str]
    until: str
    penalty: str = "void"
    counters: str | None = None


@dataclass(frozen=True, slots=True)
class PactAccepted(_PactEvent):
    """A power accepted a pact that it was offered."""

    pact: str
    phase: str
    power: SeatId
    parties: list[SeatId]


@dataclass(frozen=True, slots=True)
class PactRefused(_PactEvent):
    """A power refused a pact that it was offered."""

    pact: str
    phase: str
    power: SeatId
    parties: list[SeatId]


@dataclass(frozen=True, slots=True)
class PactKept(_PactEvent):
    """A pact ended with this phase, and all parties had kept it."""

    pact: str
    phase: str
    parties: list[SeatId]


@dataclass(frozen=True, slots=True)
class PactBroken(_PactEvent):
    """A power broke a pact: it gave `order` where the pact has `term`, or entered a place that was to stay empty."""

    pact: str
    phase: str
    power: SeatId
    parties: list[SeatId]
    term: str
    order: str


@dataclass(frozen=True, slots=True)
class CentersChanged(GameEvent):
    """After a fall in which supply centres changed hands."""

    phase: str
    captured: list[Capture]
    counts: dict[SeatId, int]


@dataclass(frozen=True, slots=True)
class PowerEliminated(GameEvent):
    """A power has lost its last unit and its last centre."""

    power: SeatId
    phase: str


@dataclass(frozen=True, slots=True)
class NotesTaken(GameEvent):
    """The notes that a power's player keeps for itself, and its trust in other powers from -2 to 2, as they are now.

    Nobody but the power knows them. `left_out` names the parts of what its player wrote that could not be kept. `aims`
    are the powers that it means to attack or betray in the phase `turn`, and no longer.
    """

    seat: SeatId
    turn: str
    notes: str
    trust: dict[SeatId, int]
    left_out: list[str] = field(default_factory=list)
    aims: list[SeatId] = field(default_factory=list)

    def seats(self) -> frozenset[SeatId] | None:
        return frozenset((self.seat,))


@dataclass(frozen=True, slots=True)
class TacticSet(GameEvent):
    """The match is a position of the tactics set: `seat` alone is to play, and `task` is its aim."""

    tactic: str
    title: str
    seat: SeatId
    task: str


@dataclass(frozen=True, slots=True)
class SavedPartRead(GameEvent):
    """A part of a saved game as it stands in the file, so that the file can be written again.

    It follows the events made from it: `part` is `game`, `phase` or `message`. A game comes without its phases, a phase
    without its messages (but with an empty `messages` of the same type), a message without its text; `place` is the
    message's index or key. `parties` are those who may know the message; null for everybody.
    """

    part: str
    original: dict[str, Json]
    place: str = ""
    parties: list[SeatId] | None = None

    def seats(self) -> frozenset[SeatId] | None:
        return None if self.parties is None else frozenset(self.parties)


@dataclass(frozen=True, slots=True)
class DrawVoted(GameEvent):
    """A power changed its vote: `draw` or `none`. Votes stand until they are changed."""

    seat: SeatId
    vote: str
    phase: str
