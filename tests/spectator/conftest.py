"""The stores of the record. What a test says of a store holds for each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from grandstand.spectator.recorder import Recorder
from grandstand.spectator.store.interface import EpisodeStore
from tests.support.spectator.stores import new_postgres_store


@pytest.fixture(params=["sqlite", "postgresql"])
def new_recorder(request: pytest.FixtureRequest) -> Iterator[Callable[[], EpisodeStore]]:
    """Return a function that opens one more store of the same kind, empty."""
    opened: list[EpisodeStore] = []

    def new() -> EpisodeStore:
        if request.param == "sqlite":
            opened.append(Recorder(":memory:"))
        else:
            opened.append(new_postgres_store(request.getfixturevalue("postgres")))
        return opened[-1]

    yield new
    for store in opened:
        store.close()


@pytest.fixture
def recorder(new_recorder: Callable[[], EpisodeStore]) -> EpisodeStore:
    """Return an empty store."""
    return new_recorder()
