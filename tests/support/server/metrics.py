"""The server's metrics, read."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

from tests.support import http
from tests.support.live_server import LiveServer


def samples(server: LiveServer) -> dict[str, float]:
    text = http.get(server.url + "/metrics").raise_for_status().text
    return {
        f"{sample.name}{sorted(sample.labels.items())}": sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
