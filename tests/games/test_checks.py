"""The checks of a game name what is wrong with one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import Any

import pytest

from grandstand.games.base import Action, GameEvent, IllegalAction, Json, SeatId
from grandstand.games.checks import GameFault, check
from grandstand.games.choices import Chosen, Option, Pick, Slot
from grandstand.games.picture import Picture, Pictures, Thing, ring
from grandstand.games.spec import Bots, GameSpec
from tests.support.games.ring import GAME, NumbersShown, NumberWritten, Ring, RingOptions

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
        return [NumberWritten(seat, next(CLOCK))]


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


class Astray(Ring):
    def choices(self, seat: SeatId, chosen: Chosen) -> Sequence[Slot]:
        return [Pick("number", [Option("1", target="centre")])] if super().choices(seat, chosen) else ()


class Silent(Ring):
    def text(self, seat: SeatId) -> str:
        return ""


class Wide(Ring):
    """Takes numbers that are not offered."""

    def apply(self, seat: SeatId, action: Action) -> list[GameEvent]:
        return self.play(seat, action) if action == {"number": 10} else super().apply(seat, action)


class Careless(Ring):
    """Takes parts of an action that choose nothing."""

    def apply(self, seat: SeatId, action: Action) -> list[GameEvent]:
        return super().apply(seat, {name: value for name, value in action.items() if name != "no such slot"})


class Torn(Ring):
    """Refuses a number after it has written it."""

    def apply(self, seat: SeatId, action: Action) -> list[GameEvent]:
        if action == {"number": 10}:
            self.numbers[seat] = 10
        return super().apply(seat, action)


class Vague(Ring):
    """Refuses a number without saying that it is the number."""

    def apply(self, seat: SeatId, action: Action) -> list[GameEvent]:
        if action == {"number": 10}:
            raise IllegalAction("", "no")
        return super().apply(seat, action)


class Loud(Ring):
    """Tells everybody the number in an event."""

    def play(self, seat: SeatId, chosen: Chosen) -> list[GameEvent]:
        return [*super().play(seat, chosen), NumbersShown({seat: self.numbers[seat]})]


class Gossip(Ring):
    """Tells everybody the numbers in the text."""

    def text(self, seat: SeatId) -> str:
        return f"You are {seat}.\nNumbers: {list(self.numbers.values())}"


class Dealt(Ring):
    """Each seat has a card of its own, by the seed."""

    def __init__(self, options: RingOptions, seed: int) -> None:
        super().__init__(options, seed)
        self.cards = dict(zip(self.seats, Random(seed).sample(("jack", "queen", "king"), 2), strict=True))

    def observation(self, seat: SeatId) -> Json:
        return {**super().observation(seat), "card": self.cards[seat]}

    def text(self, seat: SeatId) -> str:
        return f"You are {seat} and have the {self.cards[seat]}. {super().text(seat)}"


class Marked(Dealt):
    """The cards can be told from behind."""

    def text(self, seat: SeatId) -> str:
        return f"You are {seat}. Cards: {self.cards}."


class Called(Dealt):
    """A card is named aloud with the first number."""

    def play(self, seat: SeatId, chosen: Chosen) -> list[GameEvent]:
        return [*super().play(seat, chosen), CardNamed(self.cards[seat])]


@dataclass(frozen=True, slots=True)
class CardNamed(GameEvent):
    """A card, as everybody hears it."""

    card: str


def openly(game: Ring, seat: SeatId | None) -> Picture:
    """Return the ring with all numbers."""
    things = [Thing(f"number {each}", "token", each, label=str(number)) for each, number in game.numbers.items()]
    return Picture(ring(game.seats), things, "All numbers.")


def of(rules: type[Ring]) -> GameSpec[Any]:
    events = (*GAME.rules.events, CardNamed)
    return replace(GAME, rules=replace(GAME.rules, new=rules, load=rules.load, events=events))


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
    check(of(Dealt))


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
        (of(Astray), "number is chosen at 'centre', which is not in the picture of north"),
        (of(Wide), "{'number': 10} of north is not refused"),
        (of(Careless), "'no such slot': '1'} of north is not refused"),
        (of(Torn), "{'number': 10} of north is refused, and changes the game"),
        (of(Vague), "{'number': 10} of north is refused without the name of a field"),
        (of(Loud), "an event or a picture tells east a secret of {'number': 7} of north: 7"),
        (
            replace(GAME, picture=Pictures(openly)),
            "an event or a picture tells east a secret of {'number': 7} of north: 7",
        ),
        (of(Gossip), "its observation or text tells east a secret of {'number': 7} of north: 7"),
        (of(Marked), "number 1: what east may not know changes its text"),
        (of(Called), "number 2: what east may not know changes its events and pictures"),
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
