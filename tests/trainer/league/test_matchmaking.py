"""The seats and opponents of a group follow from the run's seed, the step and the group alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from grandstand.games.registry import game_spec
from grandstand.trainer.config.league_settings import LeagueSettings, Role
from grandstand.trainer.league.matchmaking import (
    GroupPlan,
    candidates,
    fixed_field,
    keyed,
    mix,
    plan_evaluation,
    plan_step,
    preference,
    weights_at,
)
from grandstand.trainer.league.payoffs import PayoffMatrix
from tests.support.trainer.tiny import tiny

SPEC = game_spec("diplomacy")


def plans(step: int = 1, past: tuple[int, ...] = (), **sections: dict[str, Any]) -> list[GroupPlan]:
    config = tiny(**sections)
    opponents = mix(config.league, weights_at(config, step), candidates(config, SPEC, past))
    return plan_step(config, SPEC, step, opponents.chances)


def many(**rollout: Any) -> list[GroupPlan]:
    """Enough of them to count."""
    return plans(past=(4, 8), rollout={"groups": 700, **rollout})


def test_seeds_are_63_bits_and_of_their_own() -> None:
    results = {keyed("run", step, group) for step in range(30) for group in range(30)}
    assert len(results) == 900
    assert all(0 <= seed < 2**63 for seed in results)
    assert max(results) > 2**62
    assert keyed(1, 23) != keyed(12, 3)


def test_a_plan_can_be_made_again() -> None:
    assert plans(3, (1, 2)) == plans(3, (1, 2))
    assert plans(3) != plans(4)
    assert plans(3) != plans(3, run={"seed": 99})


def test_a_group_is_the_same_whatever_groups_stand_beside_it() -> None:
    """But for whose turn it is, which goes round over all groups."""
    few, more = plans(0, rollout={"groups": 2}), plans(0, rollout={"groups": 5})
    assert more[:2] == few


def test_ids_and_titles_name_the_run_the_step_and_the_group() -> None:
    first, second = plans(12)
    assert (first.id, second.id) == ("s000012-g000", "s000012-g001")
    assert second.title == "tiny, step 12, group 2"
    assert plans(12, run={"title": "Warm-up, B, seed 1"})[1].title == "Warm-up, B, seed 1, step 12, group 2"


def test_every_seat_has_its_turn() -> None:
    seats = [plan.trained_seats for step in range(7) for plan in plans(step, rollout={"groups": 3})]
    assert seats == [(SPEC.seats()[number % 7],) for number in range(21)]


def test_the_hero_may_be_given_and_there_may_be_several() -> None:
    assert {plan.trained_seats for plan in plans(game={"only_seat": "ITALY"}, rollout={"groups": 9})} == {("ITALY",)}
    several = plans(game={"only_seat": "ITALY", "trained_seats": 3}, rollout={"groups": 40})
    assert all(len(plan.trained_seats) == 3 and "ITALY" in plan.trained_seats for plan in several)
    assert {seat for plan in several for seat in plan.trained_seats} == set(SPEC.seats())
    assert all(
        plan.trained_seats == tuple(seat for seat in SPEC.seats() if seat in plan.trained_seats) for plan in several
    )
    (everybody, *_) = plans(game={"trained_seats": 7})
    assert (everybody.trained_seats, everybody.opponents) == (SPEC.seats(), {})


def test_each_other_seat_has_an_opponent_as_often_as_its_weight_says() -> None:
    made = many(opponents={"random": 3, "base": 1, "past": 1, "self": 1, "chaos": 0})
    for plan in made:
        assert set(plan.opponents) == set(SPEC.seats()) - set(plan.trained_seats)
    count = Counter(name for plan in made for name in plan.opponents.values())
    whole = sum(count.values())
    assert set(count) == {"random", "@0", "@4", "@8", "self"}
    assert count["random"] / whole == pytest.approx(1 / 2, abs=0.04)
    assert count["@0"] / whole == pytest.approx(1 / 6, abs=0.03)
    assert count["@4"] / whole == pytest.approx(1 / 12, abs=0.03)


def test_before_there_is_a_past_it_is_the_base() -> None:
    assert {name for plan in plans(rollout={"opponents": {"past": 1}}) for name in plan.opponents.values()} == {"@0"}


def test_warm_ups_are_drawn_evenly_and_some_are_none() -> None:
    count = Counter(plan.warmup for plan in many(warmup=3, warmup_none_chance=0.4))
    assert set(count) == {0, 1, 2, 3}
    assert count[0] / 700 == pytest.approx(0.4 + 0.6 / 4, abs=0.06)
    assert count[2] / 700 == pytest.approx(0.6 / 4, abs=0.05)
    assert {plan.warmup for plan in many(warmup_none_chance=1.0)} == {0}


def test_some_groups_have_the_long_horizon() -> None:
    count = Counter(plan.horizon for plan in many(horizon=1.0, long_horizon=3.0, long_horizon_chance=0.25))
    assert set(count) == {1.0, 3.0}
    assert count[3.0] / 700 == pytest.approx(0.25, abs=0.06)
    assert {plan.horizon for plan in many(horizon=1.0)} == {1.0}


def test_matches_have_their_own_seeds() -> None:
    assert len({plan.seed for plan in many()}) == 700


def test_an_evaluation_has_situations_of_its_own_one_seat_at_a_time() -> None:
    config = tiny(game={"trained_seats": 3})
    made = plan_evaluation(config, SPEC, "vs_base", 9, {"base": 1.0})
    assert [plan.trained_seats for plan in made] == [(SPEC.seats()[number % 7],) for number in range(9)]
    assert made == plan_evaluation(config, SPEC, "vs_base", 9, {"base": 1.0})
    other = plan_evaluation(config, SPEC, "vs_field", 9, {"base": 1.0})
    trained_on = plan_step(config, SPEC, 1, {"@0": 1.0})
    assert not {plan.seed for plan in made} & {plan.seed for plan in (*other, *trained_on)}
    assert made[2].id == "e-vs_base-g002"
    assert made[2].title == "tiny, evaluation vs_base"


# --- who is met -------------------------------------------------------------------------------------------------------

PLANTED = {"@4": 0.9, "@8": 0.5, "@12": 0.2, "random": 0.95, "dumbbot": 0.3}
"""Expected scores of the policy."""
CYCLE = {("@4", "@8"): (250.0, 1000.0), ("@4", "@12"): (1000.0, 1000.0), ("@8", "@12"): (450.0, 1000.0)}
CYCLE |= {(other, own): (games - points, games) for (own, other), (points, games) in CYCLE.items()}
"""Results of a biased rock, paper and scissors, whose equilibrium is (1, 10, 5) / 16."""


def planted(league: dict[str, Any], **opponents: Any) -> tuple[dict[str, float], dict[str, float]]:
    """Return the chances and shares at step 10 of a policy whose expected scores are planted."""
    config = tiny(league=league, rollout={"opponents": opponents})
    drawn = mix(config.league, weights_at(config, 10), candidates(config, SPEC, (4, 8, 12), PLANTED))
    assert sum(drawn.chances.values()) == pytest.approx(1)
    assert sum(drawn.shares.values()) == pytest.approx(1)
    assert set(drawn.expected) == set(drawn.chances)
    return dict(drawn.chances), dict(drawn.shares)


@pytest.mark.parametrize(
    ("league", "values"),
    [
        ({"pfsp": "hard"}, {"@4": 0.1**2, "@8": 0.5**2, "@12": 0.8**2}),
        ({"pfsp": "variance"}, {"@4": 0.09, "@8": 0.25, "@12": 0.16}),
        ({"pfsp": "even"}, {"@4": 0.03925748, "@8": 1.0, "@12": 0.2756001}),
        ({"pfsp": "uniform"}, {"@4": 1.0, "@8": 1.0, "@12": 1.0}),
    ],
)
def test_within_a_category_players_are_met_by_the_formula(league: dict[str, Any], values: dict[str, float]) -> None:
    chances, shares = planted(league, past=0.3, random=0.1)
    assert shares == pytest.approx({"past": 0.75, "random": 0.25})
    whole = sum(values.values())
    expected = {address: 0.75 * value / whole for address, value in values.items()} | {"random": 0.25}
    assert chances == pytest.approx(expected)


@pytest.mark.long
@pytest.mark.parametrize(
    ("pfsp", "weights"),
    [
        ("hard", [0.1**2, 0.5**2, 0.8**2]),
        ("variance", [0.09, 0.25, 0.16]),
        ("even", [0.03925748, 1.0, 0.2756001]),
        ("nash", [1, 10, 5]),
    ],
)
def test_opponents_are_drawn_by_the_formula_and_not_uniformly(pfsp: str, weights: list[float]) -> None:
    """Pearson's chi-square over 7,000 groups of six seats: near the formula, and far from even."""
    config = tiny(league={"pfsp": pfsp}, rollout={"groups": 7000, "opponents": {"past": 1}})
    drawn = mix(
        config.league, weights_at(config, 1), candidates(config, SPEC, (4, 8, 12), PLANTED), PayoffMatrix(CYCLE, 1e-3)
    )
    count = Counter(name for plan in plan_step(config, SPEC, 1, drawn.chances) for name in plan.opponents.values())
    seats = 7000 * 6
    assert sum(count.values()) == seats

    def distance(chances: dict[str, float]) -> float:
        return sum((count[name] - seats * chance) ** 2 / (seats * chance) for name, chance in chances.items())

    formula = {name: weight / sum(weights) for name, weight in zip(("@4", "@8", "@12"), weights, strict=True)}
    assert distance(formula) < 13.8  # two degrees of freedom, one in a thousand
    assert distance(dict.fromkeys(formula, 1 / 3)) > 1000


