"""The checks of a game name what is wrong with one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import Any

import pytest

from grandstand.games.base import Action, GameEvent, SeatId
from grandstand.games.checks import GameFault, check
from grandstand.games.choices import Chosen, Slot
from grandstand.games.spec import Bots, GameSpec
from tests.support.games.ring import GAME, NumberNamed, Ring

CLOCK = count()


class Chatty(Ring):
    def play(self, seat: SeatId, chosen: Chosen) -> list[GameEvent]:
        return [*super().play(seat, chosen), Spoken()]


@dataclass(frozen=True, slots=True)
class Spoken(GameEvent):
    """An event that the game does not name."""


class Fickle(Ring):
    def play(self, seat: SeatId, chosen: Chosen) -> list[GameEvent]:
        super().play(seat, chosen)
        return [NumberNamed(seat, next(CLOCK), {})]


class Shared(Ring):
    def clone(self) -> Shared:
        return self


class Lenient(Ring):
    def apply(self, seat: SeatId, action: Action) -> list[GameEvent]:
        return super().apply(seat, action or {"number": 3})


class Hasty(Ring):
    def apply(self, seat: SeatId, action: Action) -> list[GameEvent]:
        if seat not in self.to_act():
            self.numbers["south"] = 3
        return super().apply(seat, action)


class Open(Ring):
    def choices(self, seat: SeatId, chosen: Chosen) -> Sequence[Slot]:
        return () if chosen else super().choices(self.to_act()[0], chosen)


class Idle(Ring):
    def action(self, seat: SeatId, chosen: Chosen) -> Action:
        return {"number": 1}


class Silent(Ring):
    def text(self, seat: SeatId) -> str:
        return ""


def of(rules: type[Ring]) -> GameSpec[Any]:
    return replace(GAME, rules=replace(GAME.rules, new=rules, load=rules.load))


def played_by(bot: Callable[[Ring, SeatId, Random], Action]) -> GameSpec[Any]:
    return replace(GAME, bots=Bots({"odd": bot}, lambda rng: ("odd", "odd")))


def meddling(game: Ring, seat: SeatId, rng: Random) -> Action:
    game.numbers["south"] = 1
    return {"number": 1}


def cheating(game: Ring, seat: SeatId, rng: Random) -> Action:
    return {"number": 10}


def test_a_game_that_keeps_everything_passes() -> None:
    check(GAME)
    check(GAME, {"size": 4}, seeds=range(12))


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        (of(Chatty), "Spoken is not among Rules.events"),
        (of(Fickle), "ring, seed 0, number 2: the same choices give other events"),
        (of(Shared), "changed a copy of the game"),
        (of(Lenient), "{} of north is not refused"),
        (of(Hasty), "is refused, and changes the game"),
        (of(Open), "east has choices, and the match does not wait for it"),
        (of(Idle), "becomes {'number': 1}"),
        (of(Silent), "text is empty"),
        (played_by(meddling), "odd changed the game that it was asked about"),
        (played_by(cheating), "odd of north is refused: number"),
    ],
    ids=lambda value: value.split(":")[-1] if isinstance(value, str) else "",
)
def test_what_is_wrong_is_named(spec: GameSpec[Any], fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grandstand.games.checks.OFTEN", 1.0)
    with pytest.raises(GameFault) as raised:
        check(spec)
    assert fault in str(raised.value)
