"""The engine and the `diplomacy` package, 1.1.2, in lock-step: the same positions and orders, the same outcomes."""

from __future__ import annotations

import json
import re
from collections import Counter
from random import Random
from typing import Any

import pytest

from grandstand.games.diplomacy.record.saved_game import export_saved_game, read_saved_game, saved_game_events
from grandstand.games.diplomacy.rules.map import ANY_COAST, PROVINCES, REACH, UNITS
from grandstand.games.diplomacy.rules.orders import order_text
from grandstand.games.diplomacy.rules.state import State
from tests.support.diplomacy.coherent import coherent_orders
from tests.support.diplomacy.lockstep import FAULTS, comparable, disagreement, order_texts
from tests.support.diplomacy.matches import as_data, play, states
from tests.support.diplomacy.oracle import Oracle


@pytest.mark.long
def test_the_map_is_the_same(oracle: Oracle) -> None:
    ours = {UNITS[unit]: sorted(UNITS[there][2:] for there in REACH[unit]) for unit in range(ANY_COAST)}
    assert ours == oracle.ask("reach")


def lockstep(oracle: Oracle, seeds: range, last_year: int) -> Counter[str]:
    """Plays games of coherent random orders; counts movement phases and disagreements."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        rng = Random(seed)
        state = State.start()
        while state.year <= last_year and state.solo() is None:
            played = state.resolve(coherent_orders(state, rng))
            texts = order_texts(state, played.orders)
            answer = oracle.ask("play", position=state.to_json(), orders=texts)
            assert answer["refused"] == []
            result = disagreement(played, answer)
            assert result in (None, *FAULTS), json.dumps({"seed": seed, "position": state.to_json(), "orders": texts})
            counts.update(["movement"] if played.movement is not None else [], disagreement=result is not None)
            state = played.after
    return counts


@pytest.mark.long
def test_lockstep(oracle: Oracle) -> None:
    counts = lockstep(oracle, range(16), 1912)
    assert counts["movement"] > 300
    assert counts["disagreement"] < 0.1 * counts["movement"]


@pytest.mark.long
def test_longer_lockstep(oracle: Oracle) -> None:
    assert lockstep(oracle, range(100, 145), 1915)["movement"] > 1000


def test_the_legal_orders_are_the_same(oracle: Oracle) -> None:
    """The oracle also lists supports of fleets without the destination's coast, and WAIVE at every building site."""
    left_out = re.compile(r"WAIVE|.* S F .* - (BUL|SPA|STP)")
    for seed in range(4):
        for state in states(seed, 1912):
            theirs: dict[str, set[str]] = {}
            for place, orders in oracle.ask("legal", position=state.to_json()).items():
                texts = {text for text in orders if not left_out.fullmatch(text)}
                if texts:
                    theirs.setdefault(place[:3], set()).update(texts)
            legal = state.legal_orders().items()
            assert {PROVINCES[place]: {order_text(order) for order in orders} for place, orders in legal} == theirs


def position_of(phase: dict[str, Any]) -> dict[str, Any]:
    """A saved phase's position, comparable."""
    units = {power: [u for u in held if u[0] != "*"] for power, held in phase["state"]["units"].items()}
    return comparable({**phase["state"], "phase": phase["name"], "units": units})


def test_our_saved_games_load_in_the_package(oracle: Oracle) -> None:
    game, events, _ = play(4, last_year=1905)
    saved = export_saved_game(as_data(events), {"episode_id": "match-4"})
    loaded = oracle.ask("load", saved=saved)
    assert loaded["id"] == "match-4"
    assert [position_of(phase) for phase in loaded["phases"]] == [position_of(phase) for phase in saved["phases"]]
    for ours, theirs in zip(saved["phases"], loaded["phases"], strict=True):
        assert {p: sorted(report) for p, report in theirs["orders"].items() if report} == {
            p: sorted(report) for p, report in ours["orders"].items() if report
        }
        assert [message["message"] for message in theirs["messages"]] == [
            message["message"] for message in ours["messages"]
        ]
    assert len(game.messages) > 3
    board = ("PhaseAdvanced", "OrdersResolved", "CentersChanged", "PowerEliminated")
    back = [(kind, data) for kind, data in as_data(saved_game_events(loaded)) if kind in board]
    assert back == [(kind, data) for kind, data in as_data(events) if kind in board]
    results = [report for phase in loaded["phases"] for report in phase["results"].values()]
    assert any(
        words[-2:] == ["dislodged", "disband"] for words in results
    )  # a word that the package itself uses for retreats only


def test_the_packages_saved_games_load_here(oracle: Oracle) -> None:
    saved = oracle.ask("random_game", seed=5, last_year=1904)
    phases = read_saved_game(saved)
    assert len(phases) == len(saved["phases"])
    for phase, following, written in zip(phases, phases[1:], saved["phases"], strict=False):
        assert comparable(phase.state.to_json()) == position_of(written)
        assert not phase.book.void
        played = phase.state.resolve(phase.book.orders)
        assert comparable(played.after.to_json()) == comparable(following.state.to_json())
