"""The store of a league: its players, the results of every pair, and the decisions drawn from them. SQLite, no torch.

Several processes may write to it. A match counts once, whatever happens: its results are in the same transaction as the
row that says it was counted. A decision (the opponents of a step, the ratings at a checkpoint) is stored when it is
first made; a run that is resumed reads it again, even if other runs have added results since.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, replace
from pathlib import Path
from typing import Self

from grandstand.atomic import replace_file
from grandstand.games.base import Json, SeatId
from grandstand.play.ratings.table import ScoredMatch
from grandstand.trainer.config.files import SAVED, load
from grandstand.trainer.league.rows import (
    WITHIN,
    Horizon,
    LeagueError,
    LeagueMatch,
    LeaguePlayer,
    Payoff,
    comparisons,
    condition,
    policy_name,
    version_number,
)

KEY = "league-key"
"""File in a run's folder with a key that distinguishes it from other runs of the same name."""
FILE = "league.db"
"""Name of the store in its folder."""
SCHEMA_VERSION = 2
LOCK_SECONDS = 30.0
"""Longest wait for another process's transaction."""
LOCK_POLL = 0.05
"""Seconds between attempts where SQLite itself does not wait."""

SCHEMA = (
    """CREATE TABLE IF NOT EXISTS runs (name TEXT PRIMARY KEY, key TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS players (
        name TEXT NOT NULL, game TEXT NOT NULL, kind TEXT NOT NULL, run TEXT NOT NULL, version INTEGER,
        adapter TEXT NOT NULL, parent TEXT NOT NULL, model TEXT NOT NULL, landmark INTEGER NOT NULL,
        role TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (game, name)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS matches (
        episode TEXT PRIMARY KEY, run TEXT NOT NULL, stage TEXT NOT NULL, step INTEGER NOT NULL, game TEXT NOT NULL,
        options TEXT NOT NULL, lot TEXT NOT NULL
    ) WITHOUT ROWID""",
    """CREATE INDEX IF NOT EXISTS matches_by_step ON matches (game, options, step)""",
    """CREATE TABLE IF NOT EXISTS seats (
        episode TEXT NOT NULL, seat TEXT NOT NULL, player TEXT NOT NULL, score REAL NOT NULL,
        PRIMARY KEY (episode, seat)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS payoffs (
        game TEXT NOT NULL, options TEXT NOT NULL, player TEXT NOT NULL, opponent TEXT NOT NULL, seat TEXT NOT NULL,
        run TEXT NOT NULL, stage TEXT NOT NULL, step INTEGER NOT NULL,
        wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER NOT NULL, score REAL NOT NULL,
        games INTEGER NOT NULL,
        PRIMARY KEY (game, options, player, opponent, seat, run, stage, step)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS decisions (
        run TEXT NOT NULL, topic TEXT NOT NULL, step INTEGER NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (run, topic, step)
    ) WITHOUT ROWID""",
)
MIGRATIONS = {
    1: (
        "ALTER TABLE players ADD COLUMN role TEXT NOT NULL DEFAULT ''",
        "UPDATE players SET role = 'main' WHERE kind <> 'bot'",
    ),
}
"""The statements that bring a store of an earlier format to the next one. Before format 2, all runs were main runs."""


_CHOSEN = """chosen AS (
    SELECT run, lot, MIN(episode) AS episode, step,
        row_number() OVER (PARTITION BY run ORDER BY step DESC, MIN(episode)) AS age
    FROM matches WHERE game=? AND options=? AND {} GROUP BY run, lot ORDER BY age, step DESC, episode LIMIT ?)"""
"""The newest lots of every run, and one match of each; in braces the condition of the results that may be used."""


