import asyncio

import pytest

from grandstand.games import catalog, registry
from grandstand.games.base import IllegalAction, OptionError
from grandstand.games.match import Match
from grandstand.games.spec import GameSpec
from grandstand.play.headless import MatchPlan, play_match
from grandstand.players.roster import roster_of
from grandstand.server.game_list import game_info
from tests.support.games.ring import GAME


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> GameSpec:
    monkeypatch.setitem(catalog.GAMES, "ring", "tests.support.games.ring")
    return registry.game_spec("ring")


def test_the_seats_of_a_match_are_those_of_its_options() -> None:
    assert GAME.seats() == ("north", "east")
    assert GAME.seats({"size": 4}) == ("north", "east", "south", "west")
    match = Match(GAME, {"size": 3}, 1)
    assert match.seats == match.fork().seats == ("north", "east", "south")
    with pytest.raises(IllegalAction, match="no seat 'west'; there are north, east, south"):
        match.apply("west", {"number": 1})


def test_an_unknown_option_is_named_by_the_seats_too() -> None:
    with pytest.raises(OptionError, match=r"options.sise: ring has no such option; there are size"):
        GAME.seats({"sise": 4})


def test_a_match_of_more_seats_than_usual_is_played(ring: GameSpec) -> None:
    result = asyncio.run(play_match(MatchPlan("ring-1", ring.name, ("random",) * 4, {"size": 4}, seed=1)))
    assert result.status == "finished"
    assert list(result.scores) == ["north", "east", "south", "west"]


def test_the_list_of_games_has_the_seats_for_each_choice_that_they_depend_on(ring: GameSpec) -> None:
    info = game_info(ring, roster_of(None))
    assert info.seats == ["north", "east"]
    assert info.seats_by == {"size": {"2": ["north", "east"], "3": ["north", "east", "south"],
                                      "4": ["north", "east", "south", "west"]}}  # fmt: skip
    assert game_info(registry.game_spec("cricket"), roster_of(None)).seats_by == {}
