"""The Laws, one test for each rule that is most often wrong."""

from __future__ import annotations

import pytest

from grandstand.games.cricket.laws.cards import BOWLER_END, STRIKER_END, Ball, Dismissal, ball_mark
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import format_rules, super_over_rules

KEEPER = 4


def start(target: int | None = None, overs: int = 20) -> Innings:
    """Batters 0 (on strike) and 1 are in, 10 has the ball."""
    innings = Innings(1 if target is None else 2, 0, format_rules(overs), target)
    innings.send_in(0)
    innings.send_in(1)
    innings.give_ball(10)
    return innings


def how_closed(innings: Innings) -> str | None:
    return innings.closed


def bowl_over(innings: Innings, bowler: int, marks: int = 6) -> None:
    innings.give_ball(bowler)
    for _ in range(marks):
        innings.play(Ball())
    innings.end_over()


def bat(runs: int) -> Ball:
    return Ball(runs, boundary=runs in (4, 6))


def wide(more: int = 0) -> Ball:
    return Ball(more, "wides", boundary=more == 4, wide=True)


def out(kind: str, batter: int = 0, **more: object) -> Ball:
    ball = Ball(dismissal=Dismissal(kind, batter))
    for name, value in more.items():
        setattr(ball, name, value)
    return ball


# --- overs and bowlers ------------------------------------------------------------------------------------------------


def test_six_legal_balls_make_an_over_whatever_else_is_bowled() -> None:
    innings = start()
    for ball in (wide(), Ball(noball=True), *(Ball() for _ in range(5))):
        innings.play(ball)
    assert not innings.over_complete
    assert innings.name == "0.6"
    innings.play(Ball())
    assert innings.over_complete
    assert innings.legal == 6


def test_the_over_is_not_complete_while_its_last_ball_is_a_wide() -> None:
    innings = start()
    bowl_over(innings, 9)
    innings.give_ball(8)
    innings.play(wide())
    assert not innings.over_complete


def test_nobody_bowls_two_overs_running() -> None:
    innings = start()
    for _ in range(6):
        innings.play(Ball())
    innings.end_over()
    assert innings.may_bowl(10, KEEPER) == "bowled the last over"
    assert innings.may_bowl(9, KEEPER) is None
    assert innings.may_bowl(KEEPER, KEEPER) == "keeps wicket"


def test_quota_of_an_innings_that_five_divides() -> None:
    innings = Innings(1, 0, format_rules(20))
    innings.send_in(0)
    innings.send_in(1)
    for _ in range(4):
        bowl_over(innings, 10)
        bowl_over(innings, 9)
    assert innings.may_bowl(10, KEEPER) == "has bowled the full quota"
    assert innings.may_bowl(8, KEEPER) is None


def test_quota_of_eight_overs_lets_three_bowl_two() -> None:
    innings = Innings(1, 0, format_rules(8))
    innings.send_in(0)
    innings.send_in(1)
    for bowler in (10, 9, 10, 9, 8, 7, 8):
        bowl_over(innings, bowler)
    assert innings.may_bowl(7, KEEPER) == "has bowled the full quota"
    assert innings.may_bowl(6, KEEPER) is None


def test_an_injured_bowlers_over_counts_for_both_quotas_and_is_no_maiden() -> None:
    innings = start()
    innings.play(Ball())
    innings.replace_bowler(9)
    for _ in range(5):
        innings.play(Ball())
    innings.end_over()
    assert (innings.bowlers[10].overs, innings.bowlers[9].overs) == (1, 1)
    assert (innings.bowlers[10].balls, innings.bowlers[9].balls) == (1, 5)
    assert innings.bowlers[9].maidens == 0
    assert innings.may_bowl(9, KEEPER) == "bowled the last over"


def test_an_injured_bowler_leaves_somebody_for_the_last_of_two_overs() -> None:
    innings = start(overs=2)
    innings.play(Ball())
    innings.replace_bowler(9)
    for _ in range(5):
        innings.play(Ball())
    innings.end_over()
    assert innings.may_bowl(10, KEEPER) == "has bowled the full quota"
    assert innings.may_bowl(8, KEEPER) is None


def test_byes_leave_a_maiden_and_a_wide_spoils_one() -> None:
    innings = start()
    innings.play(Ball(4, "byes", boundary=True))
    for _ in range(5):
        innings.play(Ball())
    innings.end_over()
    assert innings.bowlers[10].maidens == 1
    innings.give_ball(9)
    innings.play(wide())
    for _ in range(6):
        innings.play(Ball())
    innings.end_over()
    assert innings.bowlers[9].maidens == 0


# --- wides, no-balls, free hits ---------------------------------------------------------------------------------------


