"""A match: secrecy, press, votes, ends, and exact copies."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grandstand.games.base import IllegalAction, MessageSent
from grandstand.games.diplomacy.agent.reply import REPLY
from grandstand.games.diplomacy.events import (
    CentersChanged,
    DrawVoted,
    OrdersResolved,
    OrdersSubmitted,
    PhaseAdvanced,
    PowerEliminated,
)
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.tactics.game import load_game
from tests.support.diplomacy.matches import actions, as_data, play

HOLD: dict[str, Any] = {"orders": []}


def new(**options: Any) -> DiplomacyGame:
    return DiplomacyGame(DiplomacyOptions(**options))


def at(position: dict[str, Any], **options: Any) -> DiplomacyGame:
    return DiplomacyGame(DiplomacyOptions(**options), read_state(position))


def test_orders_stay_secret_until_all_are_in() -> None:
    game = new()
    for power in POWERS[:-1]:
        orders = ["A PAR - BUR"] if power == "FRANCE" else []
        assert game.apply(power, {"orders": orders}) == [OrdersSubmitted(power, "S1901M")]
        assert power not in game.to_act()
    for power in POWERS:
        view = json.dumps(game.observation(power)) + game.text(power)
        assert ("A PAR - BUR" in json.dumps(game.observation(power)["submitted"])) == (power == "FRANCE")
        assert power == "FRANCE" or "A PAR - BUR" not in json.dumps(game.observation(power))
        assert view
    assert game.to_act() == ["TURKEY"]
    kinds = [type(event) for event in game.apply("TURKEY", HOLD)]
    assert kinds == [OrdersSubmitted, OrdersResolved, PhaseAdvanced]
    assert game.turn == "F1901M"


def test_private_press_is_seen_by_its_seats_only() -> None:
    game = new()
    game.apply("FRANCE", {"message": {"to": ["ITALY"], "text": "the password is swordfish"}})
    for power in POWERS:
        view = json.dumps(game.observation(power)) + game.text(power)
        assert ("swordfish" in view) == (power in ("FRANCE", "ITALY"))
    assert "FRANCE" in game.to_act()


@pytest.mark.parametrize(
    ("seat", "action", "field"),
    [
        ("PERU", HOLD, "seat"),
        ("FRANCE", {}, "action"),
        ("FRANCE", {"order": []}, "order"),
        ("FRANCE", {"orders": "A PAR H"}, "orders"),
        ("FRANCE", {"orders": ["A PAR H", "F BRE - MAO", "A MUN H"]}, r"orders\[2\]"),
        ("FRANCE", {"orders": ["A PAR - XYZ"]}, r"orders\[0\]"),
        ("FRANCE", {"orders": [None]}, r"orders\[0\]"),
        ("FRANCE", {"orders": ["A PAR H", "A PAR - BUR"]}, r"orders\[1\]"),
        ("FRANCE", {"vote": "yes", "orders": []}, "vote"),
        ("FRANCE", {"orders": [], "message": {"to": "all", "text": ""}}, "message.text"),
    ],
)
def test_an_illegal_action_names_the_field_and_changes_nothing(seat: str, action: dict[str, Any], field: str) -> None:
    game = new()
    before = game.digest()
    with pytest.raises(IllegalAction, match=f"^{field}: "):
        game.apply(seat, action)
    assert game.digest() == before


def test_a_power_orders_once_and_only_when_asked() -> None:
    game = new()
    game.apply("FRANCE", HOLD)
    with pytest.raises(IllegalAction, match="has given its orders"):
        game.apply("FRANCE", HOLD)
    centers = {"FRANCE": ["PAR", "BRE"], "ITALY": ["ROM"]}
    game = at({"phase": "W1905A", "units": {"FRANCE": ["A GAS"], "ITALY": ["A ROM"]}, "centers": centers})
    assert game.to_act() == ["FRANCE"]
    with pytest.raises(IllegalAction, match="nothing to order"):
        game.apply("ITALY", HOLD)
    with pytest.raises(IllegalAction, match=r"^orders\[1\]: FRANCE may order 1"):
        game.apply("FRANCE", {"orders": ["A PAR B", "WAIVE"]})
    with pytest.raises(IllegalAction, match="TURKEY is eliminated"):
        game.apply("TURKEY", HOLD)


def test_messages_are_limited_per_phase() -> None:
    game = new(messages_per_phase=1)
    message = {"message": {"to": "all", "text": "hello"}}
    game.apply("FRANCE", message)
    with pytest.raises(IllegalAction, match="all for one phase"):
        game.apply("FRANCE", message)
    for power in POWERS:
        game.apply(power, HOLD)
    game.apply("FRANCE", message)


def test_the_legal_orders_as_data() -> None:
    legal = REPLY.legal(new(), "FRANCE")
    assert set(legal) == {"orders", "vote"}
    assert list(legal["orders"]) == ["F BRE", "A MAR", "A PAR"]
    assert "A PAR - BUR" in legal["orders"]["A PAR"]
    centers = {"RUSSIA": ["STP", "MOS"], "ITALY": ["ROM"]}
    units = {"RUSSIA": ["A MOS"], "ITALY": ["A ROM", "F NAP"]}
    game = at({"phase": "W1905A", "units": units, "centers": centers})
    russia, italy = REPLY.legal(game, "RUSSIA"), REPLY.legal(game, "ITALY")
    assert (russia["orders"], russia["count"]) == (
        {"builds": ["A STP B", "F STP/NC B", "F STP/SC B"]},
        {"builds": [0, 1]},
    )
    assert (italy["orders"], italy["count"]) == ({"removals": ["F NAP D", "A ROM D"]}, {"removals": [1, 1]})
    assert REPLY.legal(game, "TURKEY")["orders"] == {}


def test_a_draw_needs_every_power_still_in() -> None:
    units = {"FRANCE": ["A GAS"], "ITALY": ["A ROM"], "TURKEY": ["A CON"]}
    game = at({"phase": "S1905M", "units": units, "centers": {"FRANCE": ["PAR", "BRE"], "ITALY": ["ROM"]}})
    assert game.apply("FRANCE", {"vote": "draw"}) == [DrawVoted("FRANCE", "draw", "S1905M")]
    assert game.apply("FRANCE", {"vote": "draw"}) == []
    game.apply("ITALY", {"vote": "draw"})
    assert game.apply("ITALY", {"vote": "none"}) == [DrawVoted("ITALY", "none", "S1905M")]
    game.apply("TURKEY", {"vote": "draw", "orders": ["A CON - BUL"]})
    assert game.outcome is None
    game.apply("ITALY", {"vote": "draw"})
    assert game.outcome is not None
    assert (game.outcome.reason, game.outcome.winners) == ("draw", ["FRANCE", "ITALY", "TURKEY"])
    assert game.outcome.scores["FRANCE"] == pytest.approx(0.8)
    assert game.to_act() == ()
    with pytest.raises(IllegalAction, match="the match is over"):
        game.apply("FRANCE", HOLD)
    with pytest.raises(IllegalAction, match="no draw votes"):
        new(draw_votes=False).apply("FRANCE", {"vote": "draw"})


def test_a_solo_ends_the_match_and_names_the_winner() -> None:
    homes = [
        "BRE",
        "MAR",
        "PAR",
        "BEL",
        "HOL",
        "SPA",
        "POR",
        "EDI",
        "LON",
        "LVP",
        "NWY",
        "SWE",
        "DEN",
        "KIE",
        "BER",
        "MUN",
        "VEN",
    ]
    units = {"FRANCE": ["A TUS"], "ITALY": ["A NAP"]}
    game = at({"phase": "F1905M", "units": units, "centers": {"FRANCE": homes, "ITALY": ["ROM", "NAP"]}})
    game.apply("ITALY", HOLD)
    events = game.apply("FRANCE", {"orders": ["A TUS - ROM"]})
    changed = next(event for event in events if isinstance(event, CentersChanged))
    assert changed.captured == [{"center": "ROM", "from": "ITALY", "to": "FRANCE"}]
    assert changed.counts["FRANCE"] == 18
    assert game.outcome is not None
    assert (game.outcome.reason, game.outcome.winners) == ("solo", ["FRANCE"])
    assert game.outcome.scores == {power: float(power == "FRANCE") for power in POWERS}


def test_the_year_limit_and_the_stalemate() -> None:
    game = new(last_year=1902, stalemate_years=0)
    while game.outcome is None:
        game.apply(game.to_act()[0], HOLD)
    assert (game.outcome.reason, game.outcome.winners, game.turn) == ("year-limit", ["RUSSIA"], "S1903M")
    game = new(stalemate_years=3)
    while game.outcome is None:
        game.apply(game.to_act()[0], HOLD)
    assert (game.outcome.reason, game.outcome.winners, game.turn) == ("stalemate", list(POWERS), "S1904M")


def test_a_power_is_out_with_its_last_unit_not_with_its_last_centre() -> None:
    units = {"FRANCE": ["A ROM", "A PAR"], "ITALY": ["A TUS"]}
    centers = {"FRANCE": ["PAR", "MAR"], "ITALY": ["ROM"]}
    game = at({"phase": "F1905M", "units": units, "centers": centers}, scoring="carnage")
    game.apply("ITALY", HOLD)
    events = game.apply("FRANCE", HOLD)
    assert not any(isinstance(event, PowerEliminated) for event in events)
    assert game.to_act() == ["FRANCE", "ITALY"]
    game.apply("FRANCE", HOLD)
    events = game.apply("ITALY", {"orders": ["A TUS D"]})
    assert [event for event in events if isinstance(event, PowerEliminated)] == [PowerEliminated("ITALY", "W1905A")]
    assert game.eliminated == {4: 1905}
    assert game.turn == "S1906M"


def test_a_long_match_is_small() -> None:
    """Twenty years of moves in every phase in less than 400 kB of JSON."""
    game, events, _ = play(1, last_year=1920, stalemate_years=0)
    years = int(game.turn[1:5]) - 1901
    assert years > 8
    assert len(json.dumps(as_data(events), separators=(",", ":"))) < 400_000 * years / 20


def test_every_event_is_plain_data_and_public_but_for_private_press() -> None:
    _, events, _ = play(2, last_year=1904)
    assert {type(event) for event in events} >= {
        PhaseAdvanced,
        OrdersSubmitted,
        OrdersResolved,
        CentersChanged,
        MessageSent,
    }
    for (kind, data), event in zip(as_data(events), events, strict=True):
        assert json.loads(json.dumps(data)) == data
        assert (event.seats() is None) == (kind not in ("MessageSent", "PromiseBroken") or data["public"])


@pytest.mark.long
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_copies_by_clone_by_json_and_by_replay_stay_equal(seed: int) -> None:
    rng = Random(seed)
    game = new(last_year=1903)
    reports = []
    while game.outcome is None:
        for seat, action in actions(game, rng):
            copy, loaded = game.clone(), load_game(json.loads(json.dumps(game.to_json())))
            before = game.digest()
            assert copy.digest() == loaded.digest() == before
            events = game.apply(seat, action)
            assert copy.digest() == before, "a clone is independent"
            assert copy.apply(seat, action) == loaded.apply(seat, action) == events
            assert copy.digest() == loaded.digest() == game.digest()
            assert copy.text(seat) == loaded.text(seat) == game.text(seat)
            reports.append((seat, action, game.digest()))
    again = new(last_year=1903)
    for seat, action, digest in reports:
        again.apply(seat, json.loads(json.dumps(action)))
        assert again.digest() == digest
    assert again.outcome == game.outcome


def test_digests_agree_between_processes() -> None:
    code = "from tests.support.diplomacy.matches import play; print(play(4, last_year=1903)[0].digest())"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, env={"PYTHONHASHSEED": "3"}
    )
    assert run.stdout.strip() == play(4, last_year=1903)[0].digest()


def test_the_default_action_is_legal_everywhere() -> None:
    game, _, _ = play(5, last_year=1903)
    position = game.state
    assert game.outcome is not None
    game = DiplomacyGame(DiplomacyOptions(), position)
    for _ in range(30):
        for seat in list(game.to_act()):
            game.apply(seat, game.default_action(seat))
