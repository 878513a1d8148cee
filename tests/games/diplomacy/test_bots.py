from __future__ import annotations

import hashlib
import random as global_random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from statistics import fmean

import pytest

from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.bots import BOTS, POLICIES, SLOW, showcase
from grandstand.games.diplomacy.bots.steps import NEVER, steps
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.map import CENTERS, POWER, POWERS, PROVINCE, REACH, UNIT, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import HOLD, MOVE, SUPPORT, VIA, Order, order_text
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.scoring import score
from grandstand.games.diplomacy.rules.state import FALL, SPRING, WINTER, State
from grandstand.games.match import Match
from grandstand.games.spec import Bot
from tests.support.diplomacy.matches import states

SEARCHING = ["coordinated", *sorted(SLOW)]
FAST = [name for name in POLICIES if name not in SEARCHING]
EVEN = 1 / 7


@cache
def positions() -> list[State]:
    """Some 600 positions of all phases, most of them in a muddle."""
    return [state for seed in range(16) for state in states(seed, 1911)]


def one_against_six(name: str, six: str, games: int) -> list[float]:
    """Sum-of-squares scores of the one, from each seat in turn, games ending with 1912."""
    scores = []
    for game in range(games):
        state, seat = State.start(), game % 7
        while state.year <= 1912 and state.solo() is None:
            orders: dict[int, Order] = {}
            for power in state.to_act():
                policy = POLICIES[name if power == seat else six]
                orders.update(policy(state, power, Random(f"{game}/{state.name}/{power}")))
            state = state.resolve(orders).after
        scores.append(score("sum-of-squares", state.center_counts(), {})[seat])
    return scores


def check_legal(name: str, state: State) -> None:
    legal = state.legal_orders()
    for power in state.to_act():
        orders = POLICIES[name](state, power, Random(f"{name}/{power}"))
        own = state.orderable(power)
        for province, order in orders.items():
            assert province in own
            assert order in legal[province], f"{state.name} {order_text(order)}"
        if state.phase == WINTER:
            assert len(orders) <= abs(state.counts[power])
        elif name != "hold":
            assert set(orders) == set(own)


@pytest.mark.few(3)
@pytest.mark.parametrize("name", FAST)
def test_every_order_is_legal(name: str) -> None:
    for state in positions():
        check_legal(name, state)


@pytest.mark.long
@pytest.mark.parametrize(("name", "every"), [("coordinated", 12), ("search-fast", 90)])
def test_every_order_of_a_search_is_legal(name: str, every: int) -> None:
    for state in positions()[::every]:
        check_legal(name, state)


@pytest.mark.long
@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_is_a_pure_function(name: str) -> None:
    for state in positions()[5 :: 300 if name in SLOW else 90]:
        before, digest = global_random.getstate(), state.digest()
        for power in state.to_act():
            first = POLICIES[name](state, power, Random(5))
            assert POLICIES[name](state, power, Random(5)) == first
        assert (global_random.getstate(), state.digest()) == (before, digest)


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in POLICIES if name != "hold"])
def test_another_stream_gives_other_orders(name: str) -> None:
    state = next(state for state in positions() if state.name == "F1903M")
    power = state.to_act()[0]
    assert len({tuple(POLICIES[name](state, power, Random(seed)).items()) for seed in range(20)}) > 1


def play_match(names: list[str], seed: int) -> Match[DiplomacyGame]:
    match = Match(GAME, {"press": "none", "last_year": 1903}, seed)
    bots: dict[str, Bot[DiplomacyGame]] = {seat: BOTS[name] for seat, name in zip(POWERS, names, strict=True)}
    while not match.over:
        for seat in match.waiting:
            match.apply(seat, bots[seat](match.game, seat, match.rng(seat)))
    return match


def test_bots_play_whole_matches_the_same_each_time() -> None:
    names = [*FAST, "coordinated"]
    first = play_match(names, 3)
    assert first.game.digest() == play_match(names, 3).game.digest()
    assert first.game.digest() != play_match(names, 4).game.digest()


def test_bots_speak_of_themselves_in_one_line() -> None:
    for name, bot in BOTS.items():
        line = (bot.__doc__ or "").splitlines()[0]
        assert line.lower().startswith(name.lower())
        assert line.endswith(".")


def test_a_bot_answers_where_there_is_nothing_to_build() -> None:
    game = DiplomacyGame(DiplomacyOptions(), State(1901, WINTER, {}, {}, {}))
    assert all(bot(game, "FRANCE", Random(0)) == {"orders": []} for bot in BOTS.values())


def test_showcase_seats_seven_and_mixes_them() -> None:
    line_ups = {tuple(showcase(Random(seed))) for seed in range(20)}
    assert len(line_ups) > 10
    for names in line_ups:
        assert len(names) == len(POWERS)
        assert set(names) <= set(BOTS)
        assert len(set(names)) >= 2


@pytest.mark.long
@pytest.mark.parametrize("name", ["coordinated", "dumbbot", "defensive", "territorial"])
def test_every_strategy_beats_random_clearly(name: str) -> None:
    assert fmean(one_against_six(name, "random", 7)) > 3 * EVEN


@pytest.mark.long
@pytest.mark.parametrize("name", ["dumbbot", "defensive", "territorial"])
def test_random_is_lost_among_strategies(name: str) -> None:
    assert fmean(one_against_six("random", name, 7)) < EVEN / 3


