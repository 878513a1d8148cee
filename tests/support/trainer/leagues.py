"""A small league."""

from __future__ import annotations

from grandstand.games.registry import game_spec
from grandstand.trainer.league.league import League
from grandstand.trainer.league.rows import LeagueMatch, options_key
from tests.support.trainer.tiny import tiny

SPEC = game_spec("diplomacy")

OPTIONS = options_key(tiny().game.options)


def duels(league: League, player: str, opponent: str, won: int, lost: int, step: int) -> None:
    """Record matches of two, in either seat in turn."""
    results = []
    for number in range(won + lost):
        name = f"{player}-{opponent}-{step}-{number}"
        seats = ("FRANCE", "ITALY") if number % 2 else ("ITALY", "FRANCE")
        players = dict(zip(seats, (player, opponent), strict=True))
        scores = dict(zip(seats, (float(number < won), float(number >= won)), strict=True))
        results.append(LeagueMatch(name, "training", step, SPEC.name, OPTIONS, name, players, scores))
    league.store.record("tiny", results)
