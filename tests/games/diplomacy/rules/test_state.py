from __future__ import annotations

import itertools
import json
import subprocess
import sys
from random import Random

from grandstand.games.diplomacy.rules.map import POWER, PROVINCE
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.state import FALL, SPRING, State
from tests.support.diplomacy.coherent import coherent_orders
from tests.support.diplomacy.matches import states


def test_the_start() -> None:
    state = State.start()
    assert (state.name, state.year, state.phase) == ("S1901M", 1901, SPRING)
    assert len(state.units) == len(state.centers) == 22
    assert state.to_act() == list(range(7))
    assert state.solo() is None


def test_phases_follow_each_other() -> None:
    names = [state.name for state in states(2, 1906)]
    assert names[0] == "S1901M"
    order = ["SM", "SR", "FM", "FR", "WA"]
    for name, following in itertools.pairwise(names):
        year, code = int(name[1:5]), order.index(name[0] + name[5])
        year_after, code_after = int(following[1:5]), order.index(following[0] + following[5])
        assert (year, code) < (year_after, code_after)
        assert year_after - year <= 1
    assert {name[0] + name[5] for name in names} == set(order)


def test_centres_change_hands_after_fall_only() -> None:
    for state in states(4, 1905):
        after = state.resolve(coherent_orders(state, Random(0))).after
        if state.phase == SPRING or state.phase == SPRING + 1:
            assert after.centers == state.centers
        if after.phase == SPRING or after.name.startswith("W"):
            taken = {place: unit[0] for place, unit in after.units.items() if place in after.centers}
            if state.phase >= FALL and not state.name.startswith("W"):
                assert taken.items() <= after.centers.items()


def test_resolving_changes_nothing_before() -> None:
    for state in states(5, 1903):
        before = json.dumps(state.to_json())
        legal = {place: list(orders) for place, orders in state.legal_orders().items()}
        state.resolve(coherent_orders(state, Random(1)))
        assert json.dumps(state.to_json()) == before
        assert state.legal_orders() == legal


def test_json_and_back() -> None:
    for state in states(6, 1905):
        again = read_state(json.loads(json.dumps(state.to_json())))
        assert again == state
        assert hash(again) == hash(state)
        assert again.digest() == state.digest()
        assert again.legal_orders() == state.legal_orders()
        assert list(again.units) == sorted(again.units)


def test_digests_differ_between_positions_and_agree_between_processes() -> None:
    played = list(states(8, 1904))
    digests = [state.digest() for state in played]
    assert len(set(digests)) == len(digests)
    code = "from tests.support.diplomacy.matches import states; print(*[s.digest() for s in states(8, 1904)])"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, env={"PYTHONHASHSEED": "7"}
    )
    assert run.stdout.split() == digests


def test_solo() -> None:
    homes = State.start().centers
    state = State(1910, FALL, {}, {}, dict.fromkeys(list(homes)[:18], POWER["ITALY"]))
    assert state.solo() == POWER["ITALY"]
    assert State(1910, FALL, {}, {}, dict.fromkeys(list(homes)[:17], 1)).solo() is None


def test_who_may_order_what() -> None:
    position = {"units": {"GERMANY": ["A BUR"]}, "retreats": {"FRANCE": {"A BUR": ["GAS"]}, "ITALY": {"A TYR": []}}}
    state = read_state({"phase": "F1905R", **position})
    assert state.to_act() == [POWER["FRANCE"]]
    assert state.orderable(POWER["FRANCE"]) == [PROVINCE["BUR"]]
    assert state.orderable(POWER["GERMANY"]) == []
    assert state.orderable(POWER["ITALY"]) == [PROVINCE["TYR"]]


def test_a_home_that_another_power_holds_is_no_building_site() -> None:
    centers = {"ITALY": ["VEN", "ROM"], "AUSTRIA": ["TRI"]}
    position = {"units": {"AUSTRIA": ["A VEN", "A TYR"]}, "centers": centers}
    state = read_state({"phase": "W1905A", **position})
    assert state.orderable(POWER["ITALY"]) == [PROVINCE["ROM"]]
    assert state.orderable(POWER["AUSTRIA"]) == [PROVINCE["TYR"], PROVINCE["VEN"]]
