"""The movement phases that a game remembers."""

from __future__ import annotations

import json
from random import Random

from grandstand.games.diplomacy.bots import BOTS
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.record.history import REMEMBERED, read_movement
from grandstand.games.diplomacy.rules.state import FALL, SPRING


def played(years: int) -> DiplomacyGame:
    game = DiplomacyGame(DiplomacyOptions(press="none"))
    while game.state.year < 1901 + years:
        for seat in list(game.to_act()):
            game.apply(seat, BOTS["dumbbot"](game, seat, Random(f"{game.turn}/{seat}")))
    return game


def test_a_game_keeps_its_last_movement_phases_as_they_were_decided() -> None:
    game = DiplomacyGame(DiplomacyOptions(press="none"))
    decided = []
    while game.state.year < 1904:
        if game.state.phase in (SPRING, FALL) and not game.submitted:
            decided.append((game.state, game.relations))
        for seat in list(game.to_act()):
            game.apply(seat, BOTS["dumbbot"](game, seat, Random(f"{game.turn}/{seat}")))
        assert [(movement.state, movement.relations) for movement in game.movements] == decided[-REMEMBERED:][
            : len(game.movements)
        ]
    assert len(game.movements) == REMEMBERED
    for earlier, later in zip(game.movements, game.movements[1:], strict=False):
        after = earlier.state.resolve(earlier.orders).after
        assert after == later.state or after.phase not in (SPRING, FALL)


def test_saved_and_restored_they_are_the_same() -> None:
    game = played(2)
    for movement in game.movements:
        assert read_movement(json.loads(json.dumps(movement.to_json()))) == movement
    assert DiplomacyGame.from_json(json.loads(json.dumps(game.to_json()))).movements == game.movements


def test_a_game_saved_without_them_is_read_with_none() -> None:
    saved = played(1).to_json()
    del saved["movements"]
    assert DiplomacyGame.from_json(saved).movements == ()


def test_a_unit_without_an_order_has_none() -> None:
    game = DiplomacyGame(DiplomacyOptions(press="none"))
    for seat in list(game.to_act()):
        game.apply(seat, {"orders": ["A PAR - BUR"] if seat == "FRANCE" else []})
    (movement,) = game.movements
    assert len(movement.orders) == 1
    assert movement.to_json()["orders"] == {"FRANCE": ["A PAR - BUR"]}
