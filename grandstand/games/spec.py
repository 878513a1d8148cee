"""The parts of a game: its rules, its built-in players, and how models are prompted, compared and trained."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, Generic, TypeAlias

from grandstand.games.base import Action, GameEvent, Json, OptionError, SeatId, Task
from grandstand.games.choices import Chosen, Slot
from grandstand.games.exchange import DocumentForm, ObserverRequest
from grandstand.games.game import G
from grandstand.games.picture import Pictures, PictureSeen, PictureShown
from grandstand.games.prompts import PromptForm
from grandstand.games.questions import Asker, general_asker
from grandstand.games.reply_form import Aside, ReplyForm
from grandstand.games.story import GeneralStory, Story
from grandstand.games.training import SCORED, Training, general_training

EventData: TypeAlias = Sequence[tuple[str, Mapping[str, Any]]]
"""An episode's game events as (type, data), in order."""

Bot: TypeAlias = Callable[[G, SeatId, Random], Action]
"""A free built-in player: a pure function of the game, the seat and a keyed random stream.

It reads only what its seat may know. Being stateless, it can take over any match at any moment.
"""


Negotiator: TypeAlias = Callable[[G, SeatId, Random, int, int], Sequence[Action]]
"""The messages of a built-in player in one round of press: (game, seat, keyed random stream, round from 1, rounds).

A pure function of what the seat may know, like `Bot`.
"""


@dataclass(frozen=True)
class Press(Generic[G]):
    """Rounds of negotiation before the actions of a turn: all seats write at the same time, and messages are delivered
    together."""

    speakers: Callable[[G], Sequence[SeatId]]
    """(game) -> the seats that may write now; none outside the time for press."""
    rounds: Callable[[G], int]
    """(game) -> the number of rounds in this turn."""
    form: ReplyForm[G]
    """The form in which a model is asked for messages; its actions are messages, and perhaps notes."""
    bots: Mapping[str, Negotiator[G]] = field(default_factory=dict)
    """The built-in players that negotiate, by name; the others are silent."""


@dataclass(frozen=True)
class Comparison:
    """The measures by which players of a game are compared beyond their scores."""

    reference: str
    """The built-in player that others are measured against."""
    measures: Callable[[EventData, SeatId], dict[str, float]]
    """(a finished match's game events as (type, data) in order, seat) -> numbers by name."""
    meanings: Mapping[str, str]
    """The meaning of each of those numbers."""
    quoted: Callable[[str], dict[str, Json]]
    """(name of a set of tasks) -> its version and digest, to be quoted with a result."""
    summarized: tuple[str, ...] = ()
    """The measures that are cheap enough to be computed for every seat and shown for each player."""
    roles: Callable[[EventData], Mapping[SeatId, str]] | None = None
    """(a finished match's game events) -> the role of each seat, for ratings by role; None in a game without roles."""
    whole_matches: bool = False
    """True if whole matches are the default comparison; otherwise the first set of tasks is."""


@dataclass(frozen=True)
class Editing(Generic[G]):
    """Changes of a position by hand, where moves are tried. No match has them."""

    choices: Callable[[G, Chosen], Sequence[Slot]]
    """(game, what is chosen of a change so far) -> its next slots; none where nothing can be changed."""
    apply: Callable[[G, Chosen], list[GameEvent]]
    """(game, a whole change) -> the events with the new position, after which no seat has decided in this turn."""


