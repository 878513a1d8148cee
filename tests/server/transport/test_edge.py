"""Rules for every request: sizes, addresses, headers, prefixes, and the documented refusals."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator

import pytest
from starlette.types import Message, Receive, Scope, Send

from grandstand.server.transport.edge import Edge
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.server.wire import dial, peak_memory, read_some, send_chunks

KB = 1024
MB = 1024 * KB
LIMITS = {"/api/publish/x-1": MB}
"""Path -> bytes of a body, where they are not LIMIT."""
LIMIT = 128 * KB

OWN_FORM = {("/custom/start_episode", "409"), ("/api/publish/{episode_id}", "409")}
"""Refusals that say in a form of their own what goes on."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("edge"), "--pace", "0") as running:
        yield running


def raw(server: LiveServer, head: str) -> bytes:
    with dial(server.url) as connection:
        connection.sendall(head.encode())
        return read_some(connection)


# Bodies.


@pytest.mark.parametrize("path", ["/api/episodes", "/api/tickets", "/reset", "/mcp-server", "/api/publish/x-1", "/no"])
def test_a_body_over_the_limit_is_refused_wherever_it_is_sent(server: LiveServer, path: str) -> None:
    limit = LIMITS.get(path, LIMIT)
    answer = http.post(server.url + path, content=b" " * (limit + 1))
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"
    assert str(limit) in answer.json()["detail"]


def test_an_upload_is_cut_at_the_limit_and_memory_stays_flat(server: LiveServer) -> None:
    send_chunks(server.url, "/api/episodes", b" " * MB, 5)
    before = peak_memory(server.process.pid)
    for _ in range(3):
        sent, answer = send_chunks(server.url, "/api/episodes", b" " * MB, 150)
        assert sent < 30, "what lies in the kernel's buffers comes on top"
        assert answer.startswith(b"HTTP/1.1 413 "), answer[:100]
    assert peak_memory(server.process.pid) - before < 20 * MB


