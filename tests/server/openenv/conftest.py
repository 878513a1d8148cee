"""Servers that the tests of this folder share: OpenEnv takes seconds to load."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.requirements import installed
from tests.support.server.tokens import TOKEN


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server on which everybody is an operator."""
    installed("openenv")
    with live_server(tmp_path_factory.mktemp("openenv")) as running:
        http.get(running.url + "/schema").raise_for_status()
        yield running


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server for two sessions that are soon idle, with a token for operators."""
    installed("openenv")
    data = tmp_path_factory.mktemp("openenv-small")
    with live_server(
        data,
        GRANDSTAND_OPENENV_SESSIONS="2",
        constants={"grandstand.server.openenv.mount.IDLE": 2.0},
        GRANDSTAND_OPERATOR_TOKEN=TOKEN,
        GRANDSTAND_VISITOR_CREDITS="100",
    ) as running:
        http.get(running.url + "/schema").raise_for_status()
        yield running
