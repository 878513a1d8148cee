"""The commands that steer a match. Each change is recorded in the match's own log before it is applied."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from grandstand.events import ControlChanged, MessageHeld
from grandstand.games.base import Action, OptionError, SeatId
from grandstand.models import Draft
from grandstand.play.drafts import private_batch
from grandstand.play.runner import MatchRunner, Reviewed
from grandstand.players.base import Player
from grandstand.players.bot import BotPlayer
from grandstand.players.external import ExternalPlayer
from grandstand.server.bodies.matches import Command
from grandstand.server.matches.steering import CommandError, Steering
from grandstand.spectator.errors import StorageError
from grandstand.spectator.record_rows import Request

REVIEW_SECONDS = 300.0
"""Seconds that a held message waits for an operator; after them it is rejected."""


@dataclass(frozen=True, slots=True)
class HeldMessage:
    """A message that waits for an operator, and the operator's decision."""

    action: Action
    decision: asyncio.Future[Reviewed]


class Approvals:
    """The held messages of one match."""

    def __init__(self, record: Callable[[Sequence[Draft]], Awaitable[None]]) -> None:
        """`record` publishes drafts in the log of the match."""
        self._record = record
        self._held: dict[str, HeldMessage] = {}

    @property
    def waiting(self) -> dict[str, Action]:
        """Return the messages that have no decision yet, by their id."""
        return {id: held.action for id, held in self._held.items() if not held.decision.done()}

    def approve(self, command: Command, by: str) -> list[Change]:
        """Let a message be sent, with the text of `command` if it has one. Raise CommandError if none waits."""
        held = self._find(command)
        action = held.action
        edited = command.text is not None
        if edited:
            action = {**action, "message": {**action["message"], "text": command.text}}
        value = {"message": command.message, "edited": edited}
        held.decision.set_result(Reviewed(action, ControlChanged(command="approve", value=value, by=by)))
        return []

    def reject(self, command: Command, by: str) -> list[Change]:
        """Keep a message from being sent. Raise CommandError if none waits."""
        self._find(command).decision.set_result(_rejected(command.message, by))
        return []

    async def review(self, messages: Sequence[tuple[SeatId, Action]]) -> list[Reviewed]:
        """Hold the messages of one round for an operator; reject those without a decision in time.

        All of them are parts of one event, which is recorded even if there are no messages, so that its presence does
        not reveal how many there are.
        """
        loop = asyncio.get_running_loop()
        waiting = {secrets.token_hex(4): (seat, HeldMessage(action, loop.create_future())) for seat, action in messages}
        notices = [MessageHeld(id=id, seat=seat, action=dict(held.action)) for id, (seat, held) in waiting.items()]
        self._held.update({id: held for id, (_, held) in waiting.items()})
        try:
            await self._record([private_batch(Draft.of(notice, "operator") for notice in notices)])
            if waiting:
                await asyncio.wait([held.decision for _, held in waiting.values()], timeout=REVIEW_SECONDS)
            return [_decision(id, held) for id, (_, held) in waiting.items()]
        finally:
            for id in waiting:
                del self._held[id]

    def _find(self, command: Command) -> HeldMessage:
        held = self._held.get(command.message or "")
        if held is None or held.decision.done():
            raise CommandError(f"message: {command.message!r} does not wait for approval")
        return held


def _decision(id: str, held: HeldMessage) -> Reviewed:
    return held.decision.result() if held.decision.done() else _rejected(id, "the clock")


def _rejected(id: str | None, by: str) -> Reviewed:
    return Reviewed(None, ControlChanged(command="reject", value={"message": id}, by=by))


PERSON_SECONDS = 180.0
"""Seconds a person has for a turn in a seat that was taken over, if the match sets no clock."""

ABSENT = 2
"""Missed turns in a row after which a built-in player replaces a person or a program."""

PLAYER = "player"
"""The user named in a command with which the holder of a seat's token leaves or takes the seat."""

ABSENT_BY = "absence"
"""The user named in a command that replaces an absent person by a built-in player."""


class Change(NamedTuple):
    """A change that a command makes: what is recorded, and what else is done once it is."""

    command: str
    value: Any = None
    then: Callable[[], None] = lambda: None


Record = Callable[[Sequence[Draft], Request | None], Awaitable[object]]
"""Records drafts with the request that they answer. Raises RecordError, and then nothing is recorded."""


