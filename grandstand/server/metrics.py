"""Numbers for operators at `/metrics`, in Prometheus' text format."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from grandstand.games.catalog import GAMES
from grandstand.models import Event, flat
from grandstand.server.matches.driver import Driver
from grandstand.server.spending import Spending
from grandstand.spectator.hub import Hub
from grandstand.spectator.record_rows import Request
from grandstand.spectator.store.interface import EventStore, commit
from grandstand.spectator.voice.scheduler import Outcome, VoiceScheduler

FAST = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)


class ServerMetrics:
    """Counters of published events, fed as an observer of the bus, and the timing of the record's commits."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._events = Counter("grandstand_events", "Events published.", ["game"], registry=self.registry)
        self._ended = Counter("grandstand_matches_ended", "Matches ended.", ["game", "status"], registry=self.registry)
        self._faults = Counter(
            "grandstand_player_faults",
            "Players that failed, by whose fault it was.",
            ["boundary"],
            registry=self.registry,
        )
        self._sources = Counter(
            "grandstand_choices", "Accepted choices, by source.", ["source"], registry=self.registry
        )
        self._lines = Counter(
            "grandstand_voice_lines",
            "Lines of the commentator, by what became of them.",
            ["outcome"],
            registry=self.registry,
        )
        self._spoken = Histogram(
            "grandstand_voice_seconds", "From a line's event to its clip.", buckets=FAST, registry=self.registry
        )
        self._commit = Histogram(
            "grandstand_commit_seconds", "Time to commit one batch.", buckets=FAST, registry=self.registry
        )
        self._lag = Histogram(
            "grandstand_event_lag_seconds",
            "From the stamp of an event to when the loop can send it.",
            buckets=FAST,
            registry=self.registry,
        )
        self._games: dict[str, str] = {}

    def spoke(self, outcome: Outcome, lag: float) -> None:
        """Count a line of the voice, and the seconds from its event to its clip."""
        self._lines.labels(outcome).inc()
        if outcome == "spoken":
            self._spoken.observe(lag)

    def timed(self, record: EventStore) -> EventStore:
        """Return `record` with its commits timed."""
        return TimedRecord(record, self._commit)

    def on_events(self, events: Sequence[Event]) -> None:
        first = events[0]
        if first.type == "EpisodeCreated":
            self._games[first.episode_id] = _label(first.data["game"])
        game = self._games.get(first.episode_id) or _label(first.episode_id.partition("-")[0])
        self._events.labels(game).inc(len(events))
        asyncio.get_running_loop().call_soon(lambda: self._lag.observe(max(0.0, time.time() - first.at)))
        for event in flat(events):
            match event.type:
                case "PlayerFault":
                    self._faults.labels(event.data["boundary"]).inc()
                case "ActionChosen":
                    self._sources.labels(event.data["source"]).inc()
                case "EpisodeEnded":
                    self._ended.labels(game, event.data["status"]).inc()
                    self._games.pop(event.episode_id, None)

    def on_released(self, episode_id: str) -> None: ...


def _label(game: str) -> str:
    """Return the name of a game as a label: unknown games share one label, since labels must be few."""
    return game if game in GAMES else "other"


class TimedRecord:
    """A record whose commits are timed."""

    def __init__(self, record: EventStore, histogram: Histogram) -> None:
        self._record = record
        self._histogram = histogram

    def on_events(self, events: Sequence[Event]) -> None:
        with self._histogram.time():
            self._record.on_events(events)

    async def commit(self, events: Sequence[Event], request: Request | None = None) -> None:
        with self._histogram.time():
            await commit(self._record, events, request)


class Now(Collector):
    """Gauges whose values are read when Prometheus collects them."""

    def __init__(self, driver: Driver, hub: Hub, store: Path | str, voice: VoiceScheduler, spending: Spending) -> None:
        self._gauges: list[tuple[str, str, Callable[[], float]]] = [
            ("grandstand_matches_live", "Matches being played.", lambda: driver.live),
            ("grandstand_matches_queued", "Matches that wait for a slot.", lambda: len(driver.queued)),
            ("grandstand_viewers", "Connections that watch.", lambda: hub.viewers()),
            ("grandstand_tasks", "Tasks of the event loop.", lambda: len(asyncio.all_tasks())),
            ("grandstand_store_bytes", "Size of the record on disk.", lambda: _size(store)),
            ("grandstand_voice_up", "1 while the server speaks lines in clips.", lambda: voice.state.kind == "clips"),
            ("grandstand_voice_waiting", "Lines that wait for the provider.", lambda: voice.waiting),
            ("grandstand_day_tokens", "Tokens spent today (UTC).", lambda: spending.today().tokens),
            ("grandstand_day_dollars", "US dollars spent today (UTC).", lambda: spending.today().dollars),
            ("grandstand_clip_bytes", "Size of all clips.", lambda: voice.clips.size if voice.clips else 0),
        ]

    def collect(self) -> Iterator[Metric]:
        for name, text, value in self._gauges:
            yield GaugeMetricFamily(name, text, value=value())


def _size(store: Path | str) -> float:
    """Return the bytes of the file of the record; 0 for a database of several servers, which has its own metrics."""
    if isinstance(store, str):
        return 0.0
    return float(sum(file.stat().st_size for file in store.parent.glob(store.name + "*")))