@dataclass(frozen=True)
class Rules(Generic[G]):
    """The rules of a game and the matches that they allow."""

    title: str
    seats: Sequence[SeatId] | Callable[[Any], Sequence[SeatId]]
    """The seats in a fixed order, or a function from the options to them, if a table can have six or nine."""
    options: type[Any]
    """A frozen dataclass: one field per match option, each with a default, and in its metadata a `help`, the `choices`
    where it is one of a few words, and `takes_object` where it is a JSON object."""
    new: Callable[[Any, int], G]
    """(options, seed) -> a fresh game."""
    load: Callable[[Json], G]
    """The inverse of `Game.to_json`."""
    events: tuple[type[GameEvent], ...]
    """Every event type that the game can emit, with `MessageSent` if it has press."""
    version: int = 1
    """The version of the rules, as recorded. Raise it when the same choices produce other events."""
    as_of: Callable[[int, str, Mapping[str, Any]], Mapping[str, Any] | None] | None = None
    """(version of the rules that made a record, event type, data) -> the part of the data that is the same under the
    rules of today; None where the type is no longer comparable. Without it, any difference in the replay of an older
    record is attributed to its rules."""
    option_words: Callable[[Any], Mapping[str, str]] = lambda options: {}
    """(options) -> the options that the game can state in a few plain words, by name, the most important first; '' for
    one that needs no words. They label option sets."""
    secret: Callable[[G], bool] | None = None
    """(game) -> whether seats answer in secret now: who thinks, how long, and who fails is then published to the seat
    and to analysts alone, since it could reveal the seat's role. None for a game without such moments. It depends on
    what everybody knows, and so do the seats that the match waits for and the scores."""
    public: Callable[[G], G | None] = lambda game: None
    """(game at the start of a turn) -> a copy with nothing but what everybody knows, in which viewers may try moves
    while the match goes on; None if somebody knows more of the position, or if draws to come are fixed in it."""
    editing: Editing[G] | None = None
    """None if positions are changed by moves alone."""
    match_title: Callable[[Any], str] | None = None
    """(options) -> the title of a match, where it depends on them; None for `title`."""
    standing: Callable[[G, SeatId], Action | None] = lambda game, seat: None
    """(game, seat) -> its answer, if an earlier one of its own has settled it, such as a plan for an over. The seat is
    not asked then."""
    prepare: Callable[[G], Callable[[], None] | None] = lambda game: None
    """(game) -> a function to call before the game's next move, which builds data that are slow to build, such as
    tables that all matches share; None if nothing is missing. This function itself is cheap. The call changes no game
    and may be made in another thread; a game that was not prepared builds the same by itself."""


@dataclass(frozen=True)
class Bots(Generic[G]):
    """The built-in players of a game."""

    players: Mapping[str, Bot[G]]
    """By name: the quick ones, strongest first, then the slow ones."""
    showcase: Callable[[Random], Sequence[str]]
    """Names, one per seat, for a match worth watching."""
    slow: frozenset[str] = frozenset()
    """Those of `players` that compute longer than an event loop may wait. They play in a process of their own, for
    which the game and their actions must be picklable, and are nobody's fallback."""
    pace: float = 2.5
    """Seconds between the turns of a showcase match."""
    showcase_options: Mapping[str, Any] = field(default_factory=dict)
    """The options of a showcase match that differ from the defaults."""

    @property
    def default(self) -> str:
        """The name of the strongest built-in player that answers at once."""
        return next(iter(self.players))


@dataclass(frozen=True)
class Talk(Generic[G]):
    """The prompts of players, and the messages between them."""

    reply: ReplyForm[G] | None = None
    """The form in which a language model is asked for an action; None for the general one."""
    prompts: PromptForm = field(default_factory=PromptForm)
    """The version of the prompts in all forms, and the history that they can be set to have."""
    press: Press[G] | None = None
    """None for a game without negotiation."""
    notes: Aside[G] | None = None
    """The player's notes for itself, which an answer writes and the next prompt contains; None if the game has none."""
    intentions: Aside[G] | None = None
    """The promises that a player notes as not meant, if the game has promises."""


RESTS = {"TurnStarted": 1.0, "NegotiationHeld": 0.5}
"""Type of event -> the time that viewers need for it in a game that states none, as a multiple of the match's pace."""


@dataclass(frozen=True)
class Storytelling:
    """The story of a match, and the time that viewers need for its events."""

    teller: Callable[[str], Story] | None = None
    """(episode id, which seeds the choice of words) -> the teller of a match from its start; None for the general one
    (`GeneralStory`)."""
    rest: Callable[[str, Mapping[str, Any]], float] = lambda kind, data: RESTS.get(kind, 0.0)
    """(type of an event, its data) -> the time that viewers need for it before what follows is told, as a multiple of
    the match's pace."""
    questions: Callable[[], Asker] = general_asker
    """Returns what asks viewers of a match, from its start, what it decides next; by default who wins."""
    deeds: Mapping[str, str] = field(default_factory=dict)
    """Kind of fact -> what its first seat did to its second, as a participle (`stabbed`): counted between two players
    over all their matches."""


