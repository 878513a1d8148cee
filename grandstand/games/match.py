"""A Match: one game being played, from its options and seed. Pure, seeded, replayable."""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Mapping
from random import Random
from typing import Any, Final, Generic

from grandstand.games.answers import read
from grandstand.games.base import Action, GameEvent, IllegalAction, Json, SeatId, Shared
from grandstand.games.game import G
from grandstand.games.picture import PictureShown, seen
from grandstand.games.spec import GameSpec, game_options

DEEPEST = 32
"""The deepest nesting of objects and lists."""

MOST_VALUES = 10_000
"""Values in an action."""

LONGEST_NAME = 60
"""Characters of a field's name that are repeated in an error."""


class Match(Generic[G]):
    """One game in progress. `apply` is the only way to move it; the same seed and actions give the same events."""

    def __init__(self, spec: GameSpec[G], options: Mapping[str, Any], seed: int) -> None:
        """Create a match that has not begun. Raises OptionError naming the invalid option."""
        self.spec = spec
        self.seed = seed
        self.game: G = spec.rules.new(game_options(spec, options), seed)
        self.seats = spec.seats(options)
        self.index = 0
        """The index of the current turn, from 0. A turn is a moment at which the match waits for new choices."""
        self.rounds = 0
        """Rounds of press held so far, in all turns."""
        self._waiting: tuple[SeatId, ...] = tuple(self.game.to_act())
        self._turn = self.game.turn
        self._decisions: dict[SeatId, int] = dict.fromkeys(self.seats, 0)
        self._pictures: list[GameEvent] = []
        """The last public picture, and the last view of each seat."""

    @property
    def waiting(self) -> tuple[SeatId, ...]:
        """The seats whose choice the match waits for."""
        return self._waiting

    @property
    def asked(self) -> tuple[SeatId, ...]:
        """The seats of `waiting` that have to choose, because no earlier choice of theirs stands for this one."""
        return tuple(seat for seat in self._waiting if self.standing(seat) is None)

    def standing(self, seat: SeatId) -> Action | None:
        """Return the answer of `seat` that an earlier choice of its own has settled; None if it has to choose."""
        return self.spec.rules.standing(self.game, seat)

    @property
    def over(self) -> bool:
        return self.game.outcome is not None

    def opening(self) -> list[GameEvent]:
        """Return the events before the first action, which are emitted once: the first picture, then the game's."""
        events = self.game.opening()
        return [*self._new_pictures(), *events]

    def apply(self, seat: SeatId, action: Action) -> list[GameEvent]:
        """Play `action` for `seat`, and return the events, a new picture ahead of them. Raises IllegalAction; then
        nothing changed."""
        if seat not in self.seats:
            raise IllegalAction("seat", f"no seat {seat!r}; there are {', '.join(self.seats)}")
        if self.over:
            raise IllegalAction("seat", "the match is over")
        check_action(action)
        events = self.game.apply(seat, action)
        self._decisions[seat] += 1
        before, self._waiting = self._waiting, tuple(self.game.to_act())
        if self.game.turn != self._turn or not set(self._waiting) <= set(before):
            self.index += 1
            self._turn = self.game.turn
        return [*self._new_pictures(), *events]

    def edit(self, change: Json) -> list[GameEvent]:
        """Change the position by hand, and return the events. Raises IllegalAction; then nothing changed."""
        editing = self.spec.rules.editing
        if editing is None:
            raise IllegalAction("seat", f"is missing: a position of {self.spec.rules.title} is changed by moves alone")
        events = editing.apply(self.game, read(lambda chosen: editing.choices(self.game, chosen), change))
        self._waiting, self._turn = tuple(self.game.to_act()), self.game.turn
        self.index += 1
        return [*self._new_pictures(), *events]

    def _new_pictures(self) -> list[GameEvent]:
        """Return the public picture of this moment and the seats' views; nothing if all equal the last ones."""
        draw = self.spec.picture.draw
        if draw is None:
            return []
        public = draw(self.game, None)
        own = (seen(seat, public, draw(self.game, seat)) for seat in self.seats)
        pictures = [PictureShown(public), *(each for each in own if each is not None)]
        if pictures == self._pictures:
            return []
        self._pictures = pictures
        return list(pictures)

    def number(self, seat: SeatId) -> int:
        """Return the number of `seat`'s next decision or messages: it grows with each action and round of press."""
        return self._decisions[seat] + self.rounds

    def rng(self, seat: SeatId) -> Random:
        """Return the random stream of the next decision of `seat`. It is keyed, so that a resumed match continues as it
        would have without the interruption."""
        return Random(f"{self.seed}/{seat}/{self._decisions[seat]}")

    def fork(self) -> Match[G]:
        """Return an independent copy of this moment."""
        twin: Match[G] = object.__new__(Match)
        twin.spec = self.spec
        twin.seed = self.seed
        twin.game = self.game.clone()
        twin.seats = self.seats
        twin.index = self.index
        twin.rounds = self.rounds
        twin._waiting = self._waiting
        twin._turn = self._turn
        twin._decisions = dict(self._decisions)
        twin._pictures = self._pictures
        return twin

    def reseed(self, seed: int) -> None:
        """Use `seed` for all further random draws, of the game and of the players."""
        self.seed = seed
        self.game.reseed(seed)


