"""A league with planted results, for reports."""

from __future__ import annotations

from pathlib import Path
from random import Random

from grandstand.trainer.league.league import OPPONENTS
from grandstand.trainer.league.rows import LeagueMatch, LeaguePlayer, options_key
from grandstand.trainer.league.store import LeagueStore

OPTIONS = options_key({"press": "none", "last_year": 1903})
SCORES = {
    ("a@v000010", "a@v000000"): 0.8,
    ("x@v000005", "a@v000010"): 0.7,
    ("a@v000000", "x@v000005"): 0.7,
    ("a@v000000", "random"): 0.9,
    ("a@v000010", "random"): 0.9,
    ("x@v000005", "random"): 0.9,
}
"""Planted scores of a cycle of three, and of a bot that loses to all."""
GAMES = 200


def league_folder(folder: Path) -> Path:
    """Write a league with a main run `a`, its exploiter `x` and bots, of which `hold` has not played."""
    store, rng = LeagueStore(folder), Random(7)
    store.add(
        [
            LeaguePlayer("a@v000000", "diplomacy", "base", "a", 0, model="m", role="main"),
            LeaguePlayer("a@v000010", "diplomacy", "policy", "a", 10, "/a10", "a@v000000", "m", True, "main"),
            LeaguePlayer("x@v000005", "diplomacy", "policy", "x", 5, "/x5", "a@v000000", "m", role="main_exploiter"),
            LeaguePlayer("random", "diplomacy", "bot"),
            LeaguePlayer("hold", "diplomacy", "bot"),
        ]
    )
    for (player, opponent), score in SCORES.items():
        run = player.partition("@")[0]
        for number in range(GAMES):
            won = rng.random() < score
            seats = ("FRANCE", "ITALY") if number % 2 else ("ITALY", "FRANCE")
            store.record(run, [_match(f"{player}-{opponent}-{number}", seats, (player, opponent), won)])
    store.record("a", [_match("loose", ("FRANCE", "ITALY"), ("a@v000003", "random"), True)])
    store.record("a", [_match("other", ("FRANCE", "ITALY"), ("a@v000010", "random"), True, options=options_key({}))])
    opponents = {"chances": {"@0": 0.25, "self": 0.75}, "shares": {}, "expected": {"@0": 0.8, "self": 0.5}}
    for step in (4, 11):
        store.decide("a", OPPONENTS, step, lambda: opponents)
    mains = {"chances": {"a@v000010": 1.0}, "shares": {}, "expected": {"a@v000010": 0.7}}
    store.decide("x", OPPONENTS, 6, lambda: mains)
    store.close()
    return folder


def _match(
    episode: str, seats: tuple[str, str], players: tuple[str, str], won: bool, options: str = OPTIONS
) -> LeagueMatch:
    scores = (float(won), float(not won))
    return LeagueMatch(episode, "training", 1, "diplomacy", options, episode, dict(zip(seats, players, strict=True)),
                       dict(zip(seats, scores, strict=True)))  # fmt: skip