def test_every_run_off_a_wide_is_the_bowlers_and_no_ball_is_faced() -> None:
    innings = start()
    innings.play(wide(4))
    assert (innings.runs, innings.wides, innings.bowlers[10].runs) == (5, 5, 5)
    assert (innings.batters[0].balls, innings.legal, innings.striker) == (0, 0, 0)
    innings.play(wide(1))
    assert (innings.runs, innings.striker) == (7, 1)


def test_a_noball_is_a_ball_faced_but_not_one_of_the_over() -> None:
    innings = start()
    innings.play(Ball(6, boundary=True, noball=True))
    assert (innings.runs, innings.batters[0].runs, innings.batters[0].balls) == (7, 6, 1)
    assert (innings.legal, innings.bowlers[10].runs, innings.noballs) == (0, 7, 1)


def test_byes_off_a_noball_are_not_the_bowlers() -> None:
    innings = start()
    ball = innings.play(Ball(2, "byes", noball=True))
    assert ball.extras() == {"noballs": 1, "byes": 2}
    assert (innings.runs, innings.bowlers[10].runs, innings.byes) == (3, 1, 2)


def test_a_free_hit_follows_every_noball_and_carries_over() -> None:
    innings = start()
    innings.play(Ball(noball=True))
    assert innings.free_hit
    innings.play(wide())
    assert innings.free_hit
    innings.play(Ball(noball=True))
    assert innings.free_hit
    innings.play(Ball())
    assert not innings.free_hit


@pytest.mark.parametrize("kind", ["bowled", "caught", "lbw", "stumped", "hit wicket"])
def test_off_a_noball_or_free_hit_only_a_run_out_counts(kind: str) -> None:
    innings = start()
    with pytest.raises(ValueError, match="no-ball"):
        innings.play(out(kind, noball=True))
    innings.play(Ball(noball=True))
    with pytest.raises(ValueError, match="free hit"):
        innings.play(out(kind))
    innings.play(out("run out"))
    assert innings.wickets == 1


@pytest.mark.parametrize("kind", ["bowled", "caught", "lbw"])
def test_nobody_is_bowled_caught_or_lbw_off_a_wide(kind: str) -> None:
    with pytest.raises(ValueError, match="wide"):
        start().play(out(kind, wide=True, runs_from="wides"))


def test_a_stumping_off_a_wide_is_the_bowlers_wicket() -> None:
    innings = start()
    innings.play(out("stumped", wide=True, runs_from="wides"))
    assert (innings.runs, innings.wickets, innings.bowlers[10].wickets) == (1, 1, 1)
    assert innings.batters[0].balls == 0


def test_a_wide_on_a_free_hit_forbids_the_stumping() -> None:
    innings = start()
    innings.play(Ball(noball=True))
    with pytest.raises(ValueError, match="stumped"):
        innings.play(out("stumped", wide=True, runs_from="wides"))


# --- byes, strike, ends -----------------------------------------------------------------------------------------------


def test_leg_byes_are_the_sides_not_the_bowlers_or_batters() -> None:
    innings = start()
    innings.play(Ball(1, "legbyes"))
    assert (innings.runs, innings.legbyes, innings.bowlers[10].runs, innings.batters[0].runs) == (1, 1, 0, 0)
    assert innings.batters[0].balls == 1
    assert innings.striker == 1


@pytest.mark.parametrize(("runs", "striker"), [(0, 0), (1, 1), (2, 0), (3, 1), (4, 0), (6, 0)])
def test_odd_runs_change_the_strike(runs: int, striker: int) -> None:
    innings = start()
    innings.play(bat(runs))
    assert innings.striker == striker


def test_ends_change_with_the_over() -> None:
    innings = start()
    for runs in (0, 0, 0, 0, 0, 1):
        innings.play(bat(runs))
    innings.end_over()
    assert innings.striker == 0
    bowl_over(innings, 9)
    assert innings.striker == 1


@pytest.mark.parametrize("kind", ["caught", "caught and bowled", "bowled", "lbw", "hit wicket"])
def test_the_new_batter_takes_strike_after_a_catch_whoever_crossed(kind: str) -> None:
    innings = start()
    innings.play(out(kind))
    innings.send_in(2)
    assert (innings.striker, innings.non_striker) == (2, 1)


def test_a_catch_off_the_last_ball_leaves_the_old_batter_on_strike() -> None:
    innings = start()
    for _ in range(5):
        innings.play(Ball())
    innings.play(out("caught"))
    innings.end_over()
    innings.send_in(2)
    assert (innings.striker, innings.non_striker) == (1, 2)


