from __future__ import annotations

import pytest

from grandstand.games.diplomacy.rules.map import ANY_COAST, UNIT, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import (
    BUILD,
    CONVOY,
    DISBAND,
    HOLD,
    MOVE,
    NONE,
    RETREAT,
    SUPPORT,
    SUPPORT_MOVE,
    VIA,
    WAIVED,
    Order,
    order_text,
    plain_orders,
    support_orders,
)

LON, BEL = UNIT["A LON"], UNIT["A BEL"]


@pytest.mark.parametrize(
    ("order", "text"),
    [
        ((HOLD, LON, NONE, NONE), "A LON H"),
        ((MOVE, UNIT["F MAO"], UNIT["F SPA/NC"], NONE), "F MAO - SPA/NC"),
        ((VIA, LON, BEL, NONE), "A LON - BEL VIA"),
        ((SUPPORT, UNIT["A MAR"], UNIT["F SPA/SC"], NONE), "A MAR S F SPA/SC"),
        ((SUPPORT_MOVE, UNIT["F HOL"], LON, BEL), "F HOL S A LON - BEL"),
        ((SUPPORT_MOVE, UNIT["F POR"], UNIT["F MAO"], UNIT["F SPA"]), "F POR S F MAO - SPA"),
        ((CONVOY, UNIT["F NTH"], LON, BEL), "F NTH C A LON - BEL"),
        ((RETREAT, UNIT["A BUR"], UNIT["A GAS"], NONE), "A BUR R GAS"),
        ((DISBAND, UNIT["F STP/SC"], NONE, NONE), "F STP/SC D"),
        ((BUILD, UNIT["F STP/NC"], NONE, NONE), "F STP/NC B"),
        (WAIVED, "WAIVE"),
    ],
)
def test_text(order: Order, text: str) -> None:
    assert order_text(order) == text


def test_plain_orders_hold_first() -> None:
    assert [order_text(order) for order in plain_orders(UNIT["A POR"])] == ["A POR H", "A POR - SPA"]


def test_supports_reach_where_the_supporter_could_move() -> None:
    supports = support_orders(UNIT["A RUH"])
    assert {order_text(order) for order in supports[UNIT["F NTH"]]} == {"A RUH S F NTH - BEL", "A RUH S F NTH - HOL"}
    assert UNIT["F RUM"] not in supports


def test_no_unit_supports_itself_or_its_own_province() -> None:
    for unit in range(ANY_COAST):
        for other, orders in support_orders(unit).items():
            assert UNIT_PROVINCE[other] != UNIT_PROVINCE[unit]
            assert all(UNIT_PROVINCE[order[3]] != UNIT_PROVINCE[unit] for order in orders if order[0] == SUPPORT_MOVE)
