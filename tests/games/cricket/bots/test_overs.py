"""Overs are shared as captains share them."""

from __future__ import annotations

from collections import Counter

from grandstand.games.cricket.bots.overs import plan_overs
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.model.teams import invented_teams


def overs_of(seed: int, overs: int = 20) -> list[int]:
    """Return who bowls each over of an innings in which nothing happens."""
    side, innings = invented_teams(seed)[0], Innings(1, 1, format_rules(overs))
    out = []
    for over in range(overs):
        innings.legal = 6 * over
        bowler = plan_overs(innings, side)
        assert innings.may_bowl(bowler, side.keeper) is None
        innings.give_ball(bowler)
        innings.last_bowler = bowler
        out.append(bowler)
    return out


def test_two_or_three_bowlers_and_more_bowl_their_quota() -> None:
    quotas = [sum(count == 4 for count in Counter(overs_of(seed)).values()) for seed in range(40)]
    assert 2.5 < sum(quotas) / len(quotas) < 4.5


def test_a_quick_bowler_is_kept_for_the_last_over() -> None:
    last = [invented_teams(seed)[0].players[overs_of(seed)[-1]].group for seed in range(40)]
    assert last.count("spin") <= 4


def test_a_spinner_bowls_to_the_batters_from_whom_the_ball_turns_away() -> None:
    """In the middle overs, of the sides that have a left-arm spinner in front."""
    chosen = Counter[tuple[str, bool]]()
    for seed in range(60):
        side, innings = invented_teams(seed)[0], Innings(1, 1, format_rules(20))
        innings.legal = 48
        for hand in ("left", "right"):
            bowler = side.players[plan_overs(innings, side, (hand, hand))]
            chosen[hand, bowler.style == "SLA"] += 1
    assert chosen["right", True] > chosen["left", True] + 5


def test_every_length_of_innings_can_be_bowled() -> None:
    for overs in (1, 2, 5, 7, 12, 20, 50):
        assert len(overs_of(3, overs)) == overs
