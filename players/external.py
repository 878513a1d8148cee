"""Seats played from outside the process: by a person at the page, or by a program over the API with a seat token."""

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
from grandstand.players.base import Choice, Player, PlayerError, PressReply
from grandstand.players.options import ExternalOptions
from grandstand.players.seating import SeatRequest

MAX_ACTION = 64 * 1024
"""Maximum size of one decision as JSON, in bytes."""


class NotAsked(Exception):
    """The match does not wait for this decision of the seat: the turn has moved on, or the clock ran out."""


class ExternalPlayer(Player):
    """A seat played from outside, with a clock for each turn.

    An illegal action is refused immediately, and the player continues to wait. All calls must be made in one event
    loop.
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
        """Number of requests so far; it distinguishes the current request from earlier ones."""
        self.awaited = asyncio.Event()
        """Set while the match waits for an answer."""
        self._present = True
        self._match: Match | None = None
        self._seat: SeatId = ""
        self._then: list[Action] = []
        self._turn = ""
        self._action: asyncio.Future[Action] | None = None
        self._messages: asyncio.Future[Sequence[Action]] | None = None
        self.deadline: float | None = None
        """Unix time at which the clock of the current request runs out; None if there is no clock."""

    @property
    def asked(self) -> Literal["choose", "negotiate"] | None:
        """Return the kind of decision that the match waits for, if any."""
        if self._action is not None:
            return "choose"
        return "negotiate" if self._messages is not None else None

    def submit(self, action: Action, *then: Action) -> None:
        """Answer with `action`, and with the actions after it while the turn lasts.

        Raises NotAsked, or IllegalAction, after which the player continues to wait.
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
        if self._messages is None or self._messages.done():
            raise NotAsked("no round of press waits for this seat")
        _check_size("messages", messages)
        self._try(messages)
        self.awaited.clear()
        self._messages.set_result(messages)

    def detach(self) -> None:
        """Mark the seat as not played: every request fails immediately, and the fallback acts, until `attach`."""
        self._present = False
        if self._action is not None and not self._action.done():
            self._action.set_exception(_absent())
        if self._messages is not None and not self._messages.done():
            self._messages.set_result(())

    def attach(self) -> None:
        """Mark the seat as played again."""
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
        self._announce()
        try:
            async with asyncio.timeout(self._start_clock(self.turn_seconds)):
                action = await self._action
        except TimeoutError:
            raise PlayerError("timeout", f"no action within {self.turn_seconds:g} s", _report(began)) from None
        finally:
            self._action = self.deadline = None
            self.awaited.clear()
        return Choice(action, self._source, _report(began))

    async def negotiate(self, match: Match, seat: SeatId, round: int, rounds: int) -> PressReply:
        began = time.monotonic()
        self._match, self._seat = match, seat
        if not self._present:
            return PressReply((), self._source)
        self._messages = asyncio.get_running_loop().create_future()
        self._announce()
        messages: Sequence[Action] = ()
        try:
            async with asyncio.timeout(self._start_clock(self.press_seconds)):
                messages = await self._messages
        except TimeoutError:
            pass  # silence is an answer
        finally:
            self._messages = self.deadline = None
            self.awaited.clear()
        return PressReply(messages, self._source, _report(began))

    def _announce(self) -> None:
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
    """Raise IllegalAction if the actions of one decision are too large to be recorded."""
    size = len(json.dumps(actions))
    if size > MAX_ACTION:
        raise IllegalAction(field, f"has {size} bytes as JSON; the maximum is {MAX_ACTION}")


def _absent() -> PlayerError:
    return PlayerError("player", "nobody plays this seat at the moment")


def _report(began: float) -> Report:
    return Report(usage=Usage(seconds=round(time.monotonic() - began, 3)))


def create_player(request: SeatRequest) -> Player:
    """Return a player that waits for decisions from outside."""
    options: ExternalOptions = request.options
    return ExternalPlayer(
        request.name,
        "human" if request.kind == "human" else "remote",
        turn_seconds=options.turn_seconds or None,
        press_seconds=options.press_seconds,
        fallback=request.fallback,
    )
