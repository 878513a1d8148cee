"""Changes to a plan: friends do not get into each other's way, and nobody idles beside a friend who needs help."""

from __future__ import annotations

from random import Random

import pytest

from grandstand.games.diplomacy.bots import PLANNERS
from grandstand.games.diplomacy.bots.ideas import Ideas
from grandstand.games.diplomacy.bots.interests import Interests
from grandstand.games.diplomacy.bots.stance import NEUTRAL, Plan, Stance
from grandstand.games.diplomacy.rules.map import POWER, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.notation import parse_order
from grandstand.games.diplomacy.rules.orders import MOVE, VIA, order_text
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.state import FALL, SPRING, State
from tests.support.diplomacy.matches import states

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


def test_one_unit_is_sent_to_a_place_and_the_other_helps_it() -> None:
    tidy = ideas_of(BURGUNDY).tidied(plan_of("A PAR - BUR", "A MAR H", "A GAS - BUR"))
    assert texts_of(tidy) == {"A PAR - BUR", "A MAR S A PAR - BUR", "A GAS S A PAR - BUR"}


def test_pledged_moves_to_one_place_are_kept() -> None:
    pledges = plan_of("A PAR - BUR", "A GAS - BUR")
    tidy = ideas_of(BURGUNDY, Stance(pledged=pledges)).tidied(pledges | plan_of("A MAR H"))
    assert pledges.items() <= tidy.items()


def test_units_that_would_hold_support_a_contested_move() -> None:
    tidy = ideas_of(BURGUNDY).tidied(plan_of("A PAR - BUR", "A MAR H", "A GAS H"))
    assert texts_of(tidy) == {"A PAR - BUR", "A MAR S A PAR - BUR", "A GAS S A PAR - BUR"}


def test_a_pledged_hold_stays_one() -> None:
    stance = Stance(pledged=plan_of("A MAR H"))
    tidy = ideas_of(BURGUNDY, stance).tidied(plan_of("A PAR - BUR", "A MAR H", "A GAS H"))
    assert texts_of(tidy) == {"A PAR - BUR", "A MAR H", "A GAS S A PAR - BUR"}


@pytest.mark.few(1)
@pytest.mark.parametrize(("name", "every"), [("coordinated", 1), ("search-fast", 6)])
def test_two_units_of_a_power_are_seldom_sent_to_one_place(name: str, every: int) -> None:
    """It can serve to keep others out of an own centre."""
    positions = [state for state in states(5, 1906) if state.phase in (SPRING, FALL)]
    moves = crossed = 0
    for state in positions[::every]:
        for power in state.to_act():
            orders = PLANNERS[name](state, power, Random(3), NEUTRAL)
            targets = [UNIT_PROVINCE[order[2]] for order in orders.values() if order[0] in (MOVE, VIA)]
            moves += len(targets)
            crossed += len(targets) - len(set(targets))
    assert crossed <= 0.03 * moves
