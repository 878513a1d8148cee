"""Validation of finished records, and the download format, JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from pydantic import ValidationError

from grandstand.models import Event, PrivateBatch
from grandstand.spectator.errors import RecordError
from grandstand.spectator.store.interface import EpisodeStore
from grandstand.spectator.viewpoint import Viewpoint

FORMAT = "grandstand-episode"
VERSION = 1
"""The version of the format that is written; docs/export.md describes it."""

READ_VERSIONS = (1,)
"""The versions of the format that can be read."""


@dataclass(frozen=True, slots=True)
class Episode:
    """The finished record of one match: every event from EpisodeCreated to EpisodeEnded."""

    events: tuple[Event, ...]

    @property
    def episode_id(self) -> str:
        return self.events[0].episode_id


def complete(events: Sequence[Event]) -> Episode:
    """Return `events` as an Episode. Raises RecordError naming the first gap or the missing end."""
    check_whole(events)
    if events[-1].type != "EpisodeEnded":
        raise RecordError(f"episode {events[0].episode_id}: no end after event {events[-1].seq}; it may still be live")
    return Episode(tuple(events))


def check_whole(events: Sequence[Event]) -> None:
    """Check that `events` are one episode from its first event on, without a gap. Raises RecordError."""
    if not events or events[0].type != "EpisodeCreated":
        raise RecordError("episode: does not start with EpisodeCreated; it is not a complete record")
    for number, event in enumerate(events):
        if event.seq != number:
            raise RecordError(f"episode {event.episode_id}: event {number} is missing; its place has {event.seq}")
        if event.episode_id != events[0].episode_id:
            raise RecordError(f"episode {events[0].episode_id}: event {number} belongs to {event.episode_id}")


def read(recorder: EpisodeStore, episode_id: str) -> Episode:
    """Return an episode of the store. Raises UnknownEpisode, or RecordError if it is not complete."""
    recorder.summary(episode_id)
    return complete(list(recorder.events(episode_id)))


def to_lines(events: Iterable[Event], viewpoint: Viewpoint) -> Iterator[str]:
    """Yield the lines of a download: a header, then one event per line; hidden events have their number alone.

    An operator's download is the whole record, including training data, and can be read back.
    """
    yield json.dumps({"format": FORMAT, "version": VERSION, "viewpoint": str(viewpoint)}) + "\n"
    for event in events:
        visible = event if viewpoint.role == "operator" else viewpoint.known(event)
        yield (json.dumps({"seq": event.seq}) if visible is None else visible.model_dump_json()) + "\n"


def from_lines(file: IO[str]) -> Episode:
    """Return the episode of a download made as an operator. Raises RecordError naming the line."""
    return complete(events_from_lines(file))


def events_from_lines(file: Iterable[str]) -> list[Event]:
    """Return the events of such a download; the match may be unfinished. Raises RecordError naming the line."""
    events = [_event(number, line) for number, line in _numbered(file)]
    check_whole(events)
    return events


def known_events(file: Iterable[str]) -> list[Event]:
    """Return the events of a download made from any viewpoint, without a gap. Raises RecordError naming the line.

    A withheld event is an empty `PrivateBatch` at the time of the event before it: nobody may see more of it.
    """
    events: list[Event] = []
    for number, line in _numbered(file):
        if events and _is_withheld(line):
            changes = {"seq": json.loads(line)["seq"], "type": PrivateBatch.__name__, "audience": "private"}
            events.append(events[-1].model_copy(update={**changes, "data": {"events": []}}))
        else:
            events.append(_event(number, line))
    check_whole(events)
    return events


def _numbered(file: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that follow the header with their numbers. Raises RecordError for another header."""
    for number, line in enumerate(file, 1):
        if number > 1:
            yield number, line
            continue
        try:
            _check_header(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise RecordError(f"line 1: {error}") from error


def _event(number: int, line: str) -> Event:
    try:
        return Event.model_validate_json(line)
    except ValidationError as error:
        if _is_withheld(line):
            raise RecordError(f"line {number}: is withheld; download the episode as an operator") from error
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "line"
        raise RecordError(f"line {number}: {where}: {first['msg']}") from error


def _is_withheld(line: str) -> bool:
    """Return whether the line is a bare number, which stands for an event that the downloader may not see."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and data.keys() == {"seq"} and isinstance(data["seq"], int)


def _check_header(header: object) -> None:
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError(f"not a Grandstand episode: the first line must name the format {FORMAT!r}")
    version = header.get("version")
    if version not in READ_VERSIONS:
        newer = isinstance(version, int) and version > VERSION
        remedy = "; it was written by a newer Grandstand: install that" if newer else ""
        raise ValueError(f"format version {version!r} is none of {', '.join(map(str, READ_VERSIONS))}{remedy}")
