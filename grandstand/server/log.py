"""The server's log: one format for every line, uvicorn's too, and three lines for each match."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence

from grandstand.models import EpisodeCreated, EpisodeEnded, Event
from grandstand.spectator.history import History

log = logging.getLogger(__name__)

FORMAT = "%(asctime)s %(levelname)-7s %(name)s  %(message)s"


def configure(level: str) -> None:
    """Log everything of `level` and above to standard error."""
    logging.basicConfig(level=level.upper(), format=FORMAT)


COUNTED = {"TurnStarted": "turns", "BallBowled": "deliveries"}
"""Type of event -> the word for its number in the line of a match that has ended."""


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
                case "EpisodeStarted":
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
    """Return `text`, which others may have written, as part of one line that a terminal shows as it is."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text[:200])
