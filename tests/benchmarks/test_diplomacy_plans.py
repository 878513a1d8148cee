"""The worth of orders against players who search."""

from __future__ import annotations

import pytest

from benchmarks import diplomacy_plans
from grandstand.games.diplomacy.bots import BOTS
from grandstand.games.diplomacy.rules.state import FALL, SPRING


@pytest.mark.long
def test_players_meet_the_same_orders_and_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diplomacy_plans, "DRAWS", 1)
    monkeypatch.setattr(diplomacy_plans, "SEASONS", (1, 1))
    game = diplomacy_plans.position(3)
    assert game is not None
    assert game.state.phase in (SPRING, FALL)
    players = {"hold": BOTS["hold"], "twin": BOTS["hold"], "search-fast": BOTS["search-fast"]}
    worths = {name: worth for name, (worth, _) in diplomacy_plans.worths(game, 3, players).items()}
    assert worths["hold"] == worths["twin"]
    assert 0 <= worths["hold"] <= worths["search-fast"] <= 1
