"""One match being played: its loop, its pace, and access to its seats."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import aclosing, suppress
from functools import partial
from typing import Protocol

from grandstand.events import ControlChanged, EpisodeCreated, EpisodeEnded, EpisodeStarted
from grandstand.games.base import Action, SeatId
from grandstand.models import Draft, Event, SeatDraft
from grandstand.play.drafts import paced
from grandstand.play.model_commentary import ModelCommentary
from grandstand.play.preparation import prepared
from grandstand.play.runner import MatchRunner
from grandstand.players.external import ExternalPlayer, NotAsked
from grandstand.players.own_models import OwnModels
from grandstand.server.bodies.matches import Command
from grandstand.server.matches.commands import ABSENT_BY, Approvals, Commands
from grandstand.server.matches.idempotency import whole
from grandstand.server.matches.steering import CommandError, Steering
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import StorageError
from grandstand.spectator.record_rows import Request
from grandstand.spectator.store.batches import in_turn


class DraftStore(Protocol):
    """A store of what people have chosen and not submitted."""

    def save_draft(self, episode_id: str, seat: str, draft: SeatDraft | None) -> None:
        """Store the draft of a seat; None deletes it. Raises StorageError."""


class LiveMatch:
    """A match with its runner, its pace and its operators."""

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
        untold: Sequence[Draft] = (),
    ) -> None:
        """`begun` is true if the log has EpisodeStarted; `clock` is a person's seconds for a turn.

        `untold` is what the log lacks of its last turn.
        """
        self.episode_id = episode_id
        self.runner = runner
        self.steering = steering
        self.task: asyncio.Task[None] | None = None
        self.turn = asyncio.Lock()
        """Held while a command is recorded and applied."""
        self.commentary: ModelCommentary | None = None
        """The commentary of a language model, if the match has one."""
        self.own: OwnModels | None = None
        """The models that are paid for by callers; their keys are dropped when the match ends."""
        self.approvals = Approvals(self.record)
        self._bus = bus
        self._begun = begun
        self._untold = untold
        self._left: list[Sequence[Draft]] = []
        self.over = asyncio.Event()
        """Set when the match is no longer played."""
        self._expired = ""
        """Why the match ran out of time; '' if it has not."""
        self._wake = asyncio.Event()
        runner.publish = partial(bus.publish_soon, episode_id)
        if approve:
            runner.review = self.approvals.review
        self._drafts: DraftStore | None = None
        for seat, player in runner.players.items():
            if isinstance(player, ExternalPlayer):
                if player.kind == "human" and clock is not None:
                    player.turn_seconds = player.press_seconds = clock
                self._attend(seat, player)
        record = partial(bus.record_now, episode_id)
        self._commands = Commands(runner, steering, self.approvals, record, self._attend, clock=clock)

    @classmethod
    def from_log(
        cls,
        runner: MatchRunner,
        bus: Bus,
        events: Sequence[Event],
        pace: float,
        *,
        begun: bool,
        untold: Sequence[Draft] = (),
    ) -> LiveMatch:
        """Return the match of `runner` with the settings in its log, `events`; `pace` is the one before any command."""
        created = EpisodeCreated.model_validate(events[0].data)
        steering = Steering.from_log(events, pace)
        episode_id = events[0].episode_id
        clock, approve = created.clock, created.approve
        return cls(episode_id, runner, bus, steering, clock=clock, approve=approve, begun=begun, untold=untold)

    async def play(self) -> None:
        """Play to the end, or until stopped.

        Any exception ends the match; the caller then records its end.
        """
        try:
            await self._play()
        finally:
            self.over.set()
            if self.commentary is not None:
                self.commentary.stop()
            if self.own is not None:
                self.own.forget()

    async def _play(self) -> None:
        if self._untold:
            await self._tell(self._untold)
        if not self._begun:
            await prepared(self.runner.match)
            opening = self.runner.started()
            await self.record(opening)
            await self._rest(self.runner.match.spec.story.rest(opening[-1].type, opening[-1].data))
        elif not self.runner.match.over:
            await self.record([Draft.of(EpisodeStarted(resumed=self.runner.match.game.turn))])
        while not self.runner.match.over:
            await self._hold()
            if self.steering.stopped_by is not None:
                await self._end(f"stopped by {self.steering.stopped_by}")
                return
            if self._expired:
                await self._end(self._expired)
                return
            async with self.turn:
                if self.steering.turns is not None and self.runner.match.index >= self.steering.turns:
                    await self.record([_stopped(f"after {self.steering.turns} turns")])
                    return
            await self._play_turn()

    async def command(self, command: Command, by: str) -> None:
        """Carry out a command in its turn, whole or not at all. Raises as `steer` does."""

        async def in_its_turn() -> None:
            async with in_turn(self.turn):
                await self.steer(command, by, None)

        await whole(in_its_turn())

    async def steer(self, command: Command, by: str, request: Request | None) -> bool:
        """Carry out a command, and return whether it is recorded, with its `request`. The caller holds `turn`.

        Raise CommandError or OptionError if it is not possible, RecordError if it cannot be recorded.
        """
        recorded = await self._commands.run(command, by, request)
        self._wake.set()
        return recorded

    async def stop_waiting(self, by: str, request: Request | None) -> None:
        """Stop a match that waits in the queue, and record its end with the command."""
        drafts = [Draft.of(ControlChanged(command="stop", by=by)), _stopped(f"stopped by {by}")]
        await self._bus.record_now(self.episode_id, drafts, request)
        self.over.set()

    async def record(self, drafts: Sequence[Draft]) -> None:
        """Publish `drafts`; wait while the record cannot be written."""
        await self._bus.record(self.episode_id, drafts)

    def keep_drafts(self, drafts: DraftStore, saved: Mapping[SeatId, SeatDraft]) -> None:
        """Store people's drafts in `drafts` from now on; `saved` are those from before a restart."""
        self._drafts = drafts
        for seat, player in self.runner.players.items():
            if isinstance(player, ExternalPlayer):
                player.draft = saved.get(seat)

    def expire(self, reason: str) -> None:
        """End the match for `reason`, also while a turn waits for a person."""
        self._expired = reason
        self._wake.set()

    @property
    def people(self) -> bool:
        """Return whether a person plays in the match."""
        return any(player.kind == "human" for player in self.runner.players.values())

    @property
    def stopped(self) -> bool:
        """Return whether an operator has stopped the match, or its time is over."""
        return self.steering.stopped or bool(self._expired)

    def person(self, seat: SeatId) -> ExternalPlayer:
        """Return the external player of `seat`.

        Raise CommandError if a machine plays it, and StorageError while the last events are not recorded: until they
        are, nobody may see the position.
        """
        if fault := self._bus.waiting.get(self.episode_id):
            raise StorageError(f"the match waits until the record can be written: {fault}")
        player = self.runner.players.get(seat)
        if player is None:
            raise CommandError(f"seat: there is no {seat!r}; there are {', '.join(self.runner.players)}")
        if not isinstance(player, ExternalPlayer):
            by = repr(player.name)
            raise CommandError(f"seat: {seat} is played by {by}; take it over first: POST …/seats/{seat}/take")
        return player

    def repeats(self, seat: SeatId, number: int, actions: Sequence[Action] | None) -> bool:
        """Return whether the seat took decision `number` already, with `actions` unless they are None.

        Raises NotAsked if another decision is due, and what `person` raises.
        """
        person, due = self.person(seat), self.runner.match.number(seat)
        if person.repeats(number, actions):
            return True
        if number != due:
            raise NotAsked(f"number: {number} is not due; the seat's next decision has the number {due}")
        if person.answered is not None and person.answered.number == number:
            raise NotAsked(f"number: decision {number} was taken, with another answer; wait for the next one")
        return False

    def _attend(self, seat: SeatId, person: ExternalPlayer) -> None:
        """Store the drafts of the person in `seat`, and stop the person's clock while the match is paused."""
        person.keep = partial(self._save_draft, seat)
        if self.steering.paused:
            person.stop_clock()
        else:
            person.start_clock()

    def _save_draft(self, seat: SeatId, draft: SeatDraft | None) -> None:
        if self._drafts is not None:
            self._drafts.save_draft(self.episode_id, seat, draft)

    def _drop_drafts(self) -> None:
        """Delete the drafts of past turns. They have no effect, so a failure to write does no harm."""
        for player in self.runner.players.values():
            if isinstance(player, ExternalPlayer) and player.draft and player.draft.index != self.runner.match.index:
                with suppress(StorageError):
                    player.forget()

    async def _hold(self) -> None:
        """Wait for a step between two turns while paused; at full speed, yield to the loop."""
        commands = self._commands
        if self.steering.pace == 0:
            await asyncio.sleep(0)
        while self.steering.paused and not commands.steps and not self.stopped:
            await self._woken(None)
        if commands.steps:
            commands.steps -= 1

    async def _tell(self, drafts: Sequence[Draft]) -> None:
        """Publish `drafts` in parts, at the pace at which viewers follow them.

        If this is cancelled, `_left` has the parts that are not known to be recorded.
        """
        at_once = self.steering.pace == 0 or self.steering.paused
        parts = [(drafts, 0.0)] if at_once else list(paced(drafts, self.runner.match.spec.story.rest))
        self._left = [part for part, _ in parts]
        for part, weight in parts:
            await self.record(part)
            self._left.pop(0)
            await self._rest(weight)

    async def _end(self, reason: str) -> None:
        """Record the end of a match that is stopped, after what is left of its last turn: a record has whole turns."""
        for part in self._left:
            # The bus knows a part that may be recorded already by its drafts.
            await self.record(part)
        await self.record([_stopped(reason)])

    async def _rest(self, weight: float) -> None:
        """Wait until viewers have seen what was published, or for a command that stops or pauses the match."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        while not (self.stopped or self.steering.paused) and (
            (left := began + self.steering.pace * weight - loop.time()) > 0
        ):
            await self._woken(left)

    async def _woken(self, seconds: float | None) -> None:
        """Wait for a command, at most `seconds`. (`wait_for` would lose a cancellation that comes with the command.)"""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        self._wake.clear()

    async def _play_turn(self) -> None:
        """Play one turn; cancel it, calls to providers included, as soon as the match is stopped."""
        turn = asyncio.ensure_future(self._turn())
        try:
            while not turn.done():
                waker = asyncio.ensure_future(self._wake.wait())
                try:
                    await asyncio.wait((turn, waker), return_when=asyncio.FIRST_COMPLETED)
                finally:
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
                    await self._tell(drafts)
        self._drop_drafts()
        if not self.runner.match.over:
            await self._release_absent()

    async def _release_absent(self) -> None:
        """Replace every person or program that has missed two turns in a row by a built-in player."""
        for seat in self._commands.absent():
            with suppress(StorageError):  # the next turn tries again
                await self.command(Command(command="leave", seat=seat), ABSENT_BY)


def _stopped(message: str) -> Draft:
    return Draft.of(EpisodeEnded(status="stopped", message=message))
