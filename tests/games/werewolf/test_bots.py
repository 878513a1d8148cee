"""The built-in players, in whole matches."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest

from grandstand.games.werewolf.bots import BOTS, BY_NAME, bot, showcase
from grandstand.games.werewolf.bots.minds import Character
from grandstand.games.werewolf.game import WerewolfGame
from grandstand.games.werewolf.options import WerewolfOptions
from grandstand.games.werewolf.speech import LONGEST

LINE_UP = 400
"""Matches of the showcase's line-up."""


def played(seed: int, size: int = 8) -> WerewolfGame:
    """Return a match of the showcase's players, played to its end."""
    game = WerewolfGame(WerewolfOptions(seats=size), seed)
    names = [*showcase(Random(seed)), "ledger"]
    players = dict(zip(game.seats, names[:size], strict=True))
    count = 0
    while not game.outcome:
        seat, count = game.to_act()[0], count + 1
        game.apply(seat, BOTS[players[seat]](game, seat, Random(f"{seed}/{count}")))
    return game


def test_the_showcase_has_eight_different_characters() -> None:
    assert len(set(showcase(Random(1)))) == 8
    assert showcase(Random(1)) != showcase(Random(2))
    assert {name for seed in range(20) for name in showcase(Random(seed))} == set(BY_NAME)


@pytest.mark.parametrize("size", [8, 9])
def test_characters_play_whole_matches_alike_each_time(size: int) -> None:
    for seed in range(5):
        assert played(seed, size).digest() == played(seed, size).digest()


def test_what_they_say_is_short_and_seldom_said_twice() -> None:
    sentences = said = 0
    for seed in range(20):
        texts = [speech["text"] for speech in played(seed).speeches]
        assert all(0 < len(text) <= LONGEST for text in texts)
        sentences, said = sentences + len(texts), said + len(set(texts))
    assert said > 0.97 * sentences


def test_wolves_agree_on_whom_to_attack() -> None:
    for seed in range(10):
        assert all(len(set(attack["named"].values())) == 1 for attack in played(seed).attacks)


@pytest.mark.long
def test_a_seer_who_finds_a_wolf_says_so() -> None:
    told = 0
    for game in map(played, range(40)):
        seer = next(seat for seat in game.seats if game.roles[seat] == "seer")
        found = [check for check in game.checks if check["wolf"] and seer in game.alive]
        for check in found:
            acts = [act for speech in game.speeches if speech["seat"] == seer for act in speech["acts"]]
            told += f"saw {check['target']} wolf" in acts
            assert f"saw {check['target']} wolf" in acts or check["target"] not in game.alive
    assert told


def test_only_wolves_lie() -> None:
    for game in map(played, range(30)):
        liars = {lie.split(",")[0] for lie in game.lies}
        assert all(game.roles[seat] == "wolf" for seat in liars)


@pytest.mark.long
def test_the_village_wins_about_as_often_as_the_wolves_in_the_showcase() -> None:
    share = sum(played(seed).winner == "village" for seed in range(LINE_UP)) / LINE_UP
    assert 0.5 < share < 0.64


@pytest.mark.long
@pytest.mark.parametrize(
    ("judges", "plan", "share"),
    [("exact", "counter", 0.64), ("exact", "bus", 0.47), ("naive", "counter", 0.20)],
)
def test_skill_and_plans_decide_who_wins(judges: str, plan: str, share: float) -> None:
    matches = 150
    play = bot(Character("x", judges, plan, 0.4, 2))
    won = 0
    for seed in range(matches):
        game = WerewolfGame(WerewolfOptions(), seed)
        while not game.outcome:
            seat = game.to_act()[0]
            game.apply(seat, play(game, seat, Random(f"{seed}/{seat}/{game.turn}")))
        won += game.winner == "village"
    assert abs(won / matches - share) < 3 * sqrt(share * (1 - share) / matches)
