"""Games of TextArena are played, copied and repeated like ours, with their own rules on moves that are refused."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.support.requirements import installed

installed("textarena")

from grandstand.games import checks  # noqa: E402
from grandstand.games.base import OptionError  # noqa: E402
from grandstand.games.foreign.arena import GAME  # noqa: E402
from grandstand.games.foreign.arena_game import ArenaMatch, MoveRefused, TextShown  # noqa: E402
from grandstand.games.foreign.arena_moves import PLAYED  # noqa: E402
from grandstand.games.foreign.game import MoveMade  # noqa: E402
from grandstand.games.match import Match  # noqa: E402
from grandstand.games.registry import game_spec  # noqa: E402
from grandstand.games.story import Comment, Fact, StoryEvent  # noqa: E402
from grandstand.play.headless import MatchPlan, play_match  # noqa: E402
from grandstand.play.verification import verify  # noqa: E402
from grandstand.spectator.replay import from_lines  # noqa: E402

WORDS = """
from random import Random
from grandstand.games.foreign.arena import GAME
from grandstand.games.match import Match
for name in %r:
    match, rng = Match(GAME, {"game": name}, 5), Random(5)
    for _ in range(%d):
        if not match.over:
            seat = match.waiting[0]
            match.apply(seat, match.game.random_action(seat, rng))
    print(name, [match.game.seen(seat) for seat in match.seats], list(match.game.returns()))
"""

LOADING = """
import threading
from grandstand.games.foreign.arena_library import environments, new_environment
start, games = threading.Barrier(4), []
def load():
    start.wait()
    games.append((len(environments()), new_environment("Hangman-v0", 1)))
threads = [threading.Thread(target=load) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(games))
"""


def arena(name: str, seed: int = 0) -> Match[ArenaMatch]:
    return Match(GAME, {"game": name}, seed)


def said_in_a_process(names: list[str], moves: int, hash_seed: str) -> str:
    """Return what the seats are shown in matches of a process whose sets have another order."""
    program = [sys.executable, "-c", WORDS % (names, moves)]
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    return subprocess.run(program, env=environment, capture_output=True, text=True, check=True).stdout


def test_threads_may_load_the_library_at_once() -> None:
    program = [sys.executable, "-c", LOADING]
    assert subprocess.run(program, capture_output=True, text=True, check=True).stdout == "4\n"


@pytest.mark.parametrize("name", ["KuhnPoker", "IteratedPrisonersDilemma", "Snake", "Hangman"])
def test_it_keeps_what_every_game_must(name: str) -> None:
    checks.check(GAME, {"game": name}, seeds=range(1))


def test_a_match_is_its_seed_and_moves_whatever_else_draws() -> None:
    state = random.getstate()
    one, two, rng = arena("Poker", 4), arena("Poker", 4), Random(1)
    assert random.getstate() == state
    while not one.over:
        action = one.game.random_action(one.waiting[0], rng)
        random.seed(0)
        events = [match.apply(match.waiting[0], action) for match in (one, two)]
        assert events[0] == events[1]
    assert arena("Poker", 5).opening() != arena("Poker", 4).opening()


def test_a_fork_with_another_seed_has_other_luck() -> None:
    match = arena("PigDice")
    ends = set()
    for seed in range(6):
        twin = match.fork()
        twin.reseed(seed)
        twin.apply(twin.waiting[0], {"move": "[roll]"})
        ends.add(twin.game.seen("player_0"))
        assert GAME.rules.load(twin.game.to_json()).seen("player_0") == twin.game.seen("player_0")
    assert len(ends) > 1


@pytest.mark.long
def test_every_game_is_the_same_in_every_process() -> None:
    names = [name for name in PLAYED if name != "SettlersOfCatan"]  # which takes minutes
    one, two = (said_in_a_process(names, 8, seed).splitlines() for seed in "12")
    assert [line for line, other in zip(one, two, strict=True) if line != other] == []


def test_a_second_refused_move_loses_and_is_told() -> None:
    match = arena("TicTacToe")
    seat = match.waiting[0]
    events = match.apply(seat, {"move": "the middle"})
    refused = [each for each in events if isinstance(each, MoveRefused)]
    assert [(each.seat, each.final) for each in refused] == [(seat, False)]
    assert match.waiting == (seat,)
    events = match.apply(seat, {"move": "[9]"})
    (last,) = [each for each in events if isinstance(each, MoveRefused)]
    assert last.final
    assert match.game.outcome is not None
    assert match.game.outcome.scores == {"player_0": 0.0, "player_1": 1.0}
    data = {"seat": last.seat, "reason": last.reason, "final": True, "public": True}
    telling = GAME.teller("x").tell([StoryEvent(9, "MoveRefused", data)])
    assert [type(each) for each in telling] == [Fact, Comment]


def test_a_hand_is_shown_to_its_seat_alone() -> None:
    events = arena("KuhnPoker").opening()
    shown = [each for each in events if isinstance(each, TextShown) and "card is" in each.text]
    assert {tuple(each.to) for each in shown} == {("player_0",), ("player_1",)}
    assert all(each.seats() for each in shown)


def test_a_sealed_decision_is_known_to_its_seat_alone() -> None:
    match, other = arena("IteratedMatchingPennies"), arena("IteratedMatchingPennies")
    (made,) = [each for each in match.apply("player_0", {"move": "heads"}) if isinstance(each, MoveMade)]
    other.apply("player_0", {"move": "tails"})
    assert made.seats() == frozenset({"player_0"})
    assert match.game.observation("player_1") == other.game.observation("player_1")


def test_a_record_is_played_again_to_the_same_events(tmp_path: Path) -> None:
    plan = MatchPlan("arena-1", "textarena", ("random", "random"), {"game": "Golf"}, seed=3, folder=tmp_path)
    assert asyncio.run(play_match(plan)).status == "finished"
    with (tmp_path / "arena-1.jsonl").open() as file:
        verify(from_lines(file).events)


def test_it_is_registered_and_names_what_it_has_not() -> None:
    assert game_spec("textarena") is GAME
    assert len(GAME.seats({"game": "Snake", "seats": 4})) == 4
    for options, words in (
        ({"game": "Debate"}, "language models of a paid service"),
        ({"game": "TicTacToe", "seats": 3}, "TicTacToe has 2 to 2"),
        ({"game": "Hangman", "variant": "soft"}, "there are hardcore"),
    ):
        with pytest.raises(OptionError, match=words):
            GAME.seats(options)
