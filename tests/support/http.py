"""HTTP requests of tests, with time limits for a busy machine, and without reading certificates."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import httpx2

from tests.support.waiting import PATIENCE


def get(url: str, **options: Any) -> httpx2.Response:
    """Send a GET request; `options` are those of httpx2."""
    return httpx2.get(url, **_with_defaults(options))


def text(url: str, **options: Any) -> str:
    """Return the text at `url`. The status must be 200."""
    answer = get(url, **options)
    assert answer.status_code == 200, f"{answer.status_code} from {url}: {answer.text[:300]}"
    return answer.text


def post(url: str, **options: Any) -> httpx2.Response:
    """Send a POST request; `options` are those of httpx2."""
    return httpx2.post(url, **_with_defaults(options))


def request(method: str, url: str, **options: Any) -> httpx2.Response:
    """Send a request; `options` are those of httpx2."""
    return httpx2.request(method, url, **_with_defaults(options))


def stream(method: str, url: str, **options: Any) -> AbstractContextManager[httpx2.Response]:
    """Send a request whose answer is read piece by piece; `options` are those of httpx2."""
    return httpx2.stream(method, url, **_with_defaults(options))


def _with_defaults(options: dict[str, Any]) -> dict[str, Any]:
    return {"timeout": PATIENCE, "verify": False, **options}
