"""The calls of viewers: a file of its own beside the record, because they are no part of any match."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from grandstand.games.questions import brier

DAY: Final = 86_400.0
"""Seconds that the table of the day looks back."""
KEPT: Final = 2 * DAY
"""Seconds for which calls are kept."""
MOST: Final = 200_000
"""Calls that are kept; the oldest are dropped first."""
PRUNED_EVERY: Final = 1000
"""Calls between two prunings."""
RANKED: Final = 5
"""Calls with an answer from which a viewer stands in the table."""
LISTED: Final = 20
"""Viewers in the table."""
STREAK: Final = 200
"""The calls, at most, that a streak is counted in."""
NERVE: Final = 0.5
"""How far a call moves a viewer's belief from the server's chances to certainty."""

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS call (
    viewer TEXT NOT NULL, episode TEXT NOT NULL, key TEXT NOT NULL, word TEXT NOT NULL, chances TEXT NOT NULL,
    at REAL NOT NULL, scored_at REAL, own REAL, model REAL, came INTEGER,
    PRIMARY KEY (viewer, episode, key));
CREATE INDEX IF NOT EXISTS call_of_match ON call (episode, key);
CREATE INDEX IF NOT EXISTS call_scored ON call (scored_at);
CREATE TABLE IF NOT EXISTS viewer (viewer TEXT PRIMARY KEY, name TEXT NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Score:
    """A viewer's calls of the day that have an answer: mean Brier scores, its own and the server's."""

    viewer: str
    name: str
    calls: int
    right: int
    own: float
    model: float
    streak: int

    @property
    def points(self) -> float:
        """Return a hundred times the sum of what the viewer's Brier scores are below the server's."""
        return 100 * self.calls * (self.model - self.own)


@dataclass(frozen=True, slots=True)
class Call:
    """A viewer's call; the points are None until there is an answer."""

    word: str
    points: float | None


def belief(chances: Mapping[str, float], word: str) -> dict[str, float]:
    """Return the chances that a call of `word` states: halfway from the server's to certainty."""
    return {each: chance + NERVE * (float(each == word) - chance) for each, chance in chances.items()}


class CallStore:
    """The calls of the last days and the names of those who made them."""

    def __init__(self, file: Path, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._calls = 0
        self._db = sqlite3.connect(file, isolation_level=None)
        self._db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;" + SCHEMA)
        self.prune()

    def close(self) -> None:
        self._db.close()

    def call(self, viewer: str, episode: str, key: str, word: str, chances: Mapping[str, float]) -> str:
        """Keep a call, unless the viewer has made one before; return the word that counts."""
        values = (viewer, episode, key, word, json.dumps(chances), self._clock())
        self._db.execute(
            "INSERT OR IGNORE INTO call (viewer, episode, key, word, chances, at) VALUES (?, ?, ?, ?, ?, ?)", values
        )
        self._calls += 1
        if self._calls % PRUNED_EVERY == 0:
            self.prune()
        return self.calls(viewer, episode)[key].word

    def name(self, viewer: str, name: str) -> None:
        """Keep the name of a viewer; an empty one is forgotten."""
        self._db.execute("DELETE FROM viewer WHERE viewer = ?", (viewer,))
        if name:
            self._db.execute("INSERT INTO viewer VALUES (?, ?)", (viewer, name))

    def calls(self, viewer: str, episode: str) -> dict[str, Call]:
        """Return a viewer's calls in a match, by question."""
        rows = self._rows("SELECT key, word, own, model FROM call WHERE viewer = ? AND episode = ?", viewer, episode)
        return {key: Call(word, None if own is None else 100 * (model - own)) for key, word, own, model in rows}

    def counts(self, episode: str) -> dict[str, Counter[str]]:
        """Return how often each option of each question of a match was called."""
        found: defaultdict[str, Counter[str]] = defaultdict(Counter)
        rows = self._rows("SELECT key, word, COUNT(*) FROM call WHERE episode = ? GROUP BY key, word", episode)
        for key, word, count in rows:
            found[key][word] = count
        return found

    def open_matches(self) -> list[str]:
        """Return the matches with calls that have no score yet."""
        return [episode for (episode,) in self._rows("SELECT DISTINCT episode FROM call WHERE scored_at IS NULL")]

    def score(self, episode: str, key: str, shares: Mapping[str, float]) -> None:
        """Score the calls of a question by its answer. Without one they are dropped."""
        if not shares:
            self._db.execute("DELETE FROM call WHERE episode = ? AND key = ? AND scored_at IS NULL", (episode, key))
            return
        rows = self._rows(
            "SELECT rowid, word, chances FROM call WHERE episode = ? AND key = ? AND scored_at IS NULL", episode, key
        )
        now, scores = self._clock(), []
        for row, word, text in rows:
            chances = json.loads(text)
            own, model = brier(belief(chances, word), shares), brier(chances, shares)
            scores.append((now, own, model, shares.get(word, 0.0) > 0, row))
        with self._db:
            self._db.execute("BEGIN")
            self._db.executemany("UPDATE call SET scored_at = ?, own = ?, model = ?, came = ? WHERE rowid = ?", scores)

    def drop(self, episode: str) -> None:
        """Drop the calls of a match that have no score."""
        self._db.execute("DELETE FROM call WHERE episode = ? AND scored_at IS NULL", (episode,))

    def day(self) -> list[Score]:
        """Return the best viewers of the last day, by points."""
        return self._scores("HAVING COUNT(*) >= ? ORDER BY SUM(model - own) DESC LIMIT ?", RANKED, LISTED)

    def of(self, viewer: str) -> Score | None:
        """Return a viewer's score of the last day; None without one."""
        return next(iter(self._scores("HAVING viewer = ?", viewer)), None)

    def prune(self) -> None:
        """Drop old calls, and the names of those who have none left."""
        self._db.execute("DELETE FROM call WHERE at < ?", (self._clock() - KEPT,))
        self._db.execute(
            "DELETE FROM call WHERE rowid IN (SELECT rowid FROM call ORDER BY at DESC LIMIT -1 OFFSET ?)", (MOST,)
        )
        self._db.execute("DELETE FROM viewer WHERE viewer NOT IN (SELECT viewer FROM call)")

    def _scores(self, which: str, *values: object) -> list[Score]:
        rows = self._rows(
            "SELECT viewer, COUNT(*), SUM(came), AVG(own), AVG(model) FROM call WHERE scored_at > ? GROUP BY viewer "
            + which,
            self._clock() - DAY,
            *values,
        )
        return [
            Score(viewer, self._name(viewer), calls, right, own, model, self._streak(viewer))
            for viewer, calls, right, own, model in rows
        ]

    def _name(self, viewer: str) -> str:
        return "".join(name for (name,) in self._rows("SELECT name FROM viewer WHERE viewer = ?", viewer))

    def _streak(self, viewer: str) -> int:
        """Return how many of the last calls with an answer came true without a break."""
        came = self._rows(
            "SELECT came FROM call WHERE viewer = ? AND scored_at > ? ORDER BY scored_at DESC, at DESC LIMIT ?",
            viewer,
            self._clock() - DAY,
            STREAK,
        )
        return next((n for n, (right,) in enumerate(came) if not right), len(came))

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with closing(self._db.execute(query, values)) as cursor:
            return cursor.fetchall()
