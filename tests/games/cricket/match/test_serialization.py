"""Every field of a match and of an innings is saved, or is built again from what is saved."""

from __future__ import annotations

from random import Random
from typing import Any

from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.match.serialization import BUILT_AGAIN, innings_of, innings_to_json, load, to_json
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.options import CricketOptions


def fields(thing: Any) -> dict[str, Any]:
    return {name: getattr(thing, name) for name in type(thing).__slots__}


def test_every_field_of_a_match_is_saved_or_built_again() -> None:
    game = CricketGame(CricketOptions(overs=1), 1)
    assert set(ContestState.__slots__) == set(to_json(game.state)) | set(BUILT_AGAIN)
    assert not set(to_json(game.state)) & set(BUILT_AGAIN)


def test_every_field_of_an_innings_comes_back_at_any_moment() -> None:
    game, rng = CricketGame(CricketOptions(overs=2, conditions="ipl-2023"), 5), Random(5)
    compared = 0
    while game.outcome is None:
        seat = game.to_act()[0]
        game.apply(seat, BOTS["random"](game, seat, rng))
        for innings in game.state.innings:
            twin = fields(innings_of(innings_to_json(innings)))
            for name, value in fields(innings).items():
                if name in ("batters", "bowlers"):
                    assert {i: c.to_json() for i, c in twin[name].items()} == {i: c.to_json() for i, c in value.items()}
                else:
                    assert twin[name] == value, name
                compared += 1
        assert load(to_json(game.state)).attack == game.state.attack
    assert compared > len(Innings.__slots__)
