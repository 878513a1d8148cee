"""Files as episodes: documents of other programs, and records of Grandstand.

A file becomes a whole episode. Its id is a digest of the content and the title: the same file with the same title
always has the same id. Nothing is recorded until the whole file has been read.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from itertools import groupby
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from grandstand.events import (
    CORE_EVENTS,
    EpisodeCreated,
    EpisodeEnded,
    EpisodeStarted,
    SeatInfo,
    SeatOpened,
    SeedSet,
    TurnStarted,
)
from grandstand.games.base import GameEvent, OptionError
from grandstand.games.catalog import GAMES
from grandstand.games.exchange import DocumentError, DocumentForm, Imported
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec, game_options
from grandstand.models import Draft, Event, OutcomeData, PrivateBatch, flat, valid_text
from grandstand.play.commentator import commentator
from grandstand.play.drafts import game_draft, private_batch
from grandstand.play.event_schema import event_schemas
from grandstand.play.verification import ReplayMismatch
from grandstand.spectator.bus import Bus, new_epoch
from grandstand.spectator.errors import RecordError
from grandstand.spectator.replay import complete, known_events

MAX_BYTES = 64 * 1024**2
"""Bytes of a file after it is unpacked; more is refused."""

MAX_EVENTS: Final = 50_000
"""The most events of an episode, as of a published one."""

MAX_EVENT: Final = 1024**2
"""Characters of one event's data."""

MAX_VALUES: Final = 4_000_000
"""Values of a file, counted by the commas and brackets in its text: Python takes some 70 bytes for each."""

MAX_TITLE: Final = 300
"""Characters of a record's title."""

NOT_JSON: Final = "it has a number or a text that is no JSON: NaN, infinity, or half a character"

_NAMED = 12
"""Number of hexadecimal digits in the id."""


class ImportFault(ValueError):
    """A file that cannot be imported; the message names the file, the place in it and the remedy."""


@dataclass(frozen=True, slots=True)
class ImportedEpisode:
    """An episode that was read from a file and is not recorded yet."""

    events: Sequence[Event]
    differences: Sequence[str]
    """Moments at which the rules of Grandstand give another result than the document."""

    @property
    def episode_id(self) -> str:
        return self.events[0].episode_id

    @property
    def created(self) -> EpisodeCreated:
        return EpisodeCreated.model_validate(self.events[0].data)


def read_import(name: str, content: bytes, title: str = "", source: str = "") -> ImportedEpisode:
    """Return the episode of a file called `name`: a document of a game, or a record, gzipped or not.

    `title` and `source` replace what the file says. Raises ImportFault.
    """
    try:
        text = _unpacked(content).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportFault(f"{name}: not UTF-8 at byte {error.start + 1}; {_readable_forms()}") from error
    except (OSError, EOFError, zlib.error) as error:
        raise ImportFault(f"{name}: the gzip file is damaged ({error}); pack it again") from error
    except ImportFault as error:
        raise ImportFault(f"{name}: {error}") from error
    if sum(map(text.count, ",[{")) > MAX_VALUES:
        raise ImportFault(f"{name}: more than {MAX_VALUES} values; import a game at a time")
    try:
        if _is_record(text):
            return _from_record(name, text.removesuffix("\n").split("\n"), title, source)
        return _from_document(name, _document(text), title, source)
    except (DocumentError, RecordError, OptionError) as error:
        raise ImportFault(f"{name}: {error}") from error


def _unpacked(content: bytes) -> bytes:
    if content[:2] != b"\x1f\x8b":
        unpacked = content
    else:
        reader = zlib.decompressobj(wbits=31)
        unpacked = reader.decompress(content, MAX_BYTES + 1)
        if len(unpacked) <= MAX_BYTES and not reader.eof:
            raise EOFError("it ends too early")
    if len(unpacked) > MAX_BYTES:
        raise ImportFault(f"more than {MAX_BYTES // 1024**2} MiB; import a game at a time")
    return unpacked


def _is_record(text: str) -> bool:
    """Return whether the first line is a header of a record."""
    first = text[:1000].partition("\n")[0]
    try:
        header = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(header, dict) and "format" in header and "viewpoint" in header


def _document(text: str) -> Mapping[str, Any]:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise DocumentError(f"line {error.lineno}: not JSON ({error.msg}); {_readable_forms()}") from error
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"not JSON ({error}); {_readable_forms()}") from error
    if not isinstance(document, dict):
        raise DocumentError(f"a JSON {type(document).__name__}, not an object; {_readable_forms()}")
    if not _is_json(document):
        raise DocumentError(NOT_JSON)
    return document


