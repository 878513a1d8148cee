"""The composition root: every part of the server is made and wired here, and nowhere else."""

from __future__ import annotations

import asyncio
import fcntl
import socket
from pathlib import Path
from typing import IO, Annotated, Any

from fastapi import Depends
from starlette.requests import HTTPConnection

from grandstand.games.base import OptionError
from grandstand.games.catalog import GAMES
from grandstand.players.roster import Roster
from grandstand.players.workers import WorkerProcess, WorkLimits
from grandstand.server.access import Access, seats_in
from grandstand.server.audience.predictions import Predictions
from grandstand.server.audience.reactions import Reactions
from grandstand.server.auth import Auth
from grandstand.server.bucket import open_bucket
from grandstand.server.cards.cache import FileCache
from grandstand.server.cards.studio import Studio
from grandstand.server.cluster.cluster import Cluster
from grandstand.server.feeds.news import Feeds
from grandstand.server.game_list import GameList
from grandstand.server.garbage import GarbageCollector
from grandstand.server.lobby.feed import LobbyFeed
from grandstand.server.lobby.moments import BestMoments
from grandstand.server.log import MatchLogger
from grandstand.server.matches.deleting import Deletion
from grandstand.server.matches.driver import Driver
from grandstand.server.matches.own_keys import own_offer
from grandstand.server.matches.presence import Presence
from grandstand.server.matches.published import PublishedMatches
from grandstand.server.matches.sandbox import Sandboxes
from grandstand.server.matches.showcase import Showcase
from grandstand.server.matches.tournaments import Tournaments
from grandstand.server.metrics import Now, ServerMetrics
from grandstand.server.openenv.seats import RemoteSeats
from grandstand.server.purse import REFILL, MatchCosts, Purse
from grandstand.server.reference.episodes import ReferencedRecorder, ReferenceEpisodes
from grandstand.server.reference.results import ReferenceResults
from grandstand.server.results.leaderboards import Leaderboards
from grandstand.server.results.match_results import MatchResults
from grandstand.server.settings import PREFIX, Settings, SettingsError
from grandstand.server.sign_in import open_accounts
from grandstand.server.spending import open_spending
from grandstand.server.transport.observers import Observers
from grandstand.server.turns import Turns
from grandstand.server.voice import open_voice
from grandstand.server.watchdog import Watchdog
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import RecordError
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.history import History
from grandstand.spectator.hub import Hub
from grandstand.spectator.store.interface import EpisodeStore

LISTED = 200
"""The number of matches listed to a foreign program."""

CARD_CACHE = 64 * 1024**2
"""Bytes of cards and clips that are kept: many clients request the picture of a shared link within a short time."""

SEGMENT_CACHE = 256 * 1024**2
"""Bytes of segments of ended episodes that are kept."""

IMPORT_LIMITS = WorkLimits(memory=1024**3, seconds=60)
"""The limits of reading one imported file, in a process of its own. The longest record takes 5 s and 330 MiB, and the
first match of 50 overs 7 s and 240 MiB, to build the tables of its chances."""


