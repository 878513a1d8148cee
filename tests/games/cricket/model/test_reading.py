"""Whatever is repeated is read; what is mixed, or natural, is not."""

from __future__ import annotations

from random import Random

import pytest

from grandstand.games.cricket.model.reading import MEMORY, NATURAL_AIM, Aim, forecast, read, read_factor, tell
from grandstand.games.cricket.vocab import CLASSES

GOOD: Aim = (3, -1, "natural")
CHANNEL: Aim = (-1, 2, "natural")
SLOWER: Aim = (-1, -1, "slower_ball")
YORKER: Aim = (1, 0, "natural")


@pytest.mark.parametrize("aim", [GOOD, CHANNEL, SLOWER, YORKER])
def test_one_call_again_and_again_is_read_the_more_the_longer(aim: Aim) -> None:
    amounts = [read((aim,) * balls, aim) for balls in range(MEMORY + 1)]
    assert amounts[0] == tell(aim)
    assert amounts == sorted(amounts)
    assert amounts[-1] == tell(aim) + 1


def test_a_natural_call_is_a_mix_already() -> None:
    assert read((NATURAL_AIM,) * MEMORY, NATURAL_AIM) == 0
    assert read((GOOD, YORKER) * 9, NATURAL_AIM) == 0


@pytest.mark.parametrize("length", range(2, 9))
def test_a_sequence_is_read_when_it_comes_round(length: int) -> None:
    """Even one in which no call is frequent, and natural balls stand between the others."""
    cycle: list[Aim] = [(3, 2, "natural"), (1, 0, "quick"), (6, 1, "slower_ball"), (4, 3, "swing")][:length]
    cycle += [NATURAL_AIM] * (length - len(cycle))
    called: list[Aim] = []
    for ball in range(6 * length):
        called.append(cycle[ball % length])
    aims = tuple(called[-MEMORY:])
    following, sure = forecast(aims)
    assert following == cycle[0]
    assert sure == 1
    assert read(aims, cycle[0]) - tell(cycle[0]) >= 0.5
    assert read(aims, (5, 4, "cutter")) == tell((5, 4, "cutter"))


def test_a_mix_without_a_pattern_is_hardly_read() -> None:
    rng, amounts = Random(4), []
    aims: tuple[Aim, ...] = ()
    calls: list[Aim] = [(3, 2, "natural"), (1, 0, "quick"), (6, 1, "slower_ball"), (4, 3, "swing")]
    for _ in range(600):
        aim = rng.choice(calls)
        amounts.append(read(aims, aim) - tell(aim))
        aims = (*aims, aim)[-MEMORY:]
    assert sum(amounts) / len(amounts) < 0.25


def test_a_variation_shows_and_surprises_only_while_it_is_rare() -> None:
    slower, good = ((-1, -1, "slower_ball"), (3, -1, "natural"))
    assert tell(NATURAL_AIM) == 0
    assert tell(slower) > tell((-1, -1, "quick")) > 0
    now_and_then = [True, True, False, True, *[False] * 7, True, *[False] * 6]  # four times, with no pattern
    assert read(tuple(slower if here else NATURAL_AIM for here in now_and_then), slower) > tell(slower)
    assert read(tuple(good if here else NATURAL_AIM for here in now_and_then), good) == tell(good)


def test_what_is_read_pays_the_batter() -> None:
    fresh, half, known = (read_factor(amount) for amount in (0.0, 0.5, 1.0))
    assert fresh == (1.0,) * len(CLASSES)
    four, wicket = CLASSES.index("4"), CLASSES.index("W")
    assert known[four] > half[four] > 1
    assert known[wicket] < half[wicket] < 1
