"""Joint plans of two powers."""

from __future__ import annotations

import time

from grandstand.games.diplomacy.bots.pacts.plans import JointPlan, joint_plans, worth
from grandstand.games.diplomacy.bots.talking.characters import CHARACTERS
from grandstand.games.diplomacy.bots.talking.mind import Mind
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.map import POWER, PROVINCE
from grandstand.games.diplomacy.rules.orders import MOVE, SUPPORT_MOVE, order_text
from tests.support.diplomacy.minds import mind_of

START = {
    "phase": "F1903M",
    "units": {
        "FRANCE": ["A BUR", "F BRE", "A PAR"],
        "GERMANY": ["A RUH", "A MUN", "F DEN"],
        "ENGLAND": ["F BEL", "F NTH", "F SWE"],
    },
    "centers": {
        "FRANCE": ["PAR", "BRE", "MAR"],
        "GERMANY": ["MUN", "BER", "KIE", "DEN"],
        "ENGLAND": ["LON", "EDI", "LVP", "BEL", "SWE"],
    },
}


def mind(seat: str = "FRANCE", name: str = "Cavour") -> Mind:
    game = DiplomacyGame(DiplomacyOptions(start=START))
    return Mind(game, seat, CHARACTERS[name], "key")


def test_a_plan_has_the_move_of_one_and_the_support_of_the_other() -> None:
    plans = joint_plans(mind(), POWER["GERMANY"], {})
    assert 2 <= len(plans) <= 25
    for plan in plans:
        helped = {order[2]: order[3] for order in plan.orders.values() if order[0] == SUPPORT_MOVE}
        moves = {order[1]: order[2] for order in plan.orders.values() if order[0] == MOVE}
        assert helped == moves
    texts = {order_text(order) for plan in plans for order in plan.orders.values()}
    assert {"A BUR - BEL", "A RUH S A BUR - BEL"} <= texts


def test_the_best_plan_has_the_largest_product_of_gains() -> None:
    plans = joint_plans(mind(), POWER["GERMANY"], {})
    assert plans[0].product == max(plan.product for plan in plans)


def test_a_support_is_worth_something_to_the_power_that_it_helps() -> None:
    seen = mind()
    wanted = {"A BUR - BEL", "A RUH S A BUR - BEL"}
    plans = joint_plans(seen, POWER["GERMANY"], {})
    useful = next(plan for plan in plans if set(map(order_text, plan.orders.values())) == wanted)
    alone = {at: order for at, order in useful.orders.items() if order[0] == MOVE}
    (without,) = worth(seen, POWER["GERMANY"], [JointPlan(alone, ())])
    assert useful.ours > without.ours


def test_units_that_are_promised_elsewhere_keep_their_orders() -> None:
    seen = mind()
    hold = (0, seen.state.units[PROVINCE["BUR"]][1], 0, 0)
    for plan in joint_plans(seen, POWER["GERMANY"], {PROVINCE["BUR"]: hold}):
        assert plan.orders.get(PROVINCE["BUR"], hold) == hold


def test_plans_cost_less_than_a_tenth_of_a_second() -> None:
    seen = mind_of("Metternich")
    assert seen.draft
    began = time.process_time()
    for other in seen.others:
        joint_plans(seen, other, {})
    assert time.process_time() - began < 0.1 * len(seen.others)
