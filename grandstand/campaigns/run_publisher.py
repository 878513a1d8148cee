"""Sends a training run, and some of its matches, to a server while it runs; an observer of its bus.

It has a thread and an event loop of its own, so that training continues whatever happens to the server.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import math
import random
import re
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from grandstand.campaign_events import EXPERIMENT, TRAINING
from grandstand.events import EpisodeEnded, TrainingMatch
from grandstand.models import Draft, Event
from grandstand.play.commentator import narrate
from grandstand.spectator.bus import new_epoch
from grandstand.spectator.errors import UnknownEpisode
from grandstand.spectator.publisher import Publisher, PublishRefused

log = logging.getLogger(__name__)

CONTINUED = (TRAINING, EXPERIMENT)
"""The games of runs whose next process continues their episode."""

AT_ONCE = 3
"""Matches that are shown at the same time."""

MARK = re.compile(r"-([0-9a-f]{12})-[0-9a-f]{12}")
"""The prefix of all ids of one buffer, unique to the run."""

SILENT = 900.0
"""Seconds without an event after which a match is given up, since its slot is needed."""

PLACE = re.compile(r"-s(\d+)-g\d+-f\d+$|-e-.*-v(\d+)-(?:own|base)\d*$")
"""Pattern of the ids of training matches (by step) and evaluations (by version)."""

LEFT = Draft(
    "EpisodeEnded", EpisodeEnded(status="interrupted", message="Training left it here.").model_dump(mode="json")
)
"""The end of a match that sends nothing more."""

Batches = asyncio.Queue[Sequence[Event] | None]
"""The events of an episode that are still to be shown; None marks its end."""


class Watch:
    """Republishes all events of a run immediately, and those of a `share` of its matches a turn every `pace` seconds.

    At most `per_minute` matches begin in a minute, and AT_ONCE are shown at a time. The story of a match is told here,
    where it is shown; the events of a run keep their numbers. Episodes get ids that no other run has, always the same
    with the same `buffer`. That is the file of what was sent and what is to be sent; with it, a run that was killed
    continues where the server left off.

    >>> with Watch(url, token, share=0.05, per_minute=2, pace=1.5, buffer=folder / "watch.db", seed=1) as watch:
    ...     bus.add(watch)
    """

    def __init__(
        self,
        url: str,
        token: str,
        share: float,
        per_minute: float,
        pace: float,
        buffer: Path,
        seed: int,
        *,
        run: str = TRAINING,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Raise RecordError if `buffer` cannot be used; no later call raises.

        `run` is the game of the episode that is the run itself. A training run or an experiment continues its episode
        after a restart; any other begins a new one, and the episode of the earlier process is ended.
        """
        self._run = run
        self.shown = 0
        """Matches that were begun to be shown."""
        self.lost = 0
        """Number of events that should have been shown and were not: the server refused them, or earlier ones were
        missing."""
        self.trouble = ""
        """Why nothing more is shown; '' while all is well."""
        self._share, self._pace, self._seed = share, pace, seed
        self._most = math.ceil(per_minute)
        self._within = 60 * self._most / per_minute if per_minute else 0.0
        self._buffer = buffer
        self._clock = clock
        self._begun: deque[float] = deque()
        self._taken: dict[str, str] = {}
        """Episode that is shown -> its game."""
        self._matches: set[str] = set()
        """Those of them that are matches."""
        self._training = ""
        """The run's own episode, once it has begun."""
        self._shows: dict[str, Batches] = {}
        self._lock = threading.Lock()
        self._open = True
        self._broken = False
        self._drain = 0.0
        ready: Future[asyncio.AbstractEventLoop] = Future()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._main(url, token, ready)), name="watch", daemon=True
        )
        self._thread.start()
        self._loop = ready.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def on_events(self, events: Sequence[Event]) -> None:
        """Add a batch if it is to be shown; any thread may call it. Events that were added before are ignored, so a
        run that continues may add its whole record again."""
        first = events[0]
        with self._lock:
            game = self._taken.get(first.episode_id) or self._takes(first)
            if game == TRAINING:
                self._training = first.episode_id
            if game:
                self._taken[first.episode_id] = game
            if game and self._open:
                self._loop.call_soon_threadsafe(self._hand_over, game, events)
            elif game:
                self.lost += len(events)

    def on_released(self, episode_id: str) -> None: ...

    def close(self, seconds: float = 10.0) -> None:
        """Publish the waiting events without further pauses, for at most `seconds`; the rest stays in the
        buffer. Idempotent."""
        with self._lock:
            if self._open:
                self._open = False
                self._drain = seconds
                self._loop.call_soon_threadsafe(self._finish)
        self._thread.join()

    def _takes(self, first: Event) -> str:
        """Return the game of the episode that begins with `first`; '' if it is not to be shown."""
        game = str(first.data["game"]) if first.type == "EpisodeCreated" else ""
        return game if game == self._run or (game and self._picks(first.episode_id)) else ""

    def _picks(self, match: str) -> bool:
        # Drawn by id, so that what is shown does not depend on the order in which matches begin.
        if random.Random(f"{self._seed}/{match}").random() >= self._share:
            return False
        now = self._clock()
        while self._begun and now - self._begun[0] >= self._within:
            self._begun.popleft()
        if len(self._begun) >= self._most or len(self._matches) >= AT_ONCE:
            return False
        self._begun.append(now)
        self._matches.add(match)
        return True

    # What follows runs on the thread of its own.

    async def _main(self, url: str, token: str, ready: Future[asyncio.AbstractEventLoop]) -> None:
        try:
            await self._publish_all(url, token, ready)
        except* PublishRefused as refused:
            self._fail(f"the server refused what training shows: {refused.exceptions[0]}")
        except* TimeoutError:
            log.warning("not all was sent in time; the rest is in %s and goes out when the run goes on", self._buffer)
        except* Exception as error:
            if ready.done():
                self._fail(f"training cannot be shown: {error.exceptions[0]!r}")
            else:
                ready.set_exception(error.exceptions[0])
        finally:
            with self._lock:
                self._open = False

    async def _publish_all(self, url: str, token: str, ready: Future[asyncio.AbstractEventLoop]) -> None:
        """Publish the batches that arrive until `close`, then send the rest."""
        self._closing = asyncio.Event()
        async with Publisher(url, token, self._buffer, seed=self._seed, narrate=narrate) as self._publisher:
            async with asyncio.TaskGroup() as self._group:
                self._take_up()
                ready.set_result(asyncio.get_running_loop())
                await self._closing.wait()
            async with asyncio.timeout(self._drain):
                await self._publisher.drain()

    def _take_up(self) -> None:
        """Continue after an earlier process, whose matches end here."""
        recorder = self._publisher.recorder
        marks = [MARK.search(episode_id) for episode_id in recorder.episode_ids()]
        self._mark = next((mark[1] for mark in marks if mark), secrets.token_hex(6))
        for summary in recorder.summaries(status=["live", "queued"], limit=10_000)[0]:
            if summary.game not in CONTINUED:
                self._publisher.bus.open(summary.episode_id, new_epoch(), summary.last_seq + 1)
                self._publisher.publish(summary.episode_id, [LEFT])

    def _hand_over(self, game: str, events: Sequence[Event]) -> None:
        episode_id = events[0].episode_id
        if self._broken:
            self.lost += len(events)
            return
        if episode_id not in self._shows:
            self._shows[episode_id] = asyncio.Queue()
            self._group.create_task(self._show(game, episode_id, self._shows[episode_id]))
        self._shows[episode_id].put_nowait(events)

    def _finish(self) -> None:
        for batches in self._shows.values():
            batches.put_nowait(None)
        self._closing.set()

    def _follow(self, game: str, episode_id: str) -> int | None:
        """Begin an episode, or continue that of a run in the buffer. Return the number of the next event; None if there
        is none."""
        try:
            summary = self._publisher.recorder.summary(episode_id)
        except UnknownEpisode:
            self._publisher.begin(game, episode_id)
            return 0
        if summary.ended_at is not None or game not in CONTINUED:
            return None
        self._publisher.bus.open(episode_id, new_epoch(), summary.last_seq + 1)
        return summary.last_seq + 1

    async def _show(self, game: str, episode_id: str, batches: Batches) -> None:
        """Publish one episode to its end."""
        there = self._there(game, episode_id)
        try:
            due = self._follow(game, there)
            if due is not None:
                await self._show_from(due, there, batches, episode_id in self._matches)
        except Exception:
            self._broken = True
            raise
        finally:
            del self._taken[episode_id]
            del self._shows[episode_id]
            self._matches.discard(episode_id)

    def _there(self, game: str, episode_id: str) -> str:
        """Return the id that an episode has on the server."""
        return f"{game}-{self._mark}-{hashlib.sha256(episode_id.encode()).hexdigest()[:12]}"

    def _place(self, episode_id: str) -> TrainingMatch | None:
        """Return the place of a match in the training run; None if the run does not learn from it."""
        match = PLACE.search(episode_id)
        if match is None or not self._training:
            return None
        return TrainingMatch(
            run=self._there(TRAINING, self._training),
            stage="training" if match[1] else "evaluation",
            step=int(match[1] or match[2]),
        )

    async def _show_from(self, due: int, episode_id: str, batches: Batches, match: bool) -> None:
        """Publish the events from number `due` on as they come, those of a match a turn at a time."""
        self.shown += match
        whole = True
        while events := await self._next(batches, match):
            if whole and events[0].seq > due:
                whole = False
                log.warning("%s: event %d is missing, so what follows is not shown", events[0].episode_id, due)
            if not whole:
                self.lost += len(events)
                continue
            for turn in _turns([event for event in events if event.seq >= due]):
                self._publisher.publish(episode_id, [_shown(event, self._place(event.episode_id)) for event in turn])
                due = turn[-1].seq + 1
                if match and turn[-1].type == "TurnStarted":
                    await self._rest()
            if events[-1].type == "EpisodeEnded":
                return
        if match:
            self._publisher.publish(episode_id, [LEFT])

    async def _next(self, batches: Batches, match: bool) -> Sequence[Event] | None:
        """Return the next events; None if a match has been silent for too long."""
        with suppress(TimeoutError):
            return await asyncio.wait_for(batches.get(), SILENT if match else None)
        return None

    async def _rest(self) -> None:
        """Pause for the viewers, unless the publisher is closing."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), self._pace)

    def _fail(self, why: str) -> None:
        self.trouble = why
        log.warning("%s. Nothing more is shown; training goes on.", why)


def _turns(events: Sequence[Event]) -> list[list[Event]]:
    """Return `events` in parts, each of which ends where a turn begins; the last one ends with the last event."""
    turns: list[list[Event]] = [[]]
    for event in events:
        turns[-1].append(event)
        if event.type == "TurnStarted":
            turns.append([])
    return [turn for turn in turns if turn]


def _shown(event: Event, place: TrainingMatch | None) -> Draft:
    """Return `event` as the server receives it; `place` is the match's place in the run."""
    data: dict[str, Any] = event.data
    match event.type:
        case "EpisodeCreated":
            # The server does not have the match that it forked from.
            data = data | {"origin": "publisher", "parent": None, "training": place and place.model_dump()}
        case "PrivateBatch":
            data = {"events": [part | {"data": _light(part["type"], part["data"])} for part in data["events"]]}
        case _:
            data = _light(event.type, data)
    return Draft(event.type, data, event.audience)


def _light(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return `data` without the tokens of a recorded turn.

    No viewer receives them, and training reads them from the local record. Only whose choice it was
    is sent, so that tokens can neither leak nor fill a Space's disk.
    """
    if kind != "TurnRecorded":
        return data
    return data | {"prompt": [], "completion": [], "logprobs": [], "allowed": [], "features": {}}
