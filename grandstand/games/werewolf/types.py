"""The observation of a seat of Werewolf, as data."""

from __future__ import annotations

from typing import TypedDict

from grandstand.games.base import SeatId


class Statement(TypedDict):
    """A speech: its acts, the kind of reason that it gives, and its words."""

    day: int
    turn: str
    seat: SeatId
    acts: list[str]
    because: str
    text: str


class Ballot(TypedDict):
    """A vote that was shown: the vote of each seat, who was exiled, and who was level if nobody was yet."""

    day: int
    ballot: int
    votes: dict[SeatId, str]
    exiled: SeatId
    tied: list[SeatId]


class Death(TypedDict):
    """A seat that is out, and its role."""

    seat: SeatId
    role: str
    day: int
    how: str


class NightCheck(TypedDict):
    """A result of the seer."""

    night: int
    target: SeatId
    wolf: bool


class Attack(TypedDict):
    """Whom each wolf named in a night, and whom they attacked."""

    night: int
    named: dict[SeatId, SeatId]
    target: SeatId


class NightNote(TypedDict):
    """Words written at night: to oneself, or from wolf to wolf."""

    night: int
    seat: SeatId
    text: str


class Observation(TypedDict):
    """Everything that a seat may know."""

    seat: SeatId
    role: str
    wolves: list[SeatId]
    """The wolves, for a wolf."""
    turn: str
    day: int
    dealt: dict[str, int]
    """The number of seats with each role at the start."""
    alive: list[SeatId]
    out: list[Death]
    order: list[SeatId]
    """The seats that have yet to speak, in order."""
    tied: list[SeatId]
    """The seats in a run-off."""
    speeches: list[Statement]
    ballots: list[Ballot]
    checks: list[NightCheck]
    """The seer's results, for the seer."""
    guards: list[SeatId]
    """Whom the doctor protected, by night."""
    saves: list[int]
    """The nights in which the protection saved somebody, for the doctor."""
    attacks: list[Attack]
    """The wolves' attacks, for a wolf."""
    notes: list[NightNote]
    scoring: str
    """A sentence on how the match is scored; the page shows it at a person's seat."""
