"""The types of Diplomacy's data: positions, orders and observations, in saved-game notation.

They are JSON as it is recorded and sent, and the page's types are generated from them.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict

from grandstand.games.base import SeatId


class Position(TypedDict):
    """A position, which is public."""

    phase: str
    """`S1901M`."""
    units: dict[SeatId, list[str]]
    """`{"FRANCE": ["A PAR", "F BRE"]}`, every power; dislodged units are not among them."""
    retreats: dict[SeatId, dict[str, list[str]]]
    """`{"FRANCE": {"A BUR": ["GAS", "MAR"]}}`: dislodged units and where they may go; only powers that have some."""
    centers: dict[SeatId, list[str]]
    """`{"FRANCE": ["BRE", "MAR", "PAR"]}`, every power."""
    builds: NotRequired[dict[SeatId, int]]
    """In winter, how many units a power may build (+) or must remove (-); only powers that have to act."""


ResolvedOrder = TypedDict(
    "ResolvedOrder",
    {
        "order": str,
        "kind": str,
        "unit": NotRequired[str],
        "from": NotRequired[str],
        "to": NotRequired[str],
        "target": NotRequired[str],
        "via": NotRequired[bool],
        "results": list[str],
        "dislodged_by": NotRequired[str],
    },
)
"""An order and its results.

`order` is its text; `kind` one of hold, move, support, convoy, retreat, disband, build, waive; `unit` the ordered
unit and `from` its place (not for waive); `to` where a move, retreat, or the supported or convoyed move goes;
`target` the supported or convoyed unit; `via` true where a move went by sea; `results` the words of the saved-game
format, empty for success; `dislodged_by` the province that a successful attack on the unit came from. A dislodged unit
that is destroyed at once, because nobody has a retreat to choose, has `disband` after `dislodged`.
"""


Capture = TypedDict("Capture", {"center": str, "from": SeatId | None, "to": SeatId})
"""A captured supply centre, its former owner and its new owner; `from` is null if nobody owned it."""


class PlayedPhase(TypedDict):
    """A phase that was played, as `OrdersResolved` has it."""

    phase: str
    orders: dict[SeatId, list[ResolvedOrder]]


class Message(TypedDict):
    """A message that the power sent or received, as `MessageSent` has it."""

    turn: str
    sender: SeatId
    recipients: list[SeatId]
    text: str
    public: bool
    promises: list[str]


class JudgedPromise(TypedDict):
    """A promise that was kept or broken, as `PromiseKept` and `PromiseBroken` have it."""

    kept: bool
    power: SeatId
    phase: str
    promise: str
    order: str
    recipients: list[SeatId]
    public: bool
    meant: str


class PactTerm(TypedDict):
    """An order that a power gives in a phase by a pact."""

    turn: str
    power: SeatId
    order: str


class KnownPact(TypedDict):
    """A pact that the power is a party of: its offer, as `PactOffered` has it, and its state."""

    pact: str
    phase: str
    power: SeatId
    parties: list[SeatId]
    terms: list[PactTerm]
    zones: list[str]
    until: str
    penalty: str
    counters: str | None
    state: str
    """One of open, countered, lapsed, refused, accepted, kept, broken."""
    accepted: list[SeatId]
    """The parties that have accepted it."""


class PowerNotes(TypedDict):
    """A power's notes for itself, as `NotesTaken` has them."""

    turn: str
    notes: str
    trust: dict[SeatId, int]
    left_out: list[str]
    aims: list[SeatId]


class Observation(TypedDict):
    """Everything that a power may know."""

    power: SeatId
    state: Position
    turn: str
    to_act: list[SeatId]
    submitted: list[str]
    """The power's own orders of this phase, once submitted."""
    votes: list[SeatId]
    """The powers that vote for a draw."""
    messages: list[Message]
    promises: list[JudgedPromise]
    pacts: list[KnownPact]
    notes: PowerNotes | None
    """The power's own notes, if it has taken any."""
    years: dict[str, dict[SeatId, int]]
    """The supply centres of each power at the end of each year; the first year is the one before the match."""
    recent: list[PlayedPhase]
    """The phases since the last movement phase, that one first."""
    scores: dict[SeatId, float]
    scoring: str
    """A sentence on how the match is scored; the page shows it at a person's seat."""
    options: dict[str, str | int | float | bool | None]
