"""The reactions of viewers to moments: a file of its own beside the record, because they are no part of any match."""

from __future__ import annotations

import sqlite3
import time
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, Final, get_args

from grandstand.games.base import OptionError
from grandstand.server.bodies.audience import MomentReactions, Reaction, SendReaction
from grandstand.spectator.history import History
from grandstand.spectator.viewpoint import SPECTATOR

REACTIONS: Final[tuple[Reaction, ...]] = get_args(Reaction)
MOST: Final = 200_000
"""Reactions that are kept; the oldest are dropped first."""
PRUNED_EVERY: Final = 1000
"""Reactions between two prunings."""
COUNTED: Final = 64
"""Matches whose counts are in memory; of more, those that were asked for longest ago are dropped."""
LISTED: Final = 200
"""Moments of a match that are listed, those with most reactions."""

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS reaction (
    episode TEXT NOT NULL, viewer TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (episode, viewer, seq, kind));
"""

Counts = Counter[tuple[int, str]]
"""The number of reactions by moment and kind."""


class Reactions:
    """The reactions to the moments of matches: one of each kind for each viewer and moment."""

    def __init__(self, history: History, file: Path, clock: Callable[[], float] = time.time) -> None:
        self._history = history
        self._clock = clock
        self._sent = 0
        self._counts: OrderedDict[str, Counts] = OrderedDict()
        self._db = sqlite3.connect(file, isolation_level=None)
        self._db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;" + SCHEMA)
        self._prune()

    def close(self) -> None:
        self._db.close()

    def react(self, episode_id: str, request: SendReaction, viewer: str) -> None:
        """Count a reaction, unless it is counted. Raises UnknownEpisode, and OptionError for a moment to come."""
        last = self._history.summary(episode_id, SPECTATOR).last_seq
        if request.seq > last:
            raise OptionError(f"seq: spectators know the match up to event {last}; react to one of those")
        counts = self._of(episode_id)
        values = (episode_id, viewer, request.seq, request.reaction, self._clock())
        added = self._db.execute("INSERT OR IGNORE INTO reaction VALUES (?, ?, ?, ?, ?)", values).rowcount
        if not added:
            return
        counts[request.seq, request.reaction] += 1
        self._sent += 1
        if self._sent % PRUNED_EVERY == 0:
            self._prune()

    def moments(self, episode_id: str, viewer: str) -> list[MomentReactions]:
        """Return the moments of a match with most reactions, in order, with those of `viewer`."""
        counts = self._of(episode_id)
        totals: Counter[int] = Counter()
        for (seq, _), count in counts.items():
            totals[seq] += count
        own: defaultdict[int, list[Reaction]] = defaultdict(list)
        query = "SELECT seq, kind FROM reaction WHERE episode = ? AND viewer = ?"
        for seq, kind in self._rows(query, episode_id, viewer):
            own[seq].append(kind)
        listed = sorted(sorted(totals, key=lambda seq: (-totals[seq], -seq))[:LISTED])
        return [
            MomentReactions(seq=seq, counts={kind: counts[seq, kind] for kind in REACTIONS}, own=own.get(seq, []))
            for seq in listed
        ]

    def forget(self, episode_id: str) -> None:
        """Drop the reactions to a match that is no longer in the record."""
        self._counts.pop(episode_id, None)
        self._db.execute("DELETE FROM reaction WHERE episode = ?", (episode_id,))

    def _of(self, episode_id: str) -> Counts:
        """Return the counts of a match, which are read once while it is in memory."""
        if episode_id not in self._counts:
            query = "SELECT seq, kind, COUNT(*) FROM reaction WHERE episode = ? GROUP BY seq, kind"
            self._counts[episode_id] = Counter(
                {(seq, kind): count for seq, kind, count in self._rows(query, episode_id)}
            )
        self._counts.move_to_end(episode_id)
        while len(self._counts) > COUNTED:
            self._counts.popitem(last=False)
        return self._counts[episode_id]

    def _prune(self) -> None:
        self._db.execute("DELETE FROM reaction WHERE rowid <= (SELECT MAX(rowid) FROM reaction) - ?", (MOST,))
        self._counts.clear()

    def _rows(self, query: str, *values: object) -> Iterable[tuple[Any, ...]]:
        with closing(self._db.execute(query, values)) as cursor:
            return cursor.fetchall()