def test_even_opponents_are_met_most_often_and_those_far_away_hardly() -> None:
    league = LeagueSettings(pfsp="even")
    values = [preference(league, number / 100) for number in range(101)]
    assert values[50] == max(values) == 1.0
    assert values[:51] == sorted(values[:51])
    assert values == pytest.approx(values[::-1])
    assert (values[0], values[100]) == (0.0, 0.0)
    assert preference(league, 1 / (1 + 10 ** (-150 / 400))) == pytest.approx(0.6065307)


def test_the_nash_average_is_that_of_the_categorys_own_players() -> None:
    """A player that would dominate all changes nothing in a category that it is not in."""
    config = tiny(league={"pfsp": "nash"}, rollout={"opponents": {"past": 3, "random": 1}})
    results = {**CYCLE, **{("random", name): (99.0, 99.0) for name in ("@4", "@8", "@12")}}
    players = candidates(config, SPEC, (4, 8, 12), PLANTED)
    payoffs = PayoffMatrix(results, 1e-3)
    chances = mix(config.league, weights_at(config, 1), players, payoffs).chances
    assert chances == pytest.approx(
        {"@4": 0.75 / 16, "@8": 0.75 * 10 / 16, "@12": 0.75 * 5 / 16, "random": 0.25}, abs=1e-4
    )
    everybody = mix(config.league, {"league": 1.0}, players, payoffs).chances
    assert everybody["random"] > 0.1, "it is a member of the league"
    unmet = mix(config.league, {"past": 1.0}, players).chances
    assert list(unmet.values()) == pytest.approx([1 / 3] * 3), "nobody has met anybody"


