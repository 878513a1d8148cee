"""Signing in with an account over real sockets: the whole flow, its faults, and what nobody may see of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from grandstand.server.sign_in import COOKIE
from tests.support.live_server import LiveServer
from tests.support.players.chat_server import ChatServer, says
from tests.support.server.openid_server import ACCESS_TOKEN, SECRET, OpenIdServer
from tests.support.server.own_models import faults, request
from tests.support.server.sign_in import serving
from tests.support.waiting import PATIENCE, until


@pytest.fixture
def provider() -> Iterator[OpenIdServer]:
    with OpenIdServer() as running:
        yield running


@pytest.fixture
def endpoint() -> Iterator[ChatServer]:
    with ChatServer(says('{"orders": []}')) as running:
        yield running


QUIET = {"press": "none", "last_year": 1901}


@contextmanager
def browser(server: LiveServer, **options: Any) -> Iterator[httpx2.Client]:
    """Return a client with cookies."""
    with httpx2.Client(base_url=server.url, timeout=PATIENCE, verify=False, **options) as client:
        yield client


def signed_in(client: httpx2.Client) -> httpx2.Response:
    """Follow the way to the provider and back."""
    return client.get("/oauth/login", follow_redirects=True)


def account(client: httpx2.Client) -> Any:
    return client.get("/api/session").json()["sign_in"]


def play(client: httpx2.Client, endpoint: str = "127.0.0.1") -> httpx2.Response:
    body = request(options=QUIET)
    body["models"]["FRANCE"] = {"endpoint": endpoint, "model": "a/b"}
    return client.post("/api/play", json=body)


def test_an_account_stands_in_for_the_key_and_its_token_is_nowhere(
    tmp_path: Path, endpoint: ChatServer, provider: OpenIdServer
) -> None:
    with serving(tmp_path, endpoint, provider) as server, browser(server) as client:
        assert account(client) == {"provider": "Hugging Face", "login": "/oauth/login", "user": None}
        assert play(client).json()["field"] == "models.FRANCE.api_key"
        back = signed_in(client)
        assert back.url.path == "/cockpit"
        set_cookie = back.history[-1].headers["set-cookie"]
        assert "HttpOnly" in set_cookie
        assert "SameSite=lax" in set_cookie
        assert account(client)["user"] == "ada"
        assert {item["name"]: item["signed_in"] for item in client.get("/api/session").json()["endpoints"]} == {
            "127.0.0.1": True,
            "other": False,
        }
        assert play(client, "other").json()["field"] == "models.FRANCE.api_key", "its token is for its endpoint alone"
        started = play(client)
        assert started.status_code == 201
        server.wait_for(started.json()["episode_id"], status="finished")
        assert faults(server, started.json()["episode_id"]) == []
        assert {item.headers["authorization"] for item in endpoint.requests} == {f"Bearer {ACCESS_TOKEN}"}
        with browser(server) as nobody:
            balances = [each.get("/api/session").json()["purse"]["balance"] for each in (client, nobody)]
            assert balances[0] < balances[1] == 60, "the account has paid, and not the address"
        cookie = client.cookies[COOKIE]
        texts = [client.get(path).text for path in ("/api/session", "/api/episodes", "/api/health")]
        texts += [response.text + str(response.headers) for response in (*back.history, back, started)]
        assert client.post("/oauth/logout").status_code == 204
        assert account(client)["user"] is None
        client.cookies.set(COOKIE, cookie)
        assert account(client)["user"] is None, "an old cookie is not good any more"
        server.stop()
    texts += [file.read_bytes().decode("latin-1") for file in tmp_path.rglob("*") if file.is_file()]
    assert not [text for text in texts if ACCESS_TOKEN in text or SECRET in text]
    log = (tmp_path / "grandstand.server.log").read_text()
    assert "DEBUG" in log
    assert cookie not in log


def test_each_failure_has_a_page_that_says_so_and_signs_nobody_in(
    tmp_path: Path, endpoint: ChatServer, provider: OpenIdServer
) -> None:
    with serving(tmp_path, endpoint, provider) as server, browser(server) as client:
        for fault, status, words in (
            ("down", 502, "the provider failed with status 503"),
            ("denied", 400, "gave no permission"),
            ("expired code", 502, "may have expired"),
            ("not JSON", 502, "failed with status 200"),
            ("no token", 502, "not one of OpenID Connect"),
            ("no user", 502, "refused"),
        ):
            provider.fault = fault
            answer = signed_in(client)
            assert (fault, answer.status_code) == (fault, status)
            assert words in answer.text
            assert SECRET not in answer.text
            assert ACCESS_TOKEN not in answer.text
            assert account(client)["user"] is None
        provider.fault = ""
        assert signed_in(client).url.path == "/cockpit"


def test_the_way_back_is_that_of_the_browser_that_went_and_good_once(
    tmp_path: Path, endpoint: ChatServer, provider: OpenIdServer
) -> None:
    with serving(tmp_path, endpoint, provider) as server, browser(server) as client, browser(server) as other:
        sent = client.get("/oauth/login")
        address = sent.headers["location"]
        state = parse_qs(urlsplit(address).query)["state"][0]
        back = httpx2.get(address, verify=False).headers["location"]
        assert other.get(back).status_code == 400, "another browser"
        assert client.get("/oauth/callback", params={"code": "c", "state": state + "x"}).status_code == 400
        assert client.get(back).status_code == 303
        assert client.get(back).status_code == 400, "a second time"
        assert account(other)["user"] is None
        assert account(client)["user"] == "ada"


def test_a_token_that_has_expired_is_not_used(tmp_path: Path, endpoint: ChatServer, provider: OpenIdServer) -> None:
    provider.expires_in = 0.5
    with serving(tmp_path, endpoint, provider) as server, browser(server) as client:
        signed_in(client)
        assert until(lambda: account(client)["user"] is None)
        assert play(client).json()["field"] == "models.FRANCE.api_key"


def test_below_a_prefix_the_cookie_and_the_way_back_are_below_it(
    tmp_path: Path, endpoint: ChatServer, provider: OpenIdServer
) -> None:
    with serving(tmp_path, endpoint, provider, "--root-path", "/g") as server, browser(server) as client:
        back = client.get("/g/oauth/login", follow_redirects=True)
        assert back.url.path == "/g/cockpit"
        assert "Path=/g;" in back.history[-1].headers["set-cookie"]
        assert client.get("/g/api/session").json()["sign_in"]["user"] == "ada"


def test_on_a_space_the_way_back_is_the_spaces_own_address(
    tmp_path: Path, endpoint: ChatServer, provider: OpenIdServer
) -> None:
    with (
        serving(tmp_path, endpoint, provider, SPACE_HOST="demo-grandstand.hf.space") as server,
        browser(server) as client,
    ):
        sent = client.get("/oauth/login")
        query = parse_qs(urlsplit(sent.headers["location"]).query)
        assert query["redirect_uri"] == ["https://demo-grandstand.hf.space/oauth/callback"]
        assert "Secure" in sent.headers["set-cookie"]


@pytest.mark.parametrize("missing", ["OAUTH_CLIENT_ID", "OPENID_PROVIDER_URL", "GRANDSTAND_VISITOR_KEYS"])
def test_there_is_no_signing_in_where_the_environment_has_none(
    tmp_path: Path, endpoint: ChatServer, provider: OpenIdServer, missing: str
) -> None:
    with (
        serving(tmp_path, endpoint, provider, **{missing: "false" if "KEYS" in missing else ""}) as server,
        browser(server) as client,
    ):
        assert account(client) is None
        assert client.get("/oauth/login", headers={"Accept": "application/json"}).status_code == 404
