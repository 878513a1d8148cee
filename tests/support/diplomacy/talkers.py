"""Matches of the characters that talk, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random

from grandstand.games.base import Action, GameEvent, SeatId
from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.bots import TALKING, TALKS, showcase
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.match import Match

TalkingMatch = Match[DiplomacyGame]


def cast(seed: int) -> dict[SeatId, str]:
    """Return a character for every seat."""
    return dict(zip(GAME.seats(), showcase(Random(seed)), strict=True))


def hold_round(match: TalkingMatch, names: Mapping[SeatId, str], round: int) -> list[GameEvent]:
    """Hold a round of press among the seats of `names`, as the match runner does."""
    assert GAME.talk.press is not None
    rounds = match.game.options.negotiation_rounds
    letters: dict[SeatId, list[Action]] = {
        seat: list(TALKS[names[seat]](match.game, seat, match.rng(seat), round, rounds))
        for seat in GAME.talk.press.speakers(match.game)
        if seat in names
    }
    return [event for seat, actions in letters.items() for action in actions for event in match.apply(seat, action)]


def order(match: TalkingMatch, names: Mapping[SeatId, str]) -> list[GameEvent]:
    """Have every seat that the match waits for give its orders; seats that `names` omits hold."""
    events = []
    for seat in match.waiting:
        if match.over:  # the last vote for a draw ends it
            break
        action = TALKING[names[seat]](match.game, seat, match.rng(seat)) if seat in names else {"orders": []}
        events += match.apply(seat, action)
    return events


def play(seed: int, last_year: int) -> tuple[TalkingMatch, list[GameEvent]]:
    """Return a finished match of seven characters, and its events."""
    match: TalkingMatch = Match(GAME, {"last_year": last_year}, seed)
    names, events, turn = cast(seed), list(match.game.opening()), ""
    while not match.over:
        if match.game.turn != turn:
            turn = match.game.turn
            for round in range(1, match.game.options.negotiation_rounds + 1):
                events += hold_round(match, names, round)
        events += order(match, names)
    return match, events


@cache
def played(seed: int = 3, last_year: int = 1904) -> tuple[TalkingMatch, list[GameEvent]]:
    """Return the same as `play`, once; not to be changed."""
    return play(seed, last_year)