def _is_json(value: object) -> bool:
    """Return whether a value is valid JSON: `json` also reads NaN, infinity and lone surrogates."""
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        return False
    return True


def _forms() -> Iterator[tuple[GameSpec, DocumentForm]]:
    for game in GAMES:
        spec = game_spec(game)
        for form in spec.exchange.imports.values():
            yield spec, form


def _readable_forms() -> str:
    return f"a file can be {', '.join(form.title for _, form in _forms())}, or a record that Grandstand exported"


def _from_document(name: str, document: Mapping[str, Any], title: str, source: str) -> ImportedEpisode:
    spec, form = next(((spec, form) for spec, form in _forms() if form.matches(document)), (None, None))
    if spec is None or form is None:
        keys = ", ".join(map(str, [*document][:8])) or "none"
        raise DocumentError(f"its keys are {keys}; {_readable_forms()}")
    imported = form.read(document)
    digest = _digest([document, title] if title else document)
    return ImportedEpisode(imported_events(spec, imported, digest, name, title, source), imported.differences)


def imported_events(
    spec: GameSpec, imported: Imported, digest: str, name: str, title: str = "", source: str = ""
) -> Sequence[Event]:
    """Return the whole episode of an imported game, with its story."""
    episode_id = f"{spec.name}-{digest}"
    game_options(spec, imported.options)
    created = EpisodeCreated(
        game=spec.name,
        title=valid_text(title or imported.title),
        options=dict(imported.options),
        seats=[
            SeatInfo(seat=seat, player=valid_text(imported.players[seat]), kind="human")
            for seat in spec.seats(imported.options)
        ],
        origin="imported",
        source=valid_text(source or f"{name} ({imported.source})"),
        reveal="live",
        rules=spec.rules.version,
    )
    drafts = [Draft.of(created), *_played(imported)]
    _check_number(drafts)
    log = _Log()
    at = time.time()
    bus = Bus(log, clock=lambda: at)
    bus.open(episode_id, new_epoch(), narrator=commentator(spec, episode_id))
    bus.publish(episode_id, drafts)
    _check_number(log.events)
    for event in log.events:
        _check_size(f"event {event.seq}: {event.type}", len(_canonical(event.data)))
    return log.events


def _check_number(events: Sequence[object]) -> None:
    if len(events) > MAX_EVENTS:
        raise RecordError(f"more than {MAX_EVENTS} events")


def _check_size(where: str, size: int) -> None:
    if size > MAX_EVENT:
        raise RecordError(f"{where}: data: has {size} characters; an event has at most {MAX_EVENT}")


