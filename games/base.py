"""What every game is: seats, actions, events, results. No clock, no I/O, no wire types.

A game is one folder under `games/` that builds a `GameSpec`, and one line in `games/registry.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from grandstand.games.training import Training

SeatId = str
"""A place in a game: `FRANCE`, `away`. Stable for the whole match."""

Action = Mapping[str, Any]
"""What a seat does on its turn, as JSON-ready data: `{"orders": ["A PAR - BUR"]}`."""

Json = Any
"""Data that `json.dumps` takes."""


class IllegalAction(Exception):
    """The seat's own fault: an action that the rules refuse. A fact of the game, never our bug.

    `field` names the part of the action at fault (`orders[2]`), `reason` says what is wrong and what would do.
    """

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class OptionError(ValueError):
    """A match option that the game does not know or cannot take; the message names it and the remedy."""


@dataclass(frozen=True, slots=True)
class GameEvent:
    """What rules emit: no number, no time. The class name is the event's type on the wire.

    Subclasses are frozen dataclasses with JSON-ready fields (str, int, float, bool, None, lists, dicts and
    dataclasses of them). A subclass with a field named `state` carries the whole position that its audience
    may see: a snapshot is the last such state and the events after it.
    """

    def seats(self) -> frozenset[SeatId] | None:
        """The seats that may know this event; None where everybody may."""
        return None


@dataclass(frozen=True, slots=True)
class MessageSent(GameEvent):
    """Press: `sender` wrote to `recipients` (every seat where `public`)."""

    turn: str
    sender: SeatId
    recipients: list[SeatId]
    text: str
    public: bool = False
    promises: list[str] = field(default_factory=list)

    def seats(self) -> frozenset[SeatId] | None:
        return None if self.public else frozenset((self.sender, *self.recipients))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. `scores` sum to 1 where the game shares one point; `winners` is empty for no result."""

    reason: str
    winners: list[SeatId]
    scores: dict[SeatId, float]
    text: str


class Game(Protocol):
    """The rules of one match in progress: mutable, cheap to clone, exact to and from JSON.

    The same seed, options and actions give the same events, always.
    """

    @property
    def turn(self) -> str:
        """The short public name of the moment: `S1901M`, `1st innings 4.3`."""

    @property
    def outcome(self) -> Outcome | None:
        """None while the match goes on."""

    def to_act(self) -> Sequence[SeatId]:
        """The seats the match waits for, in a fixed order; more than one where they choose at the same time."""

    def opening(self) -> list[GameEvent]:
        """The events that set the scene, emitted once before the first action; one of them carries a `state`."""

    def legal(self, seat: SeatId) -> Json:
        """What `seat` may do now, as data for a page or a prompt. Cheap enough to ask every turn."""

    def apply(self, seat: SeatId, action: Action) -> list[GameEvent]:
        """Play `action` for `seat`. Raises IllegalAction and then leaves the game as it was."""

    def default_action(self, seat: SeatId) -> Action:
        """The legal action of a seat that does nothing (civil disorder, a ball left alone)."""

    def observation(self, seat: SeatId) -> Json:
        """All that `seat` may know now, as data: its own secrets, never another's."""

    def text(self, seat: SeatId) -> str:
        """The same for a language model: one prompt, byte for byte the same in training and in play."""

    def scores(self) -> dict[SeatId, float]:
        """The standing now, in the match's scoring system, as if play stopped here."""

    def digest(self) -> str:
        """A stable hash of the whole position, secrets included: equal exactly where the positions are equal."""

    def clone(self) -> Self:
        """An independent copy."""

    def reseed(self, seed: int) -> None:
        """Draw all that is still to come by chance from `seed`; what is settled stays."""

    def to_json(self) -> Json:
        """The whole game as data, secrets included; `GameSpec.load` is its inverse."""


Bot = Callable[[Any, SeatId, Random], Action]
"""A free built-in player: a pure function of the game, the seat and a keyed random stream.

It reads only what its seat may know. Being stateless, it can take over any match at any moment.
"""


