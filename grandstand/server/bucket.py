"""A copy of the record in a folder, episode by episode, for a machine that loses its disk when it sleeps.

The folder is meant to be a mounted object store: a file there is written once, from front to end, and
exists once it is closed; there are no locks. SQLite does not work on such a mount, so the record stays on the local
disk, and each episode that grew is copied as an operator's download, compressed and renamed into place.
Ended episodes are in `episodes/`, unfinished ones in `running/`. Only one server may write to a folder.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from grandstand.atomic import replace_file
from grandstand.models import Event
from grandstand.spectator.errors import RecordError, UnknownEpisode
from grandstand.spectator.replay import events_from_lines, to_lines
from grandstand.spectator.store.interface import EpisodeStore
from grandstand.spectator.viewpoint import OPERATOR

log = logging.getLogger(__name__)

EVERY = 60.0
"""Seconds between copies. If the machine fails, that much of a match can be lost; a graceful stop loses nothing."""

SUFFIX = ".jsonl.gz"


class Bucket:
    """Copies episodes to a folder, and from there into an empty record. An observer of the bus.

    If the folder cannot be written, matches go on, and the next copy tries again.
    """

    def __init__(self, folder: Path, recorder: EpisodeStore, every: float = EVERY) -> None:
        self._ended = folder / "episodes"
        self._running = folder / "running"
        self._recorder = recorder
        self._every = every
        self._due: set[str] = set()
        self._stop = asyncio.Event()
        self._work: asyncio.Task[None] | None = None

    def on_events(self, events: Sequence[Event]) -> None:
        self._due.add(events[0].episode_id)

    def on_released(self, episode_id: str) -> None: ...

    def changed(self, episode_id: str) -> None:
        """Copy an episode that was recorded by another process, or remove one that was deleted, with the next copy."""
        self._due.add(episode_id)

    def restore_running(self) -> None:
        """Put unfinished episodes into the record, so that they can go on. Call it before matches are resumed."""
        ended = {path.name for path in _files(self._ended)}
        for path in _files(self._running):
            if path.name not in ended and not self._known(path):
                self._take(path, _read(path))

    def begin(self) -> None:
        """Restore ended episodes, newest first, while the server runs; then copy the episodes that grow."""
        self._work = asyncio.create_task(self._keep(), name="bucket")

    async def close(self) -> None:
        """Copy all changes, also of running matches, and stop. Call it when no match is played any more."""
        self._stop.set()
        if self._work:
            await self._work

    async def _keep(self) -> None:
        await self._restore_ended()
        saved = {path.name for path in _files(self._ended)}
        self._due.update(name for name in self._recorder.episode_ids() if name + SUFFIX not in saved)
        while True:
            stopping = self._stop.is_set()
            await self._save()
            if stopping:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), self._every)

    async def _restore_ended(self) -> None:
        restored = 0
        for path in sorted(_files(self._ended), key=_age):
            if self._stop.is_set():
                return
            if not self._known(path) and _episode_id(path) not in self._due:  # unless it was deleted since the start
                restored += self._take(path, await asyncio.to_thread(_read, path))
        if restored:
            log.info("%d ended episodes are back from %s", restored, self._ended)

    def _known(self, path: Path) -> bool:
        try:
            self._recorder.summary(_episode_id(path))
        except UnknownEpisode:
            return False
        return True

    def _take(self, path: Path, events: Sequence[Event]) -> bool:
        """Record the episode in `path`; return whether it is new to the record."""
        if not events or self._known(path):
            return False
        try:
            self._recorder.on_events(events)
        except Exception as error:
            log.warning("bucket: %s is left out: %s", path, error)
            return False
        return True

    async def _save(self) -> None:
        for episode_id in list(self._due):
            self._due.discard(episode_id)
            try:
                events = await self._recorder.load(episode_id)
            except RecordError as error:
                log.warning("bucket: episode %s is not copied: %s", episode_id, error)
                continue
            try:
                await asyncio.to_thread(self._write, episode_id, events)
            except OSError as error:
                log.warning("bucket: episode %s is not up to date yet: %s", episode_id, error)
                self._due.add(episode_id)

    def _write(self, episode_id: str, events: Sequence[Event]) -> None:
        """Write the episode to its file and delete any other file of it; without events it has none."""
        home = None
        if events:
            home = self._ended if events[-1].type == "EpisodeEnded" else self._running
            with replace_file(home / f"{episode_id}{SUFFIX}") as part:
                part.write_bytes(gzip.compress("".join(to_lines(events, OPERATOR)).encode(), 6, mtime=0))
        for folder in {self._ended, self._running} - {home}:
            (folder / f"{episode_id}{SUFFIX}").unlink(missing_ok=True)


def open_bucket(folder: Path | None, recorder: EpisodeStore) -> Bucket | None:
    """Return the bucket at `folder`, or None without a folder; the log then says what can be lost."""
    if folder is None:
        return None
    try:
        if not folder.is_dir():
            raise FileNotFoundError(f"no folder {folder}")
        for name in ("episodes", "running"):
            (folder / name).mkdir(exist_ok=True)
    except OSError as error:
        log.warning("bucket: %s. Matches are kept on this machine's own disk alone.", error)
        return None
    return Bucket(folder, recorder)


def _files(folder: Path) -> list[Path]:
    return list(folder.glob("*" + SUFFIX))


def _age(path: Path) -> float:
    """Return a sort key that puts the newest file first."""
    return -path.stat().st_mtime


def _episode_id(path: Path) -> str:
    return path.name.removesuffix(SUFFIX)


def _read(path: Path) -> Sequence[Event]:
    """Return the events in the file; none if it cannot be read, and the log says why. The file stays."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            events = events_from_lines(file)
        if events[0].episode_id != _episode_id(path):
            raise RecordError(f"it holds episode {events[0].episode_id}")
    except (OSError, EOFError, ValueError, RecordError) as error:
        log.warning("bucket: %s is left out: %s", path, error)
        return ()
    return events
