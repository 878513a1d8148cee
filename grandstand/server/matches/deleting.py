"""Deleting episodes that have ended, with everything that the server keeps of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial

from grandstand.campaign_events import TOURNAMENT, PairingBegan
from grandstand.models import MAX_NUMBER
from grandstand.server.matches.steering import CommandError
from grandstand.spectator.errors import RecordError, UnknownEpisode
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.history import History
from grandstand.spectator.record_rows import TrainingSteps
from grandstand.spectator.store.interface import EpisodeStore

log = logging.getLogger(__name__)

UNFINISHED = ("live", "queued")


class Deletion:
    """Deletes ended episodes: a match, or a tournament or a training run with the matches that it has played."""

    def __init__(self, recorder: EpisodeStore, history: History, forget: Callable[[str], None]) -> None:
        """Create a deletion. `forget` is called with each episode that was deleted from the record."""
        self._recorder = recorder
        self._history = history
        self._forget = forget

    async def delete(self, episode_id: str) -> None:
        """Delete an episode, and before it the matches that it has played.

        They are deleted one by one, so that a large run does not hold up the server; after a crash in between, the
        request can be repeated. Raises UnknownEpisode, StorageError, or CommandError if one of the episodes is still
        needed; then nothing has been deleted.
        """
        try:
            summary = self._recorder.summary(episode_id)
        except RecordError as error:
            log.warning("it is deleted unread: %s", error)
            matches = []
        else:
            matches = await self._recorder.apart(lambda: list(self._played_by(summary)))
            needed = await self._recorder.apart(self._needed)
            self._check([*matches, summary], needed)
        for name in (*(match.episode_id for match in matches), episode_id):
            await self._recorder.apart(partial(self._recorder.delete, [name]))
            self._forget(name)
            await asyncio.sleep(0)
        log.info("episode %s was deleted, and %d matches that it has played", episode_id, len(matches))

    def _needed(self) -> dict[str, str]:
        """Return the matches of tournaments that have not ended, with the tournaments' titles."""
        tournaments, _ = self._recorder.summaries(game=TOURNAMENT, status=UNFINISHED, limit=MAX_NUMBER)
        return {match.episode_id: live.title for live in tournaments for match in self._played_by(live)}

    def _check(self, episodes: list[EpisodeSummary], needed: Mapping[str, str]) -> None:
        """Raise CommandError if one of `episodes` is played, shown with a delay, or needed by a live tournament."""
        behind = self._history.behind()
        for episode in episodes:
            name = episode.episode_id
            if episode.reference:
                raise CommandError(f"{name} came with the installation; leave its game out of the showcase to hide it")
            if episode.ended_at is None:
                raise CommandError(f"{name} has not ended; stop it, or wait until the program that plays it ends it")
            if name in behind:
                raise CommandError(f"{name} is shown {episode.delay:g} s late; wait until spectators have seen its end")
            if name in needed:
                raise CommandError(f"{name} is needed by a tournament that has not ended; stop {needed[name]!r} first")

    def _played_by(self, summary: EpisodeSummary) -> Iterator[EpisodeSummary]:
        """Yield the recorded matches of a tournament or a training run."""
        if summary.game != TOURNAMENT:
            matches, _ = self._recorder.summaries(training=TrainingSteps(summary.episode_id), limit=MAX_NUMBER)
            yield from matches
            return
        # A published tournament could name matches that are not its own.
        origin = "publisher" if summary.origin == "publisher" else "tournament"
        for event in self._recorder.of_type(summary.episode_id, PairingBegan.__name__):
            with suppress(UnknownEpisode, RecordError):
                match = self._recorder.summary(PairingBegan.model_validate(event.data).episode_id)
                if match.origin == origin:
                    yield match
