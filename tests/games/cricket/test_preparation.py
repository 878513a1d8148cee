"""A match that is prepared before each move never builds a table inside a move."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from grandstand.games.cricket.bots.heuristic import heuristic
from grandstand.games.cricket.bots.neutral import neutral
from grandstand.games.cricket.bots.simple import random_captain
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.rules import CONDITIONS, format_rules, super_over_rules
from grandstand.games.cricket.model import average, win_probability
from grandstand.games.cricket.model.table_cache import BLOCKS, TABLES
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.preparation import preparation


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The balls that are worked out, by legal ball of the innings."""
    done: list[int] = []
    one_ball = win_probability.WinProbability._one_ball

    def counted(self: win_probability.WinProbability, legal: int, *rest: Any) -> Any:
        done.append(legal)
        return one_ball(self, legal, *rest)

    monkeypatch.setattr(win_probability.WinProbability, "_one_ball", counted)
    forget()
    yield done
    forget()


def forget() -> None:
    TABLES.clear()
    BLOCKS.clear()
    win_probability.win_probability.cache_clear()
    win_probability.super_over.cache_clear()


@pytest.mark.long
@pytest.mark.parametrize("captain", [neutral, random_captain, heuristic])
@pytest.mark.parametrize(
    "options",
    [
        {"overs": 3},
        {"overs": 8, "rain": "1@3->6"},
        {"overs": 8, "rain": "1@5->5"},
        {"overs": 8, "rain": "2@2->5"},
        {"overs": 8, "rain": "2@5->5"},
        {"pack": "five-over"},
        {"overs": 3, "win_probability": False},
    ],
)
def test_no_move_of_a_prepared_match_builds_a_table(
    work: list[int], options: dict[str, Any], captain: Callable[..., Any]
) -> None:
    for seed in range(2 if captain is heuristic else 6):
        game, rng, prepared = CricketGame(CricketOptions(**options), seed), Random(seed), 0
        prepared += prepare(game)
        work.clear()
        game.opening()
        assert work == []
        while game.state.result is None:
            prepared += prepare(game)
            work.clear()
            seat = game.to_act()[0]
            before = game.turn
            game.apply(seat, captain(game, seat, rng))
            assert work == [], f"{before} of match {seed}"
        assert preparation(game) is None


def prepare(game: CricketGame) -> int:
    build = preparation(game)
    if build is None:
        return 0
    build()
    assert preparation(game) is None
    return 1


def test_super_overs_are_prepared_too(work: list[int]) -> None:
    played = 0
    for seed in range(400):
        game, rng = CricketGame(CricketOptions(overs=1), seed), Random(seed)
        while game.state.result is None:
            prepare(game)
            work.clear()
            seat = game.to_act()[0]
            game.apply(seat, neutral(game, seat, rng))
            assert work == []
        played += len(game.state.innings) > 2
        if played >= 3:
            return
    raise AssertionError("too few Super Overs")


def test_a_match_that_tells_no_chances_is_prepared_for_captains_who_think_by_them() -> None:
    forget()
    assert preparation(CricketGame(CricketOptions(overs=3, win_probability=False), 1)) is not None


@pytest.mark.long
def test_tables_of_many_lengths_take_no_more_memory_than_their_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    forget()
    monkeypatch.setattr(TABLES, "most", 3 * 2**20)
    monkeypatch.setattr(BLOCKS, "most", 3 * 2**20)
    for overs in range(2, 25, 2):
        prepare(CricketGame(CricketOptions(overs=overs), 1))
        for kept in (TABLES, BLOCKS):
            assert sum(entry.nbytes for entry in kept._entries.values()) == kept.nbytes <= kept.most
    forget()


def test_the_balls_of_an_innings_leave_the_tables_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    forget()
    monkeypatch.setattr(BLOCKS, "most", 1)
    tables = win_probability.win_probability("modern", format_rules(5))
    first, held = tables.first(), TABLES.nbytes
    for legal in range(31):
        first.states(legal, free_hit=True)
    assert tables.has_chase
    assert TABLES.nbytes == held
    assert len(BLOCKS._entries) == 1
    forget()


@pytest.mark.long
def test_a_50_over_match_needs_no_more_than_14_mib() -> None:
    forget()
    prepare(CricketGame(CricketOptions(overs=50), 1))
    assert TABLES.nbytes + BLOCKS.nbytes < 14 * 2**20
    forget()


def test_the_balls_of_an_over_are_the_same_however_they_are_asked_for() -> None:
    tables = win_probability.win_probability("modern", format_rules(5))
    moments = [(legal, free_hit) for legal in range(31) for free_hit in (False, True)]
    once = [tables.chase.states(*moment).copy() for moment in moments]
    forget()
    tables = win_probability.win_probability("modern", format_rules(5))
    for moment, states in reversed(list(zip(moments, once, strict=True))):
        assert np.array_equal(tables.chase.states(*moment), states)
    assert np.array_equal(tables.chase_start, once[0][:, 0])


@pytest.mark.long
@pytest.mark.parametrize("era", ["modern", "classic"])
def test_the_file_of_who_bowls_holds_what_sampled_innings_give(era: str) -> None:
    for rules in (super_over_rules("ipl"), format_rules(5), format_rules(20, "ipl")):
        counts = average.count_spin(era, rules)
        assert average.spin_by_over(era, rules).tolist() == [count / average.SPIN_TRIALS for count in counts]
    for conditions in CONDITIONS:
        for overs in range(1, 51):
            assert average.spin_by_over(era, format_rules(overs, conditions)).shape == (overs,)