@dataclass(frozen=True)
class ReplyForm:
    """How a language model is asked for what a seat does, and how its answer is read; one for play and training."""

    keys: tuple[str, ...]
    """Keys of the answer's JSON object: one of them makes it an answer, a bare list stands for the first."""
    system: Callable[[Any, SeatId], str]
    """(game, seat) -> what stays the same all match: the task, and the form of the answer."""
    prompt: Callable[[Any, SeatId], str]
    """(game, seat) -> the moment, with the legal choices where they fit."""
    schema: Callable[[Any, SeatId], Json]
    """(game, seat) -> the answer's JSON schema, every property required and no others; empty where there is none."""
    read: Callable[[Any, SeatId, Mapping[str, Any]], Sequence[Action]]
    """(game, seat, answer) -> the actions in it, in order. Raises IllegalAction naming the part at fault."""


@dataclass(frozen=True)
class Press:
    """Rounds of negotiation before the actions of a turn: all speak at once, all is delivered when all have spoken."""

    speakers: Callable[[Any], Sequence[SeatId]]
    """(game) -> the seats that may speak now; none where it is no time for press."""
    rounds: Callable[[Any], int]
    """(game) -> how many rounds are held in this turn."""
    form: ReplyForm
    """How a model is asked for messages: its actions are messages."""


@dataclass(frozen=True, slots=True)
class Task:
    """A match to compare players on: its options, and the seat that is compared."""

    id: str
    seat: SeatId
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Comparison:
    """How players of a game are compared beyond their scores."""

    reference: str
    """The built-in player that others are measured against."""
    measures: Callable[[Sequence[tuple[str, Mapping[str, Any]]], SeatId], dict[str, float]]
    """(a finished match's game events as (type, data) in order, seat) -> numbers by name."""
    meanings: Mapping[str, str]
    """What each of those numbers is."""
    quoted: Callable[[str], dict[str, Json]]
    """(name of a set of tasks) -> what to quote of it with a result: version and digest."""


@dataclass(frozen=True)
class GameSpec:
    """Everything the house needs to know of one game."""

    name: str
    title: str
    seats: tuple[SeatId, ...]
    options: type[Any]
    """A frozen dataclass: one field per match option, each with a default, and in its metadata a `help`, and the
    `choices` where it is one of a few words."""
    new: Callable[[Any, int], Game]
    """(options, seed) -> a fresh game."""
    load: Callable[[Json], Game]
    """The inverse of `Game.to_json`."""
    events: tuple[type[GameEvent], ...]
    """Every event type that the game can emit, `MessageSent` included where it has press."""
    bots: Mapping[str, Bot]
    """Built-in players by name, strongest first."""
    showcase: Callable[[Random], Sequence[str]]
    """Bot names, one per seat, for a match worth watching."""
    exports: Mapping[str, Callable[[Sequence[tuple[str, Mapping[str, Any]]], Mapping[str, Any]], Json]] = field(
        default_factory=dict
    )
    """Format name -> function of (the episode's game events as (type, data) in order, header) -> a JSON document."""
    reply: ReplyForm | None = None
    """How a language model is asked for an action; None for the general form."""
    press: Press | None = None
    """None where nobody negotiates."""
    tasks: Mapping[str, Callable[[], Sequence[Task]]] = field(default_factory=dict)
    """Named sets of matches to compare players on."""
    comparison: Comparison | None = None
    """None where the score says all."""
    prepare: Callable[[Any], Callable[[], None] | None] = lambda game: None
    """(game) -> what to call before the game's next move, which builds what is slow to build, such as tables that all
    matches share; None where nothing is missing. Asking is cheap. The call changes no game and may be made in another
    thread; a game that was not prepared builds the same by itself."""
    rules: int = 1
    """The version of the rules, which a record names. It grows when the same choices come to give other events."""
    as_of: Callable[[int, str, Mapping[str, Any]], Mapping[str, Any] | None] | None = None
    """(version of the rules that made a record, event type, data) -> the part of the data that is the same under the
    rules of today; None where the type is no longer comparable. Without it, an older record that plays otherwise now
    is put down to its rules."""
    training: Callable[[], Training] | None = None
    """Gives what a trainer needs, built when it is first asked for; None where nobody can be trained."""
