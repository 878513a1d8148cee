"""Levers move the odds as the data say, and none of them pays blindly."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.field import PRESETS, field_of
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.model import tactics
from grandstand.games.cricket.model.average import worth
from grandstand.games.cricket.model.ball_model import DATA, along, ball_model, times
from grandstand.games.cricket.model.engine import BAT_RUNS, BallChoice, BallMoment, odds
from grandstand.games.cricket.model.keyed_random import ball_draws
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.vocab import (
    CLASSES,
    GROUPS,
    INTENTS,
    LEAVE,
    LENGTHS,
    LINES,
    PHASES,
    SHOT_FAMILIES,
    VARIATIONS,
)

pytestmark = pytest.mark.long

MODEL = ball_model("modern")
PAIR = times(MODEL.position[2], tactics.tempo(format_rules(20)))
WICKET = CLASSES.index("W")


def shares(length: str, phase: int = 2, group: int = 0, choice: BallChoice | None = None) -> list[float]:
    """Distribution of a ball that landed at `length` on off stump in over 18."""
    field = field_of(PRESETS["death_yorker"])
    moment = BallMoment(17, phase, group, 3, 10, 0, False)
    landed = (LENGTHS.index(length), LINES.index("off_channel"))
    weights = odds(MODEL, moment, PAIR, choice or BallChoice(), landed, "stock", (field, field))
    return [weight / sum(weights) for weight in weights]


def runs(p: list[float]) -> float:
    return sum(share * worth for share, worth in zip(p, BAT_RUNS, strict=False))


def first_innings(seed: int, batting: dict[str, Any], bowling: Callable[[CricketGame], dict[str, Any]]) -> int:
    """Runs of a first innings with fixed choices on both sides, without events and chances, which change no run."""
    game = CricketGame(CricketOptions(win_probability=False), seed)
    game.state.headless = True
    game.contest.start_innings(0)
    rng = Random(seed)
    while len(game.state.innings) == 1:
        seat = game.to_act()[0]
        if game.state.stage == "review":
            game.apply(seat, BOTS["neutral"](game, seat, rng))
        elif seat == "home":
            game.apply(seat, {"tool": "play_delivery", "arguments": batting})
        else:
            game.apply(seat, {"tool": "bowl_delivery", "arguments": bowling(game)})
    return game.state.innings[0].runs


def mean_total(batting: dict[str, Any], bowling: Callable[[CricketGame], dict[str, Any]] = lambda game: {}) -> float:
    seeds = range(70_000, 70_120)
    return sum(first_innings(seed, batting, bowling) for seed in seeds) / len(seeds)


@pytest.fixture(scope="module")
def neutral_total() -> float:
    return mean_total({})


# --- intent -----------------------------------------------------------------------------------------------------------


def test_more_intent_means_more_runs_and_more_wickets_on_the_ball() -> None:
    decided = [intent for intent in INTENTS if intent != "normal"]
    by_intent = [shares("good", choice=BallChoice(intent=intent)) for intent in decided]
    assert [runs(p) for p in by_intent] == sorted(runs(p) for p in by_intent)
    assert [p[WICKET] for p in by_intent] == sorted(p[WICKET] for p in by_intent)


def test_normal_intent_changes_nothing() -> None:
    for phase in range(len(PHASES)):
        assert tactics.intent_factor("normal", phase) == (1.0,) * len(CLASSES)


@pytest.mark.parametrize("phase", range(len(PHASES)))
def test_an_intent_that_is_decided_beforehand_has_a_price(phase: int) -> None:
    """A hardly bolder intent would bring fewer runs and more wickets than the natural one."""
    for intent in ("rotate", "attack"):
        called, u = tactics.intent_factor(intent, phase), INTENTS[intent]
        risk = along({**DATA["risk_axis"], "W": 1.2, "RO": 0.3}, u)
        four, wicket = CLASSES.index("4"), CLASSES.index("W")
        assert called[four] < risk[four]
        assert called[wicket] > risk[wicket]


def test_always_slogging_and_always_blocking_lose_runs(neutral_total: float) -> None:
    assert mean_total({"intent": "slog"}) < neutral_total - 10
    assert mean_total({"intent": "block"}) < neutral_total - 5


# --- where it lands ---------------------------------------------------------------------------------------------------


def test_a_yorker_pays_only_when_it_lands() -> None:
    assert runs(shares("yorker")) < runs(shares("good")) < runs(shares("full"))
    assert runs(shares("yorker")) < 0.8 * runs(shares("full_toss"))


def test_a_master_lands_more_yorkers_than_a_learner() -> None:
    aim = (LENGTHS.index("yorker"), tactics.NATURAL)

    def landed(accuracy: float) -> float:
        return sum(p for length, _, p in tactics.landing_odds(2, 0, aim, accuracy) if length == aim[0])

    assert landed(0.8) > landed(1.1) > landed(1.4)
    assert 0.3 < landed(1.1) < 0.6


@pytest.mark.parametrize("group", [0, 1])
@pytest.mark.parametrize("aim", [(-1, -1), (1, 3), (3, -1), (-1, 0), (5, 5)])
def test_landing_odds_are_those_of_the_draws(group: int, aim: tuple[int, int]) -> None:
    expected = {(i, j): p for i, j, p in tactics.landing_odds(1, group, aim, 1.2)}
    assert sum(expected.values()) == pytest.approx(1, abs=1e-3)
    observed: dict[tuple[int, int], int] = {}
    for ball in range(4000):
        landed = tactics.land(MODEL, 1, group, aim, 1.2, ball_draws(5, 1, ball, 0))
        observed[landed] = observed.get(landed, 0) + 1
    for cell, count in observed.items():
        assert count / 4000 == pytest.approx(expected.get(cell, 0.0), abs=0.035)


@pytest.mark.parametrize("phase", range(len(PHASES)))
@pytest.mark.parametrize("group", range(len(GROUPS)))
def test_landed_factors_have_mean_one_under_the_natural_mix(phase: int, group: int) -> None:
    where = DATA["delivery"][GROUPS[group]]
    for k in range(len(CLASSES)):
        mean = sum(
            p * q * MODEL.landed[phase][group][i][j][k]
            for i, p in enumerate(where["length_mix"][phase])
            for j, q in enumerate(where["line_mix"][phase])
        )
        assert mean == pytest.approx(1, abs=2e-3)


@pytest.mark.long
def test_one_length_all_innings_gains_nothing(neutral_total: float) -> None:
    for length in ("yorker", "full", "good", "short"):
        assert mean_total({}, lambda game, length=length: {"length": length}) > neutral_total - 4  # type: ignore[misc]


@pytest.mark.parametrize("phase", range(len(PHASES)))
def test_pace_variations_have_mean_one_as_really_bowled(phase: int) -> None:
    share = {name: DATA["pace_variation"]["share"][name][phase] for name in DATA["pace_variation"]["share"]}
    for k in range(len(CLASSES)):
        mean = sum(p * tactics.variation_factor("pace", phase, name)[k] for name, p in share.items())
        assert mean == pytest.approx(1, abs=2e-3)


def test_every_variation_has_a_factor() -> None:
    for group, names in VARIATIONS.items():
        for name in names:
            for phase in range(len(PHASES)):
                assert len(tactics.variation_factor(group, phase, name)) == len(CLASSES)


# --- shots ------------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("family", ["defend", "sweep", "ramp", "loft"])
def test_a_shot_decided_beforehand_costs_over_an_innings(family: str, neutral_total: float) -> None:
    assert mean_total({"shot": SHOT_FAMILIES[family][0]}) < neutral_total


@pytest.mark.parametrize("family", sorted(set(SHOT_FAMILIES) - {LEAVE, "defend"}))
def test_a_shot_suits_some_landing_and_not_others(family: str) -> None:
    odds = np.array(MODEL.draws["phase_targets"][1]) * tactics.shot_table(family, 1, 0)
    worths = worth(MODEL, 1)
    worths[WICKET] -= 7.0
    value = odds @ worths / odds.sum(axis=-1)
    assert value.max() - value.min() > 0.15
