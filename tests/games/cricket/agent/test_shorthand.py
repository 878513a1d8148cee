"""The moment in few words: a closed vocabulary, nothing hidden, the public part first."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from grandstand.games.base import Action
from grandstand.games.cricket.agent.shorthand import earlier_shorthand, earlier_vocabulary, shorthand, vocabulary
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.packs import PACKS
from grandstand.games.cricket.simulate import play_match
from tests.support.cricket.calls import PLAY, began


def test_what_is_said_before_and_between_balls() -> None:
    game = CricketGame(CricketOptions(overs=6), 3)
    assert shorthand(game, game.to_act()[0]) == "toss overs_5"
    game = began()
    assert shorthand(game, "home") == (
        "first powerplay overs_5 left_30 ball_1 hand_10 over_0 price_6 striker nobody other nobody bowling nobody "
        "pp_attack outside_2 bats"
    )
    game.apply("home", PLAY)
    spoken = shorthand(game, "away")
    assert spoken.split(" bowls next ")[0].endswith("bowling nobody pp_attack outside_2")
    assert "striker batter_0 set_0 " in spoken
    assert "other batter_1 set_0 " in spoken


def test_the_bowlers_to_choose_from_are_told_cheapest_first() -> None:
    game = began()
    game.apply("home", PLAY)
    team = game.state.teams[1]
    emitted = shorthand(game, "away").split(" next ")[1].split()
    assert len(emitted) == 3 * 6
    places = [int(word.removeprefix("bowler_")) for word in emitted[::3]]
    figures = [team.players[place].season["econ"][0] for place in places]
    assert sorted(places) == [5, 6, 7, 8, 9, 10]
    assert figures == sorted(figures)
    assert emitted[1::3] == [team.players[place].group for place in places]
    assert set(emitted[2::3]) == {"spare_1"}


def test_what_is_called_often_is_told_with_its_number() -> None:
    """The fourth of a length, a line or a variation is nearly as many as batters begin to wait for."""
    game = began(overs=20)
    game.apply("home", PLAY)
    game.apply("away", {"tool": "choose_bowler", "arguments": {"bowler": game.state.teams[1].players[9].name}})
    call = {"length": "yorker", "line": "stumps", "variation": "cutter"}
    texts: list[tuple[str, str]] = []
    while len(texts) < 6:
        seat = game.to_act()[0]
        if seat == "away" and game.state.stage == "play":
            texts.append((shorthand(game, seat), earlier_shorthand(game, seat)))
            game.apply(seat, {"tool": "bowl_delivery", "arguments": call})
        else:
            game.apply(seat, game.default_action(seat))
    for balls, (text, earlier) in enumerate(texts):
        counted = f" yorker called_{balls} stumps called_{balls} cutter called_{balls} "
        assert ("called" in text, counted in text) == ((True, True) if balls >= 4 else (False, False))
        repeated = f" read yorker times_{balls} read cutter times_{balls} "
        assert ("read" in earlier, repeated in earlier) == ((True, True) if balls >= 3 else (False, False))


def test_a_wicket_costs_more_in_a_chase_that_runs_alone_can_win() -> None:
    game = began(overs=20)
    game.apply("home", PLAY)
    prices = []
    for need in (200, 140):
        game.state.now.target = game.state.now.runs + need
        words = shorthand(game, "home").split()
        prices.append(next(int(word.removeprefix("price_")) for word in words if word.startswith("price_")))
    assert prices[0] < prices[1]


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(12))
def test_only_known_words_and_few_of_them(seed: int) -> None:
    rng = Random(seed)
    options = (
        CricketOptions(pack=PACKS[seed % len(PACKS)]) if seed % 2 else CricketOptions(overs=rng.choice((1, 7, 21)))
    )
    lengths = []

    def captain(game: CricketGame, seat: str, rng: Random) -> Action:
        spoken = shorthand(game, seat).split(" ")
        assert set(spoken) <= set(vocabulary())
        assert set(earlier_shorthand(game, seat).split(" ")) <= set(earlier_vocabulary())
        lengths.append(len(spoken))
        return BOTS["random"](game, seat, rng)

    play_match(replace(options, win_probability=False), seed, captain, captain)
    assert max(lengths) <= 50
    assert sum(lengths) / len(lengths) < 35


def test_nothing_hidden_is_said() -> None:
    """Abilities, the luck to come, the other side's plan and its call for this ball change no word."""
    game, rng, observed = began(seed=5), Random(5), 0
    while game.state.result is None:
        seat = game.to_act()[0]
        if game.state.stage == "review":  # what it is about has been bowled
            game.apply(seat, game.default_action(seat))
            continue
        other = 1 - ("home", "away").index(seat)
        twin = game.clone()
        abilities: dict[str, Any] = {"batting": 2.0, "bowling": -2.0, "liking": (1.0, 0.0, -1.0), "accuracy": 1.4}
        home, away = (
            replace(team, players=tuple(replace(p, **abilities) for p in team.players)) for team in twin.state.teams
        )
        twin.state.teams = home, away
        twin.state.plans[other] = {"over": twin.state.now.over, "intent": "slog", "length": "yorker"}
        twin.reseed(99)
        twin.state.choices[other] = {"length": "bouncer"} if twin.state.choices[other] is None else None
        assert shorthand(twin, seat) == shorthand(game, seat)
        observed += 1
        game.apply(seat, BOTS["random"](game, seat, rng))
    assert observed > 50


def test_the_seats_say_the_same_up_to_what_they_are() -> None:
    game, rng, observed = began(seed=6), Random(6), 0
    while game.state.result is None:
        home, away = shorthand(game, "home"), shorthand(game, "away")
        if game.state.stage == "play":
            bats, bowls = (home, away) if game.state.now.batting_side == 0 else (away, home)
            public = bats.removesuffix(" bats")
            assert bowls.removeprefix(public).startswith(" bowls")
            observed += 1
        seat = game.to_act()[0]
        game.apply(seat, BOTS["random"](game, seat, rng))
    assert observed > 50


def test_numbers_are_told_by_the_bucket_below() -> None:
    game = began(overs=20)
    game.apply("home", PLAY)
    game.state.now.runs, game.state.now.legal, game.state.now.target = 47, 37, 200
    spoken = shorthand(game, "home").split()
    assert {"left_80", "ball_2", "rate_7", "need_130", "asked_11", "chase", "over_24"} <= set(spoken)
