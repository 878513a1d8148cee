"""Authentication: the role of a request, by its token, and the visitor who sent it, by its address.

Tokens come from the configuration and are kept as hashes only.

There are three roles: a *spectator* watches, a *seat* plays one seat of one match, an *operator* controls everything.
Without an operator token, every caller is an operator on a loopback address; on any other address, every caller is a
spectator who may start matches between free built-in players, as long as its credits last.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from grandstand.models import Role

Mode = Literal["open", "token", "closed"]
"""`open`: loopback, no token, every caller is an operator. `token`: operators send one. `closed`: no operators."""

TICKET_SECONDS = 30.0
"""Seconds for which a ticket is valid. It goes into a socket's address, which must not contain a token."""

TICKETS_KEPT = 1000
"""Unused tickets kept for each token; beyond that, the oldest of the same token is dropped."""

FORWARDED = frozenset({"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"})
"""Headers that proxies add."""

NETWORK = 64
"""Bits of an IPv6 address that identify a visitor: one connection has all the addresses with the same bits."""


class Unauthorized(PermissionError):
    """The token or ticket of a request is not valid."""


@dataclass(frozen=True, slots=True)
class Grant:
    """The permissions of a request: its role, and the seat of a seat's token."""

    role: Role
    seat: str | None = None
    episode_id: str | None = None
    over: bool = False
    """True if the match of the seat has ended: the token then only allows to watch."""

    @property
    def operator(self) -> bool:
        return self.role == "operator"

    def plays(self, episode_id: str, seat: str) -> bool:
        """Return whether this grant may act for `seat`."""
        return self.sees(episode_id, seat) and not self.over

    def sees(self, episode_id: str, seat: str) -> bool:
        """Return whether this grant may take the viewpoint of `seat`, also after the end of the match."""
        return self.operator or (self.role == "seat" and (self.episode_id, self.seat) == (episode_id, seat))


SPECTATOR = Grant("spectator")
OPERATOR = Grant("operator")


def new_token() -> str:
    """Return a token for a seat. It is valid once a SeatOpened event with its digest is in the record."""
    return secrets.token_urlsafe(24)


def digest(token: str) -> str:
    """Return the hash by which a token is kept. Tokens are long and random, so a plain SHA-256 is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def is_loopback(host: str) -> bool:
    """Return whether `host` (a name or an address) is this machine and nothing else."""
    if host.rstrip(".").lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def no_seats(token_sha256: str) -> Grant | None:
    """Return None: there are no seats' tokens."""
    return None


class Auth:
    """Finds the grants of requests, tokens and tickets."""

    def __init__(
        self,
        host: str,
        operator_sha256: str | None,
        seats: Callable[[str], Grant | None] = no_seats,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`seats` finds the grant of a seat's token in the record, by its hash."""
        self.mode: Mode = "token" if operator_sha256 else "open" if is_loopback(host) else "closed"
        self._operator = operator_sha256
        self._seats = seats
        self._tickets: dict[str, tuple[float, Grant]] = {}
        self._clock = clock

    def grant(self, connection: HTTPConnection) -> Grant:
        """Return the grant of a request: by `Authorization: Bearer`, by `?ticket=`, or by the server's mode.

        Raise Unauthorized for an invalid token or ticket, which is never treated as a missing one.
        """
        if token := _token(connection):
            return self.by_token(token.strip())
        ticket = connection.query_params.get("ticket")
        if ticket is not None:
            return self._by_ticket(ticket)
        if self.mode == "open" and _from_own_page(connection):
            return OPERATOR
        return SPECTATOR

    def seat_sha256(self, connection: HTTPConnection) -> str:
        """Return the hash of the token of a request, '' if it has none or is an operator's."""
        return self.hash_of_seat(_token(connection).strip())

    def hash_of_seat(self, token: str) -> str:
        """Return the hash of a token, '' if it is empty or an operator's."""
        hashed = digest(token)
        return hashed if token and not self._operates(hashed) else ""

    def _operates(self, hashed: str) -> bool:
        return self._operator is not None and hmac.compare_digest(hashed, self._operator)

    def by_key(self, connection: HTTPConnection) -> Grant:
        """Return the grant of a client of models, which always sends a key: where a request without a token is an
        operator's, so is one with a key that is no token. Raise Unauthorized elsewhere."""
        try:
            return self.grant(connection)
        except Unauthorized:
            if self.mode == "open" and _from_own_page(connection):
                return OPERATOR
            raise

    def ticket(self, grant: Grant) -> str:
        """Return a one-time substitute for the token of `grant`, for the address of a socket.

        Raise PermissionError for a spectator, who needs none.
        """
        if grant.role == "spectator":
            raise PermissionError("a ticket stands in for a token: without one, connect without a ticket")
        now = self._clock()
        self._tickets = {ticket: kept for ticket, kept in self._tickets.items() if kept[0] >= now}
        own = [ticket for ticket, (_, holder) in self._tickets.items() if holder == grant]
        for old in own[: max(0, len(own) + 1 - TICKETS_KEPT)]:
            del self._tickets[old]
        ticket = secrets.token_urlsafe(24)
        self._tickets[digest(ticket)] = (now + TICKET_SECONDS, grant)
        return ticket

    def by_token(self, token: str) -> Grant:
        """Return the grant of an operator's or a seat's token. Raise Unauthorized for any other."""
        hashed = digest(token)
        if self._operates(hashed):
            return OPERATOR
        # The look-up is by hash, so its timing reveals nothing about the token.
        seat = self._seats(hashed)
        if seat is None:
            raise Unauthorized("token: it is not the operator's, nor that of a seat of a match in the record")
        return seat

    def _by_ticket(self, ticket: str) -> Grant:
        until, grant = self._tickets.pop(digest(ticket), (0.0, SPECTATOR))
        if until < self._clock():
            raise Unauthorized("ticket: used, expired or unknown; get a new one from POST /api/tickets")
        return grant


def _token(connection: HTTPConnection) -> str:
    """Return the token in the header of a request, '' if it has none."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token if scheme.lower() == "bearer" else ""


def _from_own_page(connection: HTTPConnection) -> bool:
    """Return whether the request comes from our own page or from no page, and names this machine as its host.

    Otherwise a foreign page could steer an open server through a user's browser. A request forwarded by a proxy does
    not come from this machine, whatever host it names.
    """
    if not FORWARDED.isdisjoint(connection.headers):
        return False
    host = urlsplit(f"//{connection.headers.get('host', '')}")
    origin = connection.headers.get("origin")
    if not is_loopback(host.hostname or ""):
        return False
    return origin is None or urlsplit(origin).netloc == host.netloc


def visitor_of(connection: HTTPConnection) -> str:
    """Return the visitor at the address that sent a request."""
    return visitor_at(connection.client.host if connection.client else "")


def visitor_at(address: str) -> str:
    """Return the visitor at an address: the address itself, or the network of an IPv6 address."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address or "unknown"
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is None:
            return str(ipaddress.IPv6Network((int(ip), NETWORK), strict=False))
        ip = ip.ipv4_mapped
    return str(ip)
