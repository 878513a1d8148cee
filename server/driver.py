"""Plays matches: many side by side, each one task, each from its log if it must be taken up again."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from games.base import OptionError
from games.match import Match
from games.registry import game_spec
from models import (
    ActionChosen,
    ControlChanged,
    EpisodeCreated,
    EpisodeEnded,
    EpisodeResumed,
    EpisodeSummary,
    Event,
    SeedSet,
    StartEpisode,
)
from players.roster import seat_player
from players.table import Table, draft
from spectator.bus import Bus
from spectator.errors import RecordError
from spectator.history import History
from spectator.recorder import Recorder

log = logging.getLogger(__name__)

REMEMBERED_KEYS = 1000
"""Idempotency keys kept: a start that is sent again answers with the match it started."""


class Full(Exception):
    """No slot is free and the queue is full."""


@dataclass(slots=True)
class Running:
    """A match that is being played, or waits for a slot."""

    episode_id: str
    table: Table
    pace: float
    begun: bool = False
    """Whether the log already holds EpisodeStarted."""
    stop: str | None = None
    """Why the match is to stop after the current turn."""
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class Driver:
    """Starts, queues, plays, stops and resumes matches."""

    def __init__(self, bus: Bus, history: History, recorder: Recorder, *, slots: int, queue: int, pace: float) -> None:
        self._bus = bus
        self._history = history
        self._recorder = recorder
        self._slots = slots
        self._queue_limit = queue
        self._pace = pace
        self._live: dict[str, Running] = {}
        self._queue: list[Running] = []
        self._started_by_key: dict[str, str] = {}
        self.on_idle: Callable[[], None] = lambda: None
        """Called when the last match has ended and none waits."""

    @property
    def live(self) -> int:
        return len(self._live)

    @property
    def queued(self) -> Sequence[str]:
        """The episodes that wait for a slot, next first."""
        return [running.episode_id for running in self._queue]

    def start(self, request: StartEpisode, *, key: str | None = None, origin: str = "api") -> EpisodeSummary:
        """Create an episode and play it as soon as a slot is free. The same `key` starts only once.

        Raises OptionError naming the field at fault, or Full.
        """
        if key is not None and key in self._started_by_key:
            return self._recorder.summary(self._started_by_key[key])
        if len(self._live) >= self._slots and len(self._queue) >= self._queue_limit:
            raise Full(f"all {self._slots} slots are taken and {len(self._queue)} matches wait; try again later")
        table = new_table(request)
        pace = self._pace if request.pace is None else request.pace
        running = Running(f"{request.game}-{secrets.token_hex(5)}", table, pace)
        self._bus.open(running.episode_id, time.time_ns() // 1_000_000)
        title = request.title or table.match.spec.title
        paced = draft(ControlChanged(command="pace", value=pace, by=origin))
        self._bus.publish(running.episode_id, [*table.created(request.options, title, origin), paced])
        if key is not None:
            self._started_by_key[key] = running.episode_id
            if len(self._started_by_key) > REMEMBERED_KEYS:
                del self._started_by_key[next(iter(self._started_by_key))]
        self._queue.append(running)
        self._fill_slots()
        return self._recorder.summary(running.episode_id)

    def stop(self, episode_id: str, by: str) -> None:
        """End a match after its current turn, or take it out of the queue. Does nothing to one that has ended."""
        for running in (*self._live.values(), *self._queue):
            if running.episode_id == episode_id and running.stop is None:
                running.stop = by
                running.wake.set()
        for running in [waiting for waiting in self._queue if waiting.stop]:
            self._queue.remove(running)
            self._end_stopped(running)

    def resume_all(self) -> int:
        """Take up every match that the record shows as unfinished; answers how many. Others are marked interrupted."""
        unfinished, _ = self._recorder.summaries(status=("live", "queued"), limit=10_000)
        for summary in reversed(unfinished):
            try:
                self._queue.append(self._from_log(summary))
            except Exception as error:
                log.warning("episode %s cannot go on: %s", summary.episode_id, error)
                self._bus.open(summary.episode_id, summary.epoch, summary.last_seq + 1)
                self._bus.publish(
                    summary.episode_id, [draft(EpisodeEnded(status="interrupted", message=f"cannot go on: {error}"))]
                )
        self._fill_slots()
        return len(unfinished)

    async def close(self) -> None:
        """Stop playing at once. Unfinished matches stay in the record and go on when the server comes back."""
        tasks = [running.task for running in self._live.values() if running.task]
        self._live.clear()
        self._queue.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _fill_slots(self) -> None:
        while self._queue and len(self._live) < self._slots:
            running = self._queue.pop(0)
            self._live[running.episode_id] = running
            running.task = asyncio.create_task(self._play(running), name=f"match {running.episode_id}")

    async def _play(self, running: Running) -> None:
        try:
            if not running.begun:
                self._bus.publish(running.episode_id, running.table.started())
            while not running.table.match.over:
                await self._pause(running)
                if running.stop is not None:
                    self._end_stopped(running)
                    break
                self._bus.publish(running.episode_id, await running.table.play_round())
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self._end_broken(running, error)
        if self._live.pop(running.episode_id, None):
            self._fill_slots()
            if not self._live:
                self.on_idle()

    async def _pause(self, running: Running) -> None:
        """Let people read: wait for the match's pace, or only give way to other tasks at full speed."""
        if running.pace == 0:
            await asyncio.sleep(0)
            return
        try:
            await asyncio.wait_for(running.wake.wait(), running.pace)
            running.wake.clear()
        except TimeoutError:
            pass

    def _end_stopped(self, running: Running) -> None:
        stopped = ControlChanged(command="stop", by=running.stop or "")
        ended = EpisodeEnded(status="stopped", message=f"stopped by {running.stop}")
        self._bus.publish(running.episode_id, [draft(stopped), draft(ended)])

    def _end_broken(self, running: Running, error: Exception) -> None:
        """Our own bug, or a record that cannot be written: the episode ends as `error` and says which."""
        log.exception("episode %s broke", running.episode_id)
        kind = "the record failed" if isinstance(error, RecordError) else "a bug of ours"
        try:
            ended = EpisodeEnded(status="error", message=f"{kind}: {type(error).__name__}: {error}")
            self._bus.publish(running.episode_id, [draft(ended)])
        except RecordError:
            log.error("episode %s: its end could not be recorded either", running.episode_id)

    def _from_log(self, summary: EpisodeSummary) -> Running:
        """The match as its record left it. Raises where its players cannot go on or the log does not replay."""
        events = self._history.events(summary.episode_id)
        table = table_from_log(events)
        stuck = [player.name for player in table.players.values() if not player.resumable]
        if stuck:
            raise OptionError(f"players: {', '.join(stuck)} cannot be taken up from the log")
        begun = any(event.type == "EpisodeStarted" for event in events)
        self._bus.open(summary.episode_id, summary.epoch, summary.last_seq + 1)
        if begun:
            resumed = draft(EpisodeResumed(turn=table.match.game.turn))
            self._bus.publish(summary.episode_id, [resumed])
        return Running(summary.episode_id, table, _pace(events, self._pace), begun)


