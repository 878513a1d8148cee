"""Slots go to the visitors who have spent least, and those who wait are told for how long."""

from __future__ import annotations

from grandstand.server.matches.queue_order import FORECAST, Claim, forecast, in_turn, may_begin, next_to_begin

MINUTE = 60.0


def claim(name: str, *, person: bool = False, delay: float = 0.0) -> Claim:
    """Return the claim of the visitor whose letter `name` begins with; `O` is an operator, who spends nothing."""
    visitor = "" if name.startswith("O") else name[0]
    return Claim(name, "cricket", visitor, person, delay, turn=float(name[1:]) - 1 if visitor else 0.0)


def claims(names: str) -> list[Claim]:
    return [claim(name) for name in names.split()]


def names(ordered: list[Claim]) -> str:
    return " ".join(each.episode_id for each in ordered)


def test_who_has_spent_least_comes_first() -> None:
    assert names(in_turn(claims("a1 a2 a3 b1 b2 c1"))) == "a1 b1 c1 a2 b2 a3"
    assert names(in_turn(claims("a2 a3 b1 b2 c1"))) == "b1 c1 a2 b2 a3"


def test_an_operator_waits_behind_nobodys_second_match_and_is_first_come() -> None:
    assert names(in_turn(claims("a1 O1 a2 O2 O3"))) == "a1 O1 O2 O3 a2"


def test_what_an_operator_moves_to_the_front_begins_next_whoever_started_it() -> None:
    waiting = claims("b1 a3 a4")
    waiting[2].front = 1
    held = claims("a1 a2")
    assert names(in_turn(waiting)) == "a4 b1 a3"
    assert next_to_begin(waiting, held, 4) is waiting[2]


def test_a_visitor_has_half_of_the_slots_and_bots_leave_one_for_people() -> None:
    assert not may_begin(claim("a3"), claims("a1 a2"), 4)
    assert may_begin(claim("b1"), claims("a1 a2"), 4)
    assert not may_begin(claim("c1"), claims("a1 a2 b1"), 4)
    assert may_begin(claim("c1", person=True), claims("a1 a2 b1"), 4)
    assert may_begin(claim("c1"), [*claims("a1 a2"), claim("b1", person=True)], 4)
    assert not may_begin(claim("a3", person=True), claims("a1 a2"), 4)
    assert may_begin(claim("O1"), claims("a1 a2 b1"), 4)
    assert not may_begin(claim("O1"), claims("a1 a2 b1 O2"), 4)


def test_a_single_slot_is_for_everybody() -> None:
    assert may_begin(claim("a1"), [], 1)
    assert not may_begin(claim("a2"), claims("a1"), 1)


def test_the_forecast_follows_the_rules_that_fill_the_slots() -> None:
    a1, a2, b1, c1 = claims("a1 a2 b1 c1")
    held = {a1: 0.0, a2: 1 * MINUTE, b1: 2 * MINUTE}  # of four slots, the last one is for people
    waiting = [claim("a3"), c1, claim("d1", person=True)]
    times = forecast(waiting, held, 4, lambda _: 10 * MINUTE, now=4 * MINUTE)
    assert times == {"c1": 6 * MINUTE, "d1": 6 * MINUTE, "a3": 7 * MINUTE}
    assert list(times) == ["c1", "d1", "a3"]


def test_a_match_that_is_longer_than_usual_is_not_expected_to_end_at_once() -> None:
    held = {claim("a1"): 0.0}
    assert forecast(claims("b1"), held, 1, lambda _: 10 * MINUTE, now=60 * MINUTE) == {"b1": 2.5 * MINUTE}


def test_a_long_queue_is_estimated_in_part() -> None:
    waiting = [Claim(f"m{number}", "cricket", str(number)) for number in range(FORECAST + 2)]
    times = forecast(waiting, {claim("a1"): 0.0}, 1, lambda _: MINUTE, now=0.0)
    assert list(times) == [each.episode_id for each in waiting]
    assert list(times.values())[-3:] == [FORECAST * MINUTE, None, None]
