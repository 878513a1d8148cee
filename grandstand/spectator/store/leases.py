"""Who owns what among the servers of one record: rows that expire unless their owner renews them.

A lease row, unlike a lock of a session, ends at a known time when its owner is frozen or cut off. Its time is that of
PostgreSQL alone, so the clocks of the servers do not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grandstand.models import Event
from grandstand.spectator.store.connection import Db, TimedConnection
from grandstand.spectator.store.interface import LEASE, OwningServer
from grandstand.spectator.store.rows import read_events

UNTIL = f"now() + interval '{LEASE:g} seconds'"

RENEW = f"""
UPDATE episodes e SET expires = {UNTIL} FROM unnest(%s::text[], %s::bigint[]) AS mine(episode_id, epoch)
WHERE e.episode_id = mine.episode_id AND e.epoch = mine.epoch AND e.expires < 'infinity' RETURNING e.episode_id
"""
"""A lease that has expired is renewed too, unless another server has claimed it since: the epoch would be another."""

CLAIM = f"""
WITH free AS (
    SELECT episode_id FROM episodes WHERE expires < now() AND owner =
        (SELECT owner FROM episodes WHERE expires < now() ORDER BY expires, owner LIMIT 1)
    FOR UPDATE SKIP LOCKED
)
UPDATE episodes e SET owner = %s, owner_url = %s, expires = {UNTIL},
    epoch = greatest(e.epoch + 1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
FROM free WHERE e.episode_id = free.episode_id RETURNING e.episode_id, e.epoch
"""
"""All episodes of one server that no longer renews its leases: a tournament stays together with its matches."""

PRESENT = f"""
INSERT INTO servers VALUES (%s, %s, %s, {UNTIL})
ON CONFLICT (id) DO UPDATE SET url = excluded.url, expires = excluded.expires
"""

DUTY = f"""
INSERT INTO duties VALUES (%s, %s, {UNTIL}) ON CONFLICT (name) DO UPDATE SET owner = excluded.owner,
    expires = excluded.expires WHERE duties.owner = excluded.owner OR duties.expires < now() RETURNING name
"""


class Leases:
    """The leases of one server, over a connection of their own. Each method raises RecordError."""

    def __init__(self, url: str, server: OwningServer) -> None:
        self._db = TimedConnection(url)
        self._server = server

    def renew(self, held: Mapping[str, int]) -> set[str]:
        """Renew the leases of episodes, given with their epochs; return those that another server owns now."""
        names, epochs = list(held), list(held.values())
        rows = self._db.read(lambda db: db.execute(RENEW, (names, epochs)).fetchall()) if names else []
        return held.keys() - {row[0] for row in rows}

    def claim(self) -> dict[str, int]:
        """Return the episodes of a server that is gone, which this server owns from now on, with their new epochs."""
        me = self._server
        return dict(self._db.write(lambda db: db.execute(CLAIM, (me.id, me.url)).fetchall()))

    def be_present(self) -> None:
        """Make this server known to the others."""
        self._db.read(lambda db: db.execute(PRESENT, self._server))

    def take(self, duty: str) -> bool:
        """Return whether this server has, now or still, a duty that one server has at a time."""
        return self._db.read(lambda db: db.execute(DUTY, (duty, self._server.id)).fetchone()) is not None

    def end(self) -> None:
        """Give up everything, so that other servers go on at once."""
        me = self._server.id

        def done(db: Db) -> None:
            db.execute("UPDATE episodes SET expires = '-infinity' WHERE owner = %s AND expires < 'infinity'", (me,))
            db.execute("DELETE FROM duties WHERE owner = %s", (me,))
            db.execute("DELETE FROM servers WHERE id = %s", (me,))

        self._db.write(done)

    def following(self, episode_ids: Sequence[str]) -> dict[str, int]:
        """Return the number of the next event of each episode."""
        sql = "SELECT episode_id, next FROM episodes WHERE episode_id = ANY(%s)"
        return dict(self._db.read(lambda db: db.execute(sql, (list(episode_ids),)).fetchall()))

    def events(self, episode_id: str, first: int) -> list[Event]:
        """Return the events from `first` on."""
        return self._db.read(lambda db: read_events(db, episode_id, first))

    def close(self) -> None:
        self._db.close()


def owner_of(db: Db, episode_id: str) -> str | None:
    """Return the address of the server that owns an episode; None while none does."""
    sql = "SELECT owner_url FROM episodes WHERE episode_id = %s AND expires > now()"
    row = db.execute(sql, (episode_id,)).fetchone()
    return None if row is None else row[0]


def any_player(db: Db) -> str | None:
    """Return the address of the server that plays fewest matches; None if none plays any."""
    row = db.execute(
        "SELECT s.url FROM servers s LEFT JOIN episodes e ON e.owner = s.id AND e.expires < 'infinity'"
        " WHERE s.role <> 'watch' AND s.expires > now() GROUP BY s.id ORDER BY count(e.owner), s.id LIMIT 1"
    ).fetchone()
    return None if row is None else row[0]