@pytest.mark.parametrize(
    ("completed", "batter", "end", "facing"),
    [
        (0, 0, STRIKER_END, 2),  # sent back, striker short at the keeper's end
        (0, 0, BOWLER_END, 1),  # crossed on a single, striker out at the bowler's end
        (0, 1, STRIKER_END, 2),  # crossed on a single, non-striker out at the keeper's end
        (1, 0, STRIKER_END, 2),  # one run completed, striker out coming back for two
        (1, 1, BOWLER_END, 0),  # one run completed, non-striker out turning for two at the bowler's end
    ],
)
def test_a_run_out_decides_who_faces_by_where_the_wicket_was_put_down(
    completed: int, batter: int, end: str, facing: int
) -> None:
    innings = start()
    innings.play(Ball(completed, dismissal=Dismissal("run out", batter, end=end)))
    innings.send_in(2)
    assert innings.runs == completed
    assert innings.striker == facing
    assert innings.bowlers[10].wickets == 0


@pytest.mark.parametrize(
    ("kind", "credited"),
    [
        ("bowled", 1),
        ("caught", 1),
        ("caught and bowled", 1),
        ("lbw", 1),
        ("stumped", 1),
        ("hit wicket", 1),
        ("run out", 0),
        ("obstructing the field", 0),
        ("hit the ball twice", 0),
    ],
)
def test_which_wickets_are_the_bowlers(kind: str, credited: int) -> None:
    innings = start()
    innings.play(out(kind))
    assert (innings.wickets, innings.bowlers[10].wickets) == (1, credited)
    assert innings.fall == [(0, 0, 1)]


def test_timed_out_costs_a_wicket_and_no_ball() -> None:
    innings = start()
    innings.play(out("bowled"))
    innings.time_out(2)
    assert (innings.wickets, innings.legal, innings.bowlers[10].wickets) == (2, 1, 1)
    assert innings.batters[2].out == "timed out"
    assert innings.striker is None


# --- retirements ------------------------------------------------------------------------------------------------------


def test_retired_out_is_a_wicket_but_not_the_bowlers() -> None:
    innings = start()
    innings.retire(0, "retired out")
    assert (innings.wickets, innings.bowlers[10].wickets, innings.striker) == (1, 0, None)
    assert 0 not in innings.waiting()


def test_retired_hurt_is_no_wicket_and_may_come_back() -> None:
    innings = start()
    innings.play(bat(4))
    innings.retire(0, "retired hurt")
    assert innings.wickets == 0
    assert innings.waiting()[0] == 2
    assert innings.waiting()[-1] == 0
    innings.send_in(0)
    assert (innings.batters[0].runs, innings.batters[0].out) == (4, None)
    assert innings.order == [0, 1]


def test_an_innings_ends_when_no_batter_is_left_though_nine_are_out() -> None:
    innings = start()
    innings.retire(0, "retired hurt")
    innings.batters[0].retired_hurt = False  # not fit to return
    innings.send_in(2)
    for batter in range(2, 10):
        innings.play(out("bowled", batter))
        innings.send_in(batter + 1)
    assert how_closed(innings) is None
    innings.play(out("bowled", 10))
    assert innings.wickets == 9
    assert how_closed(innings) == "all out"


# --- ends of an innings -----------------------------------------------------------------------------------------------


def test_an_innings_ends_with_its_overs() -> None:
    innings = Innings(1, 0, format_rules(2))
    innings.send_in(0)
    innings.send_in(1)
    bowl_over(innings, 10)
    assert how_closed(innings) is None
    bowl_over(innings, 9)
    assert how_closed(innings) == "overs completed"


def test_ten_down_is_all_out() -> None:
    innings = start()
    for batter in range(9):
        innings.play(out("bowled", 0 if batter == 0 else batter + 1))
        innings.send_in(batter + 2)
    innings.play(out("bowled", 10))
    assert how_closed(innings) == "all out"


def test_the_last_batter_who_does_not_come_in_time_ends_the_innings() -> None:
    innings = start()
    for batter in range(9):
        innings.play(out("bowled", 0 if batter == 0 else batter + 1))
        if batter < 8:
            innings.send_in(batter + 2)
    assert how_closed(innings) is None
    innings.time_out(10)
    assert (innings.wickets, how_closed(innings)) == (10, "all out")


def test_the_winning_boundary_counts_in_full() -> None:
    innings = start(target=2)
    innings.play(bat(4))
    assert (innings.runs, innings.closed) == (4, "target reached")


def test_play_ends_when_the_winning_run_is_completed() -> None:
    innings = start(target=2)
    ball = innings.play(bat(3))
    assert (ball.runs, innings.runs, innings.batters[0].runs) == (2, 2, 2)


def test_with_the_scores_level_a_noball_wins_before_the_ball_is_hit() -> None:
    innings = start(target=1)
    innings.play(Ball(6, boundary=True, noball=True))
    assert (innings.runs, innings.batters[0].runs, innings.closed) == (1, 0, "target reached")


