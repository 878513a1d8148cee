"""Diplomacy for a trainer: every answer that can be made is legal, and every bot's choice can be expressed."""

from __future__ import annotations

import json
from random import Random

import pytest

from grandstand.games import choices
from grandstand.games.choices import Grammar, Walk, words_of
from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.match import Match

TRAINING = GAME.learning.training()  # type: ignore[misc]


def grammar(match: Match[DiplomacyGame], seat: str) -> Grammar:
    return TRAINING.grammar(match.game, seat)


@pytest.mark.parametrize("seed", range(6))
def test_every_answer_that_can_be_made_is_one_legal_action(seed: int) -> None:
    match, rng = Match(GAME, {"last_year": 1906, "press": "none", "draw_votes": False}, seed), Random(seed)
    mixed = [name for name in GAME.bots.players if name not in ("coordinated", *GAME.bots.slow)]
    while not match.over:
        for seat in match.waiting:
            chosen = choices.drawn(grammar(match, seat), rng)
            action = match.game.action(seat, chosen)
            assert match.game.chosen(seat, action) == chosen
            words = words_of(grammar(match, seat), chosen)
            assert Walk(grammar(match, seat), words).chosen == chosen
            match.fork().apply(seat, action)
            match.apply(seat, GAME.bots.players[rng.choice(mixed)](match.game, seat, rng) if seed % 2 else action)


@pytest.mark.long
def test_what_bots_do_can_be_imitated() -> None:
    match = Match(GAME, {"last_year": 1907, "press": "none"}, 3)
    while not match.over:
        for seat in match.waiting:
            for bot in GAME.bots.players.values():
                action = bot(match.game, seat, match.rng(seat))
                chosen = match.game.chosen(seat, action)
                assert chosen is not None
                again = match.fork()
                again.apply(seat, match.game.action(seat, chosen))
                copy = match.fork()
                copy.apply(seat, action)
                assert resolved(again, seat) == resolved(copy, seat)
            match.apply(seat, GAME.bots.players["territorial"](match.game, seat, match.rng(seat)))


def resolved(match: Match[DiplomacyGame], seat: str) -> str:
    """The next position, everybody else in civil disorder."""
    for other in match.waiting:
        match.apply(other, match.game.default_action(other))
    return json.dumps(match.game.observation(seat)["state"], sort_keys=True)


def test_the_shorthand_says_what_is_on_the_board_and_who_is_asked() -> None:
    match = Match(GAME, {"last_year": 1903}, 0)
    assert TRAINING.shorthand(match.game, "FRANCE") == (
        "S.M year0 left2 AUSTRIA A BUD F TRI A VIE ENGLAND F EDI F LON A LVP FRANCE F BRE A MAR A PAR "
        "GERMANY A BER F KIE A MUN ITALY F NAP A ROM A VEN RUSSIA A MOS F SEV F STP/SC A WAR "
        "TURKEY F ANK A CON A SMY play FRANCE"
    )


def test_the_shorthand_tells_changes_of_centres_and_builds_due() -> None:
    centers = {"FRANCE": ["PAR", "BRE", "SPA"], "ITALY": ["MAR", "ROM", "NAP", "VEN"]}
    state = read_state({"phase": "W1901A", "units": {"FRANCE": ["A SPA"], "ITALY": ["A MAR"]}, "centers": centers})
    game = DiplomacyGame(DiplomacyOptions(last_year=1905), state)
    message = TRAINING.shorthand(game, "FRANCE")
    assert "FRANCE A SPA gained SPA lost MAR" in message
    assert message.endswith("play FRANCE build2")


def test_the_clock_goes_a_fifth_of_a_year_at_a_time() -> None:
    match = Match(GAME, {"last_year": 1902}, 0)
    assert TRAINING.time(match.game, 0) == 0.0
    for seat in match.waiting:
        match.apply(seat, match.game.default_action(seat))
    assert TRAINING.time(match.game, 0) == pytest.approx(0.4)
