"""A server that shows what another one plays, without its loop of looking."""

from __future__ import annotations

import asyncio

import pytest

from grandstand.server.cluster.following import Following
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import StorageError
from grandstand.spectator.framing import StreamPosition
from grandstand.spectator.history import History
from grandstand.spectator.hub import Hub
from grandstand.spectator.store.interface import OwningServer
from grandstand.spectator.store.leases import Leases
from tests.support.server.postgres import Postgres
from tests.support.server.stream_server import board, opening
from tests.support.spectator.stores import postgres_store

EPISODE = "chess-1"


def test_a_viewer_who_is_ahead_of_a_server_is_not_sent_back(postgres: Postgres) -> None:
    url = postgres.database()
    store = postgres_store(url, OwningServer("one", "http://one"))
    bus = Bus(store)
    bus.open(EPISODE, epoch=1)
    bus.publish(EPISODE, opening())
    other = postgres_store(url)
    elsewhere, history = Bus(other), History(other)
    elsewhere.add(history, follows=True)
    leases = Leases(url, OwningServer("two", "http://two"))
    hub = Hub(history)
    Following(elsewhere, history, hub, leases)

    async def played() -> None:
        await hub.ready(EPISODE)
        (event,) = bus.publish(EPISODE, [board(1)])
        await hub.ready(EPISODE, StreamPosition(event.epoch, event.seq))
        assert list(history.events(EPISODE))[-1] == event
        elsewhere.open(EPISODE, epoch=1, next_seq=event.seq + 1)
        with pytest.raises(StorageError, match="another server"):
            await hub.ready(EPISODE, StreamPosition(2, event.seq + 1))

    asyncio.run(played())
    for database in (store, other, leases):
        database.close()