class _Log:
    """A store that keeps the events in memory."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def on_events(self, events: Sequence[Event]) -> None:
        self.events += events


def _played(imported: Imported) -> Iterator[Draft]:
    yield Draft.of(EpisodeStarted())
    yield from _drafts(imported.opening)
    for index, turn in enumerate(imported.turns):
        scores = dict(turn.scores)
        yield Draft.of(TurnStarted(index=index, turn=turn.turn, to_act=list(turn.to_act), scores=scores))
        yield from _drafts(turn.events)
    outcome = imported.outcome
    differences = "; ".join(imported.differences)
    notes = [
        "" if outcome else "The document ends without a result.",
        f"By the rules here: {differences}." if differences else "",
    ]
    yield Draft.of(
        EpisodeEnded(
            status="finished" if outcome else "stopped",
            outcome=OutcomeData.model_validate(asdict(outcome)) if outcome else None,
            message=" ".join(note for note in notes if note),
        )
    )


def _drafts(events: Iterable[GameEvent]) -> Iterator[Draft]:
    """Yield game events as drafts. Successive private events become one batch."""
    for public, group in groupby(map(game_draft, events), key=lambda draft: draft.audience == "public"):
        drafts = list(group)
        yield from drafts if public else [private_batch(drafts)]


def _digest(content: object) -> str:
    return blake2b(_canonical(content), digest_size=_NAMED // 2).hexdigest()


def _canonical(content: object) -> bytes:
    """Return the canonical text of JSON data: equal data have equal texts."""
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()


def verify_import(events: Sequence[Event]) -> None:
    """Check an imported game: the document that is written from it must give the same game events again.

    Raises ReplayMismatch naming the first event that differs.
    """
    created = EpisodeCreated.model_validate(events[0].data)
    spec = game_spec(created.game)
    kinds = {kind.__name__ for kind in spec.events}
    recorded = [(event.seq, event.type, event.data) for event in flat(events) if event.type in kinds]
    own = [(kind, data) for _, kind, data in recorded]
    header = {"episode_id": events[0].episode_id, "created_at": events[0].at}
    for name, form in spec.exchange.imports.items():
        try:
            document = spec.exchange.exports[name](own, header)
            again = form.read(json.loads(json.dumps(document)))
        except (DocumentError, StopIteration, LookupError) as error:
            raise ReplayMismatch(f"no {name} can be written and read again: {error}") from error
        game_events = [*again.opening, *(event for turn in again.turns for event in turn.events)]
        following = [(draft.type, draft.data) for draft in map(game_draft, game_events)]
        if len(following) != len(recorded):
            raise ReplayMismatch(f"the {name} gives {len(following)} game events, the record has {len(recorded)}")
        for (seq, kind, data), now in zip(recorded, following, strict=True):
            if (kind, data) != (now[0], json.loads(json.dumps(now[1]))):
                raise ReplayMismatch(f"event {seq} ({kind}) differs from the {now[0]} that the {name} gives")


def is_imported_document(events: Sequence[Event]) -> bool:
    """Return whether an episode came from a document, which has no choices to play again."""
    imported = events[0].data.get("origin") == "imported"
    return imported and not any(event.type == SeedSet.__name__ for event in flat(events))


# --- records of Grandstand --------------------------------------------------------------------------------------------


def _from_record(name: str, lines: Sequence[str], title: str, source: str) -> ImportedEpisode:
    """Return the episode of a record under a new id, with the recorded times and without withheld events' content."""
    _check_number(lines[1:])
    events = complete(known_events(lines)).events
    _check_data(events)
    _check_type("line 2", EpisodeCreated, events[0].data)
    created = EpisodeCreated.model_validate(events[0].data)
    _check_types(created, events)
    if len(created.title) > MAX_TITLE:
        raise RecordError(f"line 2: data.title: has {len(created.title)} characters; shorten it to {MAX_TITLE}")
    events = tuple(map(_without_token, events))
    again = created.origin == "imported"
    renamed = created.model_copy(
        update={
            "title": valid_text(title) or created.title,
            "origin": "imported",
            "source": valid_text(source) or (created.source if again else f"{name} (episode {events[0].episode_id})"),
            "delay": 0.0,
        }
    )
    episode_id = f"{created.game}-{_record_digest(events, renamed.title)}"
    first = events[0].model_copy(update={"data": renamed.model_dump(mode="json")})
    return ImportedEpisode([event.model_copy(update={"episode_id": episode_id}) for event in (first, *events[1:])], ())


def _record_digest(events: Sequence[Event], title: str) -> str:
    """Return the digest of a record called `title`, without the fields that an import changes."""
    digest = blake2b(digest_size=_NAMED // 2)
    for event in events:
        kept = event.model_dump(mode="json", exclude={"episode_id"})
        if not event.seq:
            same = {key: value for key, value in kept["data"].items() if key not in ("origin", "source", "delay")}
            kept["data"] = {**same, "title": title}
        digest.update(_canonical(kept))
    return digest.hexdigest()


def _without_token(event: Event) -> Event:
    """Return the event, or an empty batch in place of a seat's token, which is valid only for the original."""
    if event.type != SeatOpened.__name__:
        return event
    return event.model_copy(update={"type": PrivateBatch.__name__, "audience": "private", "data": {"events": []}})


def _check_data(events: Sequence[Event]) -> None:
    """Raise RecordError for data that cannot be recorded, or a batch that cannot be split."""
    for event in events:
        where = f"line {event.seq + 2}: {event.type}"
        if not _is_json(event.data):
            raise RecordError(f"{where}: data: {NOT_JSON}")
        _check_size(where, len(_canonical(event.data)))
        if event.type == PrivateBatch.__name__:
            _check_type(where, PrivateBatch, event.data)


def _check_types(created: EpisodeCreated, events: Sequence[Event]) -> None:
    """Raise RecordError for an unknown game, or an event that cannot be read.

    A game's own events are checked only if the record has the current version of the rules.
    """
    if created.game not in GAMES:
        raise RecordError(f"line 2: data.game: {created.game!r} is not a game of this Grandstand: {', '.join(GAMES)}")
    current = created.rules == game_spec(created.game).rules.version
    schemas = event_schemas(created.game) if current else CORE_EVENTS
    for event in flat(events):
        kind = schemas.get(event.type)
        if kind is None and not current:
            continue
        where = f"line {event.seq + 2}: {event.type}"
        if kind is None:
            raise RecordError(f"{where}: {created.game} has no event of this type")
        _check_type(where, kind, event.data)


def _check_type(where: str, kind: type[BaseModel], data: Mapping[str, Any]) -> None:
    """Raise RecordError, naming the field, unless `data` is that of an event of this type."""
    try:
        kind.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        raise RecordError(f"{where}: data.{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
