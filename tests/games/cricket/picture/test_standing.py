"""The words of a card of cricket."""

from __future__ import annotations

from grandstand.games.cricket.picture.standing import card, overs, rate
from tests.support.play.recordings import recorded, scene_until


def test_the_first_innings_is_projected_and_the_chase_has_its_rate() -> None:
    events = recorded("cricket")
    first = card(scene_until(events, "BallBowled", 20))
    assert first.turn.startswith("1st innings, ")
    assert first.facts[0].startswith("Run rate ")
    assert "projected" in first.facts[0]
    assert [row.strong for row in first.rows] == [True, False]
    assert first.rows[1].score == "yet to bat"
    chase = card(scene_until(events, "BallBowled", 50))
    assert chase.turn.startswith("2nd innings, ")
    assert chase.facts[0].startswith("Need ")
    assert "required rate" in chase.facts[0]


def test_the_end_has_the_result_and_both_scores() -> None:
    end = card(scene_until(recorded("cricket"), "MatchDecided"))
    assert end.turn == "Result"
    assert end.facts == ["Match tied; Riverbend Otters won the Super Over"]
    assert [" & " in row.score for row in end.rows] == [True, True]


def test_before_the_toss() -> None:
    assert [row.score for row in card([]).rows] == ["–", "–"]
    toss = card(scene_until(recorded("cricket"), "TossMade"))
    assert "chose to" in toss.facts[0]


def test_overs_and_rates() -> None:
    assert (overs(0), overs(6), overs(94)) == ("0", "1", "15.4")
    assert (rate(10, 0), rate(10, 12)) == ("–", "5.00")