def test_with_the_scores_level_a_stumping_off_a_wide_does_not_count() -> None:
    innings = start(target=1)
    innings.play(out("stumped", wide=True, runs_from="wides"))
    assert (innings.runs, innings.wickets) == (1, 0)


def test_a_run_out_after_the_winning_run_does_not_count() -> None:
    innings = start(target=1)
    innings.play(Ball(1, dismissal=Dismissal("run out", 0)))
    assert (innings.runs, innings.wickets, innings.closed) == (1, 0, "target reached")


def test_a_run_out_short_of_the_winning_run_stops_the_chase_level() -> None:
    innings = start(target=2, overs=1)
    for _ in range(5):
        innings.play(Ball())
    innings.play(Ball(1, dismissal=Dismissal("run out", 0)))
    assert (innings.runs, innings.closed) == (1, "overs completed")


def test_a_super_over_ends_at_two_wickets() -> None:
    innings = Innings(3, 0, super_over_rules())
    innings.send_in(0)
    innings.send_in(1)
    innings.give_ball(10)
    innings.play(out("bowled"))
    innings.send_in(2)
    assert how_closed(innings) is None
    innings.play(out("caught", 2))
    assert how_closed(innings) == "all out"


def test_five_penalty_runs_are_nobodys() -> None:
    innings = start()
    ball = innings.play(Ball(penalty=5))
    assert (innings.runs, innings.bowlers[10].runs, ball.extras()) == (5, 0, {"penalty": 5})


@pytest.mark.parametrize(
    ("ball", "mark"),
    [
        (Ball(), "."),
        (bat(4), "4"),
        (wide(), "wd"),
        (wide(4), "5wd"),
        (Ball(2, noball=True), "2nb"),
        (Ball(1, "legbyes"), "1lb"),
        (Ball(4, "byes"), "4b"),
        (out("bowled"), "W"),
        (Ball(1, dismissal=Dismissal("run out", 0)), "1W"),
    ],
)
def test_marks_of_the_over_strip(ball: Ball, mark: str) -> None:
    assert ball_mark(ball) == mark


def replaced(innings: Innings, side: int, comes: int, leaves: int) -> None:
    """Let the impact player `comes` take the place of `leaves`."""
    innings.elevens[side] = [comes if i == leaves else i for i in innings.elevens[side]]


def test_who_is_replaced_neither_bats_nor_bowls() -> None:
    innings = start()
    replaced(innings, 0, 11, 7)
    assert innings.waiting() == [2, 3, 4, 5, 6, 11, 8, 9, 10]
    replaced(innings, 1, 12, 9)
    assert innings.may_bowl(9, keeper=4) == "is not one of the eleven"
    assert innings.may_bowl(12, keeper=4) is None
    assert innings.may_bowl(13, keeper=4) == "is not one of the eleven", "the rest of the bench does not play"


def test_a_batter_who_retired_hurt_does_not_come_back_once_replaced() -> None:
    innings = start()
    innings.retire(0, "retired hurt")
    assert innings.waiting()[-1] == 0
    replaced(innings, 0, 11, 0)
    assert 0 not in innings.waiting()
    assert innings.waiting()[0] == 11


def test_eleven_bat_at_most_and_ten_wickets_end_the_innings() -> None:
    innings = start()
    innings.play(out("bowled"))
    replaced(innings, 0, 11, 0)
    innings.send_in(11)
    came_in = 3
    while innings.closed is None:
        innings.play(out("bowled", innings.three[0]))
        if innings.over_complete:
            innings.end_over()
            innings.give_ball(8 if innings.last_bowler == 9 else 9)
        if innings.closed is None:
            innings.send_in(innings.waiting()[0])
            came_in += 1
    assert (innings.closed, innings.wickets, came_in) == ("all out", 10, 11)
    assert 10 not in innings.batters, "the last of the eleven makes room for the impact player"
    assert innings.waiting() == []


def test_an_impact_player_has_a_whole_quota_whatever_the_other_has_bowled() -> None:
    innings = start(overs=7)  # two may bowl two overs, the others one
    for bowler in (8, 9, 8, 9):
        bowl_over(innings, bowler)
    assert innings.may_bowl(7, keeper=4) is None
    bowl_over(innings, 7)
    bowl_over(innings, 6)
    assert innings.may_bowl(7, keeper=4) == "has bowled the full quota"
    replaced(innings, 1, 11, 9)
    bowl_over(innings, 11)
    innings.last_bowler = None
    assert innings.may_bowl(11, keeper=4) is None
    assert innings.may_bowl(6, keeper=4) is None, "what the replaced one has bowled counts for nobody"
