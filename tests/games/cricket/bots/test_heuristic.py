"""The heuristic captain answers what it meets: the field, repeated balls, predictable batters."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest

from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.bots.heuristic import best_stroke, expected_landing
from grandstand.games.cricket.bots.neutral import neutral
from grandstand.games.cricket.events import BallBowled, FieldSet
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.field import PRESETS
from grandstand.games.cricket.model.reading import MEMORY
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match
from grandstand.games.cricket.vocab import LENGTHS
from scripts.cricket.exploits import captain_of, chosen, judge, mean
from tests.games.cricket.known import known


def middle(seed: int = 3) -> CricketGame:
    """The twelfth over of a first innings, a bowler with the ball."""
    game, rng = CricketGame(CricketOptions(win_probability=False), seed), Random(seed)
    while not (game.state.innings and game.state.now.legal >= 70 and game.state.now.bowler is not None):
        seat = game.to_act()[0]
        game.apply(seat, neutral(game, seat, rng))
    return game


def test_it_bats_to_the_field() -> None:
    """It goes over the ring if nobody guards the boundary, and not in a field that guards it."""
    game = middle()
    calls: dict[str, Counter[str | None]] = {}
    for name in ("pp_attack", "standard"):
        game.state.field_choice = name
        calls[name] = Counter(best_stroke(game.state, Random(i))[1] for i in range(5))
    assert calls["pp_attack"].keys() & {"loft", "pull", "ramp", "sweep", "drive"}
    assert calls["pp_attack"] != calls["standard"]


def test_it_expects_what_was_bowled_and_what_a_sequence_foretells() -> None:
    game = middle()
    yorker, short = (1, -1, "natural"), (5, -1, "natural")
    group = game.state.attack
    natural = expected_landing(1, group, game.state).reshape(len(LENGTHS), -1).sum(axis=1)

    def after(*aims: tuple[int, int, str]) -> np.ndarray:
        remembered = aims[-MEMORY:]
        game.state.aims = (remembered, remembered)
        return np.asarray(expected_landing(1, group, game.state).reshape(len(LENGTHS), -1).sum(axis=1))

    assert after(*[yorker] * 9)[1] > natural[1]
    alternating = after(*[yorker, short] * 6)
    assert alternating[1] > after(*[short, yorker] * 6)[1]
    assert alternating.sum() == pytest.approx(1)


def test_it_moves_its_field_at_the_start_of_overs_and_for_new_batters_only() -> None:
    """Some thirty announcements an innings, one an over for its bowler; all of them presets."""
    announced = innings = 0
    for seed in range(4):
        game, events = play_match(CricketOptions(win_probability=False), seed, BOTS["heuristic"], BOTS["heuristic"])
        fields = [event for event in events if isinstance(event, FieldSet)]
        assert {field.preset for field in fields} <= set(PRESETS)
        announced += len(fields)
        innings += len(game.state.innings)
    assert announced / innings < 34


def test_it_uses_variations_lines_and_shots() -> None:
    _, events = play_match(CricketOptions(win_probability=False), 5, BOTS["heuristic"], BOTS["heuristic"])
    balls = [event for event in events if isinstance(event, BallBowled)]
    assert len({known(ball.aim)[2] for ball in balls}) >= 5
    assert len({known(ball.aim)[1] for ball in balls}) >= 4
    assert len({ball.shot for ball in balls}) >= 4
    assert len({ball.intent for ball in balls}) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cycle, crowded", "cycle, mixed", "all good", "natural, crowded", "bat attack"])
def test_a_plan_made_before_the_toss_loses_to_it(name: str) -> None:
    """By what the calls were worth, which has a tenth of the noise of results; see docs/cricket-tactics.md."""
    ((_, plan),) = chosen([name])
    heuristic = BOTS["heuristic"]
    verdict = judge(CricketOptions(), range(40_000, 40_005), captain_of(plan, heuristic), heuristic)
    assert mean(verdict.net)[0] < -0.01
