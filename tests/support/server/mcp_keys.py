"""Keys of seats, as MCP's tools give them."""

from __future__ import annotations

import re


def key_in(text: str) -> str:
    match = re.search(r"The key of your seat \w+: (\S+)", text)
    assert match
    return match.group(1)
