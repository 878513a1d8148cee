"""Positions as arrays: their values, movement and winter beside the rules, and what rollouts make of them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import numpy as np
import pytest

from grandstand.games.diplomacy.bots import POLICIES
from grandstand.games.diplomacy.bots.search.boards import NOBODY, SEATS, Boards
from grandstand.games.diplomacy.bots.search.crowd import blur, crowd_moves
from grandstand.games.diplomacy.bots.search.field import field_of
from grandstand.games.diplomacy.bots.search.movement import NONE, Moves, moved
from grandstand.games.diplomacy.bots.search.rollouts import results
from grandstand.games.diplomacy.bots.search.winter import adjusted
from grandstand.games.diplomacy.bots.search.worth import worth
from grandstand.games.diplomacy.bots.stance import Plan
from grandstand.games.diplomacy.bots.values import FALL_WEIGHTS, SPRING_WEIGHTS, assess, weights_of
from grandstand.games.diplomacy.rules.map import CENTERS, POWER, PROVINCE, REACH, UNIT, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.notation import parse_order
from grandstand.games.diplomacy.rules.orders import MOVE, SUPPORT, SUPPORT_MOVE
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.state import FALL, SPRING, WINTER, State


@cache
def games() -> list[State]:
    """The positions of two games between DumbBots."""
    states = []
    for game in range(2):
        state = State.start()
        while state.year <= 1908:
            states.append(state)
            orders: Plan = {}
            for power in state.to_act():
                orders.update(POLICIES["dumbbot"](state, power, Random(f"{game}/{state.name}/{power}")))
            state = state.resolve(orders).after
    return states


def movements() -> list[State]:
    return [state for state in games() if state.phase in (SPRING, FALL)]


def as_moves(boards: Boards, state: State, plan: Plan) -> Moves:
    """Return orders without convoys or void supports as arrays."""
    number = {place: index for index, place in enumerate(state.units)}
    there, backed = [], []
    for place in state.units:
        kind, _, a, _ = plan[place]
        there.append(a if kind == MOVE else NONE)
        backed.append(number[UNIT_PROVINCE[a]] if kind in (SUPPORT, SUPPORT_MOVE) else NONE)
    return Moves(boards.rows(), np.array(there), np.array(backed))


@pytest.mark.parametrize("state", movements()[::4], ids=lambda state: str(state.name))
def test_values_are_those_of_dumbbot_but_for_the_coasts(state: State) -> None:
    field = field_of(Boards.of([state]), weights_of(state.phase))
    for power in range(SEATS):
        value, _, competition = assess(state, power)
        assert np.corrcoef(value, field.value[0, power])[0, 1] > 0.99999
        assert field.competition[0, power].tolist() == competition


def test_movement_is_that_of_the_rules_in_nearly_every_position() -> None:
    same = 0
    for state in movements():
        plan: Plan = {}
        for power in state.to_act():
            plan.update(POLICIES["dumbbot"](state, power, Random(f"again/{power}")))
        boards = Boards.of([state])
        field = field_of(boards, SPRING_WEIGHTS)
        moved(boards, as_moves(boards, state, plan), field.value)
        after = state.resolve(plan).after
        exact = Boards.of([after])
        if after.dislodged:
            gone = {place for place in range(75) if boards.unit[0, place] != exact.unit[0, place]}
            assert len(gone) <= len(after.dislodged) + 1, "but for where dislodged units went"
            same += 1
        else:
            same += bool((boards.unit == exact.unit).all() and (boards.power == exact.power).all())
    assert same >= 0.97 * len(movements())


@pytest.mark.parametrize(
    ("units", "orders", "expected"),
    [
        ({"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}, ["A PAR - BUR", "A MUN - BUR"], {"A PAR", "A MUN"}),
        ({"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A MUN"]}, ["A PAR - BUR", "A MAR S A PAR - BUR", "A MUN - BUR"],
         {"A BUR", "A MAR", "A MUN"}),
        ({"FRANCE": ["A PAR", "A BUR", "A GAS"]}, ["A PAR - BUR", "A BUR - GAS", "A GAS - PAR"],
         {"A BUR", "A GAS", "A PAR"}),
        ({"FRANCE": ["A PAR"], "GERMANY": ["A BUR"]}, ["A PAR - BUR", "A BUR - PAR"], {"A PAR", "A BUR"}),
        ({"FRANCE": ["A PAR", "A GAS"], "GERMANY": ["A BUR", "A MUN"]},
         ["A PAR - BUR", "A GAS S A PAR - BUR", "A BUR H", "A MUN S A BUR"], {"A PAR", "A GAS", "A BUR", "A MUN"}),
        ({"FRANCE": ["A PAR", "A GAS"], "GERMANY": ["A BUR"], "ITALY": ["A MAR"]},
         ["A PAR - BUR", "A GAS S A PAR - BUR", "A BUR H", "A MAR - GAS"], {"A PAR", "A GAS", "A BUR", "A MAR"}),
        ({"FRANCE": ["A PAR", "A BUR"]}, ["A PAR - BUR", "A BUR H"], {"A PAR", "A BUR"}),
    ],
)  # fmt: skip
def test_movement_by_hand(units: dict[str, list[str]], orders: list[str], expected: set[str]) -> None:
    state = read_state({"phase": "S1903M", "units": units, "centers": {}})
    owners = {text: POWER[power] for power, listed in units.items() for text in listed}
    plan = {}
    for text in orders:
        parsed = parse_order(text, state, owners[text[:5]])
        plan[UNIT_PROVINCE[parsed[1]]] = parsed
    boards = Boards.of([state])
    moved(boards, as_moves(boards, state, plan), field_of(boards, SPRING_WEIGHTS).value)
    names = {UNIT[name] for name in expected}
    assert set(boards.unit[boards.unit != NOBODY].tolist()) == names


def test_crowds_play_much_like_dumbbot() -> None:
    def kinds_of(plans: list[Plan]) -> Counter[int]:
        return Counter(order[0] for plan in plans for order in plan.values())

    bots: list[Plan] = []
    moving, helping, count = 0, 0, 0
    for state in movements():
        plan: Plan = {}
        for power in state.to_act():
            plan.update(POLICIES["dumbbot"](state, power, Random(power)))
        bots.append(plan)
        boards = Boards.of([state])
        moves = crowd_moves(boards, field_of(boards, weights_of(state.phase)), blur(np.random.default_rng(1)))
        moving += int((moves.there >= 0).sum())
        helping += int((moves.backed >= 0).sum())
        count += len(moves.there)
        for unit, there in zip(moves.rows.unit.tolist(), moves.there.tolist(), strict=True):
            assert there == NONE or there in REACH[unit]
    kinds = kinds_of(bots)
    assert moving / count == pytest.approx(kinds[MOVE] / kinds.total(), abs=0.08)
    assert helping / count == pytest.approx((kinds[SUPPORT] + kinds[SUPPORT_MOVE]) / kinds.total(), abs=0.08)


def test_winter_gives_each_power_its_units() -> None:
    winters = [state for state in games() if state.phase == WINTER]
    boards = Boards.of(winters)
    adjusted(boards)
    for number, state in enumerate(winters):
        before = Counter(power for power, _ in state.units.values())
        after = Counter(boards.power[number][boards.power[number] >= 0].tolist())
        assert after == Counter({power: before[power] + state.counts.get(power, 0) for power in before | state.counts})


def test_the_worth_of_positions_is_shared_and_a_solo_has_all() -> None:
    centers = [name for name, place in PROVINCE.items() if place in CENTERS]
    solo = read_state({"phase": "S1910M", "units": {}, "centers": {"TURKEY": centers[:18], "FRANCE": centers[18:]}})
    shares = worth(Boards.of([State.start(), solo]))
    assert shares.sum(axis=1) == pytest.approx([1, 1])
    assert shares[1].tolist() == [0, 0, 0, 0, 0, 0, 1]
    assert shares[0, POWER["RUSSIA"]] == shares[0].max()


@pytest.mark.parametrize("phase", [SPRING, FALL])
def test_rollouts_are_seeded_and_shared_noise_hides_no_difference(phase: int) -> None:
    state = next(state for state in movements() if state.phase == phase and state.year == 1905)
    plans: list[Plan] = []
    for seed in range(4):
        plan: Plan = {}
        for power in state.to_act():
            plan.update(POLICIES["dumbbot"](state, power, Random(seed)))
        plans.append(plan)
    first = results(state, plans, np.random.default_rng(3))
    assert (first == results(state, plans, np.random.default_rng(3))).all()
    assert first.sum(axis=1) == pytest.approx([1] * 4)
    twice = results(state, [plans[0], plans[0]], np.random.default_rng(4))
    assert (twice[0] == twice[1]).all()
    blocks = results(state, [plans[0], plans[0]], np.random.default_rng(4), blocks=2)
    assert (blocks[0] != blocks[1]).any()


def test_landings_by_sea_are_resolved_by_the_rules() -> None:
    state = read_state(
        {"phase": "F1901M", "units": {"ENGLAND": ["A YOR", "F NTH"]}, "centers": {"ENGLAND": ["LON", "EDI", "LVP"]}}
    )
    texts = [["A YOR - NWY VIA", "F NTH C A YOR - NWY"], ["A YOR H", "F NTH H"]]
    plans = [
        {UNIT_PROVINCE[parsed[1]]: parsed for parsed in (parse_order(text, state, POWER["ENGLAND"]) for text in listed)}
        for listed in texts
    ]
    boards = Boards.of([state.resolve(plans[0]).after])
    assert boards.unit[0, PROVINCE["NWY"]] == UNIT["A NWY"]
    landed, stayed = results(state, plans, np.random.default_rng(0))
    assert landed[POWER["ENGLAND"]] >= stayed[POWER["ENGLAND"]]
    assert field_of(boards, FALL_WEIGHTS).value.shape == (1, SEATS, 120)
