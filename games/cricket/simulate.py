"""Headless matches between built-in captains, as fast as they go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from grandstand.games.base import Action, GameEvent, SeatId
from grandstand.games.cricket.export.statistics import Statistics
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.options import CricketOptions

Captain = Callable[[Any, SeatId, Random], Action]


def play_match(options: CricketOptions, seed: int, home: Captain, away: Captain) -> tuple[CricketGame, list[GameEvent]]:
    """The finished match and its events. The captains' own randomness is keyed by seed and seat."""
    game = CricketGame(options, seed)
    captains = {"home": (home, Random(f"{seed}/home")), "away": (away, Random(f"{seed}/away"))}
    events = list(game.opening())
    while game.result is None:
        seat = game.to_act()[0]
        captain, rng = captains[seat]
        events += game.apply(seat, captain(game, seat, rng))
    return game, events


def play_out(game: CricketGame) -> None:
    """Play `game` to its end with neutral captains and no events: for rollouts. Same luck, same laws, same result as
    the neutral captains give ball by ball."""
    game.quiet = True
    while game.result is None:
        innings = game.now
        while innings.striker is None or innings.non_striker is None:
            game.send_in()
        if innings.bowler is None:
            game.give_ball(game.next_bowler())
        game.choices = [{}, {}]
        game.deliver()
        if game.stage == "review":
            delivery = game.delivery()
            assert delivery.appeal is not None
            game.complete(delivery, reviewed=delivery.appeal.evidence != "unlikely")


def spinners(game: CricketGame) -> frozenset[str]:
    return frozenset(p.name for team in game.teams for p in team.players if p.style and p.group == "spin")


def statistics_of(options: CricketOptions, seeds: range, captain: Captain) -> Statistics:
    """Both sides led by `captain`, one match per seed."""
    out, options = Statistics(), replace(options, win_probability=False)
    for seed in seeds:
        game, events = play_match(options, seed, captain, captain)
        out.add(events, spinners(game))
    return out