class ServerParts:
    """The parts of one server, from the record to OpenEnv's seats."""

    long_responses: asyncio.Lock
    """Held while a piece of a long response is made: one for all in each turn of the loop."""
    custom: dict[str, Any]
    """The last match that an older client started, as those clients know it."""

    def __init__(self, settings: Settings) -> None:
        """Raise RecordError if the record cannot be used, SettingsError if a setting cannot."""
        self.settings = settings
        self.roster = _roster(settings)
        self.accounts = open_accounts(self.roster.own.endpoints)
        self._lock = _lock(settings.data)
        self.reference = ReferenceEpisodes(settings.reference_games)
        self.store, self.recorder, self.cluster = _record(settings, self.reference)
        self.spending = open_spending(settings, self.recorder, self.roster)
        self.history = History(self.recorder)
        self.results = MatchResults(self.recorder, self.history, ReferenceResults(settings.reference_games))
        self.boards = Leaderboards(self.results)
        self.feeds = Feeds(self.recorder, self.history, self.results)
        self.moments = BestMoments(self.history, self.recorder, GAMES)
        self.predictions = Predictions(self.history, settings.data / "calls.db")
        self.reactions = Reactions(self.history, settings.data / "reactions.db")
        self.games = GameList(self.roster)
        self.hub, self.metrics, self.watchdog = Hub(self.history), ServerMetrics(), Watchdog()
        self.garbage = GarbageCollector(self.history.drop_unread)
        self.bus = Bus(self.metrics.timed(self.recorder))
        self.purse = Purse(settings.visitor_credits, REFILL)
        self.costs = MatchCosts(self.purse)
        self.access = self._access(settings)
        self.driver = self._driver(settings)
        self.tournaments = Tournaments(self.driver, self.bus, self.recorder, self.results, self.roster)
        self.studio = Studio(FileCache(settings.data / "cards", CARD_CACHE), self.purse)
        self.segments = FileCache(settings.data / "segments", SEGMENT_CACHE)
        self.importing = WorkerProcess(IMPORT_LIMITS)
        self.sandboxes = Sandboxes(self.purse)
        self.bucket = open_bucket(settings.bucket, self.recorder)
        self.published = PublishedMatches(self.bus, self.recorder)
        self.voice = open_voice(settings, self.bus, self.recorder, self.metrics)
        self.exports, self.replies, self.imports = (Turns(self.purse) for _ in range(3))
        self.long_responses = asyncio.Lock()
        self.observers, self.custom = Observers(), {}
        self.deletion = Deletion(self.recorder, self.history, self._forget_result)
        self.showcase = self._showcase(settings)
        self.presence = Presence(self.driver, self.hub.playing)
        self.lobby = LobbyFeed(self.driver, self.history, self.recorder, self.hub, self.showcase.lanes)
        self.remote_seats = self._remote_seats(settings)
        self._observe()

    def _showcase(self, settings: Settings) -> Showcase:
        games, commentator = settings.showcase_games, settings.showcase_commentator
        voice = settings.showcase_voice
        return Showcase(self.driver, self.recorder, self._forget, games, commentator=commentator, voice=voice)

    def _remote_seats(self, settings: Settings) -> RemoteSeats:
        matches, each = settings.openenv_sessions, settings.visitor_sessions
        return RemoteSeats(self.driver, self.bus, self.access, self.roster, matches=matches, each=each)

    def _observe(self) -> None:
        """Register what is measured, and add every observer to the bus, in the order in which they are called."""
        self.metrics.registry.register(self.garbage)
        self.metrics.registry.register(self.watchdog)
        self.metrics.registry.register(Now(self.driver, self.hub, self.store, self.voice, self.spending))
        first = (self.history, self.hub, self.metrics, self.results, MatchLogger(self.history))
        last = (
            self.remote_seats,
            self.showcase,
            self.voice,
            self.tournaments,
            self.spending,
            self.predictions,
            self.costs,
        )
        follow = (self.history, self.hub, self.results, self.showcase, self.tournaments)
        for observer in (*first, *((self.bucket,) if self.bucket else ()), *last):
            self.bus.add(observer, follows=observer in follow)

    def be_at(self, host: str, port: int) -> None:
        """Tell the other servers of the record, if there are any, the address at which this one listens."""
        if self.cluster is not None:
            anywhere = host in ("0.0.0.0", "::")
            self.cluster.url = f"http://{socket.gethostname() if anywhere else host}:{port}"

    def begin(self) -> None:
        """Restore the state from before a restart, and start all background work."""
        self.spending.shared = self.published.shared = self.cluster is not None
        if self.bucket:
            self.bucket.restore_running()
        for episode_id, delay, releases in self.history.recover():
            self.bus.recover(episode_id, delay, releases)
        self.spending.begin()
        self.voice.begin(self.recorder.episode_ids())
        if self.cluster is None:
            self.tournaments.begin()
            self.driver.resume_all()
        if self.bucket:
            self.bucket.begin()
        self.predictions.begin()
        self.published.begin()
        if self.cluster is None:
            self.showcase.begin()
        else:
            parts = self.bus, self.history, self.hub, self.driver, self.tournaments, self.showcase
            self.cluster.join(*parts, self._forget)
        self.presence.begin()
        self.garbage.begin()
        self.watchdog.begin()

    async def close(self) -> None:
        """Stop all parts, each before those that it uses; the record is the last."""
        self.watchdog.close()
        self.garbage.close()
        self.presence.close()
        self.showcase.close()
        self.published.close()
        self.remote_seats.close()
        await self.tournaments.close()
        await self.driver.close()
        if self.cluster is not None:
            await self.cluster.close()
        await self.spending.close()
        await self.studio.close()
        self.importing.stop()
        self.sandboxes.stop()
        await self.voice.close()
        if self.bucket:
            await self.bucket.close()
        self.predictions.close()
        self.reactions.close()
        self.recorder.close()
        self._lock.close()

    def imported(self, episode_id: str) -> None:
        """Tell the parts of an episode that another process has recorded."""
        self.garbage.want()
        if self.bucket:
            self.bucket.changed(episode_id)

    async def newest(self, game: str) -> list[EpisodeSummary]:
        """Return the newest matches of a game as spectators know them, at most `LISTED`."""
        behind = self.history.behind()
        return (await self.recorder.apart(lambda: self.recorder.summaries(game=game, limit=LISTED, behind=behind)))[0]

    def _access(self, settings: Settings) -> Access:
        auth = Auth(settings.host, settings.operator_sha256, seats_in(self.recorder))
        return Access(auth, self.history, settings, self.accounts.user)

    def _driver(self, settings: Settings) -> Driver:
        slots, queue, pace = settings.slots, settings.queue, settings.pace
        record = self.bus, self.history, self.recorder
        driver = Driver(*record, self.roster, self.costs, slots=slots, queue=queue, pace=pace)
        driver.apart = ("showcase",)
        driver.past = self.results.past
        driver.on_resumed = self._on_resumed
        return driver

    def _forget(self, episode_id: str) -> None:
        self.history.forget(episode_id)
        self.reactions.forget(episode_id)
        self.voice.forget(episode_id)
        if self.bucket:
            self.bucket.changed(episode_id)

    def _forget_result(self, episode_id: str) -> None:
        """Forget an episode and its result. Ratings keep the results of showcase matches that are pruned."""
        self.results.forget(episode_id)
        self._forget(episode_id)

    def _on_resumed(self, episode_id: str) -> None:
        self.garbage.want()
        if self.recorder.summary(episode_id).origin == "openenv":
            self.remote_seats.resumed([episode_id])


