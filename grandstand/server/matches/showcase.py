"""The showcase: a lane for each game, in which one match of bots follows another."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from random import Random

from grandstand.events import ControlChanged, EpisodeEnded
from grandstand.games.spec import match_title
from grandstand.models import Event
from grandstand.play.preparation import loaded_spec
from grandstand.server.bodies.matches import Command, LaneInfo, StartEpisode
from grandstand.server.matches.driver import Driver
from grandstand.server.matches.live_match import LiveMatch
from grandstand.server.matches.steering import CommandError
from grandstand.spectator.errors import RecordError, StorageError
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.store.interface import EpisodeStore

log = logging.getLogger(__name__)

GAP = 20.0
"""Seconds between two matches of a lane, in which viewers read how the first ended."""

KEPT = 40
"""Ended matches of a lane that are kept, so that the record does not grow."""

PAUSED = 120.0
"""Seconds after which a paused match of the showcase goes on by itself."""

BY = "showcase"
"""The user named in the showcase's commands."""

LEAVING = frozenset({"pause", "take_over"})
"""Commands after which the lane leaves a match to the operator and starts another."""


class Lane:
    """The matches of one game, one after another."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.episode_id: str | None = None
        """The match that is played; None between two matches."""
        self.next_at: float | None = None
        """The time of the next start, by the wall clock, between two matches."""
        self.timer: asyncio.TimerHandle | None = None


class Showcase:
    """The lanes of `games`, an observer of the bus. The newest `kept` ended matches are kept."""

    def __init__(
        self,
        driver: Driver,
        recorder: EpisodeStore,
        forget: Callable[[str], None],
        games: Sequence[str],
        kept: int = KEPT,
        *,
        commentator: str = "",
        voice: bool = False,
    ) -> None:
        """`forget` is called with every episode that is deleted from the record.

        `commentator` words the commentary; `voice`: the matches are read aloud.
        """
        self._driver = driver
        self._recorder = recorder
        self._forget = forget
        self._kept = kept
        self._commentator = commentator
        self._voice = voice
        self._games = games
        self._lanes: list[Lane] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._paused: dict[str, asyncio.TimerHandle] = {}
        """Episode -> the timer that resumes it."""

    def begin(self) -> None:
        """Adopt the matches from before a restart, and start one in every other lane."""
        self._adopt(self._unfinished())

    async def begin_meanwhile(self) -> None:
        """Begin as `begin` does, while the loop goes on. Raises RecordError."""
        self._adopt(await self._recorder.apart(self._unfinished))

    def _unfinished(self) -> list[EpisodeSummary]:
        return self._recorder.summaries(status=("live", "queued"), limit=10_000)[0]

    def _adopt(self, unfinished: Sequence[EpisodeSummary]) -> None:
        self._lanes = [Lane(game) for game in self._games]
        for summary in unfinished:
            if summary.origin == "showcase" and summary.paused:
                self._resume_later(summary.episode_id)
        for lane in self._lanes:
            for summary in unfinished:
                mine = summary.origin == "showcase" and summary.game == lane.game
                if mine and not (summary.paused or summary.taken):
                    lane.episode_id = summary.episode_id
                    break
            else:
                self._play_in(lane, 0.0)

    def close(self) -> None:
        for lane in self._lanes:
            if lane.timer:
                lane.timer.cancel()
        self._lanes.clear()
        for timer in self._paused.values():
            timer.cancel()
        self._paused.clear()
        for task in self._tasks:
            task.cancel()

    def lanes(self) -> list[LaneInfo]:
        """Return the match of each lane, or the time at which the next begins."""
        return [LaneInfo(game=lane.game, episode_id=lane.episode_id, next_at=lane.next_at) for lane in self._lanes]

    def on_events(self, events: Sequence[Event]) -> None:
        self._watch_pause(events)
        for lane in self._lanes:
            if lane.episode_id == events[0].episode_id:
                if events[-1].type == EpisodeEnded.__name__:
                    self._play_in(lane, GAP)
                elif any(_leaves(event) for event in events):
                    self._play_in(lane, 0.0)

    def _watch_pause(self, events: Sequence[Event]) -> None:
        """Let a match that is paused, and not steered any more, go on after PAUSED seconds."""
        episode_id = events[0].episode_id
        ours = any(lane.episode_id == episode_id for lane in self._lanes)
        for event in events:
            command = event.data["command"] if event.type == ControlChanged.__name__ else ""
            if (command == "pause" and ours) or (episode_id in self._paused and command in ("pause", "step", "pace")):
                self._resume_later(episode_id)
            elif command == "resume" or event.type == EpisodeEnded.__name__:
                self._forget_pause(episode_id)

    def _forget_pause(self, episode_id: str) -> None:
        if (timer := self._paused.pop(episode_id, None)) is not None:
            timer.cancel()

    def _resume_later(self, episode_id: str) -> None:
        self._forget_pause(episode_id)
        loop = asyncio.get_running_loop()
        self._paused[episode_id] = loop.call_later(PAUSED, self._do, partial(self._resume, episode_id))

    async def _resume(self, episode_id: str) -> None:
        del self._paused[episode_id]
        try:
            await self._driver.command(episode_id, Command(command="resume"), key=None, by=BY)
        except (CommandError, RecordError) as error:
            log.warning("the match %s of the showcase stays paused: %s", episode_id, error)

    def on_released(self, episode_id: str) -> None: ...

    def _play_in(self, lane: Lane, seconds: float) -> None:
        """Start the next match of `lane` after `seconds`."""
        lane.episode_id = None
        lane.next_at = time.time() + seconds
        lane.timer = asyncio.get_running_loop().call_later(seconds, self._do, partial(self._play_next, lane))

    def _do(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        """Do `work` in a task, which ends when the showcase is closed."""
        task = asyncio.get_running_loop().create_task(work(), name="showcase")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _play_next(self, lane: Lane) -> None:
        try:
            await self._start(lane)
            await self._prune()
        except StorageError as error:
            log.error("the showcase of %s waits until the record can be written: %s", lane.game, error)
            self._play_in(lane, GAP)

    async def _prune(self) -> None:
        """Delete the oldest matches."""
        try:
            for episode_id in await self._recorder.apart(lambda: self._recorder.prune("showcase", self._kept)):
                self._forget(episode_id)
        except RecordError as error:
            log.warning("old matches of the showcase are not deleted for now: %s", error)

    async def _start(self, lane: Lane) -> None:
        def prepare(match: LiveMatch) -> None:
            lane.episode_id, lane.next_at = match.episode_id, None

        spec = await loaded_spec(lane.game)
        seed = secrets.randbits(48)
        players = dict(zip(spec.seats(), spec.bots.showcase(Random(seed)), strict=True))
        options = dict(spec.bots.showcase_options)
        pace = spec.bots.pace if self._driver.pace else 0.0
        request = StartEpisode(
            game=lane.game,
            players=players,
            seed=seed,
            options=options,
            title=match_title(spec, options),
            reveal="live",
            pace=pace,
            commentator=self._commentator,
            voice=self._voice,
        )
        await self._driver.start(request, origin="showcase", apart=True, prepare=prepare)


def _leaves(event: Event) -> bool:
    return event.type == ControlChanged.__name__ and event.data["command"] in LEAVING
