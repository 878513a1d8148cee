"""One match being played: its loop, and every way to steer it. What is done to it is recorded in its own log."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import Any

from grandstand.games.base import Action, SeatId
from grandstand.models import Command, ControlChanged, Draft, EpisodeEnded, EpisodeResumed, Event, MessageHeld
from grandstand.play.preparation import prepared
from grandstand.play.runner import MatchRunner, Reviewed, draft, private_batch
from grandstand.players.base import Player
from grandstand.players.bot import BotPlayer
from grandstand.players.external import ExternalPlayer
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import StorageError

PERSON_SECONDS = 180.0
"""A person's clock in a seat that was taken over, where the match names none."""

REVIEW_SECONDS = 300.0
"""How long a held message waits for an operator; then it is not sent."""


class CommandError(ValueError):
    """A command that cannot be done: it names the field and the remedy."""


@dataclass(slots=True)
class Steering:
    """How a match is steered: what its ControlChanged events add up to."""

    pace: float
    paused: bool = False
    turns: int | None = None
    """The match stops when so many turns have been played."""
    taken: set[SeatId] = field(default_factory=set)
    """Seats that a person has taken over."""
    stopped_by: str | None = None
    """Who stopped the match, where its end is still to be recorded."""

    @classmethod
    def from_log(cls, events: Sequence[Event], pace: float) -> Steering:
        steering = cls(pace)
        for event in events:
            if event.type == "ControlChanged":
                steering.take(event.data["command"], event.data["value"])
                if event.data["command"] == "stop":
                    steering.stopped_by = event.data["by"]
        return steering

    def take(self, command: str, value: Any) -> None:
        """Follow one ControlChanged."""
        match command:
            case "pace":
                self.pace = float(value)
            case "pause" | "resume":
                self.paused = command == "pause"
            case "turns" | "extend":
                self.turns = value
            case "take_over":
                self.taken.add(value)
            case "hand_back":
                self.taken.discard(value)


@dataclass(frozen=True, slots=True)
class Held:
    """A message that waits for an operator, and the operator's answer."""

    action: Action
    answer: asyncio.Future[Reviewed]


