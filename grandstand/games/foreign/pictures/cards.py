"""Tables of cards and dice: the hands of the seats, the common cards, the pot."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from grandstand.games.foreign.pictures.text import Drawn
from grandstand.games.picture import Kind, Place, Thing

FOLDS: Final = ("Fold", "Pass")
"""Last moves after which hands stay hidden."""
SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
FACES: Final = "JQK"


@dataclass(frozen=True)
class CardTable:
    """How a seat's text describes its hand and the open cards."""

    held: Callable[[str], list[str]]
    """(what a seat sees) -> its cards or dice."""
    count: Callable[[str], int]
    """(what a seat sees) -> the number of cards or dice of each seat."""
    kind: Kind = "card"


def _field(text: str, name: str) -> str:
    match = re.search(rf"\[{name}: ([^\]]*)\]", text)
    return match[1] if match else ""


def _kuhn(text: str) -> list[str]:
    rank = re.findall(r"^\d", text.strip())
    return [FACES[int(rank[0])] if int(rank[0]) < len(FACES) else str(int(rank[0]) + 11)] if rank else []


def _leduc_card(number: str) -> list[str]:
    if not number.isdigit():
        return []
    rank, suit = divmod(int(number), 2)
    return [f"{FACES[rank] if rank < len(FACES) else rank + 11}{'♠♥'[suit]}"]


def _leduc(text: str) -> list[str]:
    return _leduc_card(_field(text, "Private"))


def _texas(cards: str) -> list[str]:
    return [
        f"{'10' if rank == 'T' else rank}{SUITS[suit]}" for rank, suit in re.findall(r"([2-9TJQKA])([cdhs])", cards)
    ]


def _dice(text: str) -> list[str]:
    return list((text.strip().split() or [""])[0])


TABLES: Final[Mapping[str, CardTable]] = {
    "kuhn_poker": CardTable(_kuhn, lambda text: 1),
    "leduc_poker": CardTable(_leduc, lambda text: 1),
    "universal_poker": CardTable(
        lambda text: _texas(_field(text, "Private")), lambda text: len(_texas(_field(text, "Private")))
    ),
    "liars_dice": CardTable(_dice, lambda text: len(_dice(text)), "token"),
}
"""The games that are drawn as a table, by the library's names."""


def table_of_cards(
    table: CardTable, seats: Sequence[str], seen: Mapping[str, str], shown: frozenset[str], acting: Sequence[str]
) -> Drawn:
    """Return the table: the hands of the seats in `shown` are open, `seen` is what each seat sees."""
    any_text = seen[seats[0]]
    money = _field(any_text, "Money").split()
    step = 160 / len(seats)
    places: list[Place] = []
    things: list[Thing] = []
    for number, seat in enumerate(seats):
        held = table.held(seen[seat]) if seat in shown else [""] * table.count(any_text)
        chips = f" · {money[number]}" if number < len(money) else ""
        label = f"{seat.replace('_', ' ')}{chips}"
        middle, wide = step * (number + 0.5), step * 0.9
        places.append(Place(f"hand {seat}", middle, 30, wide, 26, "none", label, owner=seat, holds="row"))
        for index, card in enumerate(held):
            things.append(_held(f"{seat} {index}", table.kind, f"hand {seat}", card, seat))
        if seat in acting:
            places.append(Place(f"turn {seat}", middle, 49, wide, 7, "none", "to move", owner=seat))
    common = _leduc_card(_field(any_text, "Public")) or _texas(_field(any_text, "Public"))
    pot = _field(any_text, "Pot")
    places.append(Place("table", 80, 76, 150, 40, "disc", f"pot {pot}" if pot and not common else "", tone="table"))
    places.append(Place("common", 80, 76, 110, 26, "none", f"pot {pot}" if common else "", name="table", holds="row"))
    things += [Thing(f"common {index}", "card", "common", label=card) for index, card in enumerate(common)]
    return places, things


def _held(id: str, kind: Kind, place: str, card: str, owner: str) -> Thing:
    """Return a card or a die of a seat, face down where `card` is empty."""
    size = 1.0 if kind == "card" else 1.6
    if not card:
        return Thing(id, kind, place, name="face down", owner=owner, state="hidden", size=size)
    return Thing(id, kind, place, label=card, owner=owner, size=size)
