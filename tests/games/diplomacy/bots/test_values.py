from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.games.diplomacy.bots.values import (
    FALL_WEIGHTS,
    SPRING_WEIGHTS,
    WINTER_WEIGHTS,
    assess,
    attack_and_defence,
    power_sizes,
    proximity_value,
    unit_board,
)
from grandstand.games.diplomacy.rules.map import (
    ANY_COAST,
    CENTERS,
    POWER,
    PROVINCE,
    PROVINCES,
    REACH,
    UNIT,
    UNIT_PROVINCE,
)
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.state import State

OPENING = State.start()


def worth(**provinces: int) -> np.ndarray:
    values = np.zeros(len(PROVINCES))
    for name, value in provinces.items():
        values[PROVINCE[name]] = value
    return values


def map_number(depth: int, first: np.ndarray) -> np.ndarray:
    return proximity_value(first, (*[0] * depth, 1))


def test_sizes_count_the_neutral_power() -> None:
    sizes = power_sizes(OPENING.centers)
    assert sizes[POWER["FRANCE"]] == 9 + 12 + 16
    assert sizes[POWER["RUSSIA"]] == 16 + 16 + 16
    assert sizes[7] == 144 + 48 + 16


def test_attack_is_the_owners_size_and_defence_that_of_the_largest_power_in_reach() -> None:
    attack, defence = attack_and_defence(OPENING.centers, unit_board(OPENING.units), POWER["AUSTRIA"])
    assert attack[PROVINCE["SER"]] == 208
    assert attack[PROVINCE["MOS"]] == 48
    assert attack[PROVINCE["VEN"]] == 37
    assert attack[PROVINCE["VIE"]] == attack[PROVINCE["TYR"]] == 0
    assert defence[PROVINCE["TRI"]] == 37
    assert defence[PROVINCE["VIE"]] == defence[PROVINCE["VEN"]] == 0


def test_defence_takes_the_larger_of_two_threats_and_not_one_that_stands_there() -> None:
    position = {
        "phase": "F1902M",
        "units": {"ITALY": ["A VEN"], "TURKEY": ["A SER"], "RUSSIA": ["F TRI"]},
        "centers": {"AUSTRIA": ["TRI"], "TURKEY": ["SER", "CON", "ANK", "SMY"], "ITALY": ["VEN"], "RUSSIA": ["MOS"]},
    }
    state = read_state(position)
    _, defence = attack_and_defence(state.centers, unit_board(state.units), POWER["AUSTRIA"])
    assert defence[PROVINCE["TRI"]] == 48


def test_proximity_by_hand() -> None:
    portugal = worth(POR=1000)
    numbers = map_number(1, portugal)
    assert (
        numbers[UNIT["A POR"]] == numbers[UNIT["A SPA"]] == numbers[UNIT["F MAO"]] == numbers[UNIT["F SPA/SC"]] == 200
    )
    assert numbers[UNIT["A GAS"]] == numbers[UNIT["F WES"]] == 0
    two = map_number(2, portugal)
    assert two[UNIT["A POR"]] == (200 + 200) / 5
    assert two[UNIT["A GAS"]] == 200 / 5
    assert two[UNIT["F POR"]] == (200 + 200 + 200) / 5, "Spain's two coasts are one neighbour"
    assert two[UNIT["F SPA/NC"]] == (200 + 200 + 200) / 5
    assert two[UNIT["F WES"]] == (200 + 200) / 5, "the Mid-Atlantic and Spain"


def test_the_better_coast_counts() -> None:
    gascony = worth(GAS=1000)
    numbers = map_number(1, gascony)
    assert (numbers[UNIT["F SPA/NC"]], numbers[UNIT["F SPA/SC"]]) == (200, 0)
    assert map_number(2, gascony)[UNIT["F POR"]] == (0 + 200 + 200) / 5


def plain_proximity(first: list[int], weights: tuple[int, ...]) -> list[Fraction]:
    """The recursion as its definition says it."""
    current = [Fraction(first[UNIT_PROVINCE[unit]]) for unit in range(ANY_COAST)]
    total = [weights[0] * value for value in current]
    for weight in weights[1:]:
        after = []
        for unit in range(ANY_COAST):
            best: dict[int, Fraction] = {}
            for there in REACH[unit]:
                best[UNIT_PROVINCE[there]] = max(current[there], best.get(UNIT_PROVINCE[there], Fraction(0)))
            after.append((current[unit] + sum(best.values())) / 5)
        current = after
        total = [before + weight * value for before, value in zip(total, current, strict=True)]
    return total


@pytest.mark.long
@given(st.lists(st.integers(0, 1308), min_size=len(CENTERS), max_size=len(CENTERS)))
def test_the_matrix_is_the_recursion(sizes: list[int]) -> None:
    first = [0] * len(PROVINCES)
    for center, size in zip(CENTERS, sizes, strict=True):
        first[center] = 700 * size
    fast = proximity_value(np.array(first, dtype=np.float64), SPRING_WEIGHTS.proximity)
    assert fast.tolist() == [float(value) for value in plain_proximity(first, SPRING_WEIGHTS.proximity)]


@pytest.mark.parametrize("weights", [SPRING_WEIGHTS, FALL_WEIGHTS, WINTER_WEIGHTS])
def test_no_position_is_too_large_to_be_exact(weights: tuple[int, int, tuple[int, ...], int, int]) -> None:
    largest = power_sizes(dict.fromkeys(CENTERS, 0))[0]
    first = np.zeros(len(PROVINCES))
    first[list(CENTERS)] = max(weights[0], weights[1]) * largest
    assert proximity_value(first, weights[2]).max() * 5**9 < 2**53


def test_assess_adds_strength_less_competition_in_play_and_defence_in_winter() -> None:
    position = {
        "phase": "F1903M",
        "units": {"FRANCE": ["A BUR", "A PAR"], "GERMANY": ["A MUN", "A RUH"], "ITALY": ["A MAR"]},
        "centers": {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN"], "ITALY": ["ROM"]},
    }
    state = read_state(position)
    france = POWER["FRANCE"]
    attack, defence = attack_and_defence(state.centers, unit_board(state.units), france)
    assessment = assess(state, france)
    burgundy = PROVINCE["BUR"]
    assert (assessment.strength[burgundy], assessment.competition[burgundy]) == (2, 2)
    assert (assessment.strength[PROVINCE["MAR"]], assessment.competition[PROVINCE["MAR"]]) == (1, 1)
    plain = proximity_value(600 * attack + 400 * defence, FALL_WEIGHTS.proximity)
    assert assessment.value[UNIT["A RUH"]] == plain[UNIT["A RUH"]] + 1000 * (1 - 2)
    assert assessment.value[UNIT["A PAR"]] == plain[UNIT["A PAR"]] + 1000 * (2 - 0)

    winter = read_state(position | {"phase": "W1903A"})
    plain = proximity_value(700 * attack + 300 * defence, WINTER_WEIGHTS.proximity)
    value = assess(winter, france).value
    assert value[UNIT["A MAR"]] == plain[UNIT["A MAR"]] + 1000 * defence[PROVINCE["MAR"]]
    assert value[UNIT["A BUR"]] == plain[UNIT["A BUR"]]
    assert defence[PROVINCE["MAR"]] == 0, "the Italian in Marseilles cannot move there"
