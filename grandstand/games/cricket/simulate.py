"""Headless matches between built-in captains at full speed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from grandstand.games.base import Action, GameEvent, SeatId
from grandstand.games.cricket.export.statistics import Statistics
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.model.umpire import NATURALLY_REVIEWED
from grandstand.games.cricket.options import CricketOptions

Captain = Callable[[Any, SeatId, Random], Action]


def play_match(options: CricketOptions, seed: int, home: Captain, away: Captain) -> tuple[CricketGame, list[GameEvent]]:
    """Return the finished match and its events. The captains' random draws are keyed by seed and seat."""
    game = CricketGame(options, seed)
    captains = {"home": (home, Random(f"{seed}/home")), "away": (away, Random(f"{seed}/away"))}
    events = list(game.opening())
    while game.outcome is None:
        seat = game.to_act()[0]
        captain, rng = captains[seat]
        events += game.apply(seat, game.standing(seat) or captain(game, seat, rng))
    return game, events


def play_out(game: CricketGame) -> None:
    """Play `game` to its end with neutral captains and no events: for rollouts. The draws, the laws and the result are
    those of neutral captains asked ball by ball."""
    contest, state = game.contest, game.state
    state.headless = True
    while state.result is None:
        innings = state.now
        while innings.striker is None or innings.non_striker is None:
            contest.send_in()
        if innings.bowler is None:
            contest.give_ball(state.next_bowler())
        state.choices = [{}, {}]
        contest.deliver()
        if state.stage == "review":
            delivery = state.delivery()
            assert delivery.appeal is not None
            contest.complete(delivery, reviewed=delivery.appeal.evidence in NATURALLY_REVIEWED)


def spinners(game: CricketGame) -> frozenset[str]:
    return frozenset(p.name for team in game.state.teams for p in team.players if p.style and p.group == "spin")


def statistics_of(options: CricketOptions, seeds: range, captain: Captain) -> Statistics:
    """Return the statistics of matches with `captain` on both sides, one match per seed."""
    out, options = Statistics(), replace(options, win_probability=False)
    for seed in seeds:
        game, events = play_match(options, seed, captain, captain)
        out.add(events, spinners(game))
    return out
