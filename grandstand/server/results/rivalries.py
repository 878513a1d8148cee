"""What players did to each other over many matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.server.bodies.players import Rivalry
from grandstand.server.results.finished_match import FinishedMatch

LISTED = 8
"""Number of rivals, those with most deeds first."""


def deeds_between(matches: Iterable[FinishedMatch]) -> Counter[tuple[str, str, str]]:
    """Return how often each player did each kind of deed to another, by player, other player and kind."""
    done: Counter[tuple[str, str, str]] = Counter()
    for match in matches:
        players = {record.seat: record.player for record in match.match.seats}
        for deeds in match.deeds:
            by, to = players.get(deeds.seat), players.get(deeds.other)
            if by is not None and to is not None and by != to:
                done[by, to, deeds.kind] += deeds.times
    return done


def rivalries(matches: Sequence[FinishedMatch], player: str) -> list[Rivalry]:
    """Return the rivalries of a player in `matches` of one game."""
    met: Counter[str] = Counter()
    reference: Counter[str] = Counter()
    for match in matches:
        others = {record.player for record in match.match.seats} - {player}
        if any(record.player == player for record in match.match.seats):
            met.update(others)
            if match.reference:
                reference.update(others)
    done, words = deeds_between(matches), _words(matches)
    rows = [
        Rivalry(
            other=other,
            deed=words[kind],
            done=done[player, other, kind],
            suffered=done[other, player, kind],
            matches=met[other],
            reference=reference[other],
        )
        for other, kind in {(by if to == player else to, kind) for by, to, kind in done if player in (by, to)}
        if kind in words
    ]
    return sorted(rows, key=lambda row: (-row.done - row.suffered, row.other, row.deed))[:LISTED]


def _words(matches: Sequence[FinishedMatch]) -> dict[str, str]:
    """Return the participle of each kind of deed in the game of `matches`."""
    game = matches[0].match.options.game if matches else ""
    return dict(game_spec(game).story.deeds) if game in GAMES else {}
