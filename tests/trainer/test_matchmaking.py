"""The seats and opponents of a group follow from the run's seed, the step and the group alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from grandstand.games.registry import game_spec
from grandstand.trainer.matchmaking import GroupPlan, keyed, plan_evaluation, plan_step
from tests.trainer.tiny import tiny

SPEC = game_spec("diplomacy")


def plans(step: int = 1, past: tuple[int, ...] = (), **sections: dict[str, Any]) -> list[GroupPlan]:
    return plan_step(tiny(**sections), SPEC, step, past)


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


def test_every_seat_has_its_turn() -> None:
    seats = [plan.trained_seats for step in range(7) for plan in plans(step, rollout={"groups": 3})]
    assert seats == [(SPEC.seats[number % 7],) for number in range(21)]


def test_the_hero_may_be_given_and_there_may_be_several() -> None:
    assert {plan.trained_seats for plan in plans(game={"only_seat": "ITALY"}, rollout={"groups": 9})} == {("ITALY",)}
    several = plans(game={"only_seat": "ITALY", "trained_seats": 3}, rollout={"groups": 40})
    assert all(len(plan.trained_seats) == 3 and "ITALY" in plan.trained_seats for plan in several)
    assert {seat for plan in several for seat in plan.trained_seats} == set(SPEC.seats)
    assert all(
        plan.trained_seats == tuple(seat for seat in SPEC.seats if seat in plan.trained_seats) for plan in several
    )
    (everybody, *_) = plans(game={"trained_seats": 7})
    assert (everybody.trained_seats, everybody.opponents) == (SPEC.seats, {})


def test_each_other_seat_has_an_opponent_as_often_as_its_weight_says() -> None:
    made = many(opponents={"random": 3, "base": 1, "past": 1, "self": 1, "chaos": 0})
    for plan in made:
        assert set(plan.opponents) == set(SPEC.seats) - set(plan.trained_seats)
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
    made = plan_evaluation(config, SPEC, "vs_base", 9, {"base": 1.0}, ())
    assert [plan.trained_seats for plan in made] == [(SPEC.seats[number % 7],) for number in range(9)]
    assert made == plan_evaluation(config, SPEC, "vs_base", 9, {"base": 1.0}, ())
    other = plan_evaluation(config, SPEC, "vs_field", 9, {"base": 1.0}, ())
    trained_on = plan_step(config, SPEC, 1, ())
    assert not {plan.seed for plan in made} & {plan.seed for plan in (*other, *trained_on)}
    assert made[2].id == "e-vs_base-g002"
    assert made[2].title == "tiny, evaluation vs_base"
