"""A seat that is played from outside: a person at the page, or a program over the API with the seat's token."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from typing import Literal

from grandstand.games.base import Action, IllegalAction, SeatId
from grandstand.games.match import Match
from grandstand.games.spec import Bot
from grandstand.models import Report, Source, Usage
from grandstand.players.base import Choice, Player, PlayerError, Talk
from grandstand.players.options import ExternalOptions
from grandstand.players.seating import SeatRequest

MAX_ACTION = 64 * 1024
"""Bytes of one decision as JSON."""


class NotAsked(Exception):
    """The seat is not waited for, or not for this: the turn has gone on, or the clock ran out."""


class ExternalPlayer(Player):
    """Waits for somebody's action, with a clock for each turn. What breaks the rules is refused at once, and waited on.

    It may be asked and answered in one event loop only.
    """

    resumable = True
    talks = True

    def __init__(
        self,
        name: str,
        kind: Literal["human", "remote"],
        *,
        turn_seconds: float | None,
        press_seconds: float | None,
        fallback: Bot | None,
    ) -> None:
        self.name = name
        self.kind = kind
        self.fallback = fallback
        self._source: Source = kind
        self.turn_seconds = turn_seconds
        self.press_seconds = press_seconds
        self.asks = 0
        """Times that it was asked so far: what was asked before can be told from what is asked now."""
        self.awaited = asyncio.Event()
        """Set while an answer is waited for."""
        self._present = True
        self._match: Match | None = None
        self._seat: SeatId = ""
        self._then: list[Action] = []
        self._turn = ""
        self._action: asyncio.Future[Action] | None = None
        self._talk: asyncio.Future[Sequence[Action]] | None = None
        self.deadline: float | None = None
        """When the clock of what is asked now runs out, as Unix time; None where there is no clock."""

    @property
    def asked(self) -> Literal["choose", "negotiate"] | None:
        """What is waited for now."""
        if self._action is not None:
            return "choose"
        return "negotiate" if self._talk is not None else None

    def submit(self, action: Action, *then: Action) -> None:
        """Answer with `action`, and with those after it while the turn lasts.

        Raises NotAsked, or IllegalAction and then waits on.
        """
        if self._action is None or self._action.done():
            raise NotAsked("the match does not wait for an action of this seat")
        _check_size("action", [action, *then])
        self._try([action, *then])
        self._then = list(then)
        self.awaited.clear()
        self._action.set_result(action)

    def say(self, messages: Sequence[Action]) -> None:
        """Answer a round of press with these message actions, none for silence. Raises NotAsked or IllegalAction."""
        if self._talk is None or self._talk.done():
            raise NotAsked("no round of press waits for this seat")
        _check_size("messages", messages)
        self._try(messages)
        self.awaited.clear()
        self._talk.set_result(messages)

    def leave(self) -> None:
        """Nobody plays the seat any more: what is asked fails at once and the fallback acts, until somebody comes."""
        self._present = False
        if self._action is not None and not self._action.done():
            self._action.set_exception(_absent())
        if self._talk is not None and not self._talk.done():
            self._talk.set_result(())

    def come(self) -> None:
        """Somebody plays the seat again."""
        self._present = True

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        began = time.monotonic()
        self._match, self._seat = match, seat
        if self._then and match.game.turn == self._turn:
            return Choice(self._then.pop(0), self._source)
        if not self._present:
            raise _absent()
        self._turn, self._then = match.game.turn, []
        self._action = asyncio.get_running_loop().create_future()
        self._asked()
        try:
            async with asyncio.timeout(self._start_clock(self.turn_seconds)):
                action = await self._action
        except TimeoutError:
            raise PlayerError("timeout", f"no action within {self.turn_seconds:g} s", _report(began)) from None
        finally:
            self._action = self.deadline = None
            self.awaited.clear()
        return Choice(action, self._source, _report(began))

    async def negotiate(self, match: Match, seat: SeatId, round: int, rounds: int) -> Talk:
        began = time.monotonic()
        self._match, self._seat = match, seat
        if not self._present:
            return Talk((), self._source)
        self._talk = asyncio.get_running_loop().create_future()
        self._asked()
        messages: Sequence[Action] = ()
        try:
            async with asyncio.timeout(self._start_clock(self.press_seconds)):
                messages = await self._talk
        except TimeoutError:
            pass  # silence is an answer
        finally:
            self._talk = self.deadline = None
            self.awaited.clear()
        return Talk(messages, self._source, _report(began))

    def _asked(self) -> None:
        self.asks += 1
        self.awaited.set()

    def _start_clock(self, seconds: float | None) -> float | None:
        self.deadline = None if seconds is None else time.time() + seconds
        return seconds

    def _try(self, actions: Sequence[Action]) -> None:
        assert self._match is not None
        trial = self._match.fork()
        for action in actions:
            trial.apply(self._seat, action)


def _check_size(field: str, actions: Sequence[Action]) -> None:
    """Raise IllegalAction for more than the record should keep of one decision."""
    size = len(json.dumps(actions))
    if size > MAX_ACTION:
        raise IllegalAction(field, f"has {size} bytes as JSON; {MAX_ACTION} are all it may have")


def _absent() -> PlayerError:
    return PlayerError("player", "nobody plays this seat at the moment")


def _report(began: float) -> Report:
    return Report(usage=Usage(seconds=round(time.monotonic() - began, 3)))


def seat(request: SeatRequest) -> Player:
    options: ExternalOptions = request.options
    return ExternalPlayer(
        request.name,
        "human" if request.kind == "human" else "remote",
        turn_seconds=options.turn_seconds or None,
        press_seconds=options.press_seconds,
        fallback=request.fallback,
    )