class Commands:
    """The commands of one match, by name. A command that would change nothing records nothing."""

    def __init__(
        self,
        runner: MatchRunner,
        steering: Steering,
        approvals: Approvals,
        record: Record,
        attend: Callable[[SeatId, ExternalPlayer], None],
        *,
        clock: float | None,
    ) -> None:
        """`attend` is called with each person who is seated; `clock` is the match's limit for a turn, in seconds."""
        self.steps = 0
        """Turns that a paused match still plays."""
        self._runner = runner
        self._steering = steering
        self._record = record
        self._attend = attend
        self._clock = clock or PERSON_SECONDS
        self._replaced: dict[SeatId, Player] = {}
        """The players whose seats were taken over."""
        self._handlers: dict[str, Callable[[Command, str], list[Change]]] = {
            "pause": self._pause,
            "resume": self._resume,
            "step": self._step,
            "pace": self._pace,
            "stop": self._stop,
            "extend": self._extend,
            "take_over": self._take_over,
            "hand_back": self._hand_back,
            "leave": self._leave,
            "approve": approvals.approve,
            "reject": approvals.reject,
        }
        for seat in steering.taken:
            self._seat_person(seat)
        for seat in steering.left:
            self._seat_bot(seat)

    async def run(self, command: Command, by: str, request: Request | None = None) -> bool:
        """Carry out `command` of the user `by`, and return whether something was recorded, with its `request`.

        The caller carries out one after another, and does not cancel it. Raise CommandError if it cannot be done,
        OptionError if it is wrong, RecordError if it cannot be recorded.
        """
        handler = self._handlers.get(command.command)
        if handler is None:
            raise CommandError(f"command: {command.command} is for a match that waits in the queue")
        changes = handler(command, by)
        if not changes:
            return False
        events = [ControlChanged(command=change.command, value=change.value, by=by) for change in changes]
        await self._record([Draft.of(event) for event in events], request)
        for change in changes:
            self._steering.apply(change.command, change.value)
            change.then()
        return True

    def _pause(self, command: Command, by: str) -> list[Change]:
        def then() -> None:
            for person in self._people():
                person.stop_clock()

        return [] if self._steering.paused else [Change("pause", None, then)]

    def _resume(self, command: Command, by: str) -> list[Change]:
        def then() -> None:
            self.steps = 0
            for person in self._people():
                person.start_clock()

        return [Change("resume", None, then)] if self._steering.paused else []

    def _step(self, command: Command, by: str) -> list[Change]:
        steps = 1 if command.value is None else int(command.value)

        def then() -> None:
            self.steps += steps

        return [*self._pause(command, by), Change("step", steps, then)]

    def _pace(self, command: Command, by: str) -> list[Change]:
        if command.value is None or command.value > 60:
            raise OptionError("value: pace takes the seconds between turns, 0 to 60")
        return [Change("pace", command.value)] if command.value != self._steering.pace else []

    def _stop(self, command: Command, by: str) -> list[Change]:
        def then() -> None:
            self._steering.stopped_by = by

        return [] if self._steering.stopped else [Change("stop", None, then)]

    def _extend(self, command: Command, by: str) -> list[Change]:
        if self._steering.turns is None:
            raise CommandError("command: extend is for a match that has a limit of turns")
        if command.value is None:
            raise OptionError("value: extend takes how many turns more")
        return [Change("extend", self._steering.turns + int(command.value))]

    def _take_over(self, command: Command, by: str) -> list[Change]:
        seat = self._seat_of(command)
        if seat in self._steering.left:
            return [Change("take_over", seat, partial(self._seat_again, seat))]
        if not isinstance(self._runner.players[seat], ExternalPlayer):
            return [Change("take_over", seat, partial(self._seat_person, seat))]
        return []

    def _hand_back(self, command: Command, by: str) -> list[Change]:
        seat = self._seat_of(command)
        return [Change("hand_back", seat, partial(self._dismiss, seat))] if seat in self._steering.taken else []

    def _leave(self, command: Command, by: str) -> list[Change]:
        """Replace the seat's person by the built-in player before it, or by the person's fallback."""
        seat = self._seat_of(command)
        if not isinstance(self._runner.players[seat], ExternalPlayer):
            return []
        replace = self._dismiss if seat in self._steering.taken else self._seat_bot
        return [Change("leave", seat, partial(replace, seat))]

    def absent(self) -> list[SeatId]:
        """Return the seats of the people and programs that have missed two turns in a row."""
        players = self._runner.players.items()
        return [seat for seat, player in players if isinstance(player, ExternalPlayer) and player.missed >= ABSENT]

    def _seat_again(self, seat: SeatId) -> None:
        """Seat the person who had left."""
        person = self._replaced.pop(seat)
        assert isinstance(person, ExternalPlayer)
        person.missed = 0
        self._attend(seat, person)
        self._runner.reseat(seat, person)

    def _dismiss(self, seat: SeatId) -> None:
        """Seat the player that a person had replaced."""
        self._forget_draft(seat)
        self._runner.reseat(seat, self._replaced.pop(seat))

    def _forget_draft(self, seat: SeatId) -> None:
        """Delete the draft of the person in `seat`. If that fails, the draft is out of date after this turn."""
        person = self._runner.players[seat]
        if isinstance(person, ExternalPlayer):
            with suppress(StorageError):
                person.forget()

    def _people(self) -> list[ExternalPlayer]:
        return [player for player in self._runner.players.values() if isinstance(player, ExternalPlayer)]

    def _seat_of(self, command: Command) -> SeatId:
        seats = self._runner.match.seats
        if command.seat not in seats:
            raise CommandError(f"seat: {command.command} takes a seat; there are {', '.join(seats)}")
        return str(command.seat)

    def _seat_bot(self, seat: SeatId) -> None:
        """Seat a built-in player in place of the seat's person: the person's fallback, by default the strongest."""
        self._forget_draft(seat)
        person = self._replaced[seat] = self._runner.players[seat]
        spec = self._runner.match.spec
        name = next((name for name, bot in spec.bots.players.items() if bot is person.fallback), spec.bots.default)
        self._runner.reseat(seat, BotPlayer(spec, name))

    def _seat_person(self, seat: SeatId) -> None:
        """Replace the seat's player by a person; if the player is a bot, it becomes the person's fallback."""
        player = self._replaced[seat] = self._runner.players[seat]
        fallback = player.stand_in if isinstance(player, BotPlayer) else player.fallback
        person = ExternalPlayer(
            "person", "human", turn_seconds=self._clock, press_seconds=self._clock, fallback=fallback
        )
        self._attend(seat, person)
        self._runner.reseat(seat, person)
