"""The events of Werewolf, and who may know each."""

from __future__ import annotations

from dataclasses import dataclass

from grandstand.games.base import GameEvent, SeatId


@dataclass(frozen=True, slots=True)
class TableSet(GameEvent):
    """The match begins: how many seats have each role."""

    dealt: dict[str, int]


@dataclass(frozen=True, slots=True)
class RoleDealt(GameEvent):
    """A seat learned its role, and a wolf who the other is."""

    seat: SeatId
    role: str
    wolves: list[SeatId]

    def seats(self) -> frozenset[SeatId]:
        return frozenset((self.seat,))


@dataclass(frozen=True, slots=True)
class NoteWritten(GameEvent):
    """A note written at night: to oneself, or from wolf to wolf."""

    night: int
    seat: SeatId
    text: str
    readers: list[SeatId]

    def seats(self) -> frozenset[SeatId]:
        return frozenset(self.readers)


@dataclass(frozen=True, slots=True)
class AttackChosen(GameEvent):
    """The wolves attacked `target`, drawn at random if they named different seats."""

    night: int
    named: dict[SeatId, SeatId]
    target: SeatId

    def seats(self) -> frozenset[SeatId]:
        return frozenset(self.named)


@dataclass(frozen=True, slots=True)
class SeatProtected(GameEvent):
    """The doctor protected `target` in a night; `saved`: it was attacked."""

    night: int
    doctor: SeatId
    target: SeatId
    saved: bool

    def seats(self) -> frozenset[SeatId]:
        return frozenset((self.doctor,))


@dataclass(frozen=True, slots=True)
class SeatChecked(GameEvent):
    """The seer learned whether `target` is a wolf."""

    night: int
    seer: SeatId
    target: SeatId
    wolf: bool

    def seats(self) -> frozenset[SeatId]:
        return frozenset((self.seer,))


@dataclass(frozen=True, slots=True)
class NightEnded(GameEvent):
    """The night is over; `victim` is empty if nobody is out."""

    night: int
    victim: SeatId


@dataclass(frozen=True, slots=True)
class SpeechMade(GameEvent):
    """A seat spoke: its acts, the kind of reason it gives, and its words."""

    seat: SeatId
    day: int
    acts: list[str]
    because: str
    text: str


@dataclass(frozen=True, slots=True)
class FalseClaimMade(GameEvent):
    """An act of the last speech that the speaker knows to be false."""

    seat: SeatId
    act: str

    def seats(self) -> frozenset[SeatId]:
        return frozenset((self.seat,))


@dataclass(frozen=True, slots=True)
class VotesShown(GameEvent):
    """All votes are shown. `tied` are the seats with the most votes where there are several, and nobody is exiled."""

    day: int
    ballot: int
    votes: dict[SeatId, str]
    exiled: SeatId
    tied: list[SeatId]


@dataclass(frozen=True, slots=True)
class SeatOut(GameEvent):
    """A seat is out, and its role is shown. `how`: `night`, `exile` or `shot`."""

    seat: SeatId
    role: str
    day: int
    how: str


@dataclass(frozen=True, slots=True)
class ShotFired(GameEvent):
    """The hunter took somebody along; `target` is empty for nobody."""

    seat: SeatId
    target: SeatId


@dataclass(frozen=True, slots=True)
class GameDecided(GameEvent):
    """The match is over: the winner (`village`, `wolves` or `nobody`), and the role of every seat."""

    winner: str
    roles: dict[SeatId, str]


EVENTS: tuple[type[GameEvent], ...] = (
    TableSet,
    RoleDealt,
    NoteWritten,
    AttackChosen,
    SeatProtected,
    SeatChecked,
    NightEnded,
    SpeechMade,
    FalseClaimMade,
    VotesShown,
    SeatOut,
    ShotFired,
    GameDecided,
)
