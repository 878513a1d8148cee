"""The public record of attacks, supports and bounces, and its place in a match."""

from __future__ import annotations

import json
from typing import Any

from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.press.relations import Relations, read_relations, season_of
from grandstand.games.diplomacy.rules.map import POWER, POWERS
from grandstand.games.diplomacy.rules.orders import order_text
from grandstand.games.diplomacy.rules.state import State

FRANCE, GERMANY, ENGLAND, ITALY = (POWER[name] for name in ("FRANCE", "GERMANY", "ENGLAND", "ITALY"))


def played(*phases: dict[str, list[str]]) -> DiplomacyGame:
    game = DiplomacyGame(DiplomacyOptions())
    for phase in phases:
        for power in list(game.to_act()):
            game.apply(power, {"orders": phase.get(power, [])})
    return game


def test_a_move_to_a_unit_or_a_centre_of_another_is_an_attack() -> None:
    game = played({"FRANCE": ["A PAR - BUR", "A MAR - SPA"]}, {"FRANCE": ["A BUR - MUN"], "GERMANY": ["F KIE - DEN"]})
    assert game.relations.attacks == {(FRANCE, GERMANY): 1}
    assert game.relations.since_attack(FRANCE, GERMANY, season_of(game.state)) == 0
    assert game.relations.since_attack(FRANCE, GERMANY, 5) == 4
    assert game.relations.since_attack(GERMANY, FRANCE, 9) is None


def test_a_support_of_an_attack_is_one_too_and_a_help_to_the_attacker() -> None:
    game = played({"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - RUH"]})
    for power in list(game.to_act()):
        orders = {
            "FRANCE": ["A BUR - MUN"],
            "GERMANY": ["A RUH S A BUR - MUN", "A BER - SIL"],
            "ITALY": ["A VEN - TRI"],
        }
        game.apply(power, {"orders": orders.get(power, [])})
    assert (FRANCE, GERMANY) in game.relations.attacks
    assert game.relations.supports == {(GERMANY, FRANCE): 1}
    assert (ITALY, POWER["AUSTRIA"]) in game.relations.attacks


def test_a_support_of_what_nobody_does_helps_nobody() -> None:
    game = played({"GERMANY": ["A MUN S A PAR - BUR"], "FRANCE": ["A PAR - PIC"]})
    assert game.relations.supports == {}


def test_bounces_are_counted_as_long_as_they_are_repeated() -> None:
    standoff = {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}
    game = played(standoff, standoff)
    assert {order_text(order): count for order, count in game.relations.bounced.items()} == {
        "A PAR - BUR": 2,
        "A MUN - BUR": 2,
    }
    for power in list(game.to_act()):
        game.apply(power, {"orders": standoff.get(power, []) if power == "FRANCE" else []})
    assert game.relations.bounced == {}


def test_it_survives_storage_and_an_old_save_has_none() -> None:
    game = played({"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"], "ITALY": ["A VEN - TRI"]})
    data: dict[str, Any] = json.loads(json.dumps(game.to_json()))
    assert GAME.rules.load(data).relations == game.relations != Relations()
    assert GAME.rules.load(data).digest() == game.digest()
    del data["relations"]
    assert GAME.rules.load(data).relations == Relations()
    assert read_relations(Relations().to_json()) == Relations()


def test_it_is_bounded_by_the_powers_and_the_units() -> None:
    state, relations = State.start(), Relations()
    for _ in range(40):
        orders = {province: options[-1] for province, options in state.legal_orders().items()}
        resolution = state.resolve(orders)
        relations, state = relations.after(resolution), resolution.after
        assert len(relations.attacks) <= len(POWERS) * (len(POWERS) - 1)
        assert len(relations.bounced) <= len(resolution.before.units)


def test_a_clone_goes_its_own_way() -> None:
    game = played({"ITALY": ["A VEN - TRI"]})
    twin = game.clone()
    for power in list(twin.to_act()):
        twin.apply(
            power,
            {"orders": ["A PAR - BUR", "F BRE - ENG"] if power == "FRANCE" else ["A MUN - BUR"][: power == "GERMANY"]},
        )
    assert twin.relations != game.relations