PEERS: dict[str, Role] = {
    "a@v000005": "main", "a@v000010": "main", "a@v000015": "main", "b@v000005": "main",
    "x@v000005": "main_exploiter", "y@v000005": "league_exploiter",
}  # fmt: skip


def met(opponents: str, expected: dict[str, float] | None = None, **league: Any) -> dict[str, float]:
    """Return the chances of the opponents of one category, in a league with other runs."""
    config = tiny(league=league)
    players = candidates(config, SPEC, (4, 8), expected, PEERS)
    return dict(mix(config.league, {opponents: 1.0}, players).chances)


def test_versions_of_other_runs_are_met_by_the_roles_of_these() -> None:
    assert met("peer").keys() == {"a@v000005", "a@v000010", "a@v000015", "b@v000005"}
    assert met("exploiter").keys() == {"x@v000005", "y@v000005"}
    quick = {name for name in SPEC.bots.players if name not in SPEC.bots.slow}
    assert met("league").keys() == {"@0", "@4", "@8", *PEERS, *quick}
    assert met("league", {"b@v000005": 0.9}, pfsp="hard")["b@v000005"] == pytest.approx(
        0.01 / (0.01 + 0.25 * (len(PEERS) + 2 + len(quick)))
    )


def test_main_exploiters_meet_the_newest_version_of_each_main_run() -> None:
    assert met("main", pfsp="hard") == {"a@v000015": 0.5, "b@v000005": 0.5}
    assert met("main", {"a@v000015": 0.2}) == {"a@v000015": 0.5, "b@v000005": 0.5}


