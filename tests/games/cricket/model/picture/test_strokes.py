from __future__ import annotations

from itertools import product

import pytest

from grandstand.games.cricket.model.picture import strokes
from grandstand.games.cricket.vocab import GROUPS, LENGTHS, LINES, PHASES, SHOT_FAMILY

LANDINGS = [
    (group, length, line)
    for group, length, line in product(range(len(GROUPS)), range(len(LENGTHS)), range(len(LINES)))
    if not (GROUPS[group] == "spin" and LENGTHS[length] == "bouncer")
]


def test_every_shot_that_a_captain_may_call_has_a_row() -> None:
    assert {*strokes.STROKES, "leave"} == set(SHOT_FAMILY)


@pytest.mark.parametrize("outcome", ["0", "1", "2", "3", "4", "6", "deep", "ring", "close", "keeper", "bowler"])
def test_every_outcome_has_a_stroke_at_every_landing(outcome: str) -> None:
    for phase, (group, length, line) in product(range(len(PHASES)), LANDINGS):
        ways, running = strokes.ways(group, phase, length, line, outcome)
        assert len(ways) == len(running) > 0
        assert running[-1] == pytest.approx(1)
        assert all(strokes.suits(stroke, group, length, line) > 0 for stroke, _, _ in ways)


def test_most_balls_off_the_bat_are_not_edges() -> None:
    for group, length, line in LANDINGS:
        ways, running = strokes.ways(group, 1, length, line, "1")
        shares = [b - a for a, b in zip([0.0, *running], running, strict=False)]
        edged = sum(share for (_, contact, _), share in zip(ways, shares, strict=True) if contact != "hit")
        assert edged < 0.35


def test_a_called_stroke_is_the_only_one() -> None:
    ways, _ = strokes.ways(1, 1, LENGTHS.index("good"), LINES.index("stumps"), "1", "reverse_sweep")
    assert {stroke for stroke, _, _ in ways} == {"reverse_sweep"}
    assert strokes.playable("reverse_sweep", 1, LENGTHS.index("good"), LINES.index("stumps"))
    assert not strokes.playable("cut", 0, LENGTHS.index("yorker"), LINES.index("leg"))
    assert not strokes.playable("leave", 0, LENGTHS.index("good"), LINES.index("outside_off"))
