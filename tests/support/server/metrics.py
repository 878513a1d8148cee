"""The server's metrics, read."""

from __future__ import annotations

from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from tests.support import http
from tests.support.live_server import LiveServer


def samples(server: LiveServer, **options: Any) -> dict[str, float]:
    """Return the values by name and labels; `options` are those of httpx2."""
    text = http.get(server.url + "/metrics", **options).raise_for_status().text
    return {
        f"{sample.name}{sorted(sample.labels.items())}": sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
