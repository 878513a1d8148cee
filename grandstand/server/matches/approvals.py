"""Messages that are held until an operator approves or rejects them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from grandstand.games.base import Action, SeatId
from grandstand.models import ControlChanged, Draft, MessageHeld
from grandstand.play.drafts import private_batch
from grandstand.play.runner import Reviewed
from grandstand.server.bodies.matches import Command
from grandstand.server.matches.steering import CommandError

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

    def approve(self, command: Command, by: str) -> None:
        """Let a message be sent, with the text of `command` if it has one. Raise CommandError if none waits."""
        held = self._find(command)
        action = held.action
        edited = command.text is not None
        if edited:
            action = {**action, "message": {**action["message"], "text": command.text}}
        value = {"message": command.message, "edited": edited}
        held.decision.set_result(Reviewed(action, ControlChanged(command="approve", value=value, by=by)))

    def reject(self, command: Command, by: str) -> None:
        """Keep a message from being sent. Raise CommandError if none waits."""
        self._find(command).decision.set_result(_rejected(command.message, by))

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
