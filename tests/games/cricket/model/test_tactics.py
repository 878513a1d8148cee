"""Levers move the odds as the data say, and none of them pays blindly."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.field import PLACES, PRESETS, field_of
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.model import tactics
from grandstand.games.cricket.model.ball_model import DATA, ball_model, times
from grandstand.games.cricket.model.engine import BAT_RUNS, BallChoice, BallMoment, odds
from grandstand.games.cricket.model.keyed_random import ball_draws
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.vocab import CLASSES, GROUPS, INTENTS, LENGTHS, LINES, PHASES, SHOT_FAMILIES, VARIATIONS

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
    """Runs of a first innings with fixed choices on both sides."""
    game = CricketGame(CricketOptions(), seed)
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
    observed = [shares("good", choice=BallChoice(intent=intent)) for intent in INTENTS]
    assert [runs(p) for p in observed] == sorted(runs(p) for p in observed)
    assert [p[WICKET] for p in observed] == sorted(p[WICKET] for p in observed)


def test_normal_intent_changes_nothing() -> None:
    assert tactics.intent_factor("normal") == (1.0,) * len(CLASSES)


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


def test_one_length_all_innings_gains_nothing(neutral_total: float) -> None:
    for length in ("yorker", "full", "good", "short"):
        assert mean_total({}, lambda game, length=length: {"length": length}) > neutral_total - 4  # type: ignore[misc]


def test_repetition_is_read() -> None:
    aims = ((3, "natural"),) * 6
    assert tactics.repeats(aims, 3, "natural") == 6
    assert tactics.repeats(aims, 4, "natural") == 0
    assert tactics.repeats(aims, tactics.NATURAL, "natural") == 0
    assert tactics.repeats(((-1, "slower_ball"),) * 4, -1, "slower_ball") == 4
    assert tactics.read_factor(2) == (1.0,) * len(CLASSES)
    assert tactics.read_factor(6)[CLASSES.index("4")] > tactics.read_factor(4)[CLASSES.index("4")] > 1


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


# --- field ------------------------------------------------------------------------------------------------------------


def test_the_standard_field_changes_nothing() -> None:
    field = field_of(PRESETS["middle_pace"])
    factor = tactics.field_factor(field, field, 0, 3, 2, None)
    assert factor == pytest.approx((1.0,) * len(CLASSES))


def test_men_on_the_boundary_turn_fours_into_ones_as_at_the_powerplays_edge() -> None:
    """Set batters, overs 5-6 against 7-8: odds of a four against a dot fall by about 35 %, of a single rise by 85 %."""
    for group, preset in ((0, "middle_pace"), (1, "middle_spin")):
        spread, close = field_of(PRESETS[preset]), field_of(PRESETS["pp_defend"])
        mean = [0.0] * len(CLASSES)
        for length, line, share in tactics.landing_odds(1, group, (-1, -1), 1.1):
            for k, x in enumerate(tactics.field_factor(spread, close, group, length, line, None)):
                mean[k] += share * x
        assert 0.5 < mean[CLASSES.index("4")] < 0.8
        assert 1.4 < mean[CLASSES.index("1")] < 2.5


def test_a_field_moves_wickets_little() -> None:
    """Tracked fields differ in runs and not in wickets: at most 0.15 in log-odds."""
    rng = Random(1)
    standard = field_of(PRESETS["pp_attack"])
    for _ in range(100):
        field = field_of(tuple(rng.sample(PLACES, 9)))
        for length in range(len(LENGTHS)):
            factor = tactics.field_factor(field, standard, 0, length, 2, None)[WICKET]
            assert 0.86 <= factor <= 1.162


def test_a_man_where_the_shot_goes_saves_runs() -> None:
    ramp = BallChoice(shot="ramp")
    guarded, open_ = field_of(PRESETS["middle_pace"]), field_of(PRESETS["death_yorker"])
    four = CLASSES.index("4")
    assert (
        tactics.field_factor(guarded, guarded, 0, 1, 3, "ramp")[four]
        < tactics.field_factor(open_, guarded, 0, 1, 3, "ramp")[four]
    )
    assert ramp.shot in SHOT_FAMILIES["ramp"]


@pytest.mark.parametrize("family", ["defend", "sweep", "ramp", "loft"])
def test_a_shot_decided_beforehand_costs_over_an_innings(family: str, neutral_total: float) -> None:
    assert mean_total({"shot": SHOT_FAMILIES[family][0]}) < neutral_total
