from __future__ import annotations

from itertools import pairwise

from grandstand.games.cricket.model.keyed_random import CHUNK, DrawChannel, ball_draws, match_random


def test_draws_are_uniform_and_distinct() -> None:
    values = [u for ball in range(300) for u in ball_draws(1, 1, ball, 0)]
    assert all(0 < u < 1 for u in values)
    assert len(set(values)) == len(values) == 300 * len(DrawChannel)
    assert abs(sum(values) / len(values) - 0.5) < 0.02


def test_every_key_has_its_own_luck() -> None:
    keys = [(1, 1, 0, 0), (2, 1, 0, 0), (1, 2, 0, 0), (1, 1, 1, 0), (1, 1, 0, 1), (1, 1, CHUNK, 0)]
    rows = [ball_draws(*key) for key in keys]
    assert all(a != b for a, b in pairwise(rows))
    assert ball_draws(1, 1, 0, 0) == rows[0]


def test_luck_is_the_same_on_every_machine() -> None:
    assert [round(u, 9) for u in ball_draws(7, 2, 33, 1)[:3]] == GOLDEN


def test_match_streams_are_keyed_by_purpose() -> None:
    assert match_random(3, "toss").random() == match_random(3, "toss").random()
    assert match_random(3, "toss").random() != match_random(3, "teams").random()


GOLDEN = [0.118898541, 0.354582946, 0.935070407]