@dataclass(frozen=True)
class Learning(Generic[G]):
    """The ways in which players are compared and trained."""

    training: Callable[[], Training[G]] | None = None
    """Returns the parts for a trainer; None to derive them from choices and observations
    (`general_training`)."""
    tasks: Mapping[str, Callable[[], Sequence[Task]]] = field(default_factory=dict)
    """Named sets of matches for comparing players."""
    comparison: Comparison | None = None
    """None if the score is the only measure."""


@dataclass(frozen=True)
class Exchange:
    """The formats and protocols of other programs."""

    exports: Mapping[str, Callable[[EventData, Mapping[str, Any]], Json]] = field(default_factory=dict)
    """Format name -> function of (the episode's game events as (type, data) in order, header) -> a JSON document."""
    imports: Mapping[str, DocumentForm] = field(default_factory=dict)
    """Format name -> the form of documents that can be read as an episode; `exports` writes it under the same name."""
    observe: Callable[[str], ObserverRequest] | None = None
    """(a text frame of a foreign program that watches matches) -> its request. Raises ValueError for a frame that is
    not of its protocol. At most one game has this."""


@dataclass(frozen=True)
class GameSpec(Generic[G]):
    """A game for the rest of the program, in parts; the choices of a player are stated
    by the game itself (`Game.choices`). `G` is the type of its rules."""

    name: str
    rules: Rules[G]
    bots: Bots[G]
    talk: Talk[G] = field(default_factory=Talk)
    story: Storytelling = field(default_factory=Storytelling)
    picture: Pictures[G] = field(default_factory=Pictures)
    learning: Learning[G] = field(default_factory=Learning)
    exchange: Exchange = field(default_factory=Exchange)

    @cached_property
    def training(self) -> Training[G]:
        """The parts for a trainer, built on first use."""
        own = self.learning.training
        return own() if own else general_training(self.name, lambda seed: self.rules.new(game_options(self, {}), seed))

    @cached_property
    def seats_by(self) -> dict[str, dict[str, list[SeatId]]]:
        """The seats for each value of an option with choices, if they depend on it."""
        by: dict[str, dict[str, list[SeatId]]] = {}
        for option in dataclasses.fields(self.rules.options):
            seats = {str(value): list(self.seats({option.name: value})) for value in option.metadata.get("choices", ())}
            if any(each != list(self.seats()) for each in seats.values()):
                by[option.name] = seats
        return by

    @property
    def events(self) -> tuple[type[GameEvent], ...]:
        """Every event type of its matches: those of the rules, and of its pictures."""
        return self.rules.events if self.picture.draw is None else (*self.rules.events, PictureShown, PictureSeen)

    @property
    def secrets(self) -> bool:
        """Whether its matches can have private facts, whose number must reveal nothing."""
        return self.talk.press is not None or self.rules.secret is not None

    @property
    def reward_events(self) -> frozenset[str]:
        """The types of the events that rewards are computed from."""
        return frozenset(kind.__name__ for kind in self.events) | SCORED

    def teller(self, episode_id: str) -> Story:
        """Return the teller of a match from its start; the episode's id seeds the choice of words."""
        own = self.story.teller
        return own(episode_id) if own else GeneralStory(episode_id, [kind.__name__ for kind in self.events])

    def seats(self, options: Mapping[str, Any] | None = None) -> tuple[SeatId, ...]:
        """Return the seats of a match with these options. Raises OptionError naming an unknown or unusable one."""
        seats = self.rules.seats
        return tuple(seats(game_options(self, options or {})) if callable(seats) else seats)


def match_title(spec: GameSpec[G], options: Mapping[str, Any]) -> str:
    """Return the default title of a match with these options."""
    own = spec.rules.match_title
    return own(game_options(spec, options)) if own else spec.rules.title


def game_options(spec: GameSpec[G], options: Mapping[str, Any]) -> Any:
    """Return the game's options: `options` over the defaults. Raises OptionError naming an unknown or unusable one."""
    fields = {field.name: field for field in dataclasses.fields(spec.rules.options)}
    for name, value in options.items():
        if name not in fields:
            raise OptionError(f"options.{name}: {spec.name} has no such option; there are {', '.join(fields)}")
        allowed = (dict,) if fields[name].metadata.get("takes_object") else ()
        if isinstance(value, (list, dict)) and not isinstance(value, allowed):
            raise OptionError(f"options.{name}: must be one value, not a list or an object")
    try:
        return spec.rules.options(**options)
    except OptionError as error:
        raise OptionError(f"options.{error}") from error
