"""A client of an OpenID provider: the authorization-code flow with PKCE.

`huggingface_hub` has a helper for FastAPI, which keeps the access token in a signed and readable cookie; here it must
not leave the memory of the server. Errors never quote what the provider sent, which may contain a token.
"""

from __future__ import annotations

import base64
import hashlib
import logging
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit

import httpx2
from pydantic import BaseModel, Field, SecretStr, ValidationError

from grandstand.server.auth import is_loopback

for name in ("httpx2", "httpcore2"):  # at DEBUG they log headers and addresses, which contain tokens and codes
    logging.getLogger(name).setLevel(logging.WARNING)

Model = TypeVar("Model", bound=BaseModel)

SECONDS = 10.0
LONGEST_ANSWER = 200_000


class SignInError(Exception):
    """Signing in failed; the message is for the user. `provider` is true if the provider is at fault."""

    def __init__(self, message: str, *, provider: bool = True) -> None:
        super().__init__(message)
        self.provider = provider


class _Metadata(BaseModel):
    authorization_endpoint: str
    token_endpoint: str
    userinfo_endpoint: str


class _Tokens(BaseModel):
    access_token: SecretStr = Field(min_length=8, max_length=8192)
    token_type: str = "bearer"
    expires_in: float = Field(default=8 * 3600, gt=0, le=31 * 86_400)


class _User(BaseModel):
    sub: str = Field(max_length=200)
    preferred_username: str | None = Field(default=None, max_length=200)
    name: str | None = Field(default=None, max_length=200)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """An account: the name of its user, its access token, and the seconds for which the token is valid."""

    user: str
    token: SecretStr
    seconds: float


class Provider:
    """An OpenID provider, and the app that is registered there."""

    def __init__(self, url: str, client_id: str, client_secret: SecretStr, scopes: str) -> None:
        self._url = url.rstrip("/")
        self._client_id = client_id
        self._client_secret = client_secret
        self._scopes = scopes
        self._metadata: _Metadata | None = None

    async def address(self, state: str, verifier: str, redirect_uri: str) -> str:
        """Return the URL at which the user signs in. Raise SignInError."""
        metadata = await self._known()
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        query = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": redirect_uri,
            "scope": self._scopes,
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        joint = "&" if urlsplit(metadata.authorization_endpoint).query else "?"
        return f"{metadata.authorization_endpoint}{joint}{urlencode(query)}"

    async def signed_in(self, code: str, verifier: str, redirect_uri: str) -> SignedIn:
        """Return the account for which the provider gave `code`. Raises SignInError."""
        metadata = await self._known()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
            "client_id": self._client_id,
        }
        secret = (self._client_id, self._client_secret.get_secret_value())
        tokens = _read(_Tokens, await _request("POST", metadata.token_endpoint, data=form, auth=secret))
        if tokens.token_type.lower() != "bearer":
            raise SignInError("the provider gave a token of an unknown type")
        bearer = {"authorization": f"Bearer {tokens.access_token.get_secret_value()}"}
        user = _read(_User, await _request("GET", metadata.userinfo_endpoint, headers=bearer))
        return SignedIn(user.preferred_username or user.name or user.sub, tokens.access_token, tokens.expires_in)

    async def _known(self) -> _Metadata:
        """Return the provider's endpoints, read once. Raises SignInError."""
        if self._metadata is None:
            address = f"{self._url}/.well-known/openid-configuration"
            metadata = _read(_Metadata, await _request("GET", address))
            for endpoint in metadata.model_dump().values():
                parts = urlsplit(endpoint)
                if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname or "")):
                    raise SignInError("the provider names an endpoint without https")
            self._metadata = metadata
        return self._metadata


def _read(kind: type[Model], data: Any) -> Model:
    try:
        return kind.model_validate(data)
    except ValidationError:
        raise SignInError("the provider's answer is not one of OpenID Connect") from None


async def _request(method: str, url: str, **options: Any) -> Any:
    """Return the JSON that the provider answers. Raises SignInError."""
    try:
        async with httpx2.AsyncClient(timeout=SECONDS) as client:
            response = await client.request(method, url, **options)
    except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL):
        raise SignInError("the provider could not be reached; try again later") from None
    if response.status_code in (400, 401, 403):
        raise SignInError("the provider refused the code; it may have expired. Sign in again.")
    try:
        if response.status_code != 200 or len(response.content) > LONGEST_ANSWER:
            raise ValueError
        return response.json()
    except ValueError:
        raise SignInError(f"the provider failed with status {response.status_code}; try again later") from None
