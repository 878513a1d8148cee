"""Starts, queues, forks, steers and resumes matches: many side by side, each one task."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grandstand.games.base import OptionError, SeatId
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.models import (
    ActionChosen,
    Command,
    ControlChanged,
    Draft,
    EpisodeCreated,
    EpisodeEnded,
    EpisodeSummary,
    Event,
    ForkEpisode,
    Moment,
    PrivateBatch,
    SeedSet,
    StartEpisode,
    Wire,
    flat,
    flat_drafts,
)
from grandstand.play.preparation import prepared
from grandstand.play.runner import MatchRunner, private_batch, rounds_held
from grandstand.play.verification import OtherRules, replay_steps, same_rules, taken_up
from grandstand.players.base import Choice, Player
from grandstand.players.roster import Roster
from grandstand.server.matches.live_match import LiveMatch
from grandstand.server.matches.steering import CommandError, Steering
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import RecordError
from grandstand.spectator.history import History
from grandstand.spectator.recorder import Recorder, Request
from grandstand.spectator.viewpoint import SPECTATOR

log = logging.getLogger(__name__)

SLICE = 0.01
"""CPU seconds of replaying a record at a time, before the loop serves everybody else."""


class Full(Exception):
    """No slot is free and the queue is full."""


class Resuming(CommandError):
    """The server has just come back and has not taken the match up yet: try again soon."""


class Driver:
    """All matches that this server plays."""

    def __init__(
        self, bus: Bus, history: History, recorder: Recorder, roster: Roster, *, slots: int, queue: int, pace: float
    ) -> None:
        self._bus = bus
        self._history = history
        self._recorder = recorder
        self._roster = roster
        self._slots = slots
        self._queue_limit = queue
        self._pace = pace
        self._live: dict[str, LiveMatch] = {}
        self._apart: set[str] = set()
        """Live matches that take no slot."""
        self._unseen = 0
        """Slots kept for matches whose end spectators have not seen: that another match begins would tell it."""
        self._queue: list[LiveMatch] = []
        self._resuming: dict[str, EpisodeSummary] = {}
        """Unfinished matches of the record that are not taken up yet, next first."""
        self._resumer: asyncio.Task[None] | None = None
        self.on_resumed: Callable[[str], None] = lambda episode_id: None
        """Called with each episode that was taken up from the record."""
        self.on_idle: Callable[[], None] = lambda: None
        """Called when the last match has ended and none waits."""

    @property
    def live(self) -> int:
        return len(self._live)

    @property
    def playing(self) -> Sequence[str]:
        """Return the episodes that are played."""
        return list(self._live)

    @property
    def queued(self) -> Sequence[str]:
        """Return the episodes that wait for a slot, next first."""
        return [*(match.episode_id for match in self._queue), *self._resuming]

    @property
    def idle(self) -> bool:
        """Return whether nothing is played and nothing waits."""
        return not (self._live or self._unseen or self._queue or self._resuming)

    @property
    def storage_faults(self) -> Mapping[str, str]:
        """Return the episodes that wait until the record can be written, and the reason."""
        return self._bus.waiting

    def match(self, episode_id: str) -> LiveMatch:
        """Return a match that is played or waits.

        Raise UnknownEpisode, CommandError if it has ended, Resuming if it has not been resumed yet.
        """
        if episode_id in self._resuming:
            raise Resuming(f"episode: {episode_id} is being taken up from the record; try again in a few seconds")
        for match in (*self._live.values(), *self._queue):
            if match.episode_id == episode_id:
                return match
        status = self._recorder.summary(episode_id).status
        raise CommandError(f"episode: {episode_id} is {status}; only a match that is live or queued can be steered")

    def start(
        self, request: StartEpisode, *, key: str | None = None, origin: str = "api", apart: bool = False
    ) -> EpisodeSummary:
        """Create an episode and play it as soon as a slot is free. The same `key` starts only once.

        A match that is played `apart` begins at once and takes no slot: who starts it bounds how many there are.
        Raises OptionError naming the field at fault, or Full.
        """
        asked = _request(key, request)
        if (earlier := self._earlier_result(asked)) is not None:
            return earlier
        if not apart:
            self._check_room()
        spec = game_spec(request.game)
        seed = secrets.randbits(48) if request.seed is None else request.seed
        runner = MatchRunner(Match(spec, request.options, seed), self._players(spec, request.players))
        pace = self._pace if request.pace is None else request.pace
        created = runner.created(
            request.options,
            title=request.title or spec.title,
            origin=origin,
            reveal=request.reveal,
            delay=request.delay,
            clock=request.clock,
            approve=request.approve,
            voice=request.voice,
        )
        steering = _set(origin, pace=pace, pause=request.paused or None, turns=request.turns)
        return self._admit(runner, [*created, *steering], request.delay, asked, apart=apart)

    async def fork(self, parent_id: str, request: ForkEpisode, *, key: str | None, by: str) -> EpisodeSummary:
        """Start a match that begins as `parent_id` stood after event `request.seq`; the parent is only read.

        The child's log is whole: the parent's choices, played again under its own numbers, then its own seed. They are
        played in another thread. Raises UnknownEpisode, OptionError, Full.
        """
        asked = _request(key, request)
        if (earlier := self._earlier_result(asked)) is not None:
            return earlier
        self._check_room()
        events = list(self._history.events(parent_id))
        runner, first, delay = await asyncio.to_thread(self._forked, parent_id, events, request, by)
        if (earlier := self._earlier_result(asked)) is not None:
            return earlier
        self._check_room()
        return self._admit(runner, first, delay, asked, begun=True)

    def _forked(
        self, parent_id: str, events: Sequence[Event], request: ForkEpisode, by: str
    ) -> tuple[MatchRunner, list[Draft], float]:
        """Return a runner with the position of `parent_id`, its log so far, and the delay of its spectators."""
        seq = len(events) - 1 if request.seq is None else request.seq
        if seq >= len(events):
            raise OptionError(f"seq: {seq} has not happened in {parent_id}; its last event is {len(events) - 1}")
        events = events[: seq + 1]
        # EpisodeCreated is never held back: it must not tell how far a delayed parent is. `ControlChanged` tells it.
        public = len(self._history.events(parent_id, SPECTATOR))
        parent = EpisodeCreated.model_validate(events[0].data)
        spec = game_spec(parent.game)
        if parent.rules != spec.rules:
            try:
                taken_up(events)
            except OtherRules as error:
                raise OptionError(f"seq: {error}") from error
        names = {info.seat: info.player for info in parent.seats} | request.players
        seeds = [SeedSet.model_validate(event.data).seed for event in events if event.type == "SeedSet"]
        if not seeds:
            raise OptionError(f"seq: {parent_id} has no seed up to event {seq}; fork from a later moment")
        runner = MatchRunner(Match(spec, parent.options, seeds[0]), self._players(spec, names))
        created = runner.created(
            parent.options,
            title=request.title or f"{parent.title}, forked",
            origin="fork",
            parent=Moment(episode_id=parent_id, seq=seq) if seq < public else None,
            **parent.model_dump(include={"reveal", "delay", "clock", "approve", "voice"}),
        )
        pace = self._pace if request.pace is None else request.pace
        steering = _set(by, pace=pace, pause=request.paused or None, fork=f"{parent_id}/{seq}")
        log_so_far = [*created, *runner.started(), *_replayed_drafts(runner, events)]
        if request.seed is not None:
            runner.match.reseed(request.seed)
            log_so_far.append(Draft.of(SeedSet(seed=request.seed), "operator"))
        if runner.match.over:
            raise OptionError(f"seq: the match was decided by event {seq} of {parent_id}; fork from an earlier moment")
        return runner, [*log_so_far, *steering], parent.delay

    def command(self, episode_id: str, command: Command, *, key: str | None, by: str) -> EpisodeSummary:
        """Steer a match, or move it in the queue. The same `key` is obeyed once.

        Raises UnknownEpisode, CommandError, OptionError.
        """
        asked = _request(key, command)
        if (earlier := self._earlier_result(asked)) is not None:
            return earlier
        match = self.match(episode_id)
        with self._recorder.answering(asked, episode_id):
            if match not in self._queue or command.command not in ("to_front", "stop"):
                match.command(command, by)
            elif command.command == "stop":
                match.stop_waiting(by)
                self._queue.remove(match)
            else:
                self._queue.remove(match)
                self._queue.insert(0, match)
        return self._recorder.summary(episode_id)

    def resume_all(self) -> list[str]:
        """Begin to resume every unfinished match of the record, and return their ids.

        They are resumed one by one while the server serves. Those that cannot go on end as interrupted.
        """
        unfinished, _ = self._recorder.summaries(status=("live", "queued"), limit=10_000)
        self._resuming = {
            summary.episode_id: summary for summary in reversed(unfinished) if summary.origin != "publisher"
        }
        self._resumer = asyncio.create_task(self._resume_each(), name="resume")
        return list(self._resuming)

    async def resumed(self) -> None:
        """Wait until every unfinished match was taken up, or ended."""
        if self._resumer:
            await self._resumer

    async def close(self) -> None:
        """Stop playing at once. Unfinished matches stay in the record and go on when the server comes back."""
        tasks = [match.task for match in self._live.values() if match.task]
        if self._resumer:
            tasks.append(self._resumer)
        self._live.clear()
        self._apart.clear()
        self._queue.clear()
        self._resuming.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _check_room(self) -> None:
        waiting = len(self.queued)
        if self._busy >= self._slots and waiting >= self._queue_limit:
            raise Full(f"all {self._slots} slots are taken and {waiting} matches wait; try again later")

    def _players(
        self, spec: GameSpec, names: Mapping[SeatId, str], events: Sequence[Event] = ()
    ) -> dict[SeatId, Player]:
        """Return new players for every seat; their budgets account for the spending in `events`. Raise OptionError."""
        for seat in names:
            if seat not in spec.seats:
                raise OptionError(f"players.{seat}: {spec.name} has no such seat; there are {', '.join(spec.seats)}")
        strongest = next(iter(spec.bots))
        seating = self._roster.episode(spec, events)
        return {seat: seating.player(names.get(seat, strongest), seat) for seat in spec.seats}

    def _admit(
        self,
        runner: MatchRunner,
        first: Sequence[Draft],
        delay: float,
        asked: Request | None,
        *,
        begun: bool = False,
        apart: bool = False,
    ) -> EpisodeSummary:
        """Record the first events of a new episode and queue it, or play it apart."""
        episode_id = f"{runner.match.spec.name}-{secrets.token_hex(5)}"
        self._bus.open(episode_id, _new_epoch(), delay=delay)
        try:
            with self._recorder.answering(asked):
                events = self._bus.publish(episode_id, first)
        except RecordError:
            self._bus.forget(episode_id)
            raise
        match = self._live_match(runner, events, begun)
        if apart:
            self._apart.add(episode_id)
            self._begin(match)
        else:
            self._queue.append(match)
            self._fill_slots()
        return self._recorder.summary(episode_id)

    def _live_match(self, runner: MatchRunner, events: Sequence[Event], begun: bool) -> LiveMatch:
        created = EpisodeCreated.model_validate(events[0].data)
        return LiveMatch(
            events[0].episode_id,
            runner,
            self._bus,
            Steering.from_log(events, self._pace),
            clock=created.clock,
            approve=created.approve,
            begun=begun,
        )

    def knows(self, key: str | None) -> bool:
        """Return whether a request with this key was carried out already."""
        return key is not None and self._recorder.answered(key) is not None

    def _earlier_result(self, asked: Request | None) -> EpisodeSummary | None:
        """Return the episode of an earlier request with the same key. Raise OptionError if that request differed."""
        known = None if asked is None else self._recorder.answered(asked.key)
        if asked is None or known is None:
            return None
        body, episode_id = known
        if body != asked.body:
            raise OptionError("Idempotency-Key: it was sent before with another request; take a new key for this one")
        return self._recorder.summary(episode_id)

    @property
    def _busy(self) -> int:
        """Return the number of taken slots."""
        return len(self._live) - len(self._apart) + self._unseen

    def _fill_slots(self) -> None:
        while self._queue and self._busy < self._slots:
            self._begin(self._queue.pop(0))

    def _begin(self, match: LiveMatch) -> None:
        self._live[match.episode_id] = match
        match.task = asyncio.create_task(self._play(match), name=f"match {match.episode_id}")

    async def _play(self, match: LiveMatch) -> None:
        try:
            await match.play()
        except Exception as error:
            await self._end_broken(match.episode_id, error)
        if not self._live.pop(match.episode_id, None):
            return
        delay = self._recorder.summary(match.episode_id).delay
        if delay and match.episode_id not in self._apart:
            self._unseen += 1
            asyncio.get_running_loop().call_later(delay, self._see)
        else:
            self._apart.discard(match.episode_id)
            self._vacate()

    def _see(self) -> None:
        self._unseen -= 1
        self._vacate()

    def _vacate(self) -> None:
        self._fill_slots()
        if self.idle:
            self.on_idle()

    async def _end_broken(self, episode_id: str, error: Exception) -> None:
        """Our own bug, or events that cannot be recorded: the episode ends as `error` and says which."""
        log.exception("episode %s broke", episode_id)
        kind = "the record failed" if isinstance(error, RecordError) else "a bug of ours"
        try:
            ended = EpisodeEnded(status="error", message=f"{kind}: {type(error).__name__}: {error}")
            await self._bus.record(episode_id, [Draft.of(ended)])
        except RecordError:
            log.error("episode %s: its end could not be recorded either", episode_id)

    async def _resume_each(self) -> None:
        while self._resuming:
            episode_id, summary = next(iter(self._resuming.items()))
            match = None
            try:
                match = await self._from_log(summary)
            except Exception as error:
                await self._end_interrupted(summary, error)
            del self._resuming[episode_id]
            if match is not None:
                self._queue.append(match)
                self._fill_slots()
                try:
                    self.on_resumed(episode_id)
                except Exception:
                    log.exception("episode %s goes on without those who were to be told", episode_id)
        if self.idle:
            self.on_idle()

    async def _end_interrupted(self, summary: EpisodeSummary, error: Exception) -> None:
        log.warning("episode %s cannot go on: %s", summary.episode_id, error)
        try:
            self._bus.open(summary.episode_id, _new_epoch(), summary.last_seq + 1, summary.delay)
            if isinstance(error, OtherRules):
                ended = EpisodeEnded(status="stopped", message=str(error))
            else:
                ended = EpisodeEnded(status="interrupted", message=f"cannot go on: {error}")
            await self._bus.record(summary.episode_id, [Draft.of(ended)])
        except Exception:
            log.exception("episode %s: its end could not be recorded either", summary.episode_id)

    async def _from_log(self, summary: EpisodeSummary) -> LiveMatch:
        """Return the match at the end of its record. Raise if players or log forbid it."""
        await self._history.load(summary.episode_id)
        events = list(self._history.events(summary.episode_id))
        match = await _replayed(events)
        players = self._players(match.spec, {info.seat: info.player for info in summary.seats}, events)
        stuck = [player.name for player in players.values() if not player.resumable]
        if stuck:
            raise OptionError(f"players: {', '.join(stuck)} cannot be taken up from the log")
        begun = any(event.type == "EpisodeStarted" for event in events)
        self._bus.open(summary.episode_id, _new_epoch(), summary.last_seq + 1, summary.delay)
        return self._live_match(MatchRunner(match, players, rounds_held(events)), events, begun)


async def _replayed(events: Sequence[Event]) -> Match:
    """Return the match that `events` leave, replayed in slices: the loop serves others meanwhile.

    Raises ReplayMismatch; OtherRules where the rules have changed since and the decisions now give other events.
    """
    if not same_rules(events):
        return await asyncio.to_thread(taken_up, events)
    match: Match | None = None
    began = time.thread_time()
    for step in replay_steps(events):
        match = step.match
        if match is not None:
            await prepared(match)
        if time.thread_time() - began > SLICE:
            await asyncio.sleep(0)
            began = time.thread_time()
    assert match is not None
    return match


def _request(key: str | None, body: Wire) -> Request | None:
    """Return the request as it is stored, None if it has no key."""
    return None if key is None else Request(key, hashlib.sha256(body.model_dump_json().encode()).hexdigest())


def _new_epoch() -> int:
    """Return a new epoch of an episode's numbering.

    A power failure can undo the last commits; the epoch then distinguishes reused numbers from the first ones.
    """
    return time.time_ns() // 1_000_000


def _set(by: str, **commands: Any) -> list[Draft]:
    """Return the commands that steer a match from its first event on."""
    return [
        Draft.of(ControlChanged(command=command, value=value, by=by))
        for command, value in commands.items()
        if value is not None
    ]


def _replayed_drafts(runner: MatchRunner, events: Sequence[Event]) -> list[Draft]:
    """Return the drafts of the decisions in `events`, played again by `runner`."""
    drafts: list[Draft] = []
    first = True
    for event in flat(events):
        if event.type == "SeedSet" and not first:
            seed = SeedSet.model_validate(event.data)
            runner.match.reseed(seed.seed)
            drafts.append(Draft.of(seed, "operator"))
        elif event.type == "SeedSet":
            first = False
        elif event.type == "ActionChosen":
            chosen = ActionChosen.model_validate(event.data)
            drafts += runner.play(chosen.seat, Choice(chosen.action, chosen.source))
    return _merged(drafts)


def _merged(drafts: Sequence[Draft]) -> list[Draft]:
    """Return `drafts` with neighbouring batches made one: their number would tell how much was said in private."""
    merged: list[Draft] = []
    for draft in drafts:
        if draft.type == PrivateBatch.__name__ and merged and merged[-1].type == draft.type:
            merged[-1] = private_batch(flat_drafts((merged[-1], draft)))
        else:
            merged.append(draft)
    return merged
