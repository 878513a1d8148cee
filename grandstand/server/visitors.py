"""Visitors: callers who are no operators, told apart by their addresses, and the bounds of what each may ask for."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from math import ceil

from starlette.requests import HTTPConnection

NETWORK = 64
"""Bits of an IPv6 address that tell visitors apart: a home or a rented machine has all the addresses below them."""


class TooMany(Exception):
    """A visitor sent too many requests; `seconds` is the time to wait."""

    def __init__(self, what: str, seconds: float) -> None:
        super().__init__(f"{what}; try again in {ceil(seconds)} s")
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class VisitorBounds:
    """Limits of a match that a visitor starts: it can neither keep a core busy nor go on forever."""

    pace: float = 0.5
    turns: int = 400
    matches: int = 4
    """Unfinished matches that one visitor may have started."""
    seats: bool | None = None
    """True if a visitor may play one seat of a match; None for a server without an operator's token only."""
    clock: float = 300.0
    """Seconds that a visitor has for a turn at most."""
    imports: bool = False
    """True if a visitor may import files."""
    keys: bool = False
    """True if a visitor may seat language models with a key of its own."""
    key_matches: int = 1
    """Matches with own keys that one visitor may have at a time."""
    key_total: int = 8
    """Matches with own keys of all visitors at a time."""
    slowest: float = 2.5
    """Seconds that a turn takes at most, unless `pace` is more: viewers can follow it, and the slot is soon free."""
    delay: float = 300.0
    """Seconds of delay at most: a match keeps its slot until spectators have seen its end."""


USUAL_BOUNDS = VisitorBounds()


def visitor_of(connection: HTTPConnection) -> str:
    """Return the visitor who sent a request, by which every limit of visitors counts."""
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