async def _parts(connection: HTTPConnection) -> ServerParts:
    """Return the parts of the server, once what the request asks of the record first is read."""
    parts: ServerParts = connection.app.state.parts
    if connection.scope["type"] == "http":  # the stream of an episode reads it when it begins
        await parts.access.prefetch(connection)
    return parts


Parts = Annotated[ServerParts, Depends(_parts)]
"""The parts of the server, as a parameter of a route."""


def _record(settings: Settings, reference: ReferenceEpisodes) -> tuple[Path | str, EpisodeStore, Cluster | None]:
    """Return the place of the record and its store, and this server among others if they share it."""
    if settings.store is None:
        file = settings.data / "grandstand.db"
        return file, ReferencedRecorder(file, reference), None
    url = settings.store.get_secret_value()
    cluster = Cluster(settings, url)
    return url, cluster.store, cluster


def _roster(settings: Settings) -> Roster:
    """Return the roster, which has the commentator of the showcase. Raises SettingsError."""
    roster = Roster.load(settings.roster)
    roster.own = own_offer(settings, roster)
    if settings.showcase_commentator:
        try:
            roster.find_commentator(settings.showcase_commentator)
        except OptionError as error:
            raise SettingsError(f"{PREFIX}SHOWCASE_COMMENTATOR: {error}") from error
    return roster


def _lock(folder: Path) -> IO[str]:
    """Lock `folder` for this process: two servers on one record would play the same matches twice."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / "lock").open("w")
    except OSError as error:
        raise RecordError(
            f"data: cannot use {folder}: {error.strerror}. Name a writable folder with --data."
        ) from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise RecordError(
            f"data: another server uses {folder}. Stop it, or name another folder with --data."
        ) from error
    return file
