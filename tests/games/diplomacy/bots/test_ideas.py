"""Changes to a plan: friends do not get into each other's way, and nobody idles beside a friend who needs help."""

from __future__ import annotations

from random import Random

import pytest

from grandstand.games.diplomacy.bots import PLANNERS
from grandstand.games.diplomacy.bots.ideas import Ideas
from grandstand.games.diplomacy.bots.interests import Interests
from grandstand.games.diplomacy.bots.stance import NEUTRAL, Plan, Stance
from grandstand.games.diplomacy.map import POWER, UNIT_PROVINCE
from grandstand.games.diplomacy.notation import parse_order
from grandstand.games.diplomacy.orders import MOVE, VIA, order_text
from grandstand.games.diplomacy.position import read_state
from grandstand.games.diplomacy.state import FALL, SPRING, State
from tests.games.diplomacy.matches import states

FRANCE = POWER["FRANCE"]
BURGUNDY = read_state(
    {
        "phase": "S1903M",
        "units": {"FRANCE": ["A PAR", "A MAR", "A GAS"], "GERMANY": ["A MUN", "A RUH"]},
        "centers": {"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["MUN", "KIE"]},
    }
)


def ideas_of(state: State, stance: Stance = NEUTRAL) -> Ideas:
    return Ideas(Interests(state, FRANCE, stance), [])


def plan_of(*texts: str) -> Plan:
    orders = [parse_order(text, BURGUNDY, FRANCE) for text in texts]
    return {UNIT_PROVINCE[order[1]]: order for order in orders}


def texts_of(plan: Plan) -> set[str]:
    return {order_text(order) for order in plan.values()}


def test_a_friend_makes_way_for_an_idea() -> None:
    plan = plan_of("A PAR - BUR", "A MAR S A PAR - BUR", "A GAS H")
    changed = ideas_of(BURGUNDY).changed(plan, plan_of("A GAS - BUR"))
    assert texts_of(changed) == {"A PAR H", "A MAR H", "A GAS - BUR"}, "Marseilles cannot support Paris"


def test_a_pledged_move_makes_way_for_nothing() -> None:
    pledge = plan_of("A PAR - BUR")
    changed = ideas_of(BURGUNDY, Stance(pledged=pledge)).changed(
        pledge | plan_of("A MAR H", "A GAS H"), plan_of("A GAS - BUR")
    )
    assert "A PAR - BUR" in texts_of(changed)


def test_units_that_would_hold_support_a_contested_move() -> None:
    tidy = ideas_of(BURGUNDY).tidied(plan_of("A PAR - BUR", "A MAR H", "A GAS H"))
    assert texts_of(tidy) == {"A PAR - BUR", "A MAR S A PAR - BUR", "A GAS S A PAR - BUR"}


def test_a_pledged_hold_stays_one() -> None:
    stance = Stance(pledged=plan_of("A MAR H"))
    tidy = ideas_of(BURGUNDY, stance).tidied(plan_of("A PAR - BUR", "A MAR H", "A GAS H"))
    assert texts_of(tidy) == {"A PAR - BUR", "A MAR H", "A GAS S A PAR - BUR"}


@pytest.mark.parametrize(("name", "every"), [("coordinated", 3), ("search-fast", 12)])
def test_no_two_units_of_a_power_are_sent_to_one_place(name: str, every: int) -> None:
    positions = [state for state in states(5, 1906) if state.phase in (SPRING, FALL)]
    for state in positions[::every]:
        for power in state.to_act():
            orders = PLANNERS[name](state, power, Random(3), NEUTRAL)
            targets = [UNIT_PROVINCE[order[2]] for order in orders.values() if order[0] in (MOVE, VIA)]
            assert len(targets) == len(set(targets)), texts_of(orders)
