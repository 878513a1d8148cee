"""The state of the lobby as one document, and what changes in it."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from starlette.types import Send

from grandstand.campaign_events import CAMPAIGNS
from grandstand.games.base import OptionError
from grandstand.play.preparation import loaded_spec
from grandstand.server.bodies.lobby import KeyMoment
from grandstand.server.bodies.matches import Glance, LaneInfo
from grandstand.server.first_of import first_of
from grandstand.server.lobby.glances import glance, key_moment
from grandstand.server.lobby.waiting import awaited_person, placed, public_queue
from grandstand.server.matches.driver import Driver
from grandstand.server.transport.event_stream import HEARTBEAT_EVERY, RETRY
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.history import History
from grandstand.spectator.hub import SLOW_AFTER, Hub
from grandstand.spectator.store.interface import EpisodeStore
from grandstand.spectator.viewpoint import SPECTATOR

EVERY = 1.0
"""Seconds between checks for changes, while anybody is connected."""

OPEN = 100
"""Number of live and queued episodes that are listed, the newest first."""

ENDED = 24
"""Number of ended episodes that are listed: a page of the list below the lobby."""

RESULTS = 1
"""Number of ended episodes with a key moment: the newest is shown while no match is live."""

DRAWABLE = 12
"""Number of live matches with a glance at them. The page asks for more only as they are scrolled to."""

KEPT = 120
"""Number of changes kept for clients that were away; one that has missed more receives the whole lobby."""

State = dict[str, Any]


class LobbyFeed:
    """The state of the lobby and its last changes, made and encoded once for all clients.

    Only the version of each client is known: a slow client receives the changes that it has missed, or the whole lobby.
    """

    def __init__(
        self, driver: Driver, history: History, recorder: EpisodeStore, hub: Hub, lanes: Callable[[], list[LaneInfo]]
    ) -> None:
        self._driver = driver
        self._history = history
        self._recorder = recorder
        self._hub = hub
        self._lanes = lanes
        self._epoch = secrets.token_hex(4)
        self._number = 0
        self._state: State = {}
        self._changes: deque[bytes] = deque(maxlen=KEPT)
        self._keys: dict[str, tuple[int, int, KeyMoment | None]] = {}
        self._glances: dict[str, tuple[int, int, Glance]] = {}
        self._looked_at = -EVERY
        self._looking = asyncio.Lock()

    @property
    def version(self) -> str:
        return f"{self._epoch}.{self._number}"

    async def whole(self) -> bytes:
        """Return the lobby as JSON, at most EVERY seconds old."""
        await self._look()
        return _json({"version": self.version, **self._state})

    async def send_all(self, send: Send, after: str) -> None:
        """Send the changes after the version `after`, until the server stops or the client takes nothing."""
        await _send(send, RETRY)
        beat_at = time.monotonic()
        while not self._hub.closed.is_set():
            await self._look()
            data, now = self._since(after), time.monotonic()
            if not data and now - beat_at >= HEARTBEAT_EVERY:
                data = _message({"after": self.version, "version": self.version})
            if data:
                async with asyncio.timeout(SLOW_AFTER):
                    await _send(send, data)
                after, beat_at = self.version, now
            await first_of([self._hub.closed.wait()], EVERY)
        await _send(send, b"", more=False)

    def _since(self, after: str) -> bytes:
        """Return the changes after a version; all, if it is not one of the last versions."""
        epoch, _, number = after.partition(".")
        missed = self._number - int(number) if number.isdecimal() and epoch == self._epoch else -1
        if 0 <= missed <= len(self._changes):
            return b"".join(list(self._changes)[len(self._changes) - missed :])
        return _message({"after": "", "version": self.version, **self._state})

    async def _look(self) -> None:
        """Check for changes, unless that was done lately."""
        async with self._looking:
            if time.monotonic() - self._looked_at < EVERY:
                return
            state = await self._now()
            change = difference(self._state, state)
            if change:
                before, self._number, self._state = self.version, self._number + 1, state
                self._changes.append(_message({"after": before, "version": self.version, **change}))
            self._looked_at = time.monotonic()

    async def _now(self) -> State:
        """Return the lobby as spectators may know it now, as the fields of `Lobby` in JSON."""
        ended, total, open_ = await self._listed()
        listed = [*open_, *ended[:RESULTS]]
        for game in {each.game for each in listed}:
            with suppress(OptionError):  # a game that is not installed here has no pictures
                await loaded_spec(game)
        for summary in listed:
            if self._read(summary) <= summary.last_seq:
                await self._history.load(summary.episode_id)
        ended, total, open_ = await self._listed()  # at the same moment as what follows
        queue = public_queue(self._driver, self._history.behind())
        live = [each for each in open_ if each.status == "live" and each.episode_id not in queue]
        drawn = [*[each for each in live if _drawable(each)][:DRAWABLE], *filter(_drawable, ended[:RESULTS])]
        self._glances = {each.episode_id: shown for each in drawn if (shown := self._glance(each))}
        moments = {each.episode_id: self._key_moment(each) for each in [*live, *ended[:RESULTS]]}
        self._keys = {key: value for key, value in self._keys.items() if key in moments}
        watched = {each.episode_id: self._hub.audience(each.episode_id) for each in [*open_, *ended]}
        people = [person for each in live for person in awaited_person(self._driver, each)]
        return {
            "episodes": {each.episode_id: placed(each, queue).model_dump(mode="json") for each in [*open_, *ended]},
            "live": [each.episode_id for each in live],
            "queue": [episode_id for episode_id in queue if any(each.episode_id == episode_id for each in open_)],
            "ended": [each.episode_id for each in ended],
            "total": total,
            "viewers": {episode_id: count for episode_id, count in watched.items() if count},
            "lanes": [lane.model_dump(mode="json") for lane in self._lanes()],
            "waiting": list(self._driver.storage_faults),
            "awaited": {person.episode_id: person.model_dump(mode="json") for person in people},
            "moments": {key: moment.model_dump(mode="json") for key, moment in moments.items() if moment},
            "glances": {key: shown.model_dump(mode="json") for key, (_, _, shown) in self._glances.items()},
        }

    async def _listed(self) -> tuple[list[EpisodeSummary], int, list[EpisodeSummary]]:
        """Return the newest ended episodes, their number, and those that are live or wait."""
        behind = self._history.behind()
        over = ("finished", "stopped", "error", "interrupted")
        summaries = self._recorder.summaries

        def read() -> tuple[list[EpisodeSummary], int, list[EpisodeSummary]]:
            ended, total = summaries(status=over, limit=ENDED, behind=behind, without=("tournament",))
            return ended, total, summaries(status=("live", "queued"), limit=OPEN, behind=behind)[0]

        return await self._recorder.apart(read)

    def _glance(self, summary: EpisodeSummary) -> tuple[int, int, Glance] | None:
        """Return the epoch and the last number of an episode with a glance at it, which is new only if they are.

        An episode that is not in memory keeps its last glance until it is loaded.
        """
        known = self._glances.get(summary.episode_id)
        if (known and known[:2] == (summary.epoch, summary.last_seq)) or not self._history.holds(summary.episode_id):
            return known
        events = self._history.events(summary.episode_id, SPECTATOR)
        return summary.epoch, summary.last_seq, glance(events, len(events) - 1)

    def _read(self, summary: EpisodeSummary) -> int:
        """Return the number of events in which the key moments of an episode were looked for already."""
        epoch, read, _ = self._keys.get(summary.episode_id, (summary.epoch, 0, None))
        return read if epoch == summary.epoch else 0

    def _key_moment(self, summary: EpisodeSummary) -> KeyMoment | None:
        """Return the last key moment of a match; only events that were not there before are read."""
        read = self._read(summary)
        known = self._keys[summary.episode_id][2] if read else None
        if read <= summary.last_seq and self._history.holds(summary.episode_id):
            events = self._history.events(summary.episode_id, SPECTATOR)
            known = key_moment(summary, events, read) or known
            self._keys[summary.episode_id] = (summary.epoch, len(events), known)
        return known


def _drawable(summary: EpisodeSummary) -> bool:
    return summary.game not in CAMPAIGNS and summary.origin != "tournament"


def difference(before: State, after: State) -> State:
    """Return the fields of `after` that differ from `before`; of entries and their fields, those that differ."""
    change: State = {}
    for name, value in after.items():
        old = before.get(name)
        if value == old:
            continue
        if not isinstance(value, dict):
            change[name] = value
            continue
        known: Mapping[str, object] = old or {}
        changed = {key: _fields(known.get(key), entry) for key, entry in value.items() if entry != known.get(key)}
        change[name] = {**changed, **dict.fromkeys(known.keys() - value.keys())}
    return change


def _fields(before: object, after: object) -> object:
    if not isinstance(before, dict) or not isinstance(after, dict):
        return after
    return {name: value for name, value in after.items() if name not in before or before[name] != value}


def _json(value: State) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _message(change: State) -> bytes:
    return b"id: %b\ndata: %b\n\n" % (str(change["version"]).encode(), _json(change))


async def _send(send: Send, data: bytes, *, more: bool = True) -> None:
    await send({"type": "http.response.body", "body": data, "more_body": more})
