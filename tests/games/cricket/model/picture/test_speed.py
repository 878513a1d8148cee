from __future__ import annotations

from random import Random
from statistics import fmean, pstdev

from grandstand.games.cricket.model.picture.speed import BOWLS_AT, pitched, speed_kmh, usual_kmh
from grandstand.games.cricket.model.teams import invented_teams
from grandstand.games.cricket.vocab import GROUPS, LENGTH_EDGES, LENGTHS, LINE_EDGES, LINES, STYLES


def test_bowlers_of_a_style_differ_a_little() -> None:
    rng = Random(1)
    for style, mean in BOWLS_AT.items():
        drawn = [usual_kmh(style, rng) for _ in range(400)]
        assert abs(fmean(drawn) - mean) < 0.6
        assert 1.5 < pstdev(drawn) < 3
    assert set(BOWLS_AT) == set(STYLES)


def test_every_bowler_has_a_pace_of_the_style_drawn_from_the_seed() -> None:
    for team in invented_teams(8):
        for place, player in enumerate(team.players):
            if place == team.keeper:
                assert player.kmh == 0
            else:
                assert player.style is not None
                assert abs(player.kmh - BOWLS_AT[player.style]) <= 5


def test_slower_balls_are_slower_and_quicker_ones_quicker() -> None:
    rng = Random(2)
    mean = {
        (group, name): fmean(speed_kmh(134 if group == 0 else 87, group, name, rng) for _ in range(500))
        for group, name in [(0, "stock"), (0, "slower_ball"), (0, "cutter"), (0, "quick"), (1, "stock"), (1, "quicker")]
    }
    assert mean[0, "slower_ball"] < mean[0, "cutter"] < mean[0, "stock"] < mean[0, "quick"]
    assert 105 < mean[0, "slower_ball"] < 118
    assert mean[1, "stock"] + 5 < mean[1, "quicker"] < 105


def test_one_bowler_bowls_within_four_kilometres_an_hour() -> None:
    rng = Random(3)
    balls = [speed_kmh(141, 0, "stock", rng) for _ in range(2000)]
    assert 3.5 < pstdev(balls) < 4.2
    assert max(balls) - min(balls) <= 21


def test_the_ball_pitches_inside_the_bins_it_landed_in() -> None:
    rng = Random(4)
    for group, name in enumerate(GROUPS):
        edges = LENGTH_EDGES[name]
        for ball in range(200):
            length, line = ball % (len(LENGTHS) - group), ball % len(LINES)
            x, y = pitched(group, length, line, rng)
            assert LINE_EDGES[line + 1] - 0.01 <= x <= LINE_EDGES[line] + 0.01
            assert max(0.0, edges[length]) - 0.06 <= y <= max(0.0, edges[length + 1]) + 0.06
