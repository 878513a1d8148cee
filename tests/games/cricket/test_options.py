"""Options that begin a match in the middle."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from grandstand.games.base import OptionError
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.match.observation import public_state
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.packs import pack
from grandstand.games.match import Match
from grandstand.games.registry import game_spec


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"pack": "nope"}, "pack: unknown 'nope'; there are default"),
        ({"pack": "default", "scenario": "nope"}, "scenario: default has no 'nope'"),
        ({"scenario": "1-1-1"}, "scenario: '1-1-1' needs a pack"),
        ({"pack": "default", "overs": 10}, "overs: the situations of default are of 20 overs"),
        ({"pack": "five-over", "rain": "random"}, "rain: must be none"),
        ({"random_start": "yes"}, "random_start: must be true or false"),
        ({"win_probability": 1}, "win_probability: must be true or false"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(OptionError, match="options." + complaint):
        Match(game_spec("cricket"), options, 0)


def test_a_random_start_is_drawn_by_the_seed() -> None:
    options = CricketOptions(random_start=True)
    assert options.pack == "default"
    drawn = [options.start(seed) for seed in range(40)]
    assert drawn == [options.start(seed) for seed in range(40)]
    assert len({scenario.id for scenario in drawn if scenario}) > 20
    assert CricketOptions(random_start=True, pack="chase-30").start(4) in pack("chase-30").scenarios
    assert CricketOptions().start(4) is None


def test_a_pack_sets_its_overs_and_survives_a_save() -> None:
    options = CricketOptions(pack="five-over")
    assert options.overs == 5
    assert CricketOptions(**asdict(options)) == options
    game = CricketGame(CricketOptions(pack="chase-30"), 3)
    again = CricketGame.load(game.to_json())
    assert again.digest() == game.digest()
    assert again.opening() == game.opening()


def test_the_state_says_where_a_match_began() -> None:
    drawn = CricketOptions(pack="chase-30").start(3)
    assert drawn is not None
    assert public_state(CricketGame(CricketOptions(pack="chase-30"), 3).state)["format"]["situation"] == {
        "pack": "chase-30",
        "title": drawn.title,
    }
    assert public_state(CricketGame(CricketOptions(), 3).state)["format"]["situation"] is None
