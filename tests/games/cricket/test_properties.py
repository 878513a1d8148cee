"""Properties of every match, over a thousand random ones: sums, counts, quotas, and that replay equals play."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from grandstand.games.base import Action, GameEvent
from grandstand.games.cricket import events
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import CONDITIONS
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.vocab import RUN_OUT_KINDS

CAPTAINS = ("random", "random", "cricsheet", "fixed-plan", "neutral")


def played(seed: int) -> tuple[CricketGame, list[tuple[str, Action]], list[GameEvent]]:
    """A match of random length, captains, conditions and weather, with the actions that made it."""
    rng = Random(seed)
    options = CricketOptions(
        overs=rng.choice((1, 2, 3, 5, 7)),
        era=rng.choice(("modern", "classic")),
        conditions=rng.choice(CONDITIONS),
        rain=rng.choice(("none", "random")),
        win_probability=seed % 10 == 0,
    )
    captains = {"home": BOTS[rng.choice(CAPTAINS)], "away": BOTS[rng.choice(CAPTAINS)]}
    game = CricketGame(options, seed)
    emitted, actions = list(game.opening()), []
    while game.outcome is None:
        waiting = game.to_act()
        assert waiting
        seat = rng.choice(list(waiting))
        action = captains[seat](game, seat, rng)
        actions.append((seat, action))
        emitted += game.apply(seat, action)
    return game, actions, emitted


def check_scorecard(innings: Innings) -> None:
    """The batters, the bowlers, the extras, the overs and the fall of wickets all tell of one score."""
    batters, bowlers = innings.batters.values(), innings.bowlers.values()
    extras = innings.wides + innings.noballs + innings.byes + innings.legbyes + innings.penalties
    assert innings.runs == sum(card.runs for card in batters) + extras
    assert innings.runs == sum(card.runs for card in bowlers) + innings.byes + innings.legbyes + innings.penalties
    assert innings.runs == sum(runs for _, runs, _ in innings.overs)
    assert innings.wickets == sum(wickets for _, _, wickets in innings.overs) == len(innings.fall)
    assert innings.legal == sum(card.balls for card in bowlers)
    assert innings.wickets >= sum(card.wickets for card in bowlers)
    out = [card for card in batters if card.out is not None and not card.retired_hurt]
    assert len(out) == innings.wickets
    assert [score for score, _, _ in innings.fall] == sorted(score for score, _, _ in innings.fall)


def check_bowling(innings: Innings) -> None:
    """Nobody bowls two overs running or more than the quota; every over but the last has six legal balls."""
    rules = innings.rules
    bowled = [bowler for bowler, _, _ in innings.overs]
    assert all(a != b for a, b in pairwise(bowled))
    assert innings.legal <= rules.balls
    assert len(innings.overs) in (innings.legal // 6, innings.legal // 6 + 1)


def check_quota(innings: Innings, rained: bool) -> None:
    counts = Counter(bowler for bowler, _, _ in innings.overs)
    if rained or not counts:
        return  # overs bowled before the cut may exceed the new quota
    assert max(counts.values()) <= innings.rules.bowler_max_overs
    assert sum(n == innings.rules.bowler_max_overs for n in counts.values()) <= innings.rules.bowlers_at_max


def check_events(game: CricketGame, emitted: list[GameEvent]) -> None:
    """Each ball's own figures follow from the ball before, and the last ball's score is the innings'."""
    score: dict[int, list[int]] = {}
    free_hit = False
    for event in emitted:
        if not isinstance(event, events.BallBowled):
            continue
        runs, _, legal = score.get(event.innings, [0, 0, 0])
        extras = event.extras or {}
        assert event.score[0] == runs + event.total
        assert event.total == event.runs + sum(extras.values())
        assert event.score[2] == legal + (not extras.keys() & {"wides", "noballs"})
        if event.innings in score:
            assert event.free_hit == free_hit
        if event.wicket is not None and (event.free_hit or "noballs" in extras):
            assert event.wicket["kind"] in RUN_OUT_KINDS
        assert (event.noball_for is not None) == ("noballs" in extras)
        free_hit, score[event.innings] = event.next_free_hit, event.score
    for innings in game.state.innings:
        if innings.number in score:
            assert score[innings.number][0] == innings.runs


def check_result(game: CricketGame) -> None:
    assert game.outcome is not None
    first, second = game.state.innings[0], game.state.innings[-1]
    assert sum(game.outcome.scores.values()) == 1
    if game.outcome.reason == "win" and game.state.method is None:
        assert first.runs != second.runs
        winner = first.batting_side if first.runs > second.runs else second.batting_side
        assert game.outcome.winners == [("home", "away")[winner]]
    if game.outcome.reason == "tie":
        assert game.outcome.winners == ["home", "away"]


@pytest.mark.long
def test_a_thousand_random_matches_keep_the_books() -> None:
    reasons: Counter[str] = Counter()
    for seed in range(1000):
        game, actions, emitted = played(seed)
        for innings in game.state.innings:
            check_scorecard(innings)
            check_bowling(innings)
            check_quota(innings, game.state.method is not None)
        check_events(game, emitted)
        check_result(game)
        assert game.outcome is not None
        reasons[game.outcome.reason] += 1
        if seed % 10 == 0:
            again = CricketGame(game.state.options, seed)
            replayed = list(again.opening())
            for seat, action in actions:
                replayed += again.apply(seat, action)
            assert replayed == emitted
            assert again.digest() == game.digest()
    assert {"win", "super over", "no result"} <= set(reasons)
