from __future__ import annotations

from collections import Counter
from random import Random
from statistics import fmean

import pytest

from grandstand.games.diplomacy.bots import dumbbot
from grandstand.games.diplomacy.bots.values import Assessment, assess
from grandstand.games.diplomacy.rules.map import ANY_COAST, CENTERS, POWER, PROVINCES, REACH, UNIT, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import HOLD, MOVE, SUPPORT, SUPPORT_MOVE, Order, order_text
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.state import FALL, SPRING, State


def texts(orders: dict[int, Order]) -> list[str]:
    return sorted(order_text(order) for order in orders.values())


def self_play(seed: int, last_year: int) -> list[tuple[State, dict[int, dict[int, Order]]]]:
    """The positions of a game of seven DumbBots with each one's orders."""
    state, played = State.start(), []
    while state.year <= last_year:
        chosen = {power: dumbbot.play(state, power, Random(f"{seed}/{state.name}/{power}")) for power in state.to_act()}
        played.append((state, chosen))
        state = state.resolve({at: order for orders in chosen.values() for at, order in orders.items()}).after
    return [*played, (state, {})]


def test_draw_goes_on_by_a_coin_and_by_the_loss() -> None:
    def share(first: float, second: float) -> float:
        rng = Random(1)
        return fmean(dumbbot.draw([0, 1], [first, second], rng) for _ in range(4000))

    assert share(100, 100) == pytest.approx(0.5, abs=0.03)
    assert share(100, 90) == pytest.approx(0.25, abs=0.03)
    assert share(100, 80) == 0
    assert share(0, 0) == pytest.approx(0.5, abs=0.03)


def test_draw_can_go_far_down_the_list() -> None:
    rng = Random(2)
    counts = Counter(dumbbot.draw(range(3), [5.0] * 3, rng) for _ in range(4000))
    assert [counts[place] / 4000 for place in range(3)] == pytest.approx([0.5, 0.25, 0.25], abs=0.03)


def test_where_all_is_worth_the_same_it_prefers_to_stay() -> None:
    everything = {"FRANCE": [PROVINCES[center] for center in CENTERS]}
    state = read_state({"phase": "S1905M", "units": {"FRANCE": ["A BOH"]}, "centers": everything})
    kinds = Counter(
        order[0] for seed in range(600) for order in dumbbot.play(state, POWER["FRANCE"], Random(seed)).values()
    )
    assert kinds[HOLD] / 600 == pytest.approx(0.5, abs=0.07)
    assert kinds[MOVE] == 600 - kinds[HOLD]


def attack_on_munich(german_units: list[str]) -> Counter[tuple[str, ...]]:
    state = read_state(
        {
            "phase": "F1905M",
            "units": {"FRANCE": ["A BUR", "A RUH"], "GERMANY": german_units},
            "centers": {
                "GERMANY": ["MUN"],
                "FRANCE": [PROVINCES[center] for center in CENTERS if PROVINCES[center] != "MUN"],
            },
        }
    )
    return Counter(tuple(texts(dumbbot.play(state, POWER["FRANCE"], Random(seed)))) for seed in range(200))


def test_where_there_is_competition_the_second_unit_supports_the_first() -> None:
    plans = attack_on_munich(["A MUN"])
    assert set(plans) == {("A BUR - MUN", "A RUH S A BUR - MUN"), ("A BUR S A RUH - MUN", "A RUH - MUN")}
    assert min(plans.values()) > 60


def test_where_there_is_none_it_goes_elsewhere() -> None:
    for plan in attack_on_munich([]):
        assert sum("- MUN" in text and " S " not in text for text in plan) == 1
        assert not any(" S " in text for text in plan)


def test_retreats_go_to_the_best_place_and_never_two_to_one() -> None:
    position = {
        "phase": "F1905R",
        "units": {"GERMANY": ["A BUR", "A MUN"]},
        "retreats": {"FRANCE": {"A BUR": ["RUH", "PAR"], "A MUN": ["RUH"]}},
        "centers": {"GERMANY": ["MUN", "KIE", "HOL"], "FRANCE": ["PAR"]},
    }
    state = read_state(position)
    choices = {tuple(texts(dumbbot.play(state, POWER["FRANCE"], Random(seed)))) for seed in range(100)}
    assert choices <= {("A BUR R RUH", "A MUN D"), ("A BUR R PAR", "A MUN R RUH"), ("A BUR R PAR", "A MUN D")}
    assert ("A BUR R PAR", "A MUN R RUH") in choices


def test_it_builds_where_the_map_is_worth_most_and_removes_where_least() -> None:
    winter = {
        "phase": "W1905A",
        "units": {"RUSSIA": ["A SIL"], "GERMANY": ["A RUH", "A BOH", "F GRE"]},
        "centers": {"RUSSIA": ["MOS", "WAR"], "GERMANY": ["MUN", "KIE"]},
    }
    state = read_state(winter)
    builds = Counter(texts(dumbbot.play(state, POWER["RUSSIA"], Random(seed)))[0] for seed in range(200))
    russian = assess(state, POWER["RUSSIA"]).value
    best = max(("A MOS", "A WAR"), key=lambda name: russian[UNIT[name]])
    assert builds.most_common(1)[0][0] == f"{best} B"
    removals = Counter(texts(dumbbot.play(state, POWER["GERMANY"], Random(seed)))[0] for seed in range(200))
    german = assess(state, POWER["GERMANY"]).value
    least = min(("A RUH", "A BOH", "F GRE"), key=lambda name: german[UNIT[name]])
    assert removals.most_common(1)[0][0] == f"{least} D"


@pytest.mark.parametrize("seed", range(3))
def test_its_orders_fit_together(seed: int) -> None:
    for state, chosen in self_play(seed, 1908):
        if state.phase not in (SPRING, FALL):
            continue
        for power, orders in chosen.items():
            competition = assess(state, power).competition
            moves = {UNIT_PROVINCE[order[2]]: order for order in orders.values() if order[0] == MOVE}
            assert len(moves) == sum(order[0] == MOVE for order in orders.values())
            for kind, unit, a, b in orders.values():
                if kind == SUPPORT_MOVE:
                    assert orders[UNIT_PROVINCE[a]][:3] == (MOVE, a, b)
                elif kind == SUPPORT:
                    assert orders[UNIT_PROVINCE[a]][0] != MOVE
                elif kind == HOLD:
                    for to in (UNIT_PROVINCE[there] for there in REACH[unit]):
                        assert to not in moves or competition[to] == 0
                        assert to in moves or to not in orders or orders[to][0] == MOVE or competition[to] < 2


def test_it_takes_the_neutral_centres() -> None:
    ends = [self_play(seed, 1906)[-1][0] for seed in range(6)]
    assert fmean(len(CENTERS) - len(end.centers) for end in ends) < 2


def test_friends_who_want_each_others_place_do_not_wait_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    position = {"phase": "S1901M", "units": {"ITALY": ["A TRI", "F VEN", "A TYR"]}}
    state = read_state(position)
    value = [1.0] * ANY_COAST
    value[UNIT["A VEN"]] = value[UNIT["F TRI"]] = 100.0
    assessment = Assessment(value, [0] * len(PROVINCES), [0] * len(PROVINCES))
    monkeypatch.setattr(dumbbot, "assess", lambda state, power: assessment)
    for seed in range(50):
        orders = dumbbot.play(state, POWER["ITALY"], Random(seed))
        assert set(orders) == set(state.units)
        assert {order[0] for order in orders.values()} <= {HOLD, MOVE}
