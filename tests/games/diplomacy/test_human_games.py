"""Twenty recorded games of human play, phase by phase: the recorded orders lead to the recorded positions."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from grandstand.games.diplomacy.record.saved_game import read_saved_game
from grandstand.games.diplomacy.rules.state import RETREATS, WINTER
from tests.support.diplomacy.human_games import DECLARED, GAMES
from tests.support.diplomacy.lockstep import comparable


@pytest.mark.parametrize("saved", GAMES, ids=lambda saved: str(saved["id"]))
def test_recorded_positions_follow_from_recorded_orders(saved: dict[str, Any]) -> None:
    """The site also records retreat phases in which no unit has a way out, which are passed over here, and a last
    winter without orders where the game was broken off."""
    phases = [phase for phase in read_saved_game(saved) if phase.state.phase not in RETREATS or phase.state.to_act()]
    checked = 0
    for phase, following in itertools.pairwise(phases):
        if phase.state.phase == WINTER and not phase.book.orders:
            continue
        played = phase.state.resolve(phase.book.orders)
        agrees = comparable(played.after.to_json()) == comparable(following.state.to_json())
        assert agrees != ((saved["id"], phase.state.name) in DECLARED), phase.state.name
        checked += 1
    assert checked > 28


def test_the_orders_are_legal_here() -> None:
    """But for one fleet that two convoys did not need."""
    void = [unit for saved in GAMES for phase in read_saved_game(saved) for unit in phase.book.void]
    assert void == ["F ENG", "F ENG"]


def test_declared_phases_exist() -> None:
    assert DECLARED.keys() <= {(saved["id"], phase["name"]) for saved in GAMES for phase in saved["phases"]}
