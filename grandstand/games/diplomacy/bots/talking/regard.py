"""Whom a talking bot helps and asks for help: what it says of its trust, and what it supposes of that of others."""

from __future__ import annotations

from grandstand.games.diplomacy.bots.talking import trust
from grandstand.games.diplomacy.bots.talking.mind import Mind

WILLING = -0.1
"""Trust from which another power may be helped, and is offered something."""


def grievance(mind: Mind, other: int) -> str:
    """Return why the seat does nothing for a power that it does not trust, in words; empty if it trusts it."""
    if mind.attitudes[other] not in ("enemy", "far") and mind.trust[other] >= WILLING:
        return ""
    grown = not mind.united and mind.trust[other] - trust.by_map(other, mind.centers) >= WILLING
    return "you are growing and nobody is behind you" if grown else "too much lies between us"


def supposed(mind: Mind, other: int) -> float:
    """Return the trust that a power probably has in the seat: the seat's own in it, but for the map."""
    if mind.united:
        return mind.trust[other]
    return mind.trust[other] + trust.by_map(mind.power, mind.centers) - trust.by_map(other, mind.centers)
