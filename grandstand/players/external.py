"""Seats played from outside the process: by a person at the page, or by a program over the API with a seat token."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from typing import Literal

from grandstand.events import ActionRequested, PlayerReport, Source, Usage
from grandstand.games.base import Action, IllegalAction, SeatId
from grandstand.games.match import Match, check_action
from grandstand.games.spec import Bot
from grandstand.models import SeatDraft
from grandstand.players.base import AcceptedDecision, Choice, Player, PressReply
from grandstand.players.clock import TurnClock
from grandstand.players.errors import PlayerError
from grandstand.players.options import ExternalOptions
from grandstand.players.seating import SeatRequest

MAX_ACTION = 64 * 1024
"""Maximum size of one decision as JSON, in bytes."""


class NotAsked(Exception):
    """The match does not wait for this decision of the seat: the turn has moved on, or the clock ran out."""


def _keep_nothing(draft: SeatDraft | None) -> None:
    """Discard a draft."""


class ExternalPlayer(Player):
    """A seat played from outside, with a clock for each turn.

    An illegal action is refused immediately, and the player continues to wait. A person's action that completes the
    seat's turn is *ready*: it may be changed until `release`. When the clock runs out, the person's draft is the
    decision if the rules accept it. All calls must be made in one event loop.
    """

    resumable = True
    revises = True

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
        self.draft: SeatDraft | None = None
        self.missed = 0
        """Number of turns in a row in which the clock ran out without a decision or a draft."""
        self.acted_at = 0.0
        """The time of the last decision or draft, by `time.monotonic`; 0 before the first."""
        self.answered: AcceptedDecision | None = None
        """The last accepted decision. A request that repeats it is answered, but not played again."""
        self.keep: Callable[[SeatDraft | None], None] = _keep_nothing
        """Called to store a draft before it takes effect. Its exceptions reach the caller."""
        self.on_ready = self.release
        self.talks = True
        """False while nobody plays the seat."""
        self._stopped = False
        self._match: Match | None = None
        self._seat: SeatId = ""
        self._then: list[Action] = []
        self._turn = ""
        self._action: asyncio.Future[Action] | None = None
        self._messages: asyncio.Future[Sequence[Action]] | None = None
        self._clock: TurnClock | None = None
        self._clock_index = -1
        """The turn to which the clock belongs; -1 for a round of press."""
        self._goes_on = False
        """True if the seat keeps the move after its answer: the clock then runs on."""
        self._announced: ActionRequested | None = None

    @property
    def asked(self) -> Literal["choose", "negotiate"] | None:
        """Return the kind of decision that the match waits for, if any."""
        if self._action is not None and not self._action.done():
            return "choose"
        return "negotiate" if self._messages is not None and not self._messages.done() else None

    @property
    def ready(self) -> bool:
        """Return whether a submitted decision may still be changed."""
        draft = self._saved()
        return self.asked == "choose" and draft is not None and draft.ready

    @property
    def deadline(self) -> float | None:
        """Return the Unix time at which the request's clock runs out; None if it is stopped or there is none."""
        return self._clock.deadline if self._clock and self.asked else None

    @property
    def left(self) -> float | None:
        """Return the seconds left for the current request; None if there is no clock."""
        return self._clock.left if self._clock and self.asked else None

    def submit(self, action: Action, *then: Action) -> None:
        """Answer with `action`, and with the actions after it while the turn lasts.

        Raises NotAsked, or IllegalAction, after which the player continues to wait.
        """
        future = self._open_request()
        _check("action", [action, *then])
        complete = self._try([action, *then])
        self._acted()
        if self.kind == "human" and complete and not then:
            self._save(action, ready=True)
            self.on_ready()
            return
        self._then = list(then)
        self._goes_on = not complete
        self.awaited.clear()
        if self.draft is not None and self.draft.action == action:
            self.forget()  # The action counts, and the turn goes on with another decision.
        self._answer(future, action, *then)

    def save(self, index: int, action: Action | None) -> None:
        """Save the person's draft for turn `index`; None deletes it. The decision is then no longer ready.

        The rules need not accept it yet. Raises NotAsked, IllegalAction if it cannot be stored.
        """
        self._open_request()
        if self._match is None or self._match.index != index:
            raise NotAsked(f"index: the turn {index} has passed")
        self._acted()
        if action is None:
            self.forget()
            self.awaited.set()
            self._announce()
        else:
            _check("action", [action])
            self._save(action, ready=False)

    def _acted(self) -> None:
        self.missed = 0
        self.acted_at = time.monotonic()

    def forget(self) -> None:
        """Drop the draft, and with it a decision that is ready."""
        if self.draft is not None:
            self.keep(None)
            self.draft = None

    def release(self) -> None:
        """Make the decision that is ready the answer."""
        draft = self._saved()
        if self._action is not None and self.ready and draft is not None:
            self._answer(self._action, draft.action)

    def repeats(self, number: int, actions: Sequence[Action] | None) -> bool:
        """Return whether decision `number` was accepted already, with these `actions` unless they are None."""
        draft = self._saved()
        if draft is not None and self.ready:
            taken: AcceptedDecision | None = AcceptedDecision(self._number, [draft.action])
        else:
            taken = self.answered
        return taken is not None and taken.number == number and actions in (None, taken.actions)

    def say(self, messages: Sequence[Action]) -> None:
        """Answer a round of press with these message actions, none for silence. Raises NotAsked or IllegalAction."""
        if self._messages is None or self._messages.done():
            raise NotAsked("no round of press waits for this seat")
        _check("messages", messages)
        self._try(messages)
        self._acted()
        self.awaited.clear()
        self.answered = AcceptedDecision(self._number, list(messages))
        self._messages.set_result(messages)

    def stop_clock(self) -> None:
        """Stop the clocks of this and later requests until `start_clock`."""
        self._stopped = True
        if self._clock:
            self._clock.stop()
        self._announce()

    def start_clock(self) -> None:
        """Start the clock again."""
        self._stopped = False
        if self._clock and self.asked:
            self._clock.start()
        self._announce()

    def detach(self) -> None:
        """Mark the seat as not played: every request fails immediately, and the fallback acts, until `attach`."""
        self.talks = False
        if self._action is not None and not self._action.done():
            self._action.set_exception(_absent())
        if self._messages is not None and not self._messages.done():
            self._messages.set_result(())

    def attach(self) -> None:
        """Mark the seat as played again."""
        self.talks = True

    def wake(self) -> None:
        """End the waits for the seat's turn, because another player has taken the seat."""
        self.awaited.set()
        self.awaited.clear()

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        began = time.monotonic()
        self._match, self._seat = match, seat
        if self._then and match.game.turn == self._turn:
            return Choice(self._then.pop(0), self._source)
        if not self.talks:
            raise _absent()
        self._turn, self._then = match.game.turn, []
        self._action = asyncio.get_running_loop().create_future()
        self._goes_on = False
        if self._clock is None or self._clock_index != match.index:
            if self._clock:
                self._clock.stop()
            self._clock = TurnClock(self.turn_seconds, self._run_out)
            self._clock_index = match.index
        self._begin()
        try:
            action = await self._action
        except PlayerError as error:
            raise PlayerError(error.boundary, error.message, _report(began)) from None
        finally:
            self._end()
            self._action = None
        return Choice(action, self._source, _report(began))

    async def negotiate(self, match: Match, seat: SeatId, round: int, rounds: int) -> PressReply:
        began = time.monotonic()
        self._match, self._seat = match, seat
        if not self.talks:
            return PressReply((), self._source)
        self._messages = asyncio.get_running_loop().create_future()
        self._goes_on = False
        self._clock, self._clock_index = TurnClock(self.press_seconds, self._run_out), -1
        self._begin()
        try:
            messages = await self._messages
        finally:
            self._end()
            self._messages = self._clock = None
        return PressReply(messages, self._source, _report(began))

    def _begin(self) -> None:
        """Begin to wait: start the clock, tell viewers, and restore a decision that was ready before a restart."""
        assert self._match is not None
        self.asks += 1
        self.awaited.set()
        if not self._stopped and self._clock:
            self._clock.start()
        if self.ready and not self._saved_is_complete():
            self.draft = None
        self._announce()
        if self.ready:
            self.awaited.clear()
            self.on_ready()

    def _end(self) -> None:
        self.awaited.clear()
        if self._clock and not self._goes_on:
            self._clock.stop()

    def _run_out(self) -> None:
        """Accept the person's saved draft if the rules allow it; otherwise fail the request."""
        if self._messages is not None and not self._messages.done():
            self._messages.set_result(())  # silence is an answer
        elif self._action is not None and not self._action.done():
            draft = self._saved()
            if draft is not None and self._saved_is_complete():
                self._answer(self._action, draft.action)
            else:
                self.missed += 1
                self._action.set_exception(PlayerError("timeout", f"no action within {self.turn_seconds:g} s"))

    def _announce(self) -> None:
        """Tell viewers that the match waits for this person, unless nothing has changed since the last time."""
        if self.kind != "human" or self.asked is None or self._match is None:
            return
        kind, remaining = self.asked, None if self.deadline else self.left
        index, deadline = self._match.index, self.deadline
        request = ActionRequested(
            seat=self._seat,
            index=index,
            kind=kind,
            deadline=None if deadline is None else round(deadline, 3),
            left=None if remaining is None else round(remaining, 3),
            ready=self.ready,
        )
        if request != self._announced:
            self._announced = request
            self.announce(request)

    @property
    def _number(self) -> int:
        assert self._match is not None
        return self._match.number(self._seat)

    def _answer(self, future: asyncio.Future[Action], *actions: Action) -> None:
        """Answer the request for an action with the first of `actions`; the others follow while the turn lasts."""
        self.answered = AcceptedDecision(self._number, list(actions))
        future.set_result(actions[0])

    def _open_request(self) -> asyncio.Future[Action]:
        """Return the request for an action that is not answered yet. Raise NotAsked if there is none."""
        if self._action is None or self._action.done():
            raise NotAsked("the match does not wait for an action of this seat")
        return self._action

    def _saved(self) -> SeatDraft | None:
        """Return the draft of the current turn."""
        current = self._match is not None and self.draft is not None and self.draft.index == self._match.index
        return self.draft if current else None

    def _saved_is_complete(self) -> bool:
        draft = self._saved()
        try:
            return draft is not None and self._try([draft.action])
        except IllegalAction:
            return False

    def _save(self, action: Action, *, ready: bool) -> None:
        assert self._match is not None
        draft = SeatDraft(self._match.index, action, ready)
        self.keep(draft)
        self.draft = draft
        if ready:
            self.awaited.clear()
        else:
            self.awaited.set()
        self._announce()

    def _try(self, actions: Sequence[Action]) -> bool:
        """Return whether the match no longer waits for the seat after `actions`. Raise IllegalAction."""
        assert self._match is not None
        trial = self._match.fork()
        for action in actions:
            trial.apply(self._seat, action)
        return trial.over or trial.index != self._match.index or self._seat not in trial.waiting


def _check(field: str, actions: Sequence[Action]) -> None:
    """Raise IllegalAction if the actions of one decision, or of a draft, cannot be recorded."""
    for action in actions:
        check_action(action)
    size = len(json.dumps(actions))
    if size > MAX_ACTION:
        raise IllegalAction(field, f"has {size} bytes as JSON; the maximum is {MAX_ACTION}")


def _absent() -> PlayerError:
    return PlayerError("player", "nobody plays this seat at the moment")


def _report(began: float) -> PlayerReport:
    return PlayerReport(usage=Usage(seconds=round(time.monotonic() - began, 3)))


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
