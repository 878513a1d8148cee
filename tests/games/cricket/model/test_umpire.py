"""Reviews of wides and of no-balls for height, which the conditions of the IPL have had since 2023."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from grandstand.games.cricket.bots.heuristic import heuristic
from grandstand.games.cricket.bots.neutral import neutral
from grandstand.games.cricket.events import AppealMade, BallBowled, ChanceChanged, ReviewTaken
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.match.chances import expect
from grandstand.games.cricket.match.win_probability_added import review_gain
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match
from grandstand.games.cricket.vocab import REVIEWED_EXTRAS
from tests.support.cricket.known import known
from tests.support.cricket.story_scorebook import Scorebook
from tests.support.cricket.story_truths import reading
from tests.support.cricket.telling import comments, record, tell

SEEDS = (44, 381)
"""Matches with calls that stand, calls taken back, and extras given late."""


def decisions(seed: int, **options: Any) -> Iterator[tuple[CricketGame, AppealMade]]:
    """Yield a copy of the match at each decision on an extra that a side may review."""
    game = CricketGame(CricketOptions(overs=5, conditions="ipl-2023", **options), seed)
    rngs = {seat: Random(f"{seed}/{seat}") for seat in ("home", "away")}
    while game.outcome is None:
        seat = game.to_act()[0]
        for event in game.apply(seat, neutral(game, seat, rngs[seat])):
            if isinstance(event, AppealMade) and event.kind in REVIEWED_EXTRAS:
                yield game.clone(), event


def is_extra(ball: BallBowled, kind: str) -> bool:
    return {"wide": "wides", "no-ball": "noballs"}[kind] in (ball.extras or {})


def test_the_ball_counts_as_the_review_says_and_only_a_failed_one_is_spent() -> None:
    seen = Counter[tuple[str, bool]]()
    for seed in SEEDS:
        for game, made in decisions(seed, win_probability=False):
            assert (made.may_review == ("home", "away")[game.state.now.batting_side]) != made.given_out
            legal = game.state.now.legal
            left, taken = (
                (copy := game.clone()).apply(made.may_review, {"tool": "review", "arguments": {"take": take}})
                for take in (False, True)
            )
            assert isinstance(left[0], BallBowled)
            assert is_extra(left[0], made.kind) == made.given_out, "without a review the umpire's call stands"
            assert isinstance(taken[0], ReviewTaken)
            assert isinstance(taken[1], BallBowled)
            review, ball = taken[0], taken[1]
            assert is_extra(ball, made.kind) == review.out == (made.given_out != review.upheld)
            assert copy.state.now.legal - legal == int(not review.out), "an extra is bowled again"
            assert (ball.noball_for is not None) == ("noballs" in (ball.extras or {}))
            assert ball.next_free_hit == ("noballs" in (ball.extras or {})) or ball.free_hit
            assert known(review.reviews_left) == made.reviews_left - (not review.upheld)
            seen[made.kind, review.upheld] += 1
    assert min(seen["wide", True], seen["wide", False], seen["no-ball", False]) > 0


@pytest.mark.parametrize("conditions", ["icc", "ipl"])
def test_other_conditions_have_none(conditions: str) -> None:
    options = CricketOptions(overs=5, conditions=conditions, win_probability=False)
    _, emitted = play_match(options, SEEDS[0], neutral, neutral)
    assert not any(event.kind in REVIEWED_EXTRAS for event in emitted if isinstance(event, AppealMade))


def test_a_review_has_a_worth_by_which_heuristic_decides() -> None:
    gains = dict[bool, float]()
    for game, made in decisions(SEEDS[0]):
        delivery = game.state.delivery()
        gain = review_gain(game.state, delivery, expect(game.state, delivery.setting))
        action = heuristic(game, made.may_review, Random(0))
        assert action["arguments"]["take"] == (gain > 0)
        emitted = game.apply(made.may_review, {"tool": "review", "arguments": {"take": False}})
        (change,) = (event for event in emitted if isinstance(event, ChanceChanged))
        (call,) = (call for call in change.decisions if "review" in call["choice"])
        assert (call["seat"], call["choice"]) == (made.may_review, {"review": "left"})
        assert call["delta"] == pytest.approx(-gain, abs=1e-4)
        gains[made.kind == "wide" and made.evidence == "likely"] = gain
    assert gains[True] > gains[False]


def test_they_are_told_and_the_record_supports_every_line() -> None:
    said = Counter[str | None]()
    for seed in SEEDS:
        events = record(seed, conditions="ipl-2023")
        pages = Scorebook().pages(events)
        for line in comments(tell(events)):
            event = events[line.rests_on[-1]]
            if event.type in ("AppealMade", "ReviewTaken") and event.data["kind"] in REVIEWED_EXTRAS:
                said[reading("comment", line.text, [pages[seq] for seq in line.rests_on])] += 1
    assert None not in said
    assert said["extra_out"] + said["extra_not_out"] > 3
    assert said["extra_review_out"] * said["extra_review_in"] > 0
