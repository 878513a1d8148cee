"""What the table shows to whom, and the standing."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from grandstand.games.base import SeatId
from grandstand.games.picture import Thing
from grandstand.games.werewolf.bots import BOTS, showcase
from grandstand.games.werewolf.game import WerewolfGame
from grandstand.games.werewolf.options import WerewolfOptions
from grandstand.games.werewolf.picture import SYMBOLS, card, draw, stakes, stances


def played(until: str, seed: int = 3, size: int = 8) -> WerewolfGame:
    """Return a match of the showcase's players at the first turn of that name, or at its end."""
    game = WerewolfGame(WerewolfOptions(seats=size), seed)
    players = dict(zip(game.seats, [*showcase(Random(seed)), "ledger"], strict=False))
    while not game.outcome and game.turn != until:
        seat = game.to_act()[0]
        game.apply(seat, BOTS[players[seat]](game, seat, Random(f"{seed}/{seat}/{game.turn}")))
    return game


def piece(game: WerewolfGame, of: SeatId, viewer: SeatId | None) -> Thing:
    return next(thing for thing in draw(game, viewer).things if thing.id == f"seat {of}")


@pytest.mark.parametrize("size", [8, 9])
def test_a_seat_sees_its_role_and_a_wolf_the_other(size: int) -> None:
    game = played("night 1", size=size)
    for viewer in game.seats:
        for of in game.seats:
            known = of == viewer or game.roles[of] == game.roles[viewer] == "wolf"
            assert piece(game, of, viewer).symbol == (SYMBOLS[game.roles[of]] if known else "")
            assert piece(game, of, None).symbol == ""


def test_who_is_out_is_shown_with_its_role() -> None:
    game = played("night 2")
    for death in game.out:
        shown = piece(game, death["seat"], None)
        assert (shown.symbol, shown.state) == (SYMBOLS[death["role"]], "muted")
    assert all(piece(played(""), seat, None).symbol for seat in game.seats)


def test_arrows_are_the_accusations_of_the_day_and_then_the_votes() -> None:
    day = {thing.id for thing in draw(played("day 1 vote"), None).things if thing.kind == "arrow"}
    assert day
    assert all(arrow.startswith("says ") for arrow in day)
    game = played("night 2")
    votes = {thing.at: thing.to for thing in draw(game, None).things if thing.kind == "arrow"}
    assert votes == {seat: vote for seat, vote in game.ballots[-1]["votes"].items() if vote != "abstain"}


def test_the_stake_is_shown_when_a_wrong_exile_may_lose() -> None:
    game = played("day 1 speech 1")
    assert not stakes(game)
    order = ["wolf", "doctor", "villager", "seer"]
    seats = sorted(game.seats, key=lambda seat: order.index(game.roles[seat]))
    for alive, lost in ((seats[:6], "may lose"), (seats[:2] + seats[3:7], "loses"), (seats[:5], "loses")):
        game.alive = alive
        assert stakes(game) == lost
    assert any(thing.id == "words stake" for thing in draw(game, None).things)


def test_the_matrix_has_what_was_said_and_voted_last() -> None:
    game = played("day 2 speech 1")
    voted = {(seat, vote) for seat, vote in game.ballots[-1]["votes"].items() if {seat, vote} <= set(game.alive)}
    assert voted
    for speaker in game.to_act():
        (target,) = [seat for seat in game.alive if seat != speaker][:1]
        game.apply(speaker, {"acts": [f"trust {target}"], "text": ""})
        places = {place.id: place for place in draw(game, None).places if place.id.startswith("of ")}
        assert (places[f"of {speaker} {target}"].label, places[f"of {speaker} {target}"].tone) == ("+", "good")
        assert stances(game)[speaker, target] == (2, "good")
        assert all(places[f"of {seat} {of}"].label == "×" for seat, of in voted - {(speaker, target)})


def test_the_standing_says_who_claims_what_and_who_is_out() -> None:
    scene: list[tuple[str, Mapping[str, Any]]] = [
        ("TurnStarted", {"turn": "day 1 speech 1", "scores": {"Ada": 0.5, "Ben": 0.5, "Cleo": 0.5}}),
        ("SpeechMade", {"seat": "Ada", "acts": ["claim seer"]}),
        ("SeatOut", {"seat": "Ben", "role": "wolf"}),
    ]
    assert [(row.name, row.score, row.strong) for row in card(scene).rows] == [
        ("Ada", "says: seer", True),
        ("Ben", "out: wolf", False),
        ("Cleo", "in", True),
    ]
    decided = ("GameDecided", {"winner": "village", "roles": {"Ada": "seer", "Ben": "wolf", "Cleo": "villager"}})
    shown = card([*scene, decided])
    assert [row.score for row in shown.rows] == ["in: seer", "out: wolf", "in: villager"]
    assert shown.facts == ["The village wins"]