class LiveMatch:
    """A match with its table, its pace and its operators."""

    def __init__(
        self,
        episode_id: str,
        runner: MatchRunner,
        bus: Bus,
        steering: Steering,
        *,
        clock: float | None,
        approve: bool,
        begun: bool = False,
    ) -> None:
        """`begun` says whether the log already holds EpisodeStarted; `clock` is a person's seconds for a turn."""
        self.episode_id = episode_id
        self.runner = runner
        self.steering = steering
        self.task: asyncio.Task[None] | None = None
        self._bus = bus
        self._clock = clock
        self._begun = begun
        self._steps = 0
        self._stopped_by = steering.stopped_by
        self._wake = asyncio.Event()
        self._own: dict[SeatId, Player] = {}
        self._held: dict[str, Held] = {}
        runner.publish = self._publish_passing
        if approve:
            runner.review = self._review
        for player in runner.players.values():
            if isinstance(player, ExternalPlayer) and player.kind == "human" and clock is not None:
                player.turn_seconds = player.press_seconds = clock
        for seat in steering.taken:
            self._seat_person(seat)

    async def play(self) -> None:
        """Play to the end, or until stopped. Raises what breaks; the match's end is then the caller's to record."""
        if not self._begun:
            await prepared(self.runner.match)
            await self.record(self.runner.started())
        else:
            await self.record([draft(EpisodeResumed(turn=self.runner.match.game.turn))])
        while not self.runner.match.over:
            await self._hold()
            if self._stopped_by is not None:
                await self.record([_stopped(self._stopped_by)])
                return
            if self.steering.turns is not None and self.runner.match.index >= self.steering.turns:
                await self.record([draft(EpisodeEnded(status="stopped", message=f"after {self.steering.turns} turns"))])
                return
            await self._play_turn()

    def stop_waiting(self, by: str) -> None:
        """Stop a match that waits in the queue: its end is recorded with the command."""
        self._publish([draft(ControlChanged(command="stop", by=by)), _stopped(by)])

    async def record(self, drafts: Sequence[Draft]) -> None:
        """Publish `drafts`; the match waits while the record cannot be written."""
        await self._bus.record(self.episode_id, drafts)

    @property
    def stopped(self) -> bool:
        return self._stopped_by is not None

    def person(self, seat: SeatId) -> ExternalPlayer:
        """Who answers for `seat` from outside.

        Raises CommandError where a machine plays it, StorageError while what was played last is not recorded: nobody
        may look at it then.
        """
        if fault := self._bus.waiting.get(self.episode_id):
            raise StorageError(f"the match waits until the record can be written: {fault}")
        player = self.runner.players.get(seat)
        if not isinstance(player, ExternalPlayer):
            raise CommandError(f"seat: {seat} is not played by a person; take it over first")
        return player

    def command(self, command: Command, by: str) -> None:
        """Steer. What already is so is left so, without an event. Raises CommandError, OptionError."""
        handler: Callable[[Command, str], None] | None = getattr(self, f"_do_{command.command}", None)
        if handler is None:
            raise CommandError(f"command: {command.command} is for a match that waits in the queue")
        handler(command, by)
        self._wake.set()

    # --- commands -----------------------------------------------------------------------------------------------------

    def _do_pause(self, _: Command, by: str) -> None:
        if not self.steering.paused:
            self._change("pause", None, by)

    def _do_resume(self, _: Command, by: str) -> None:
        if self.steering.paused:
            self._steps = 0
            self._change("resume", None, by)

    def _do_step(self, command: Command, by: str) -> None:
        steps = 1 if command.value is None else int(command.value)
        if not self.steering.paused:
            self._change("pause", None, by)
        self._change("step", steps, by)
        self._steps += steps

    def _do_pace(self, command: Command, by: str) -> None:
        if command.value is None or command.value > 60:
            raise CommandError("value: pace takes the seconds between turns, 0 to 60")
        if command.value != self.steering.pace:
            self._change("pace", command.value, by)

    def _do_stop(self, _: Command, by: str) -> None:
        if self._stopped_by is None:
            self._change("stop", None, by)
            self._stopped_by = by

    def _do_extend(self, command: Command, by: str) -> None:
        if command.value is None or self.steering.turns is None:
            raise CommandError("value: extend takes how many turns more, in a match that has a limit of turns")
        self._change("extend", self.steering.turns + int(command.value), by)

    def _do_take_over(self, command: Command, by: str) -> None:
        seat = self._named_seat(command)
        if seat not in self.steering.taken and not isinstance(self.runner.players[seat], ExternalPlayer):
            self._change("take_over", seat, by)
            self._seat_person(seat)

    def _do_hand_back(self, command: Command, by: str) -> None:
        seat = self._named_seat(command)
        if seat in self.steering.taken:
            self._change("hand_back", seat, by)
            self.runner.reseat(seat, self._own.pop(seat))

    def _do_approve(self, command: Command, by: str) -> None:
        held = self._waiting_message(command)
        action = held.action
        edited = command.text is not None
        if edited:
            action = {**action, "message": {**action["message"], "text": command.text}}
        value = {"message": command.message, "edited": edited}
        held.answer.set_result(Reviewed(action, ControlChanged(command="approve", value=value, by=by)))

    def _do_reject(self, command: Command, by: str) -> None:
        held = self._waiting_message(command)
        value = {"message": command.message}
        held.answer.set_result(Reviewed(None, ControlChanged(command="reject", value=value, by=by)))

    # --- the loop -----------------------------------------------------------------------------------------------------

    async def _hold(self) -> None:
        """Let people read: wait the pace, and while paused wait for a step; only give way at full speed."""
        if self.steering.pace == 0:
            await asyncio.sleep(0)
        else:
            loop = asyncio.get_running_loop()
            began = loop.time()
            while not self.stopped and not self._steps and (left := began + self.steering.pace - loop.time()) > 0:
                await self._woken(left)
        while self.steering.paused and not self._steps and not self.stopped:
            await self._woken(None)
        if self._steps:
            self._steps -= 1

    async def _woken(self, seconds: float | None) -> None:
        """Wait for a command, at most `seconds`. (`wait_for` would lose a cancellation that comes with the command.)"""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        self._wake.clear()

    async def _play_turn(self) -> None:
        """One turn, given up at once where the match is stopped: no call to a provider goes on."""
        turn = asyncio.ensure_future(self._turn())
        try:
            while not turn.done():
                waker = asyncio.ensure_future(self._wake.wait())
                await asyncio.wait((turn, waker), return_when=asyncio.FIRST_COMPLETED)
                waker.cancel()
                self._wake.clear()
                if self.stopped:
                    break
        finally:
            turn.cancel()
            await asyncio.wait((turn,))
        if not turn.cancelled():
            turn.result()

    async def _turn(self) -> None:
        index = self.runner.match.index
        while not self.runner.match.over and self.runner.match.index == index:
            async with aclosing(self.runner.play_round()) as pieces:
                async for drafts in pieces:
                    await self.record(drafts)

    # --- small parts --------------------------------------------------------------------------------------------------

    def _publish(self, drafts: Sequence[Draft]) -> None:
        self._bus.publish(self.episode_id, drafts)

    def _publish_passing(self, drafts: Sequence[Draft]) -> None:
        """Publish what is only of the moment (that players think): where it cannot be recorded, it is left out."""
        with suppress(StorageError):
            self._publish(drafts)

    def _change(self, command: str, value: Any, by: str) -> None:
        """Record a change, then follow it."""
        self._publish([draft(ControlChanged(command=command, value=value, by=by))])
        self.steering.take(command, value)

    def _named_seat(self, command: Command) -> SeatId:
        seats = self.runner.match.spec.seats
        if command.seat not in seats:
            raise CommandError(f"seat: {command.command} takes a seat; there are {', '.join(seats)}")
        return str(command.seat)

    def _seat_person(self, seat: SeatId) -> None:
        """Seat a person in place of the seat's own player, who stands in when the clock runs out where it is a bot."""
        own = self._own[seat] = self.runner.players[seat]
        fallback = own.bot if isinstance(own, BotPlayer) else own.fallback
        clock = self._clock or PERSON_SECONDS
        person = ExternalPlayer("person", "human", turn_seconds=clock, press_seconds=clock, fallback=fallback)
        self.runner.reseat(seat, person)

    def _waiting_message(self, command: Command) -> Held:
        held = self._held.get(command.message or "")
        if held is None or held.answer.done():
            raise CommandError(f"message: {command.message!r} does not wait for approval")
        return held

    async def _review(self, messages: Sequence[tuple[SeatId, Action]]) -> list[Reviewed]:
        """Hold the messages of one round for an operator; those that stay unanswered are not sent.

        One event holds them all, and there is one where nobody wrote: how many there are is nobody else's business.
        """
        loop = asyncio.get_running_loop()
        waiting = {secrets.token_hex(4): (seat, Held(action, loop.create_future())) for seat, action in messages}
        notices = [MessageHeld(id=id, seat=seat, action=dict(held.action)) for id, (seat, held) in waiting.items()]
        self._held.update({id: held for id, (_, held) in waiting.items()})
        try:
            await self.record([private_batch(draft(notice, "operator") for notice in notices)])
            if waiting:
                await asyncio.wait([held.answer for _, held in waiting.values()], timeout=REVIEW_SECONDS)
            return [_answer(id, held) for id, (_, held) in waiting.items()]
        finally:
            for id in waiting:
                del self._held[id]


def _answer(id: str, held: Held) -> Reviewed:
    if held.answer.done():
        return held.answer.result()
    return Reviewed(None, ControlChanged(command="reject", value={"message": id}, by="the clock"))


def _stopped(by: str) -> Draft:
    return draft(EpisodeEnded(status="stopped", message=f"stopped by {by}"))
