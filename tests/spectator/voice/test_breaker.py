"""The circuit breaker of the voice: a failing provider is left alone, and tried again with one line."""

from __future__ import annotations

from grandstand.spectator.voice.breaker import FAILURES, LONGEST_REST, REST, Breaker
from grandstand.spectator.voice.speech import SpeechError

FAILED = SpeechError("the provider broke off")


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def resting() -> tuple[Breaker, Clock]:
    clock = Clock()
    breaker = Breaker(clock)
    for _ in range(FAILURES):
        assert breaker.allows()
        breaker.failed(FAILED)
    return breaker, clock


def test_it_rests_after_failures_in_a_row_and_says_why() -> None:
    breaker, _ = resting()
    assert (breaker.state, breaker.reason) == ("resting", "the provider broke off")
    assert not breaker.allows()
    assert breaker.wait == REST


def test_a_success_between_failures_starts_the_count_again() -> None:
    breaker = Breaker(Clock())
    for _ in range(5):
        for _ in range(FAILURES - 1):
            breaker.failed(FAILED)
        breaker.succeeded()
    assert breaker.allows()


def test_after_the_rest_one_line_decides() -> None:
    breaker, clock = resting()
    clock.now += REST
    assert breaker.allows()
    assert not breaker.allows(), "one at a time"
    assert breaker.state == "trying"
    breaker.succeeded()
    assert (breaker.state, breaker.reason) == ("ready", "")
    assert breaker.allows()
    assert breaker.allows()


def test_each_further_failure_doubles_the_rest_up_to_a_limit() -> None:
    breaker, clock = resting()
    rests = []
    for _ in range(8):
        clock.now += breaker.wait
        assert breaker.allows()
        breaker.failed(FAILED)
        rests.append(breaker.wait)
    assert rests[:3] == [2 * REST, 4 * REST, 8 * REST]
    assert rests[-1] == LONGEST_REST


def test_requests_that_fail_together_lengthen_no_rest() -> None:
    breaker, _ = resting()
    breaker.failed(FAILED)
    breaker.failed(FAILED)
    assert breaker.wait == REST


def test_a_trial_that_is_given_up_leaves_room_for_another() -> None:
    breaker, clock = resting()
    clock.now += REST
    assert breaker.allows()
    breaker.released()
    assert breaker.allows()


def test_a_refusal_is_enough_by_itself() -> None:
    breaker = Breaker(Clock())
    breaker.failed(SpeechError("the provider answers 401", "refused"))
    assert (breaker.state, breaker.wait) == ("resting", LONGEST_REST)


def test_a_short_pause_is_obeyed_without_a_rest_and_a_long_one_is_a_rest() -> None:
    clock = Clock()
    breaker = Breaker(clock)
    breaker.failed(SpeechError("limited", "limited", 2.0))
    assert (breaker.state, breaker.wait, breaker.allows()) == ("ready", 2.0, False)
    clock.now = 2.0
    assert breaker.allows()
    breaker.succeeded()
    breaker.failed(SpeechError("limited", "limited", 100.0))
    assert (breaker.state, breaker.wait) == ("resting", 100.0)
    breaker.failed(SpeechError("limited", "limited", 10.0**9))
    assert breaker.wait <= LONGEST_REST