@pytest.mark.long
def test_coordinated_beats_dumbbot() -> None:
    assert fmean(one_against_six("coordinated", "dumbbot", 14)) > 1.5 * EVEN


def test_hold_changes_nothing() -> None:
    state = State.start()
    orders: dict[int, Order] = {}
    for power in range(7):
        orders.update(POLICIES["hold"](state, power, Random(0)))
    assert {order[0] for order in orders.values()} == {HOLD}
    assert len(orders) == len(state.units)
    assert state.resolve(orders).after.units == state.units


def test_random_draws_evenly() -> None:
    state, paris = State.start(), PROVINCE["PAR"]
    options = state.legal_orders()[paris]
    counts = Counter(POLICIES["random"](state, POWER["FRANCE"], Random(seed))[paris] for seed in range(4000))
    for option in options:
        assert counts[option] / 4000 == pytest.approx(1 / len(options), abs=0.02)


def test_chaos_never_rests_and_attacks_where_it_can() -> None:
    for state in positions()[::10]:
        if state.phase not in (SPRING, FALL):
            continue
        for power in state.to_act():
            for kind, unit, there, _ in POLICIES["chaos"](state, power, Random(1)).values():
                assert kind in (MOVE, VIA)
                foreign = [near for near in REACH[unit] if state.units.get(UNIT_PROVINCE[near], (power, 0))[0] != power]
                if foreign:
                    assert state.units[UNIT_PROVINCE[there]][0] != power


def test_territorial_sends_each_unit_nearer_to_a_centre_of_its_own() -> None:
    state = State.start()
    goals = [center for center in CENTERS if center not in state.centers]
    for power in range(7):
        orders = POLICIES["territorial"](state, power, Random(2))
        targets = Counter(UNIT_PROVINCE[order[2]] for order in orders.values() if order[0] == MOVE)
        assert targets
        assert max(targets.values()) == 1
    france = POLICIES["territorial"](state, POWER["FRANCE"], Random(2))
    marseilles = france[PROVINCE["MAR"]]
    assert min(steps(marseilles[2])[goal] for goal in goals) < min(steps(marseilles[1])[goal] for goal in goals)


def test_territorial_stays_on_what_it_is_about_to_own() -> None:
    position = {"phase": "F1901M", "units": {"FRANCE": ["A SPA", "A BUR"]}, "centers": {"FRANCE": ["PAR"]}}
    orders = POLICIES["territorial"](read_state(position), POWER["FRANCE"], Random(0))
    assert order_text(orders[PROVINCE["SPA"]]) == "A SPA H"


def test_defensive_holds_and_supports_a_threatened_centre() -> None:
    position = {
        "phase": "F1903M",
        "units": {"GERMANY": ["A MUN", "A KIE", "A BER"], "FRANCE": ["A BUR", "A RUH"]},
        "centers": {"GERMANY": ["MUN", "KIE", "BER"], "FRANCE": ["PAR", "BRE"]},
    }
    state = read_state(position)
    for seed in range(20):
        orders = POLICIES["defensive"](state, POWER["GERMANY"], Random(seed))
        assert orders[PROVINCE["MUN"]][0] == HOLD
        assert any(order[0] == SUPPORT and order[2] == UNIT["A MUN"] for order in orders.values())


def test_defensive_enters_a_vacant_threatened_centre() -> None:
    position = {
        "phase": "S1903M",
        "units": {"GERMANY": ["A BER"], "FRANCE": ["A BUR"]},
        "centers": {"GERMANY": ["MUN", "BER"], "FRANCE": ["PAR"]},
    }
    orders = POLICIES["defensive"](read_state(position), POWER["GERMANY"], Random(0))
    assert order_text(orders[PROVINCE["BER"]]) == "A BER - MUN"


def test_steps() -> None:
    assert steps(UNIT["A PAR"])[PROVINCE["PAR"]] == 0
    assert steps(UNIT["A PAR"])[PROVINCE["MUN"]] == 2
    assert steps(UNIT["A PAR"])[PROVINCE["LON"]] == NEVER
    assert steps(UNIT["F STP/NC"])[PROVINCE["NWY"]] == 1
    assert steps(UNIT["F STP/SC"])[PROVINCE["SWE"]] == 2
    assert steps(UNIT["F MAO"])[PROVINCE["SPA"]] == 1


@pytest.mark.long
def test_search_overruns_dumbbots() -> None:
    assert fmean(one_against_six("search-fast", "dumbbot", 7)) > 2 * EVEN


@pytest.mark.parametrize(
    ("names", "year", "digest"),
    [
        (("coordinated", "dumbbot", "defensive"), 1906, "99bf759cc26eacdb"),
        pytest.param(("search", "search-fast", "coordinated"), 1903, "2e443f9e4c3bc02b", marks=pytest.mark.long),
    ],
)
def test_bots_that_do_not_talk_play_the_same_moves_as_ever(names: Sequence[str], year: int, digest: str) -> None:
    """If this fails: the strength of the bots in `docs/strength.md` is no longer that of these bots."""
    game = DiplomacyGame(DiplomacyOptions(press="none", last_year=year))
    orders, number = hashlib.sha256(), 0
    while game.outcome is None:
        for seat in game.to_act():
            action = BOTS[names[number % len(names)]](game, seat, Random(f"5/{number}"))
            number += 1
            orders.update(repr((game.turn, seat, action["orders"])).encode())
            game.apply(seat, action)
    assert orders.hexdigest()[:16] == digest
