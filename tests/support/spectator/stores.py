"""Stores of the record in a real PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.requirements import package
from tests.support.server.postgres import Postgres

if TYPE_CHECKING:
    from grandstand.spectator.store.interface import OwningServer
    from grandstand.spectator.store.postgres import PostgresStore


def new_postgres_store(postgres: Postgres, server: OwningServer | None = None) -> PostgresStore:
    """Return an empty store in a new database."""
    return postgres_store(postgres.database(), server)


def postgres_store(url: str, server: OwningServer | None = None) -> PostgresStore:
    """Return a store in the database at `url`."""
    package("psycopg")
    from grandstand.spectator.store.postgres import PostgresStore

    return PostgresStore(url, server)
