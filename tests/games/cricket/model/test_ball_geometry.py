from __future__ import annotations

from grandstand.games.cricket.laws.field import BOUNDARY_M, PRESETS, field_of
from grandstand.games.cricket.model import ball_geometry as ground
from grandstand.games.cricket.model import tactics
from grandstand.games.cricket.model.keyed_random import ball_draws
from grandstand.games.cricket.vocab import GROUPS, LENGTHS, LINES, ZONES

FIELD = field_of(PRESETS["middle_pace"])


def test_boundaries_reach_the_rope_and_nothing_else_does() -> None:
    for ball in range(400):
        row = ball_draws(2, 1, ball, 0)
        for runs in (0, 1, 2, 3, 4, 6):
            hit = ground.struck(0, 3, 2, "natural", runs, runs >= 4, FIELD, row)
            assert -180 <= hit.angle <= 180
            assert hit.zone in ZONES
            assert hit.place in (*FIELD.places, "bowler", "wicketkeeper")
            assert (hit.distance > 0.94 * BOUNDARY_M) if runs >= 4 else (hit.distance <= BOUNDARY_M - 2)


def test_the_ball_pitches_inside_the_bins_it_landed_in() -> None:
    for group, name in enumerate(GROUPS):
        edges = tactics.LENGTH_EDGES[name]
        for ball in range(200):
            row = ball_draws(4, 1, ball, 0)
            length, line = ball % (len(LENGTHS) - group), ball % len(LINES)
            x, y = ground.pitched(group, length, line, row)
            assert tactics.LINE_EDGES[line + 1] - 0.01 <= x <= tactics.LINE_EDGES[line] + 0.01
            assert max(0.0, edges[length]) - 0.06 <= y <= max(0.0, edges[length + 1]) + 0.06


def test_catches_are_taken_by_men_on_the_field() -> None:
    places = set()
    for ball in range(500):
        place, hit = ground.catcher(FIELD, 0, 3, 2, "natural", False, ball_draws(5, 1, ball, 0))
        assert hit.place == place
        assert hit.distance <= BOUNDARY_M - 2
        places.add(place)
    assert places <= set(FIELD.places)
    assert len(places) >= 7


def test_slower_balls_are_slower() -> None:
    rows = [ball_draws(6, 1, ball, 0) for ball in range(300)]
    stock = sum(ground.speed_kmh(0, "stock", row) for row in rows) / 300
    slower = sum(ground.speed_kmh(0, "slower_ball", row) for row in rows) / 300
    spin = sum(ground.speed_kmh(1, "stock", row) for row in rows) / 300
    assert spin < slower < stock
    assert 125 < stock < 140


def test_a_called_shot_is_the_one_seen() -> None:
    assert ground.played("ramp", "fine_leg", 0, 1, 4) == "ramp"
    assert ground.played("natural", None, 0, 1, 0) is None
    assert ground.played("natural", "cover", 0, 2, 4) == "cover_drive"
    assert ground.played("natural", "square_leg", 0, 2, 1) == "flick"
