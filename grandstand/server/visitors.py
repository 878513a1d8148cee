"""Visitors: callers who are no operators, told apart by their addresses."""

from __future__ import annotations

import ipaddress
from math import ceil

from starlette.requests import HTTPConnection

NETWORK = 64
"""Bits of an IPv6 address that tell visitors apart: a home or a rented machine has all the addresses below them."""


class TooMany(Exception):
    """A visitor sent too many requests; `seconds` is the time to wait."""

    def __init__(self, what: str, seconds: float) -> None:
        super().__init__(f"{what}; try again in {ceil(seconds)} s")
        self.seconds = seconds


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
