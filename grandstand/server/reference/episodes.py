"""The reference episodes, which come with an installation, and the record that shows them after its own.

They are read from files and never written: no limit, no deletion and no budget of the record touches them.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from grandstand.campaign_events import CAMPAIGNS
from grandstand.events import SeatInfo
from grandstand.models import Event
from grandstand.server.lobby.in_turn import in_turn
from grandstand.spectator.errors import RecordError, UnknownEpisode
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.record_rows import TrainingSteps
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.replay import from_lines

FOLDER = Path(__file__).parents[2] / "reference"
"""The folder of the package that has them."""

SUMMARIES, EPISODES = "summaries.jsonl.gz", "episodes"
"""In it, the file of the summaries, one a line, and the folder of the records."""

KEPT = 1
"""Number of episodes whose events stay in memory here; those that are watched stay in the history."""


class ReferenceEpisodes:
    """The reference episodes of some games, those of each game and origin in turn; the others are left out."""

    def __init__(self, games: Collection[str], folder: Path = FOLDER) -> None:
        """Read the summaries; of campaigns too, if there are games. Raises RecordError if they cannot be read."""
        self._folder = folder
        known = {*games, *CAMPAIGNS} if games else set()
        read = [summary for summary in _summaries(folder / SUMMARIES) if summary.game in known]
        read.sort(key=lambda summary: (summary.created_at, summary.episode_id), reverse=True)
        self.summaries: Mapping[str, EpisodeSummary] = {
            summary.episode_id: summary for summary in in_turn(read, lambda each: (each.game, each.origin))
        }
        self._events = lru_cache(KEPT)(self._read)

    def events(self, episode_id: str) -> Sequence[Event]:
        """Return all events of an episode. Raises UnknownEpisode, or RecordError if its file cannot be read."""
        if episode_id not in self.summaries:
            raise UnknownEpisode(episode_id)
        return self._events(episode_id)

    def file(self, episode_id: str) -> Path | None:
        """Return the file of an episode, or None if it is no reference episode."""
        return self._folder / EPISODES / f"{episode_id}.gz" if episode_id in self.summaries else None

    def _read(self, episode_id: str) -> Sequence[Event]:
        file = self.file(episode_id)
        assert file is not None
        try:
            with gzip.open(file, "rt", encoding="utf-8") as lines:
                return from_lines(lines).events
        except (OSError, EOFError, ValueError) as error:
            raise RecordError(f"reference episode {episode_id}: {file} cannot be read: {error}") from error


def _summaries(file: Path) -> list[EpisodeSummary]:
    if not file.is_file():
        return []
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            return [EpisodeSummary.model_validate_json(line) for line in lines]
    except (OSError, EOFError, ValueError) as error:
        raise RecordError(f"reference: {file} cannot be read: {error}. Install Grandstand again.") from error


class ReferencedRecorder(Recorder):
    """A record that lists the reference episodes after its own, and reads them as it reads its own."""

    def __init__(self, path: Path | str, reference: ReferenceEpisodes) -> None:
        """Open or create the store at `path`. Raises RecordError if it cannot be used."""
        super().__init__(path)
        self._reference = reference

    def summary(self, episode_id: str) -> EpisodeSummary:
        """Return the summary of one episode. Raises UnknownEpisode, or RecordError if the record is damaged."""
        return self._reference.summaries.get(episode_id) or super().summary(episode_id)

    def summaries(
        self,
        *,
        game: str | None = None,
        player: str | None = None,
        status: Sequence[str] = (),
        limit: int = 50,
        offset: int = 0,
        behind: Mapping[str, EpisodeSummary] | None = None,
        without: Sequence[str] = (),
        training: TrainingSteps | None = None,
    ) -> tuple[list[EpisodeSummary], int]:
        """Return a page of the record's own episodes and, after them, of the reference episodes; and their number."""
        own, total = super().summaries(
            game=game,
            player=player,
            status=status,
            limit=limit,
            offset=offset,
            behind=behind,
            without=without,
            training=training,
        )
        if training is not None:
            return own, total
        found = [
            summary
            for summary in self._reference.summaries.values()
            if (not game or summary.game == game)
            and (not player or _has(summary.seats, player))
            and (not status or summary.status in status)
            and summary.origin not in without
        ]
        first = max(0, offset - total)
        return [*own, *found[first : first + max(0, limit - len(own))]], total + len(found)

    def events(self, episode_id: str, first: int = 0, stop: int | None = None) -> Iterator[Event]:
        """Yield events with `first <= seq < stop` in order. Raises RecordError naming an event that cannot be read."""
        if episode_id in self._reference.summaries:
            return iter(self._reference.events(episode_id)[first:stop])
        return super().events(episode_id, first, stop)

    def of_type(self, episode_id: str, kind: str) -> list[Event]:
        """Return the events of one type, in order. Raises RecordError naming an event that cannot be read."""
        if episode_id in self._reference.summaries:
            return _of_types(self._reference.events(episode_id), (kind,))
        return super().of_type(episode_id, kind)

    async def load(self, episode_id: str, types: Sequence[str] = ()) -> list[Event]:
        """Return all events, or those of some types, read in another thread so that the loop is not blocked."""
        if episode_id in self._reference.summaries:
            return _of_types(await asyncio.to_thread(self._reference.events, episode_id), types)
        return await super().load(episode_id, types)


def _has(seats: Sequence[SeatInfo], player: str) -> bool:
    return any(seat.player == player for seat in seats)


def _of_types(events: Sequence[Event], types: Sequence[str]) -> list[Event]:
    return [event for event in events if not types or event.type in types]
