"""The match that a card of cricket shows."""

from __future__ import annotations

from grandstand.games.cricket.picture.moment import moment
from tests.support.play.recordings import recorded, scene_until


def test_the_score_is_that_of_the_last_ball() -> None:
    events = recorded("cricket")
    for count in range(1, 80, 6):
        scene = scene_until(events, "BallBowled", count)
        now, ball = moment(scene), scene[-1][1]
        assert now.current
        assert [now.current.runs, now.current.wickets, now.current.balls] == ball["score"]
        assert now.current.need == ball["need"]
        assert (now.over[-1], now.bowler) == (ball["mark"], ball["bowler"])
        out = ball["wicket"]["out"] if ball["wicket"] else None
        assert now.batters.get(ball["batter"], tuple(ball["batter_card"][:2])) == tuple(ball["batter_card"][:2])
        assert out not in now.batters


def test_a_state_and_the_balls_before_it_give_the_same() -> None:
    events = recorded("cricket")
    scene = scene_until(events, "OverEnded", 3)
    folded, adopted = moment([pair for pair in scene if pair[0] != "OverEnded"]), moment(scene)
    assert folded.current
    assert adopted.current
    assert folded.current.course == adopted.current.course
    assert {name: folded.batters[name] for name in adopted.batters} == adopted.batters


def test_the_course_is_known_over_by_over_where_the_balls_are_not() -> None:
    events = recorded("cricket")
    decided = next(event for event in events if event.type == "MatchDecided")
    now = moment([("MatchDecided", decided.data)])
    assert now.innings[0].course[-1] == (now.innings[0].balls, now.innings[0].runs, now.innings[0].wickets)
    assert len(now.innings[0].course) >= 6
    assert (now.result, now.winner) == (decided.data["result"], decided.data["winner"])


def test_a_cut_changes_overs_and_target_and_a_new_innings_has_no_field() -> None:
    events = recorded("cricket")
    scene = scene_until(events, "PlayInterrupted")
    now = moment(scene)
    assert now.current
    assert (now.current.overs, now.current.target) == (scene[-1][1]["overs"], scene[-1][1]["target"])
    assert moment(scene_until(events, "InningsStarted", 2)).places == {}
