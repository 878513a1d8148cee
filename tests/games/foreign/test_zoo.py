"""The classic games of PettingZoo are played, copied and verified like ours, and keep their secrets."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from tests.support.requirements import package

package("pettingzoo")

from grandstand.games import checks  # noqa: E402
from grandstand.games.base import OptionError  # noqa: E402
from grandstand.games.choices import Pick  # noqa: E402
from grandstand.games.foreign.game import MoveMade  # noqa: E402
from grandstand.games.foreign.pictures.draw import draw  # noqa: E402
from grandstand.games.foreign.zoo import GAME  # noqa: E402
from grandstand.games.foreign.zoo_game import ZooGame, new_environment  # noqa: E402
from grandstand.games.foreign.zoo_words import CLASSIC  # noqa: E402
from grandstand.games.match import Match  # noqa: E402
from grandstand.games.registry import game_spec  # noqa: E402
from grandstand.games.spec import match_title  # noqa: E402


def zoo(name: str, seed: int = 0) -> Match[ZooGame]:
    return Match(GAME, {"game": name}, seed)


def played(match: Match[ZooGame], moves: int, seed: int = 0) -> Match[ZooGame]:
    rng = Random(seed)
    while not match.over and sum(map(match.number, match.seats)) < moves:
        seat = match.waiting[0]
        match.apply(seat, match.game.random_action(seat, rng))
    return match


def offered(game: ZooGame) -> list[str]:
    """Return the words of the seat that moves next."""
    slot = game.offered(game.to_act()[0])
    assert isinstance(slot, Pick)
    return [option.word for option in slot.options]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long if name == "chess_v6" else ())
        for name in CLASSIC
        if name != "go_v5"  # its matches have hundreds of moves, and the checks take minutes
    ],
)
def test_it_keeps_what_every_game_must(name: str) -> None:
    checks.check(GAME, {"game": name}, seeds=range(1))


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long if name in ("chess_v6", "go_v5") else ()) for name in CLASSIC],
)
def test_points_stay_on_the_scale_that_is_stated(name: str) -> None:
    words = CLASSIC[name]
    for seed in range(5):
        match = played(zoo(name, seed), 1000, seed)
        points = match.game.returns()
        assert match.over
        assert all(words.low <= each <= words.high for each in points), points
        assert words.total is None or sum(points) == pytest.approx(words.total)


@pytest.mark.parametrize("name", CLASSIC)
def test_a_copy_and_a_pickled_one_go_on_alike(name: str) -> None:
    game = played(zoo(name, 5), 4).game
    ends = []
    for each in (game.clone(), pickle.loads(pickle.dumps(game)), game):
        rng = Random(1)
        for _ in range(6):
            if each.outcome is None:
                seat = each.to_act()[0]
                each.apply(seat, each.random_action(seat, rng))
        ends.append((each.digest(), [each.seen(seat) for seat in each.seats], list(each.returns())))
    assert ends[0] == ends[1] == ends[2]


@pytest.mark.parametrize("name", CLASSIC)
def test_the_seats_of_a_game_are_the_librarys(name: str) -> None:
    assert GAME.seats({"game": name}) == tuple(new_environment(name).possible_agents)


def test_it_is_registered_and_starts_by_its_option() -> None:
    spec = game_spec("pettingzoo")
    assert spec is GAME
    assert match_title(spec, {"game": "rps_v2"}) == "Rock Paper Scissors"
    with pytest.raises(OptionError, match="no 'pong_v3' to play"):
        zoo("pong_v3")


def test_moves_have_the_words_of_their_games() -> None:
    words = {name: offered(zoo(name).game) for name in CLASSIC}
    assert "e2e4" in words["chess_v6"]
    assert "pass" in words["go_v5"]
    assert words["connect_four_v3"][0] == "column 1"
    assert words["tictactoe_v3"][1] == "row 2, column 1"
    assert words["rps_v2"] == ["rock", "paper", "scissors"]
    assert "call" in words["texas_holdem_v4"]


def test_the_board_is_the_words() -> None:
    game = zoo("tictactoe_v3").game
    game.apply(game.to_act()[0], {"move": "row 2, column 1"})
    game.apply(game.to_act()[0], {"move": "row 1, column 3"})
    assert game.common() == ". . O\nX . .\n. . ."


def test_black_moves_from_its_own_side() -> None:
    game = zoo("chess_v6").game
    game.apply(game.to_act()[0], {"move": "e2e4"})
    assert "e7e5" in offered(game)


def test_throws_stay_sealed_until_both_are_made() -> None:
    match = zoo("rps_v2")
    first, second = match.waiting
    before = match.game.observation(second)
    assert [each for each in match.apply(first, {"move": "rock"}) if isinstance(each, MoveMade)] == []
    assert match.game.observation(second) == before
    events = match.apply(second, {"move": "paper"})
    assert [(each.seat, each.move) for each in events if isinstance(each, MoveMade)] == [
        (first, "rock"),
        (second, "paper"),
    ]
    assert list(match.game.returns()) == [-1.0, 1.0]


def test_a_hand_is_known_to_its_seat_alone() -> None:
    game = zoo("texas_holdem_v4", 3).game
    hands = [game.env.env.get_state(player)["raw_obs"]["hand"] for player in range(2)]
    for player, seat in enumerate(game.seats):
        assert all(card in game.seen(seat) for card in hands[player])
        assert not any(card in game.seen(seat).split("\n")[0] for card in hands[1 - player])
    assert game.common() == ""


@pytest.mark.parametrize("name", ["chess_v6", "connect_four_v3", "go_v5", "tictactoe_v3"])
def test_a_move_is_chosen_at_the_square_that_it_changes(name: str) -> None:
    match, rng = zoo(name), Random(1)
    for _ in range(7):
        seat = match.waiting[0]
        slot = match.game.offered(seat)
        assert isinstance(slot, Pick)
        option = rng.choice([option for option in slot.options if option.target])
        match.apply(seat, {"move": option.word})
        owners = {thing.at: thing.owner for thing in draw(match.game, None).things}
        assert owners[option.target.split()[-1]] == seat, option


def test_hanabi_shows_a_seat_all_hands_but_its_own() -> None:
    game = zoo("hanabi_v5", 3).game
    shown = {viewer: draw(game, viewer).things for viewer in (None, *game.seats)}
    for viewer in game.seats:
        hidden = {thing.owner for thing in shown[viewer] if thing.state == "hidden"}
        assert hidden == {viewer}
    assert not any(thing.label for thing in shown[None])