def test_a_main_exploiter_that_nearly_always_loses_meets_the_past_of_that_run() -> None:
    chances = met("main", {"a@v000015": 0.08, "a@v000005": 0.6, "a@v000010": 0.2, "b@v000005": 0.05})
    assert chances == pytest.approx({"a@v000005": 0.5 * 0.24 / 0.4, "a@v000010": 0.5 * 0.16 / 0.4, "b@v000005": 0.5})


def test_who_always_loses_is_not_met_by_hard_unless_there_is_nobody_else() -> None:
    league = LeagueSettings(pfsp="hard")
    assert preference(league, 1.0) == 0.0
    config = tiny()
    everyone = candidates(config, SPEC, (4, 8), {"@4": 1.0, "@8": 1.0})
    assert mix(league, {"past": 1.0}, everyone).chances == {"@4": 0.5, "@8": 0.5}
    everyone = candidates(config, SPEC, (4, 8), {"@4": 1.0, "@8": 0.9})
    assert mix(league, {"past": 1.0}, everyone).chances == {"@8": 1.0}


def test_shares_of_categories_without_members_go_to_the_others_in_proportion() -> None:
    config = tiny(rollout={"opponents": {"past": 6, "human": 1, "base": 1, "random": 3}})
    drawn = mix(config.league, weights_at(config, 0), candidates(config, SPEC))
    assert drawn.shares == {"base": 0.25, "random": 0.75}
    assert drawn.chances == {"@0": 0.25, "random": 0.75}


def test_the_exploitable_are_those_that_lose_by_the_margin() -> None:
    chances, _ = planted({}, exploitable=1)
    assert set(chances) == {"@4", "random"}


def test_baselines_are_the_bots_that_answer_at_once_and_people_are_played_by_those_named() -> None:
    chances, _ = planted({}, baseline=1)
    assert set(chances) == {name for name in SPEC.bots.players if name not in SPEC.bots.slow}
    chances, _ = planted({"human": ["dumbbot"], "pfsp": "uniform"}, baseline=1, human=1)
    assert chances["dumbbot"] == pytest.approx(0.5 + 0.5 / (len(SPEC.bots.players) - len(SPEC.bots.slow)))


def test_weights_follow_their_schedules() -> None:
    opponents = {"self": 1.0, "random": [[10, 1.0], [30, 0.0]]}
    config = tiny(rollout={"opponents": opponents})
    for step, share in ((0, 0.5), (10, 0.5), (20, 1 / 3), (30, 0.0), (99, 0.0)):
        drawn = mix(config.league, weights_at(config, step), candidates(config, SPEC))
        assert drawn.shares.get("random", 0.0) == pytest.approx(share)


def test_the_field_of_evaluations_never_changes() -> None:
    config = tiny(
        rollout={"opponents": {"self": 1, "past": 1, "base": 1, "exploitable": 1, "random": [[0, 3.0], [9, 0.0]]}}
    )
    assert fixed_field(config) == {"base": 4.0, "random": 3.0}
    later = {"random": [[0, 0.0], [9, 1.0]], "self": [[0, 1.0], [9, 0.0]]}
    assert fixed_field(tiny(rollout={"opponents": later})) == {"base": 1.0}


def test_what_is_drawn_from_is_what_is_measured() -> None:
    config = tiny(league={"pfsp": "hard"}, rollout={"opponents": {"past": 3, "self": 1}})
    drawn = mix(config.league, weights_at(config, 1), candidates(config, SPEC, (4, 8, 12), PLANTED))
    metrics = drawn.metrics()
    assert metrics["league/share/past"] == 0.75
    assert metrics["league/expected/v12"] == 0.2
    assert {name: metrics[f"league/chance/{name.replace('@', 'v')}"] for name in drawn.chances} == drawn.chances
    assert "league/expected/self" not in metrics
