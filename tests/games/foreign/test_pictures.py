"""Pictures of other libraries' games: the squares that a move names are those that it changes, and secrets stay."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from grandstand.games.choices import Pick
from grandstand.games.match import Match
from grandstand.games.picture import Picture, names
from tests.support.requirements import package

pyspiel = package("pyspiel")

from grandstand.games.foreign.openspiel import GAME, NAMES  # noqa: E402
from grandstand.games.foreign.openspiel_game import SpielGame  # noqa: E402
from grandstand.games.foreign.pictures.boards import BOARDS  # noqa: E402
from grandstand.games.foreign.pictures.draw import draw  # noqa: E402
from grandstand.games.foreign.pictures.lattice import LATTICES  # noqa: E402
from grandstand.games.foreign.pictures.text import block, lines_of  # noqa: E402

PLACED = (
    "antichess", "breakthrough", "checkers", "chess", "chinese_checkers", "clobber", "connect_four", "crazyhouse", "go",
    "gomoku", "havannah", "hex", "lines_of_action", "misere", "mnk", "othello", "shogi", "tic_tac_toe",
    "xiangqi", "y",
)  # fmt: skip
"""Games without secrets in which the last square that a move names has a piece of the mover afterwards."""
SLOW = 40
"""Moves of a match that are tried."""


def spiel(name: str, seed: int = 0) -> Match[SpielGame]:
    return Match(GAME, {"game": name}, seed)


def standing(picture: Picture) -> dict[Any, Any]:
    return {thing.at: (thing.id, thing.owner) for thing in picture.things if thing.kind == "piece"}


@pytest.mark.few(10)
@pytest.mark.parametrize("name", PLACED)
def test_a_move_changes_the_squares_that_choose_it(name: str) -> None:
    match, rng, chosen = spiel(name), Random(1), 0
    for _ in range(SLOW):
        if match.over:
            break
        seat = match.waiting[0]
        (slot,) = match.game.choices(seat, {})
        assert isinstance(slot, Pick)
        option = rng.choice(slot.options)
        before = standing(draw(match.game, None))
        match.apply(seat, {"move": option.word})
        after = standing(draw(match.game, None))
        squares = option.target.split()
        assert all(before.get(square) != after.get(square) for square in squares), option
        if squares:
            chosen += 1
            assert after[squares[-1]][1] == seat, option
    assert chosen >= 5


@pytest.mark.few(19)
@pytest.mark.parametrize(
    "name",
    [*sorted({*NAMES} & BOARDS.keys()), *LATTICES, "hanabi", "backgammon", "kuhn_poker", "universal_poker", "hearts"],
)
def test_what_is_drawn_fits_and_has_ids_of_its_own(name: str) -> None:
    match, rng = spiel(name, 3), Random(3)
    for _ in range(SLOW):
        if match.over:
            break
        seat = match.waiting[0]
        for viewer in (None, seat):
            picture = draw(match.game, viewer)
            ids = [place.id for place in picture.places] + [thing.id for thing in picture.things]
            assert len(ids) == len(set(ids))
            assert picture.describe
            for place in picture.places:
                assert -1 <= place.x <= picture.width + 1, place
                assert -1 <= place.y <= picture.height + 1, place
        targets = {
            target
            for slot in match.game.choices(seat, {})
            if isinstance(slot, Pick)
            for option in slot.options
            for target in option.target.split()
        }
        assert targets <= names(draw(match.game, seat))
        match.apply(seat, match.game.random_action(seat, rng))


@pytest.mark.parametrize("name", ["dark_chess", "kriegspiel", "phantom_go", "dark_hex", "leduc_poker", "battleship"])
def test_everybody_sees_no_more_of_a_secret_position_than_of_another(name: str) -> None:
    first, other = spiel(name, 1), spiel(name, 2)
    for match, seed in ((first, 1), (other, 2)):
        rng = Random(seed)
        match.apply(match.waiting[0], match.game.random_action(match.waiting[0], rng))
    if first.waiting != other.waiting or first.game.told != other.game.told:
        return
    assert draw(first.game, None) == draw(other.game, None)


def test_hands_lie_open_at_the_end_unless_somebody_gave_up() -> None:
    labels = []
    for moves in (("Bet", "Bet"), ("Bet", "Pass")):
        match = spiel("kuhn_poker")
        for move in moves:
            match.apply(match.waiting[0], {"move": move})
        assert match.over
        labels.append([thing.label for thing in draw(match.game, None).things if thing.kind == "card"])
    assert all(labels[0])
    assert not any(labels[1])


def test_a_folded_hand_stays_hidden_at_the_showdown_of_the_others() -> None:
    match = Match(GAME, {"game": "universal_poker", "parameters": "players=3"}, 0)
    match.apply(match.waiting[0], {"move": "Fold"})
    folded = next(iter(match.game.folded()))
    while not match.over:
        match.apply(match.waiting[0], {"move": "Call"})
    cards = [thing for thing in draw(match.game, None).things if thing.kind == "card" and thing.owner]
    assert {thing.owner for thing in cards if not thing.label} == {folded}


def test_text_keeps_its_columns_and_its_box() -> None:
    places, things = block(lines_of("\x1b[91ma  b\x1b[0m\n\n" + "word " * 400), 0, 0, 100, 50)
    assert [thing.label for thing in things[:2]] == ["a", "b"]
    assert places[1].x > places[0].x
    assert all(place.x + place.width / 2 <= 101 and place.y <= 50 for place in places)