def new_table(request: StartEpisode) -> Table:
    """The match that was asked for, its seats filled. Raises OptionError naming the field at fault."""
    spec = game_spec(request.game)
    for seat in request.players:
        if seat not in spec.seats:
            raise OptionError(f"players.{seat}: {spec.name} has no such seat; there are {', '.join(spec.seats)}")
    seed = secrets.randbits(48) if request.seed is None else request.seed
    strongest = next(iter(spec.bots))
    players = {seat: seat_player(spec, request.players.get(seat, strongest)) for seat in spec.seats}
    return Table(Match(spec, request.options, seed), players)


def _pace(events: Sequence[Event], default: float) -> float:
    """The pace that the match was last set to."""
    paces = [
        event.data["value"] for event in events if event.type == "ControlChanged" and event.data["command"] == "pace"
    ]
    return float(paces[-1]) if paces else default


def table_from_log(events: Sequence[Event]) -> Table:
    """The match that `events` tell of, as they leave it: the log is the truth, so it is played again."""
    created = EpisodeCreated.model_validate(events[0].data)
    seed = SeedSet.model_validate(next(event.data for event in events if event.type == "SeedSet")).seed
    chosen = (ActionChosen.model_validate(event.data) for event in events if event.type == "ActionChosen")
    match, _ = Match.replay(created.game, created.options, seed, ((choice.seat, choice.action) for choice in chosen))
    players = {info.seat: seat_player(match.spec, info.player) for info in created.seats}
    return Table(match, players)
