"""Every registered game is one that keeps what every game must keep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from grandstand.games.checks import check_choices, check_defaults
from grandstand.games.registry import GAMES, game_spec

SHORT: dict[str, Mapping[str, Any]] = {"cricket": {"overs": 2}, "diplomacy": {"last_year": 1902}}
"""Options for short matches."""


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", sorted(GAMES))
def test_it_is_played_by_choices_alone(name: str, seed: int) -> None:
    check_choices(game_spec(name), SHORT.get(name, {}), seed)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_default_answer_is_legal_at_every_moment(name: str) -> None:
    check_defaults(game_spec(name), SHORT.get(name, {}))
