from __future__ import annotations

from math import cos, hypot, radians, sin
from random import Random

import pytest

from grandstand.games.cricket.laws.field import POSITIONS, PRESETS, field_of
from grandstand.games.cricket.model.picture import path
from grandstand.games.cricket.model.picture.strokes import COVER, FINE_LEG, LONG_ON, MIDWICKET, THIRD
from grandstand.games.cricket.vocab import ZONES

FIELD = field_of(PRESETS["middle_pace"])
EMPTY = field_of(
    ("first slip", "second slip", "third slip", "gully", "silly point", "silly mid-off", "point", "cover", "mid-off")
)


def from_middle(hit: path.Hit) -> float:
    turn = radians(hit.angle)
    return hypot(hit.distance * sin(turn), hit.distance * cos(turn) - 10.06)


@pytest.mark.parametrize(("angle", "metres"), [(0, 82), (90, 71), (-90, 71), (180, 62)])
def test_the_rope_is_a_circle_around_the_middle_of_the_pitch(angle: int, metres: int) -> None:
    assert round(path.rope_at(angle)) == metres


def test_every_position_is_inside_the_rope() -> None:
    assert all(place.distance < path.rope_at(place.angle) for place in POSITIONS.values())


def test_a_four_goes_to_the_rope_away_from_the_men_in_the_deep() -> None:
    rng, gaps = Random(1), 0
    for _ in range(300):
        hit = path.to_the_rope("cover_drive", "hit", COVER, FIELD, rng)
        if hit is None:
            continue
        gaps += 1
        assert abs(from_middle(hit) - path.ROPE_M) <= 1
        for place in FIELD.positions:
            if place.depth == "deep":
                across = place.distance * abs(sin(radians(place.angle - hit.angle)))
                assert across > 7 or cos(radians(place.angle - hit.angle)) < 0
    assert gaps > 30


def test_a_six_comes_down_beyond_the_rope_and_no_further_than_anybody_hits() -> None:
    rng = Random(2)
    hits = [path.over_the_rope("slog", "hit", zone, rng) for zone in (LONG_ON, MIDWICKET) for _ in range(500)]
    carry = [hit.distance for hit in hits]
    assert all(from_middle(hit) > path.ROPE_M for hit in hits)
    assert 60 <= min(carry) < max(carry) <= 105
    scooped = [path.over_the_rope("scoop", "hit", FINE_LEG, rng).distance for _ in range(500)]
    assert sum(scooped) / 500 < sum(carry) / 1000 - 8


@pytest.mark.parametrize("runs", [0, 1, 2, 3])
def test_runs_are_fielded_by_somebody_who_can_reach_them(runs: int) -> None:
    rng, places = Random(3), set()
    for _ in range(400):
        hit = path.fielded(runs, "push", "hit", rng.choice((COVER, MIDWICKET, LONG_ON)), FIELD, rng)
        if hit is not None:
            assert hit.place is not None
            assert from_middle(hit) < path.ROPE_M
            places.add(POSITIONS[hit.place].depth)
    assert places <= ({"ring", "bowler"} if runs == 0 else {"ring", "deep"})


def test_where_nobody_stands_somebody_runs() -> None:
    rng = Random(4)
    assert path.fielded(2, "pull", "hit", MIDWICKET, EMPTY, rng) is None
    hit = path.fielded(2, "pull", "hit", MIDWICKET, EMPTY, rng, sure=True)
    assert hit is not None
    assert hit.place is not None
    stopped = path.fielded(0, "pull", "hit", MIDWICKET, EMPTY, rng, sure=True)
    assert stopped is not None
    assert stopped.place is None


def test_a_catch_is_near_where_the_catcher_stood() -> None:
    rng = Random(5)
    for start in path.starts(FIELD)[:-1]:
        for _ in range(50):
            hit = path.catch_by(start, rng)
            assert hit.place == start.name
            assert path.metres_off(start, hit.angle, hit.distance) <= 8
            assert hit.zone == ZONES[int(start.angle % 360 // 45)]


def test_edges_are_fine() -> None:
    rng = Random(6)
    angles = [path.direction("cover_drive", "outside_edge", THIRD, rng) for _ in range(200)]
    assert min(angles) >= 180
    assert max(angles) <= 216
