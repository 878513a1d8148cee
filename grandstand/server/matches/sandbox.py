"""The positions of sandboxes, in a process of their own. Nothing of them is recorded, and no match takes a slot."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from grandstand.games.base import IllegalAction, OptionError
from grandstand.games.match import Match
from grandstand.models import Draft, Event
from grandstand.play.sandbox import SandboxStart, SecretPosition, edited, sandbox_start, tried
from grandstand.play.verification import ReplayMismatch
from grandstand.players.workers import LimitExceeded, WorkerDied, WorkerProcess, WorkLimits, timed
from grandstand.server.bodies.sandbox import AskSandbox, OpenSandbox, SandboxMove, SandboxPosition
from grandstand.server.bodies.seats import SeatChoices, SeatView
from grandstand.server.matches.choices import edit_choices, seat_choices
from grandstand.server.purse import Purse
from grandstand.server.turns import Turns, WorkKind
from grandstand.spectator.record_file import read_events
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.viewpoint import SPECTATOR, Viewpoint

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")
Asked = TypeVar("Asked", bound=OpenSandbox)

MEMORY: Final = 1024**3
"""Bytes of the process that computes positions."""
SECONDS: Final = 20
"""CPU seconds of one position: a game with unusual options may build tables for 7 s."""
SANDBOXES: Final = WorkKind("sandboxes", cost=1 / 50, most=24)
POSITIONS_KEPT: Final = 32


class Sandboxes:
    """The process that computes positions, one at a time, with visitors in turn."""

    def __init__(self, purse: Purse) -> None:
        self._process = WorkerProcess(WorkLimits(MEMORY, SECONDS))
        self._turns = Turns(purse)

    async def computed(
        self,
        visitor: str,
        compute: Callable[[SandboxSource, Asked], Answer | RefusedMove],
        source: SandboxSource,
        asked: Asked,
    ) -> Answer:
        """Return what `compute` does. Raise IllegalAction, OptionError, CannotAfford or Busy."""
        async with self._turns.enter(visitor, SANDBOXES) as turn:
            answer: Answer | RefusedMove
            try:
                answer, seconds = await self._process.computed(timed, compute, source, asked)
                turn.used(seconds)
            except LimitExceeded as error:
                turn.used(SECONDS)
                raise OptionError(f"moves: to play them takes more than {error}") from error
            except WorkerDied as error:
                log.warning("sandbox of %s: %s", source.episode_id, error)
                raise OptionError("moves: the process that plays them died; the server's log may say why") from error
        if isinstance(answer, RefusedMove):
            raise IllegalAction(answer.field, answer.reason)
        return answer

    def stop(self) -> None:
        """End the process."""
        self._process.stop()


class SandboxSource(NamedTuple):
    """The match of a sandbox, as its viewer may know it."""

    store: Path | str
    """The file or URL of the record, or the file of a reference episode."""
    episode_id: str
    epoch: int
    released: int
    """The number of events that are released to the viewer."""
    ended: bool
    """Whether the viewer may know the whole match, which is over."""

    @property
    def view(self) -> Viewpoint:
        return Viewpoint("analyst") if self.ended else SPECTATOR


class RefusedMove(NamedTuple):
    """A move that the rules refuse. An exception with two arguments would not come out of a process."""

    field: str
    reason: str


class _Position(NamedTuple):
    """The position after some moves, and the number of its last event. It is shared: play in a fork of the match."""

    match: Match
    seq: int
    start: SandboxStart


_kept: OrderedDict[tuple[object, ...], _Position] = OrderedDict()
"""The last positions of this process."""


def sandbox_position(source: SandboxSource, asked: OpenSandbox) -> SandboxPosition | RefusedMove:
    """Return the position after the moves. Raise OptionError."""
    line = _Moves(source, asked)
    known = min(asked.known, len(asked.moves))
    try:
        line.after(known)
        events = [line.move(number) for number in range(known, len(asked.moves))]
        match, _, start = line.after(len(asked.moves))
    except _IllegalMove as refused:
        return refused.move
    waiting = list(match.asked or match.waiting)
    return SandboxPosition(
        seq=start.event.seq,
        viewpoint="analyst" if source.ended else "spectator",
        events=events,
        waiting=waiting,
        view=_view(source.episode_id, match, asked.seat if asked.seat in waiting else next(iter(waiting), None)),
        editable=match.spec.rules.editing is not None,
        decided=[] if asked.moves else [SandboxMove(seat=seat, action=dict(action)) for seat, action in start.decided],
    )


def sandbox_choices(source: SandboxSource, asked: AskSandbox) -> SeatChoices | RefusedMove:
    """Return the choices of a seat after the moves. Raise OptionError."""
    try:
        match = _Moves(source, asked).after(len(asked.moves)).match
        if asked.seat is None:
            return edit_choices(match, asked.asked)
        if asked.seat not in match.seats:
            raise OptionError(f"seat: no seat {asked.seat!r}; there are {', '.join(match.seats)}")
        return seat_choices(match, asked.seat, asked.asked)
    except _IllegalMove as refused:
        return refused.move
    except IllegalAction as error:
        return RefusedMove(error.field, error.reason)


class _IllegalMove(Exception):
    """The rules refuse a move."""

    def __init__(self, move: RefusedMove) -> None:
        super().__init__(move.reason)
        self.move = move


class _Moves:
    """The moves of a sandbox, one after another."""

    def __init__(self, source: SandboxSource, asked: OpenSandbox) -> None:
        self._source, self._asked = source, asked
        begin = (source.store, source.episode_id, source.epoch, source.ended, asked.seq, asked.draw)
        self._keys = [
            (*begin, *(move.model_dump_json() for move in asked.moves[:count])) for count in range(len(asked.moves) + 1)
        ]

    def after(self, count: int) -> _Position:
        """Return the position after the first `count` moves. Raise OptionError or _IllegalMove."""
        known = next((number for number in range(count, -1, -1) if self._keys[number] in _kept), -1)
        if known < 0:
            start = self._start()
            self._keep(known := 0, _Position(start.match, start.event.seq, start))
        position = _kept[self._keys[known]]
        _kept.move_to_end(self._keys[known])
        for number in range(known, count):
            self.move(number)
            position = _kept[self._keys[number + 1]]
        return position

    def move(self, number: int) -> list[Event]:
        """Play the move with this number, and return its events. Raise OptionError or _IllegalMove."""
        before, move = self.after(number), self._asked.moves[number]
        match = before.match.fork()
        try:
            drafts = _moved(match, move)
        except IllegalAction as error:
            raise _IllegalMove(RefusedMove(f"moves[{number}].{error.field}", error.reason)) from error
        self._keep(number + 1, _Position(match, before.seq + len(drafts), before.start))
        last = before.start.event
        return [
            last.model_copy(update={"seq": before.seq + at, **draft._asdict()}) for at, draft in enumerate(drafts, 1)
        ]

    def _keep(self, count: int, position: _Position) -> None:
        _kept[self._keys[count]] = position
        while len(_kept) > POSITIONS_KEPT:
            _kept.popitem(last=False)

    def _start(self) -> SandboxStart:
        source, asked = self._source, self._asked
        events = _recorded(source)
        try:
            return sandbox_start(events, asked.seq, source.view, whole=source.ended, draw=asked.draw)
        except ReplayMismatch as error:
            raise OptionError(f"seq: {error}") from error
        except SecretPosition as error:
            name = source.episode_id
            raise OptionError(f"seq: the players of {name} know more than you may know of it now") from error


def _recorded(source: SandboxSource) -> list[Event]:
    """Return the events that are released."""
    if isinstance(source.store, str):
        from grandstand.spectator.store.rows import load_events

        return load_events(source.store, source.episode_id, ())[: source.released]
    if source.store.suffix == ".gz":
        return read_events(source.store)[: source.released]
    with closing(Recorder.reading(source.store)) as recorder:
        return list(recorder.events(source.episode_id, 0, source.released))


def _moved(match: Match, move: SandboxMove) -> list[Draft]:
    """Play a move, and return its events. Raise IllegalAction."""
    if move.seat is None:
        return edited(match, move.action or {})
    if move.seat not in match.waiting:
        raise IllegalAction("seat", f"does not decide now; there are {', '.join(match.waiting) or 'none'}")
    return tried(match, move.seat, match.game.default_action(move.seat) if move.action is None else move.action)


def _view(episode_id: str, match: Match, seat: str | None) -> SeatView | None:
    """Return what a seat may know and do; it has all the time."""
    if seat is None:
        return None
    return SeatView(
        episode_id=episode_id,
        seat=seat,
        index=match.index,
        number=match.number(seat),
        turn=match.game.turn,
        asked="choose",
        deadline=None,
        observation=match.game.observation(seat),
        legal=None,
        text=match.game.text(seat),
    )
