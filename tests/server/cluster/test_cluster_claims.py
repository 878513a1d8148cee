"""What a server does with the matches whose leases it has claimed, without other servers."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import Any, cast

from grandstand.server.cluster.cluster import Cluster
from grandstand.server.matches.resuming import Resumable
from grandstand.server.settings import Settings
from grandstand.spectator.bus import Bus
from grandstand.spectator.store.interface import OwningServer
from tests.support.server.match_services import until
from tests.support.server.postgres import Postgres
from tests.support.server.stream_server import board, opening
from tests.support.spectator.stores import postgres_store

EPISODE = "chess-1"


class Played:
    """The matches of a server, as far as claims concern them."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def drop(self, episode_ids: Collection[str] | str) -> None:
        """Note which matches are no longer played."""
        if episode_ids:
            self.calls.append(("drop", episode_ids))

    def resume(self, matches: Sequence[Resumable]) -> None:
        """Note from which event and in which epoch matches go on."""
        self.calls += [("resume", match.summary.last_seq, match.epoch) for match in matches]


def test_a_match_that_is_claimed_by_the_server_that_plays_it_is_dropped_and_taken_up_from_the_record(
    postgres: Postgres,
) -> None:
    """A server that stood still finds its own leases expired; what it knew of the match may be old."""
    url = postgres.database()
    cluster = Cluster(Settings.model_validate({}), url)
    own = Bus(cluster.store)
    own.open(EPISODE, epoch=1)
    cluster.store.server = OwningServer("one", "http://one")
    played = Played()
    forgotten: list[str] = []

    async def scene() -> None:
        own.publish(EPISODE, opening())
        other = postgres_store(url, OwningServer("two", "http://two"))
        elsewhere = Bus(other)
        elsewhere.open(EPISODE, epoch=1, next_seq=len(opening()))
        elsewhere.publish(EPISODE, [board(1)])
        cluster._parts = cast(Any, (played, played, forgotten.append))
        cluster.store.held[EPISODE] = 1
        cluster._claimed({EPISODE: 2})
        assert played.calls[-1][0] == "drop"
        await until(lambda: played.calls[-1][0] == "resume")
        other.close()

    asyncio.run(scene())
    assert played.calls[-1] == ("resume", len(opening()), 2)
    assert forgotten
    cluster.store.close()
