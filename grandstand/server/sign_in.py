"""The accounts of callers who have signed in. Each replaces a key for one endpoint, as long as its cookie lasts.

Tokens are in memory only, so a restart signs everybody out. The cookie is random, and only its hash is kept. It is
SameSite=Lax: requests from other sites do not carry it, so they cannot spend an account's money, and the frame of a
Space, which another site shows, does not have it. There, signing in opens a tab of its own.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from pydantic import SecretStr
from starlette.requests import HTTPConnection

from grandstand.players.options import LLMOptions
from grandstand.server.auth import digest
from grandstand.server.bodies.matches import StartEpisode
from grandstand.server.bodies.people import EndpointInfo, SignIn

if TYPE_CHECKING:
    from grandstand.server.openid import Provider, SignedIn

Started = TypeVar("Started", bound=StartEpisode)
Kept = TypeVar("Kept")

COOKIE = "grandstand_account"
LOGIN, CALLBACK, LOGOUT = "/oauth/login", "/oauth/callback", "/oauth/logout"
PROVIDER_NAME = "Hugging Face"
SCOPES = "openid profile inference-api"

ENDPOINT = "https://router.huggingface.co/v1"
"""The provider's endpoint, for which an account replaces a key: no other endpoint may see its token."""

PENDING_SECONDS = 600.0
"""Seconds within which a user must come back from the provider."""

PENDING_KEPT, ACCOUNTS_KEPT = 1000, 10_000
"""The most pending sign-ins, and the most accounts; beyond that the oldest is dropped."""


@dataclass(frozen=True, slots=True)
class PendingSignIn:
    """A user at the provider: the hash of the browser's cookie, the PKCE verifier, and the redirect address."""

    browser: str
    verifier: str
    redirect_uri: str
    until: float


@dataclass(frozen=True, slots=True)
class _Account:
    user: str
    token: SecretStr
    until: float


class Accounts:
    """The signed-in accounts."""

    def __init__(
        self,
        provider: Provider | None = None,
        url: str = "",
        endpoints: Mapping[str, LLMOptions] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`url` is the address of the endpoint whose key an account replaces; it is among `endpoints`."""
        self.provider = provider
        self._url = url
        self._endpoints = endpoints or {}
        self._clock = clock
        self._pending: dict[str, PendingSignIn] = {}
        self._accounts: dict[str, _Account] = {}

    def begin(self, browser: str, redirect_uri: str) -> tuple[str, str]:
        """Return (state, PKCE verifier) of a new sign-in of the browser with this cookie."""
        state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(48)
        until = self._clock() + PENDING_SECONDS
        _bound(self._pending, PENDING_KEPT)
        self._pending[digest(state)] = PendingSignIn(digest(browser), verifier, redirect_uri, until)
        return state, verifier

    def pending(self, state: str, browser: str) -> PendingSignIn | None:
        """Return the sign-in with this state, once; None if it is unknown, expired, or another browser's."""
        waiting = self._pending.get(digest(state))
        if waiting is None or waiting.browser != digest(browser):
            return None
        del self._pending[digest(state)]
        return waiting if self._clock() <= waiting.until else None

    def add(self, account: SignedIn) -> str:
        """Add an account, and return its cookie."""
        cookie = secrets.token_urlsafe(32)
        _bound(self._accounts, ACCOUNTS_KEPT)
        self._accounts[digest(cookie)] = _Account(account.user, account.token, self._clock() + account.seconds)
        return cookie

    def drop(self, connection: HTTPConnection) -> None:
        """Forget the caller's account."""
        self._accounts.pop(digest(connection.cookies.get(COOKIE, "")), None)

    def _account(self, connection: HTTPConnection) -> _Account | None:
        cookie = digest(connection.cookies.get(COOKIE, ""))
        account = self._accounts.get(cookie)
        if account is not None and account.until <= self._clock():
            del self._accounts[cookie]
            return None
        return account

    def user(self, connection: HTTPConnection) -> str:
        """Return the name by which the caller's account is told from others and from addresses; '' without one."""
        account = self._account(connection)
        return f"user {account.user}" if account else ""

    def key(self, connection: HTTPConnection, endpoint: str) -> SecretStr | None:
        """Return the token of the caller's account, if the endpoint of that name is the account's; else None."""
        options, account = self._endpoints.get(endpoint), self._account(connection)
        return account.token if account and options and options.base_url == self._url else None

    def filled(self, connection: HTTPConnection, request: Started) -> Started:
        """Return `request` with the caller's account in place of the keys that it leaves out."""
        models = {
            seat: own if own.api_key else own.model_copy(update={"api_key": self.key(connection, own.endpoint)})
            for seat, own in request.models.items()
        }
        return request.model_copy(update={"models": models})

    def endpoints(self, connection: HTTPConnection, offered: Mapping[str, LLMOptions]) -> list[EndpointInfo]:
        """Return the endpoints that the caller may use with a key of its own."""
        return [
            EndpointInfo(name=name, url=options.base_url, signed_in=self.key(connection, name) is not None)
            for name, options in offered.items()
        ]

    def sign_in(self, connection: HTTPConnection) -> SignIn | None:
        """Return how the caller can sign in, and the user if it has; None if this server has no provider."""
        if self.provider is None:
            return None
        account = self._account(connection)
        return SignIn(provider=PROVIDER_NAME, login=LOGIN, user=account.user if account else None)


def _bound(kept: dict[str, Kept], most: int) -> None:
    """Drop the oldest of `kept` until one more is within `most`."""
    while len(kept) >= most:
        del kept[next(iter(kept))]


def offers_sign_in(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether the environment names an app of an OpenID provider, as that of a Space with `hf_oauth` does."""
    return all(environment.get(name) for name in ("OAUTH_CLIENT_ID", "OAUTH_CLIENT_SECRET", "OPENID_PROVIDER_URL"))


def open_accounts(endpoints: Mapping[str, LLMOptions], environment: Mapping[str, str] = os.environ) -> Accounts:
    """Return the accounts of the environment's provider for `ENDPOINT`, if that is among `endpoints`."""
    if not offers_sign_in(environment) or all(options.base_url != ENDPOINT for options in endpoints.values()):
        return Accounts()
    from grandstand.server.openid import Provider  # it loads an HTTP client

    provider = Provider(
        environment["OPENID_PROVIDER_URL"],
        environment["OAUTH_CLIENT_ID"],
        SecretStr(environment["OAUTH_CLIENT_SECRET"]),
        environment.get("OAUTH_SCOPES") or SCOPES,
    )
    return Accounts(provider, ENDPOINT, endpoints)
