"""Clusters of tests send no statistics, and have a token of their own, so that Ray writes none into the user's home.

Their workers have the priority of the tests: with the low one that Ray gives them, they would starve beside others.
Ray does not watch the machine's memory either: it would kill a command for what other tests use.

Ray reads these settings when it is imported, and passes them on to the processes that it starts.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from grandstand.trainer.ray.cluster import ClusterConnection

os.environ |= {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),
    "RAY_worker_niceness": "0",
    "RAY_memory_monitor_refresh_ms": "0",
}


@pytest.fixture(scope="module")
def connection() -> Iterator[ClusterConnection]:
    """Connect to a cluster on this machine, as a run without an address starts it, for the tests of a module."""
    from grandstand.trainer.ray.cluster import ClusterConnection

    opened = ClusterConnection("")
    yield opened
    opened.close()
