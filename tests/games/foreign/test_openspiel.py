"""Games of OpenSpiel are played, watched, copied and verified like ours, and keep their secrets."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grandstand.games import checks, choices
from grandstand.games.base import OptionError
from grandstand.games.match import Match
from grandstand.games.picture import PictureSeen
from grandstand.games.registry import game_spec
from grandstand.games.spec import match_title
from grandstand.play.headless import MatchPlan, play_match
from tests.support.requirements import package

pyspiel = package("pyspiel")

from grandstand.games.foreign.game import ChanceDrawn, MoveMade  # noqa: E402
from grandstand.games.foreign.openspiel import GAME, NAMES, mcts  # noqa: E402
from grandstand.games.foreign.openspiel_game import SpielGame  # noqa: E402
from grandstand.games.foreign.openspiel_limits import LIMITS  # noqa: E402

DYNAMICS: Mapping[str, str] = {
    "tic_tac_toe": "one after the other, no chance",
    "backgammon": "dice that all see",
    "kuhn_poker": "secrets, and moves in the open",
    "phantom_ttt": "secret moves",
    "goofspiel": "all at once",
    "matrix_pd": "all at once, and once",
    "negotiation": "chance inside the library",
    "tiny_hanabi": "one score for all",
    "catch": "one player",
    "hearts": "four players",
}


def spiel(name: str, seed: int = 0, parameters: str = "") -> Match[SpielGame]:
    return Match(GAME, {"game": name, "parameters": parameters}, seed)


def played(match: Match[SpielGame], moves: int, seed: int = 0) -> Match[SpielGame]:
    rng = Random(seed)
    for _ in range(moves):
        if match.over:
            break
        seat = match.waiting[0]
        match.apply(seat, match.game.random_action(seat, rng))
    return match


@pytest.mark.few(5)
@pytest.mark.parametrize("name", DYNAMICS)
def test_it_keeps_what_every_game_must(name: str) -> None:
    checks.check(GAME, {"game": name}, seeds=range(1))


def test_it_is_registered_and_starts_by_its_option() -> None:
    spec = game_spec("openspiel")
    assert spec is GAME
    assert spec.seats({"game": "hearts"}) == ("player_0", "player_1", "player_2", "player_3")
    assert spec.seats({"game": "kuhn_poker", "parameters": "players=5"})[-1] == "player_4"
    assert match_title(spec, {"game": "hex"}) == "Hex"
    assert len(NAMES) >= 105


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"game": "nothing"}, "no 'nothing'"),
        ({"game": "efg_game"}, "reads a file"),
        ({"game": "hex", "parameters": "board_size=900"}, "from 2 to 19"),
        ({"game": "hanabi", "parameters": "hand_size=30"}, "hand_size"),
        ({"game": "crossword"}, "legal moves"),
        ({"game": "bargaining", "parameters": "instances_file=/etc/passwd"}, "instances_file"),
    ],
)
def test_an_option_that_cannot_be_is_refused_by_name(options: Mapping[str, Any], word: str) -> None:
    with pytest.raises(OptionError, match=word):
        Match(GAME, options, 0)


@pytest.mark.long
@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("end", [0, 1])
def test_the_ends_of_all_parameters_play(name: str, end: int) -> None:
    parameters = ",".join(f"{each}={ends[end]}" for each, ends in LIMITS[name].items())
    match = played(spiel(name, parameters=parameters), 40)
    assert match.over or sum(map(match.number, match.seats)) == 40


def test_moves_that_are_made_at_once_stay_sealed() -> None:
    match = spiel("goofspiel")
    seat = match.waiting[0]
    before = match.game.observation(match.seats[1])
    events = match.apply(seat, match.game.default_action(seat))
    assert [each for each in events if isinstance(each, MoveMade)] == []
    assert match.game.observation(match.seats[1]) == before
    events = match.apply(match.waiting[0], match.game.default_action(match.waiting[0]))
    assert len([each for each in events if isinstance(each, MoveMade)]) == 2


def test_a_secret_move_is_known_to_its_seat_alone() -> None:
    match = spiel("phantom_ttt")
    events = match.apply("player_0", match.game.default_action("player_0"))
    moves = [each for each in events if isinstance(each, MoveMade)]
    assert [each.seats() for each in moves] == [frozenset({"player_0"})]
    assert {each.seat for each in events if isinstance(each, PictureSeen)} == {"player_0"}
    assert "x" not in match.game.seen("player_1")


def test_a_dealt_card_is_in_no_public_event() -> None:
    opening = spiel("kuhn_poker").opening()
    assert not [each for each in opening if isinstance(each, ChanceDrawn)]
    cards = {each.seat: each for each in opening if isinstance(each, PictureSeen)}
    assert set(cards) == {"player_0", "player_1"}


@pytest.mark.parametrize("name", ["backgammon", "tarok", "stones_and_gems", "goofspiel", "kuhn_poker"])
def test_a_copy_a_written_one_and_a_pickled_one_go_on_alike(name: str) -> None:
    match = played(spiel(name, seed=5), 9)
    game = match.game
    copies = [game.clone(), SpielGame.load(game.to_json()), pickle.loads(pickle.dumps(game))]
    ends = []
    for each in [game, *copies]:
        rng = Random(1)
        for _ in range(60):
            if not each.to_act():
                break
            each.apply(each.to_act()[0], each.random_action(each.to_act()[0], rng))
        ends.append((each.digest(), each.truth()))
    assert len(set(ends)) == 1


def test_chance_follows_the_seed_and_a_new_seed_changes_what_is_to_come() -> None:
    one, same, other = spiel("backgammon", 1), spiel("backgammon", 1), spiel("backgammon", 2)
    assert one.game.opened == same.game.opened
    assert {played(each, 6).game.truth() for each in (one, same)} == {one.game.truth()}
    assert played(other, 6).game.truth() != one.game.truth()
    fork = one.fork()
    fork.reseed(77)
    assert played(fork, 6, 3).game.truth() != played(one, 6, 3).game.truth()


def test_scores_are_shares_where_points_always_sum_to_the_same() -> None:
    for name in ("tic_tac_toe", "kuhn_poker", "hearts", "backgammon", "tiny_hanabi"):
        outcome = played(spiel(name), 2000).game.outcome
        assert outcome is not None
        assert all(0 <= score <= 1 for score in outcome.scores.values())
        if name in ("tic_tac_toe", "kuhn_poker", "backgammon"):
            assert sum(outcome.scores.values()) == pytest.approx(1)


def test_the_search_wins_from_a_won_position_and_beats_random_play() -> None:
    match = spiel("tic_tac_toe")
    for move in ("x(0,0)", "o(2,0)", "x(0,1)", "o(2,1)"):
        match.apply(match.waiting[0], {"move": move})
    assert mcts(match.game, "player_0", Random(1)) == {"move": "x(0,2)"}
    points = 0.0
    for seed in range(6):
        match = spiel("connect_four", seed)
        while not match.over:
            seat = match.waiting[0]
            player = mcts if seat == "player_0" else SpielGame.random_action
            match.apply(seat, player(match.game, seat, match.rng(seat)))
        points += match.game.scores()["player_0"]
    assert points >= 5


def test_the_search_knows_no_more_than_its_seat() -> None:
    for seed in range(3):
        match = played(spiel("leduc_poker", seed), 2)
        seat, other = match.waiting[0], next(each for each in match.seats if each != match.waiting[0])
        twin = next(
            each
            for each in (played(spiel("leduc_poker", number), 2) for number in range(seed + 1, 500))
            if each.waiting == match.waiting
            and each.game.seen(seat) == match.game.seen(seat)
            and each.game.seen(other) != match.game.seen(other)
        )
        assert len({str(mcts(each, seat, Random(4))) for each in (match.game, twin.game, match.game, twin.game)}) == 1


def test_the_search_beats_random_play_where_cards_are_secret() -> None:
    points = 0.0
    for seed in range(60):
        match = spiel("leduc_poker", seed)
        while not match.over:
            seat = match.waiting[0]
            player = mcts if seat == match.seats[seed % 2] else SpielGame.random_action
            match.apply(seat, player(match.game, seat, match.rng(seat)))
        points += match.game.returns()[seed % 2]
    assert points > 30


def test_a_match_is_recorded_and_verified(tmp_path: Path) -> None:
    plan = MatchPlan("spiel-1", "openspiel", ("random", "random"), {"game": "connect_four"}, seed=3)
    result = asyncio.run(play_match(plan))
    assert result.status == "finished"
    assert sum(result.scores.values()) == pytest.approx(1)


def test_every_choice_has_a_word_of_its_own() -> None:
    for name in ("gin_rummy", "go_fish", "backgammon", "quoridor", "hive"):
        match = spiel(name)
        for _ in range(30):
            if match.over:
                break
            seat = match.waiting[0]
            slots = match.game.choices(seat, {})
            words = [option.word for slot in slots if isinstance(slot, choices.Pick) for option in slot.options]
            assert len(words) == len(set(words))
            match.apply(seat, match.game.random_action(seat, match.rng(seat)))
