"""Whether a talking bot votes for a draw."""

from __future__ import annotations

from grandstand.games.diplomacy.bots.talking.mind import Mind
from grandstand.games.diplomacy.rules.map import CENTERS

NEAR = 15
"""Centres from which a leader that has won nothing for a year knows that it is stopped."""
BOLD = 0.5
"""Aggression from which it tries for another year."""
EARLIEST = 1908
"""The first year in which a bot votes for a draw."""
QUIET = 1915
"""The year from which a bot offers a draw where nobody leads."""


def objection_to_draw(mind: Mind) -> str:
    """Return why the seat does not vote for a draw, in words; empty if it votes for one."""
    if mind.state.year < EARLIEST:
        return "there is too much on the board"
    own, leader = mind.centers[mind.power], mind.menace
    patience = 4 + round(1.5 * mind.character.aggression)
    near = 1 + (mind.character.aggression > BOLD)
    if leader == mind.power:
        return "" if _gain(mind, near if own >= NEAR else patience) <= 0 else "I still have moves to make"
    if leader is not None:
        return "" if own <= mind.centers[leader] - 2 or _gain(mind, 2) <= 0 else "I still have moves to make"
    if mind.state.year < QUIET or _gain(mind, patience) > 0:
        return "I still have moves to make" if own > 3 else ""
    return ""


def _gain(mind: Mind, years: int) -> int:
    """Return how many centres the seat has won in the last so many years; many if the match is younger."""
    counts = mind.game.years
    last = max(counts)
    if last - years not in counts:
        return len(CENTERS)
    return counts[last][mind.power] - counts[last - years][mind.power]
