"""Finger spin is worth more where it turns away from the bat, and the same over all batters."""

from __future__ import annotations

from math import log

import pytest

from grandstand.games.cricket.model.ball_model import ONES
from grandstand.games.cricket.model.matchups import LEFT_HANDED, matchup, turns
from grandstand.games.cricket.vocab import CLASSES, STYLES


@pytest.mark.parametrize(("style", "away", "into"), [("OB", "left", "right"), ("SLA", "right", "left")])
def test_the_ball_that_turns_away_brings_fewer_runs(style: str, away: str, into: str) -> None:
    assert (turns(style, away), turns(style, into)) == ("away", "in")
    for k in ("1", "2", "4", "6"):
        at = CLASSES.index(k)
        assert matchup(style, away)[at] < 1 < matchup(style, into)[at]
        share = LEFT_HANDED if away == "left" else 1 - LEFT_HANDED
        assert share * log(matchup(style, away)[at]) + (1 - share) * log(matchup(style, into)[at]) == pytest.approx(0)


def test_other_styles_and_unknown_hands_have_no_match_up() -> None:
    for style in (*STYLES, None):
        assert matchup(style, None) == ONES
        if style not in ("OB", "SLA"):
            assert (turns(style, "left"), matchup(style, "left")) == (None, ONES)
