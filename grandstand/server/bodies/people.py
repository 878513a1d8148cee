"""Sessions, tickets, and models that visitors pay for."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, SecretStr

from grandstand.models import Role, SeatId, Wire


class EnterKey(Wire):
    """A new key for all models of a match at one endpoint."""

    endpoint: str = Field(max_length=80)
    api_key: SecretStr | None = Field(default=None, description="Left out for an account that is signed in.")


class OwnModelSeat(Wire):
    """A seat with a model that its caller pays for. `reason` is why it has no key, if it has none."""

    seat: SeatId
    endpoint: str
    model: str
    has_key: bool
    reason: str = ""


class EndpointInfo(Wire):
    """An endpoint for which callers may bring their own keys; `signed_in` if an account stands in for the key."""

    name: str
    url: str
    signed_in: bool = False


class SignIn(Wire):
    """The account with which the caller may sign in, and its user, if the caller has signed in."""

    provider: str
    login: str = Field(description="The path at which signing in begins; it is for a tab of its own.")
    user: str | None = None


class PurseInfo(Wire):
    """What a visitor may use of this server now."""

    balance: float = Field(description="Credits that are left; below 0 if matches have cost more.")
    credits: float = Field(description="Credits of a full purse.")
    refill: float = Field(description="Credits that come back in a minute.")
    match: float = Field(description="Credits that a match takes at its start; those that it does not use come back.")
    wait: float = Field(description="Seconds until there are enough for a match.")


class Session(Wire):
    """The caller's role. `mode` is `open` if everyone on this machine is an operator."""

    role: Role
    seat: SeatId | None
    episode_id: str | None
    mode: Literal["open", "token", "closed"]
    plays: bool = Field(default=False, description="Whether the caller may start a match and play one seat of it.")
    imports: bool = Field(default=False, description="Whether the caller may import files.")
    endpoints: list[EndpointInfo] = Field(
        default=[], description="The endpoints of language models that the caller may seat with its own key."
    )
    sign_in: SignIn | None = Field(default=None, description="None if the server has no sign-in.")
    purse: PurseInfo | None = Field(default=None, description="None for an operator, who has no limit.")


class Ticket(Wire):
    """A one-time substitute for a token, for the address of a socket."""

    ticket: str
    seconds: float
