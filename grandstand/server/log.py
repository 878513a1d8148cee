"""The server's log: one format for every line, uvicorn's too, and three lines for each match.

Equal tracebacks are written once a minute, since anybody who can make a request fail could fill the disk. Secrets are
removed where a record is made, so that no handler, format or destination sees them.
"""

from __future__ import annotations

import logging
import math
import re
import threading
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final, TextIO

from grandstand.events import EpisodeCreated, EpisodeEnded
from grandstand.models import Event
from grandstand.spectator.history import History

log = logging.getLogger(__name__)

FORMAT = "%(asctime)s %(levelname)-7s %(name)s  %(message)s"

HIDDEN = r"\1[hidden]"

SECRETS = (
    # The whole value of a header, as text or as the repr of bytes, in a mapping or a pair.
    re.compile(r"((?:(?:proxy-)?authorization|(?:set-)?cookie)\b['\"]?\s*[:=,]\s*b?['\"]?)[^'\"\r\n]+", re.IGNORECASE),
    re.compile(r"(\bbearer\s+)[^\s'\",;]+", re.IGNORECASE),
    # Codes and tokens of an OpenID provider.
    re.compile(r"([?&](?:code|state)=)[^&\s'\"]+", re.IGNORECASE),
    re.compile(
        r"(\b(?:access_token|id_token|client_secret|code_verifier)['\"]?\s*[:=]\s*b?['\"]?)[^&\s'\"]+", re.IGNORECASE
    ),
    # Parameters of an address, and fields of a JSON body.
    re.compile(r"(\b(?:ticket|seat_token|operator_token|token|api_key)=)[^&\s'\"]+", re.IGNORECASE),
    re.compile(r"(['\"](?:ticket|seat_token|operator_token|token|api_key)['\"]\s*:\s*b?['\"])[^'\"]+", re.IGNORECASE),
)
"""Tokens and tickets as the libraries of the server write them: at debug level they log whole requests."""

REPEAT: Final = 60.0
"""Seconds for which equal tracebacks are counted instead of written."""

LOGGED: Final = "_grandstand_logged_at"
"""The attribute that marks a logged exception: the next handler of it, such as uvicorn, would log it again."""

Place = tuple[type[BaseException], frozenset[tuple[str, int]]]
"""The type of an exception and the lines that its traceback names: those of equal tracebacks are equal."""


def configure(level: str) -> None:
    """Log everything of `level` and above to standard error, equal tracebacks at most once a minute.

    That a WebSocket was opened is logged at the level `debug` alone: viewers who come back would fill the disk.
    """
    handler = LogHandler()
    if level != "debug":
        handler.addFilter(_no_opening)
    logging.basicConfig(level=level.upper(), format=FORMAT, handlers=[handler])


def _no_opening(record: logging.LogRecord) -> bool:
    """Return whether a record is more than a line of uvicorn or websockets for each connection."""
    return record.levelno > logging.INFO or "/websockets/" not in record.pathname


@dataclass(slots=True)
class Repeats:
    """A traceback that was written, and how often it was not written again."""

    name: str
    level: int
    message: str
    timer: threading.Timer
    count: int = 0


class LogHandler(logging.StreamHandler[TextIO]):
    """Writes a traceback, counts equal ones for a while, and writes how many they were."""

    def __init__(self, period: float = REPEAT) -> None:
        super().__init__()
        self._period = period
        self._repeats: dict[Place, Repeats] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Write `record`, unless its traceback was just written. The handler's lock is held."""
        if not (record.exc_info and record.exc_info[1] and self._repeated(record, record.exc_info[1])):
            super().emit(record)

    def close(self) -> None:
        """Write the counts so far."""
        with self._held():
            for place in tuple(self._repeats):
                self._report(place)
        super().close()

    def _repeated(self, record: logging.LogRecord, error: BaseException) -> bool:
        now = time.monotonic()
        before = getattr(error, LOGGED, -math.inf)
        with suppress(AttributeError):
            setattr(error, LOGGED, now)
        if now - before < self._period:
            return True
        place = _place(error)
        if place in self._repeats:
            self._repeats[place].count += 1
            return True
        timer = threading.Timer(self._period, self._report, [place])
        timer.daemon = True
        timer.start()
        self._repeats[place] = Repeats(record.name, record.levelno, record.getMessage(), timer)
        return False

    def _report(self, place: Place) -> None:
        """Write how often a traceback was repeated; the next equal one is written in full."""
        with self._held():
            first = self._repeats.pop(place, None)
            if first is None:
                return
            first.timer.cancel()
            if first.count:
                again = f"{first.count} more like this, with the same traceback, within {self._period:g} s"
                text = f"{first.message}: {again}"
                super().emit(logging.LogRecord(first.name, first.level, "", 0, text, None, None))

    @contextmanager
    def _held(self) -> Iterator[None]:
        self.acquire()
        try:
            yield
        finally:
            self.release()


def _place(error: BaseException) -> Place:
    """Return the place of an exception: a set, because the depth of an endless recursion differs each time."""
    lines = ((frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__))
    return type(error), frozenset(lines)


COUNTED = {"TurnStarted": "turns", "BallBowled": "deliveries"}
"""Type of event -> the unit in which the log counts it when a match has ended."""


class MatchLogger:
    """Observes the bus, and logs when a match is created, starts and ends."""

    def __init__(self, history: History) -> None:
        self._history = history

    def on_events(self, events: Sequence[Event]) -> None:
        for event in events:
            match event.type:
                case "EpisodeCreated":
                    created = EpisodeCreated.model_validate(event.data)
                    players = " ".join(f"{info.seat}={info.player}" for info in created.seats)
                    log.info(
                        "match %s created: %s by %s, players %s",
                        *(event.episode_id, _plain(created.game), created.origin, _plain(players)),
                    )
                case "EpisodeStarted" if event.data.get("resumed") is None:
                    log.info("match %s started", event.episode_id)
                case "EpisodeEnded":
                    self._ended(event)

    def on_released(self, episode_id: str) -> None: ...

    def _ended(self, event: Event) -> None:
        ended = EpisodeEnded.model_validate(event.data)
        events = self._history.events(event.episode_id)
        counts = Counter(COUNTED[known.type] for known in events if known.type in COUNTED)
        counted = "".join(f"{count} {word}, " for word, count in counts.items())
        reason = ended.message or (ended.outcome.reason if ended.outcome is not None else "")
        log.info(
            "match %s ended: %s (%s), %.1f s, %s%d events",
            *(event.episode_id, ended.status, _plain(reason), event.at - events[0].at, counted, event.seq + 1),
        )


def _plain(text: str) -> str:
    """Return `text` without line breaks and control characters: others may have written it."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text[:200])


def cleaned(text: str) -> str:
    """Return `text` without the secrets in it."""
    for secret in SECRETS:
        text = secret.sub(HIDDEN, text)
    return text


def hide_secrets() -> None:
    """Remove secrets from every log record of this process when it is made. Idempotent."""
    make = logging.getLogRecordFactory()
    if getattr(make, "hides_secrets", False):
        return

    def factory(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record = make(*args, **kwargs)
        try:
            text = record.getMessage()
        except Exception:
            return record  # The handler reports a wrong format.
        if (clean := cleaned(text)) != text:
            record.msg, record.args = clean, None
        return record

    factory.hides_secrets = True  # type: ignore[attr-defined]
    logging.setLogRecordFactory(factory)
