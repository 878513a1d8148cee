"""Accounts with which callers sign in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pydantic import SecretStr
from starlette.requests import HTTPConnection

from grandstand.players.options import LLMOptions
from grandstand.server.bodies import EndpointInfo, SignIn, StartEpisode

Started = TypeVar("Started", bound=StartEpisode)


class Accounts:
    """The signed-in accounts."""

    def key(self, connection: HTTPConnection, endpoint: str) -> SecretStr | None:
        """Return the key of the caller's account for an endpoint; None if it has none."""
        return None

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
        """Return how the caller may sign in, and as whom it has; None where no account can be signed in with."""
        return None
