"""The signs and sizes of what Diplomacy pays, by cases worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import pytest

from grandstand.games.base import GameEvent
from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.agent.rewards import COMPONENTS, SETTINGS, ledger, results
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.map import CENTERS, PROVINCES
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.match import Match


def described(events: list[GameEvent]) -> list[tuple[int, str, Mapping[str, Any]]]:
    return [(seq, type(event).__name__, asdict(event)) for seq, event in enumerate(events)]


def played(position: Mapping[str, Any], orders: Mapping[str, list[str]]) -> list[tuple[int, str, Mapping[str, Any]]]:
    """One phase from `position`; who is not named gives no orders."""
    game = DiplomacyGame(DiplomacyOptions(), read_state(position))
    events = game.opening()
    for seat in list(game.to_act()):
        events += game.apply(seat, {"orders": orders.get(seat, [])})
    return described(events)


def paid(events: list[tuple[int, str, Mapping[str, Any]]], seat: str, **settings: float) -> dict[str, float]:
    sums: dict[str, float] = {}
    for entry in ledger(events, seat, {**SETTINGS, **settings}):
        sums[entry.component] = sums.get(entry.component, 0.0) + entry.amount
    return sums


ATTACK = {
    "phase": "F1901M",
    "units": {"FRANCE": ["A PAR", "A PIC"], "GERMANY": ["A BUR"]},
    "centers": {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN"]},
}


def test_who_dislodges_gains_and_who_is_dislodged_loses() -> None:
    events = played(ATTACK, {"FRANCE": ["A PAR - BUR", "A PIC S A PAR - BUR"]})
    assert paid(events, "FRANCE")["dislodgement"] == 1
    assert paid(events, "GERMANY")["dislodgement"] == -1
    assert "dislodgement" not in paid(events, "ITALY")


def test_a_bounce_dislodges_nobody() -> None:
    events = played(ATTACK, {"FRANCE": ["A PAR - BUR"]})
    assert "dislodgement" not in paid(events, "FRANCE")
    assert "dislodgement" not in paid(events, "GERMANY")


def test_centres_units_territory_threat_and_forward_are_changes() -> None:
    position = {
        "phase": "F1901M",
        "units": {"FRANCE": ["A GAS"], "ITALY": ["A PIE"]},
        "centers": {"FRANCE": ["MAR"], "ITALY": ["ROM"]},
    }
    events = played(position, {"FRANCE": ["A GAS - SPA"], "ITALY": ["A PIE - MAR"]})
    france, italy = paid(events, "FRANCE"), paid(events, "ITALY")
    # France gains Spain and loses Marseilles: as many centres, and as many threatened (Spain is next to Marseilles).
    assert "centers" not in france
    assert "threat" not in france
    assert france["territory"] == 1
    assert italy["centers"] == 1
    assert italy["threat"] == -1
    assert "forward" not in italy


def test_forward_counts_units_that_leave_home() -> None:
    position = {"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR"]}}
    assert paid(played(position, {"FRANCE": ["A PAR - BUR"]}), "FRANCE")["forward"] == 1


def at_rest(centers: Mapping[str, int], units: Mapping[str, list[str]]) -> list[tuple[int, str, Mapping[str, Any]]]:
    """An episode that stops where it begins."""
    names = [PROVINCES[center] for center in CENTERS]
    value: dict[str, list[str]] = {}
    for power, count in centers.items():
        value[power], names = names[:count], names[count:]
    return described(
        DiplomacyGame(DiplomacyOptions(), read_state({"phase": "S1905M", "units": units, "centers": value})).opening()
    )


def test_the_end_is_judged_by_rank_lead_and_balance() -> None:
    events = at_rest({"FRANCE": 8, "ITALY": 3, "TURKEY": 3}, {"FRANCE": ["A PAR"], "RUSSIA": ["A MOS"]})
    france, italy, russia = paid(events, "FRANCE"), paid(events, "ITALY"), paid(events, "RUSSIA")
    assert france["position"] == 50
    assert france["win"] == 1
    assert "balance" not in france
    assert "leader_gap" not in france
    assert italy["position"] == paid(events, "TURKEY")["position"] == 25  # the better of two shared ranks
    assert italy["leader_gap"] == pytest.approx(-(8 - 3 - 3) / 18)
    assert italy["balance"] == pytest.approx(1 - 0.505076, abs=1e-5)  # of 8, 3, 3: deviation 2.357, mean 4.667
    assert russia["position"] == 10  # fourth, with a unit and no centre
    assert "elimination" not in russia
    assert paid(events, "GERMANY") == {"elimination": -1, "leader_gap": pytest.approx(-5 / 18)}
    assert france["score"] == pytest.approx(64 / (64 + 9 + 9))


def test_a_win_needs_the_threshold_and_a_sole_leader() -> None:
    assert "win" not in paid(at_rest({"FRANCE": 4}, {}), "FRANCE")
    assert paid(at_rest({"FRANCE": 4}, {}), "FRANCE", win_threshold=4)["win"] == 1
    assert "win" not in paid(at_rest({"FRANCE": 6, "ITALY": 6}, {}), "FRANCE")
    assert paid(at_rest({"FRANCE": 18}, {}), "FRANCE")["solo"] == 1


@pytest.mark.long
def test_every_component_turns_up_in_play_and_steps_sum_to_the_whole() -> None:
    observed: set[str] = set()
    for seed in range(3):
        match = Match(GAME, {"last_year": 1912, "press": "none"}, seed)
        events = match.game.opening()
        while not match.over:
            for seat in match.waiting:
                name = "coordinated" if seat == "FRANCE" and seed == 0 else ("dumbbot", "random")[seed % 2]
                events += match.apply(seat, GAME.bots.players[name](match.game, seat, match.rng(seat)))
        for seat in GAME.seats():
            sums = paid(described(events), seat)
            observed |= set(sums)
            assert 3 + (seat == "RUSSIA") + sums.get("centers", 0) == len(
                match.game.observation(seat)["state"]["centers"][seat]
            )
    assert set(COMPONENTS) - observed <= {"solo"}


def stopped(counts: Mapping[str, int]) -> list[tuple[int, str, Mapping[str, Any]]]:
    """Events up to a position in which the powers have so many centres, and the others none."""
    free = iter(PROVINCES[center] for center in CENTERS)
    owned = {power: [next(free) for _ in range(count)] for power, count in counts.items()}
    return described(
        DiplomacyGame(DiplomacyOptions(), read_state({"phase": "S1905M", "units": {}, "centers": owned})).opening()
    )


def test_results_are_of_the_position_where_play_stopped() -> None:
    events = stopped({"FRANCE": 8, "ITALY": 5, "TURKEY": 5, "RUSSIA": 3, "ENGLAND": 3})
    assert results(events, "FRANCE") == {"centers": 8, "rank": 1, "first": 1, "top3": 1, "survived": 1}
    assert results(events, "ITALY") == {"centers": 5, "rank": 2.5, "first": 0, "top3": 1, "survived": 1}
    assert results(events, "RUSSIA") == {"centers": 3, "rank": 4.5, "first": 0, "top3": 0, "survived": 1}
    assert results(events, "AUSTRIA") == {"centers": 0, "rank": 6.5, "first": 0, "top3": 0, "survived": 0}
    assert results([], "FRANCE") == {}


@pytest.mark.parametrize("centers", [(8, 5, 5, 3, 3), (3, 3, 3, 3, 3, 3, 3), (9, 4, 4, 4, 4), (5, 5, 5, 5), (18,)])
def test_places_are_shared_among_equals(centers: tuple[int, ...]) -> None:
    events = stopped(dict(zip(GAME.seats(), centers, strict=False)))
    of_all = [results(events, seat) for seat in GAME.seats()]
    assert sum(of_seat["first"] for of_seat in of_all) == pytest.approx(1)
    assert sum(of_seat["top3"] for of_seat in of_all) == pytest.approx(3)
    assert sum(of_seat["rank"] for of_seat in of_all) == pytest.approx(28)