def test_a_body_within_the_limit_is_read(server: LiveServer) -> None:
    body = json.dumps({"game": "cricket", "options": {"overs": 1}}).encode() + b" " * 100 * KB
    answer = http.post(f"{server.url}/api/episodes", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 201, answer.text


def test_a_client_that_waits_for_leave_is_refused_before_it_sends(server: LiveServer) -> None:
    head = f"POST /reset HTTP/1.1\r\nHost: x\r\nContent-Length: {LIMIT + 1}\r\nExpect: 100-continue\r\n\r\n"
    assert raw(server, head).startswith(b"HTTP/1.1 413 ")


def test_what_the_app_says_after_the_limit_reaches_nobody() -> None:
    """An app that answers a cut body with something of its own cannot mix it into the refusal."""
    chunks: list[Message] = [{"type": "http.request", "body": b"x" * 50, "more_body": True}] * 4
    sent: list[Message] = []
    read: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        while (message := await receive())["type"] == "http.request":
            read.append(message["type"])
        await send({"type": "http.response.start", "status": 400, "headers": []})
        await send({"type": "http.response.body", "body": b"own"})

    async def receive() -> Message:
        return chunks.pop()

    async def send(message: Message) -> None:
        sent.append(message)

    edge = Edge(app, body_limit=100, root_path="", frame_ancestors="'self'", embed_ancestors="*")
    scope = {"type": "http", "method": "POST", "path": "/", "headers": [], "query_string": b""}
    asyncio.run(edge(scope, receive, send))
    assert [message.get("status") for message in sent] == [413, None]
    assert len(read) == 2


# Addresses.


@pytest.mark.parametrize("header", ["Host: [", "Host: [::1", "Host: x:99999", "Host: x\r\nOrigin: http://["])
def test_a_malformed_address_is_a_bad_request(server: LiveServer, header: str) -> None:
    logged = server.log.stat().st_size
    answer = raw(server, f"GET /api/session HTTP/1.1\r\n{header}\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400 "), answer[:200]
    assert b"application/problem+json" in answer
    shake = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {}==\r\n"
    answer = raw(server, f"GET /api/episodes/x/watch HTTP/1.1\r\n{header}\r\n{shake.format('A' * 22)}\r\n")
    assert answer.startswith(b"HTTP/1.1 400 "), answer[:200]
    assert "Traceback" not in server.log.read_text()[logged:]


@pytest.mark.parametrize("length", [256, 5000, 60_000])
def test_a_long_path_is_not_found(server: LiveServer, length: int) -> None:
    logged = server.log.stat().st_size
    answer = raw(server, f"GET /{'x' * length} HTTP/1.1\r\nHost: x\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 404 "), answer[:200]
    assert len(answer) < 2000
    assert server.log.stat().st_size - logged < 1000


def test_a_lone_surrogate_in_a_refusal_does_not_break_it(server: LiveServer) -> None:
    episode_id = server.start_match(game="diplomacy", seed=1, paused=True, players={"FRANCE": "person"})
    answer = http.post(
        f"{server.url}/api/episodes/{episode_id}/seats/FRANCE",
        content=r'{"action": {"\ud800": 1}}',
        headers={"Content-Type": "application/json"},
    )
    assert 400 <= answer.status_code < 500, answer.text
    answer = http.post(
        f"{server.url}/api/episodes",
        content=r'{"game": "diplomacy", "options": {"\ud800": 1}, "\udfff": 2}',
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code == 422, answer.text
    assert answer.json()["detail"]


def test_a_browser_led_astray_gets_the_page_and_a_program_a_problem(server: LiveServer) -> None:
    for path in ("/nope", "/no/such/place"):
        page = http.get(server.url + path, headers={"Accept": "text/html,application/xhtml+xml"})
        assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
        assert '<div id="app">' in page.text
        problem = http.get(server.url + path, headers={"Accept": "application/json"})
        assert (problem.status_code, problem.headers["content-type"]) == (404, "application/problem+json")


# Headers and documents.


@pytest.mark.parametrize("path", ["/", "/api/health", "/nope", "/api/episodes/no-such", "/api/docs", "/health"])
def test_every_answer_bounds_what_a_browser_may_do_with_it(server: LiveServer, path: str) -> None:
    headers = http.get(server.url + path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'self'; ")
    assert "object-src 'none'" in policy
    assert policy.endswith("frame-ancestors 'self' https://huggingface.co")
    assert "unsafe-inline" not in policy.replace("style-src-attr 'unsafe-inline'", "")


def test_an_operator_may_forbid_every_frame(tmp_path_factory: pytest.TempPathFactory) -> None:
    with live_server(tmp_path_factory.mktemp("alone"), GRANDSTAND_FRAME_ANCESTORS="'none'") as alone:
        policy = http.get(alone.url).headers["content-security-policy"]
    assert policy.endswith("frame-ancestors 'none'")


@pytest.mark.parametrize(
    ("path", "anybody"),
    [("/embed/x", True), ("/embed/a/b", False), ("/embed/%2e%2e/cockpit", False), ("/embed/", False), ("/", False)],
)
def test_other_sites_frame_the_embedded_page_alone(server: LiveServer, path: str, anybody: bool) -> None:
    answer = http.get(server.url + path, headers={"Accept": "text/html"}, follow_redirects=False)
    assert answer.headers["content-security-policy"].endswith("frame-ancestors *") is anybody


@pytest.mark.parametrize("path", ["/api/docs", "/docs"])
def test_the_reference_lists_every_operation_and_loads_nothing_foreign(server: LiveServer, path: str) -> None:
    page = http.get(server.url + path)
    assert page.status_code == 200
    assert "<script" not in page.text
    addresses = re.findall(r'(?:src|href)="([^"]*)"', page.text)
    assert addresses
    assert all(address.startswith(("./", "../")) for address in addresses)
    document = http.get(server.url + ("/api/openapi.json" if path == "/api/docs" else "/openapi.json")).json()
    for address, operations in document["paths"].items():
        for method in operations:
            assert f"{method.upper()} {address}" in page.text.replace("&#x27;", "'")


def test_refusals_are_documented_as_they_are_sent(server: LiveServer) -> None:
    paths = server.get("/api/openapi.json")["paths"]
    for address, operations in paths.items():
        for method, operation in operations.items():
            assert {"400", "401", "403", "500", "503"} <= set(operation["responses"]), (method, address)
            for status, response in operation["responses"].items():
                if status >= "400" and (address, status) not in OWN_FORM:
                    assert list(response["content"]) == ["application/problem+json"], (method, address, status)
    assert {"409", "413", "422", "429"} <= set(paths["/api/episodes"]["post"]["responses"])
    assert {"404", "422"} <= set(paths["/api/episodes/{episode_id}/stream"]["get"]["responses"])


def test_a_redirect_holds_below_any_prefix(server: LiveServer) -> None:
    for path, target in (("/cockpit/", "../cockpit"), ("/api/health/", "../../api/health"), ("/custom", "cockpit?")):
        answer = http.get(server.url + path, headers={"Accept": "text/html"})
        assert answer.headers["location"].removeprefix("./").startswith(target), path
