from __future__ import annotations

from random import Random

from grandstand.games.diplomacy.bots import coordinated
from grandstand.games.diplomacy.bots.stance import NEUTRAL
from grandstand.games.diplomacy.rules.map import CENTERS, POWER, PROVINCE, PROVINCES, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import CONVOY, MOVE, SUPPORT, SUPPORT_MOVE, VIA, order_text
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.state import FALL, SPRING, State
from tests.support.diplomacy.matches import states


def plan_of(state: State, power: str, seed: int) -> set[str]:
    return {order_text(order) for order in coordinated.plan(state, POWER[power], Random(seed), NEUTRAL).values()}


def test_it_brings_an_army_over_the_sea() -> None:
    state = read_state(
        {
            "phase": "F1901M",
            "units": {"ENGLAND": ["A YOR", "F NTH"]},
            "centers": {"ENGLAND": ["LON", "EDI", "LVP"]},
        }
    )
    for seed in range(10):
        plan = plan_of(state, "ENGLAND", seed)
        landing = next(text for text in plan if text.endswith(" VIA"))
        assert plan == {landing, f"F NTH C {landing.removesuffix(' VIA')}"}


def test_it_dislodges_a_lone_defender() -> None:
    german = ["MUN", "KIE", "BER"]
    state = read_state(
        {
            "phase": "F1903M",
            "units": {"FRANCE": ["A BUR", "A RUH", "A TYR"], "GERMANY": ["A MUN"]},
            "centers": {"FRANCE": [PROVINCES[at] for at in CENTERS if PROVINCES[at] not in german], "GERMANY": german},
        }
    )
    won = 0
    for seed in range(20):
        after = state.resolve(coordinated.plan(state, POWER["FRANCE"], Random(seed), NEUTRAL)).after
        won += after.units[PROVINCE["MUN"]][0] == POWER["FRANCE"]
    assert won >= 15, "it supports the attack except where it guesses that Munich will be left"


def test_supports_and_convoys_match_what_they_help() -> None:
    for state in states(3, 1906):
        if state.phase not in (SPRING, FALL):
            continue
        power = state.to_act()[state.year % len(state.to_act())]
        orders = coordinated.plan(state, power, Random(7), NEUTRAL)
        for kind, _, helped, there in orders.values():
            doing = orders.get(UNIT_PROVINCE[helped])
            if kind == SUPPORT_MOVE:
                assert doing is not None
                assert doing[0] in (MOVE, VIA)
                assert doing[2] == there
            elif kind == CONVOY:
                assert doing is not None
                assert doing[:1] + doing[2:3] == (VIA, there)
            elif kind == SUPPORT:
                assert doing is not None
                assert doing[0] not in (MOVE, VIA)
