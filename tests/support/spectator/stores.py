"""Stores of the record in a real PostgreSQL."""

from __future__ import annotations

import asyncio
import traceback
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.requirements import package
from tests.support.server.postgres import Postgres

if TYPE_CHECKING:
    from grandstand.spectator.store.interface import EpisodeStore, OwningServer
    from grandstand.spectator.store.postgres import PostgresStore


def new_postgres_store(postgres: Postgres, server: OwningServer | None = None) -> PostgresStore:
    """Return an empty store in a new database."""
    return postgres_store(postgres.database(), server)


def postgres_store(url: str, server: OwningServer | None = None) -> PostgresStore:
    """Return a store in the database at `url`."""
    package("psycopg")
    from grandstand.spectator.store.postgres import PostgresStore

    return PostgresStore(url, server)


def forget_reads(store: EpisodeStore) -> None:
    """Let a store in PostgreSQL forget what it has read, as if many others had been read since."""
    read = store._prefetched  # type: ignore[attr-defined]
    for known in (read._summaries, read._seats, read._requests):
        known.clear()


def calls_on_loop(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of the reads and commits that a thread with an event loop waits for, each as its stack."""
    package("psycopg")
    from grandstand.spectator.store.connection import TimedConnection

    write, on_loop = TimedConnection.write, list[str]()

    def watched(self: Any, work: Any) -> Any:
        if asyncio._get_running_loop() is not None:
            on_loop.append("".join(traceback.format_stack()[-8:-1]))
        return write(self, work)

    monkeypatch.setattr(TimedConnection, "write", watched)
    return on_loop
