"""Records an imported episode in PostgreSQL, from any process."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

import psycopg

from grandstand.models import Event
from grandstand.spectator.errors import StorageError
from grandstand.spectator.store.commit import commit
from grandstand.spectator.store.connection import connected
from grandstand.spectator.summary import summary_of


def record_whole(url: str, events: Sequence[Event]) -> bool:
    """Record a whole episode in one statement; return False if it is there already. Raises StorageError."""
    try:
        with closing(connected(url)) as db:
            if db.execute("SELECT FROM episodes WHERE episode_id=%s", (events[0].episode_id,)).rowcount:
                return False
            commit(db, events, summary_of(events), None, None)
    except psycopg.Error as error:
        raise StorageError(str(error).strip()) from error
    return True