class LeagueStore:
    """The store in a folder. May be used by several threads."""

    def __init__(self, folder: Path) -> None:
        """Open the store in `folder`, or create it. Raises LeagueError if it cannot be used."""
        self.path = folder / FILE
        self._lock = threading.RLock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise LeagueError(f"league: cannot use {self.path}: {error}; name a writable folder") from error
        try:
            self._prepare()
        except BaseException:
            self._db.close()
            raise

    @classmethod
    def existing(cls, folder: Path) -> Self:
        """Open the store in the folder of a league or of a run, whose league may be in a folder that runs share.

        Raises LeagueError if there is none, and ConfigError if the settings of the run cannot be read.
        """
        if not (folder / FILE).is_file() and (folder / SAVED).is_file():
            folder = Path(load(folder / SAVED).league.folder or folder)
        if not (folder / FILE).is_file():
            raise LeagueError(f"{folder}: there is no league in it ({FILE}); name the folder of a run or of a league")
        return cls(folder)

    def _prepare(self) -> None:
        try:
            self._keep_log()
            self._db.execute("PRAGMA synchronous=NORMAL")
            with self._transaction():
                (version,) = self._db.execute("PRAGMA user_version").fetchone()
                if version not in (0, SCHEMA_VERSION, *MIGRATIONS):
                    made = "a later" if version > SCHEMA_VERSION else "an earlier"
                    raise LeagueError(
                        f"{self.path}: {made} release made it: it has format {version}, and this one reads "
                        f"{SCHEMA_VERSION}. Name another folder, or use that release"
                    )
                for statement in SCHEMA:
                    self._db.execute(statement)
                for earlier in range(version or SCHEMA_VERSION, SCHEMA_VERSION):
                    for statement in MIGRATIONS[earlier]:
                        self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        except sqlite3.Error as error:
            raise LeagueError(f"league: cannot use {self.path}: {error}; name another folder") from error

    def _keep_log(self) -> None:
        """Turn on SQLite's write-ahead log.

        Wait for other processes here, because SQLite does not wait in this case.
        """
        until = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                self._db.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
                time.sleep(LOCK_POLL)

    def close(self) -> None:
        with self._lock:
            self._db.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Commit all writes of the block, or none of them. Raises LeagueError if the file cannot be written."""
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                try:
                    yield
                    self._db.execute("COMMIT")
                except BaseException:
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
                    raise
            except sqlite3.OperationalError as error:
                raise LeagueError(f"league: {self.path} cannot be written: {error}") from error

    def _rows(self, query: str, values: Iterable[object] = ()) -> list[tuple[Json, ...]]:
        with self._lock:
            return self._db.execute(query, tuple(values)).fetchall()

    # --- players ------------------------------------------------------------------------------------------------------

    def register(self, run: str, key: str) -> None:
        """Register a run; `key` is the same whenever it is resumed. Raises LeagueError if another has its name."""
        with self._transaction():
            self._db.execute("INSERT OR IGNORE INTO runs VALUES (?,?)", (run, key))
            ((owner,),) = self._rows("SELECT key FROM runs WHERE name=?", (run,))
        if owner != key:
            raise LeagueError(
                f"run.name: the league in {self.path.parent} has another run named {run}; give this one its own name"
            )

    def add(self, players: Iterable[LeaguePlayer]) -> None:
        """Add players; one that is there already stays as it is."""
        rows = [astuple(player) for player in players]
        with self._transaction():
            self._db.executemany("INSERT OR IGNORE INTO players VALUES (?,?,?,?,?,?,?,?,?,?)", rows)

    def remove(self, game: str, names: Iterable[str]) -> None:
        """Remove players, whose weights are no longer there. Their results stay."""
        with self._transaction():
            self._db.executemany("DELETE FROM players WHERE game=? AND name=?", [(game, name) for name in names])

    def players(self, game: str) -> list[LeaguePlayer]:
        """Return the players of a game by name."""
        rows = self._rows("SELECT * FROM players WHERE game=? ORDER BY name", (game,))
        players = (LeaguePlayer(*row) for row in rows)
        return [replace(player, landmark=bool(player.landmark)) for player in players]

    def settings(self) -> list[tuple[str, str, int]]:
        """Return (game, options, matches) of all that was played, the most matches first."""
        rows = self._rows("SELECT game, options, COUNT(*) FROM matches GROUP BY game, options ORDER BY 3 DESC, 1, 2")
        return [(game, options, matches) for game, options, matches in rows]

    def runs(self, game: str, options: str) -> list[str]:
        """Return the runs that have played with these options, by name."""
        rows = self._rows("SELECT DISTINCT run FROM matches WHERE game=? AND options=? ORDER BY run", (game, options))
        return [run for (run,) in rows]

    # --- results ------------------------------------------------------------------------------------------------------

    def record(self, run: str, results: Iterable[LeagueMatch]) -> int:
        """Add the results of matches of a run, each once, and return the number of those that were new."""
        count = 0
        with self._transaction():
            for result in results:
                row = (result.episode, run, result.stage, result.step, result.game, result.options, result.lot)
                count += self._count(run, result, row)
        return count

    def _count(self, run: str, result: LeagueMatch, row: tuple[object, ...]) -> bool:
        if not self._db.execute("INSERT OR IGNORE INTO matches VALUES (?,?,?,?,?,?,?)", row).rowcount:
            return False
        self._db.executemany(
            "INSERT INTO seats VALUES (?,?,?,?)",
            [(result.episode, seat, result.players[seat], score) for seat, score in result.scores.items()],
        )
        for (player, opponent, seat), tally in comparisons(result).items():
            self._db.execute(
                "INSERT INTO payoffs VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET"
                " wins=wins+excluded.wins, draws=draws+excluded.draws, losses=losses+excluded.losses,"
                " score=score+excluded.score, games=games+excluded.games",
                (result.game, result.options, player, opponent, seat, run, result.stage, result.step, *tally),
            )
        return True

    def between(
        self, game: str, options: str, players: Iterable[str], horizon: Horizon | None = None
    ) -> list[tuple[str, str, int, int, int]]:
        """Return (player, opponent, wins, draws, comparisons) of every ordered pair of these players that met.

        They are all results, or those that a decision may use.
        """
        names = json.dumps(sorted(players))
        within, values = condition(horizon)
        return [
            (player, opponent, wins, draws, games)
            for player, opponent, wins, draws, games in self._rows(
                "SELECT player, opponent, SUM(wins), SUM(draws), SUM(games) FROM payoffs WHERE game=? AND options=?"
                " AND player IN (SELECT value FROM json_each(?)) AND opponent IN (SELECT value FROM json_each(?))"
                f" AND {within} GROUP BY player, opponent ORDER BY player, opponent",
                (game, options, names, names, *values),
            )
        ]

    def payoffs(self, game: str, options: str) -> list[Payoff]:
        """Return the results of every ordered pair of players by seat, with all that is recorded."""
        rows = self._rows(
            "SELECT player, opponent, seat, SUM(wins), SUM(draws), SUM(losses), SUM(score), SUM(games) FROM payoffs"
            " WHERE game=? AND options=? GROUP BY player, opponent, seat ORDER BY player, opponent, seat",
            (game, options),
        )
        return [Payoff(*row) for row in rows]

    def against(self, game: str, options: str, horizon: Horizon, oldest: int) -> list[tuple[int, str, int, int, int]]:
        """Return (version, opponent, wins, draws, comparisons) of the versions of a run from `oldest` on."""
        rows = self._rows(
            "SELECT player, opponent, SUM(wins), SUM(draws), SUM(games) FROM payoffs WHERE game=? AND options=?"
            f" AND player BETWEEN ? AND ? AND {WITHIN} GROUP BY player, opponent ORDER BY player, opponent",
            (game, options, policy_name(horizon.run, oldest), policy_name(horizon.run, horizon.step), *horizon.values),
        )
        versions = ((version_number(player, horizon.run), *rest) for player, *rest in rows)
        return [(version, *rest) for version, *rest in versions if version is not None]

    def matches(self, game: str, options: str, run: str, first: int, last: int) -> list[LeagueMatch]:
        """Return the training matches of a run at the steps from `first` to `last`, with the seats that have scores."""
        rows = self._rows(
            "SELECT episode, step, lot, seat, player, score FROM matches JOIN seats USING (episode)"
            " WHERE game=? AND options=? AND step BETWEEN ? AND ? AND run=? AND stage='training'"
            " ORDER BY step, episode, seat",
            (game, options, first, last, run),
        )
        matches: dict[str, LeagueMatch] = {}
        players: dict[str, dict[SeatId, str]] = defaultdict(dict)
        scores: dict[str, dict[SeatId, float]] = defaultdict(dict)
        for episode, step, lot, seat, player, score in rows:
            if episode not in matches:
                seats = (players[episode], scores[episode])
                matches[episode] = LeagueMatch(episode, "training", step, game, options, lot, *seats)
            players[episode][seat], scores[episode][seat] = player, score
        return list(matches.values())

    def newest(self, game: str, options: str, horizon: Horizon | None, lots: int) -> list[ScoredMatch]:
        """Return one match of each of the newest `lots` lots, in the order of their steps.

        Runs have equally many of them, as far as they go: one that joined late is at lower steps than the others.
        """
        within, values = condition(horizon)
        rows = self._rows(
            f"WITH {_CHOSEN.format(within)} SELECT seats.episode, seat, player, score FROM chosen"
            " JOIN seats USING (episode) ORDER BY step, seats.episode, seat",
            (game, options, *values, lots),
        )
        return _matches((None, *row) for row in rows)

    def siblings(self, game: str, options: str, horizon: Horizon, lots: int) -> list[ScoredMatch]:
        """Return all matches of the lots that `newest` returns one match of; those of a lot are one cluster."""
        rows = self._rows(
            f"WITH {_CHOSEN.format(WITHIN)},"
            " lots AS (SELECT run, lot, row_number() OVER (ORDER BY episode) AS cluster FROM chosen)"
            " SELECT cluster, seats.episode, seat, player, score FROM lots JOIN matches USING (run, lot)"
            " JOIN seats USING (episode) WHERE game=? AND options=? ORDER BY cluster, seats.episode, seat",
            (game, options, *horizon.values, lots, game, options),
        )
        return _matches(rows)

    # --- decisions ----------------------------------------------------------------------------------------------------

    def decide(self, run: str, topic: str, step: int, make: Callable[[], Json]) -> Json:
        """Return the decision of a run at a step; it is made the first time, and read again afterwards."""
        query = "SELECT value FROM decisions WHERE run=? AND topic=? AND step=?"
        stored = self._rows(query, (run, topic, step))
        if not stored:
            text = json.dumps(make(), sort_keys=True)
            with self._transaction():
                self._db.execute("INSERT OR IGNORE INTO decisions VALUES (?,?,?,?)", (run, topic, step, text))
                stored = self._rows(query, (run, topic, step))
        return json.loads(stored[0][0])

    def last_decision(self, run: str, topic: str, step: int | None = None) -> tuple[int, Json] | None:
        """Return the last decision on a topic, up to `step` if there is one, with its step; None without any."""
        rows = self._rows(
            "SELECT step, value FROM decisions WHERE run=? AND topic=? AND step<=coalesce(?, step)"
            " ORDER BY step DESC LIMIT 1",
            (run, topic, step),
        )
        return (rows[0][0], json.loads(rows[0][1])) if rows else None

    def decisions(self, run: str, topic: str, step: int) -> dict[int, Json]:
        """Return the decisions on a topic up to a step, by step."""
        rows = self._rows(
            "SELECT step, value FROM decisions WHERE run=? AND topic=? AND step<=? ORDER BY step", (run, topic, step)
        )
        return {at: json.loads(value) for at, value in rows}


def _matches(rows: Iterable[tuple[Json, ...]]) -> list[ScoredMatch]:
    """Return the matches of rows of (cluster, episode, seat, player, score)."""
    clusters: dict[str, int | None] = {}
    players: dict[str, dict[SeatId, str]] = defaultdict(dict)
    scores: dict[str, dict[SeatId, float]] = defaultdict(dict)
    for cluster, episode, seat, player, score in rows:
        clusters[episode] = cluster
        players[episode][seat], scores[episode][seat] = player, score
    return [ScoredMatch(players[episode], scores[episode], cluster) for episode, cluster in clusters.items()]


def run_key(folder: Path) -> str:
    """Return the key that distinguishes the run in `folder` from others of its name; resuming keeps it."""
    file = folder / KEY
    if not file.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        with replace_file(file) as part:
            part.write_text(secrets.token_hex(8), "utf-8")
    return file.read_text("utf-8")
