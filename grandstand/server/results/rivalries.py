"""What players did to each other over many matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.server.bodies.players import Rivalry
from grandstand.server.results.finished_match import FinishedMatch

LISTED = 8
"""Number of rivals, those with most deeds first."""

Key = tuple[str, str]
"""The other player, and the kind of deed."""


def rivalries(matches: Sequence[FinishedMatch], player: str) -> list[Rivalry]:
    """Return the rivalries of a player in `matches` of one game."""
    done: Counter[Key] = Counter()
    suffered: Counter[Key] = Counter()
    met: Counter[str] = Counter()
    reference: Counter[str] = Counter()
    for match in matches:
        players = {record.seat: record.player for record in match.match.seats}
        if player not in players.values():
            continue
        others = {name for name in players.values() if name != player}
        met.update(others)
        if match.reference:
            reference.update(others)
        for deeds in match.deeds:
            by, to = players.get(deeds.seat), players.get(deeds.other)
            if by == player and to is not None and to != player:
                done[to, deeds.kind] += deeds.times
            elif to == player and by is not None and by != player:
                suffered[by, deeds.kind] += deeds.times
    words = _words(matches)
    rows = [
        Rivalry(
            other=other,
            deed=words[kind],
            done=done[other, kind],
            suffered=suffered[other, kind],
            matches=met[other],
            reference=reference[other],
        )
        for other, kind in {*done, *suffered}
        if kind in words
    ]
    return sorted(rows, key=lambda row: (-row.done - row.suffered, row.other, row.deed))[:LISTED]


def _words(matches: Sequence[FinishedMatch]) -> dict[str, str]:
    """Return the participle of each kind of deed in the game of `matches`."""
    game = matches[0].match.options.game if matches else ""
    return dict(game_spec(game).story.deeds) if game in GAMES else {}