def event_data(event: GameEvent) -> dict[str, Json]:
    """Return the event's fields as data, equal to the recorded ones. It shares with the game what never changes only.

    Like `dataclasses.asdict`, with lists for tuples and at a fraction of its cost: a state holds a thousand numbers and
    names.
    """
    return {name: _copied(getattr(event, name)) for name in _field_names(type(event))}


_ATOMS: Final = frozenset((str, int, float, bool, type(None)))


def _copied(value: Any) -> Any:
    """Return a copy of JSON-ready data that is independent, but for what is `Shared`."""
    kind = type(value)
    if kind in _ATOMS or kind is Shared:
        return value
    if kind is dict:
        return {key: item if type(item) in _ATOMS else _copied(item) for key, item in value.items()}
    if kind is list:
        return [item if type(item) in _ATOMS else _copied(item) for item in value]
    if kind is tuple:
        return list(map(_copied, value))
    if dataclasses.is_dataclass(kind):
        return {name: _copied(getattr(value, name)) for name in _field_names(kind)}
    return copy.deepcopy(value)


_FIELD_NAMES: Final[dict[type[Any], tuple[str, ...]]] = {}


def _field_names(kind: type[Any]) -> tuple[str, ...]:
    names = _FIELD_NAMES.get(kind)
    if names is None:
        names = _FIELD_NAMES[kind] = tuple(field.name for field in dataclasses.fields(kind))
    return names


def check_action(action: Any) -> None:
    """Raise IllegalAction naming the first part of `action` that cannot be recorded."""
    if not isinstance(action, Mapping):
        raise IllegalAction("action", f"must be an object, not {type(action).__name__}")
    parts: list[tuple[str, Any, int]] = [("", action, 1)]
    values = 1
    while parts:
        name, value, depth = parts.pop()
        field = name[-LONGEST_NAME:]
        if isinstance(value, (Mapping, list, tuple)):
            values += len(value)
            if values > MOST_VALUES:
                raise IllegalAction(field or "action", f"has too many values: more than {MOST_VALUES}")
        if depth > DEEPEST:
            raise IllegalAction(field, f"has more than {DEEPEST} objects or lists within each other")
        if isinstance(value, str):
            if not _valid(value):
                raise IllegalAction(field, "is not valid Unicode: it has half of a surrogate pair; leave it out")
        elif isinstance(value, float):
            if not math.isfinite(value):
                raise IllegalAction(field, "must be a finite number")
        elif isinstance(value, Mapping):
            for key in reversed(list(value)):
                if not isinstance(key, str) or not _valid(key):
                    raise IllegalAction(field or "action", f"has a key that is not valid Unicode: {key!a:.60}")
                part = key[:LONGEST_NAME]
                parts.append((f"{field}.{part}" if field else part, value[key], depth + 1))
        elif isinstance(value, (list, tuple)):
            parts += [(f"{field}[{index}]", value[index], depth + 1) for index in reversed(range(len(value)))]


def _valid(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
