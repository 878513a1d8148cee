"""Tables of cards and dice: the hands of the seats, the common cards, the pot."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from grandstand.games.base import SeatId
from grandstand.games.foreign.game import Drawn
from grandstand.games.picture import Kind, Place, Thing

FOLDS: Final = ("Fold", "Pass", "fold")
"""Last moves after which hands stay hidden."""
SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
FACES: Final = "JQK"


def _field(text: str, name: str) -> str:
    """Return a part of a text that is written as `[Pot: 200]`, or as `pot: 200` in a line of its own."""
    match = re.search(rf"\[{name}: ([^\]]*)\]|^{name.lower()}: (.*)$", text, re.MULTILINE)
    return (match[1] or match[2] or "").strip() if match else ""


@dataclass(frozen=True)
class CardTable:
    """How a seat's text describes its hand and the open cards."""

    held: Callable[[str], list[str]]
    """(what a seat sees) -> its cards or dice."""
    count: Callable[[str], int]
    """(what a seat sees) -> the number of cards or dice of each seat."""
    kind: Kind = "card"
    common: Callable[[str], list[str]] = lambda text: []
    """(what a seat sees) -> the open cards."""
    pot: Callable[[str], str] = lambda text: _field(text, "Pot")
    chips: str = "Money"
    """The name of the field with the chips of each seat."""
    others: Callable[[str], Sequence[list[str]]] | None = None
    """(what a seat sees) -> the hands of the seats after it, where a seat sees all hands but its own."""


def _kuhn(text: str) -> list[str]:
    rank = re.findall(r"^\d", text.strip())
    return [FACES[int(rank[0])] if int(rank[0]) < len(FACES) else str(int(rank[0]) + 11)] if rank else []


def _leduc_card(number: str) -> list[str]:
    if not number.isdigit():
        return []
    rank, suit = divmod(int(number), 2)
    return [f"{FACES[rank] if rank < len(FACES) else rank + 11}{'♠♥'[suit]}"]


def _texas(cards: str) -> list[str]:
    """Return the cards of a text such as `AhTd`."""
    return [
        f"{'10' if rank == 'T' else rank}{SUITS[suit]}" for rank, suit in re.findall(r"([2-9TJQKA])([cdhs])", cards)
    ]


def _suit_first(cards: str) -> list[str]:
    """Return the cards of a text such as `HA DT`."""
    return _texas("".join(f"{rank}{suit.lower()}" for suit, rank in re.findall(r"([CDHS])([2-9TJQKA])", cards)))


def _dice(text: str) -> list[str]:
    return list((text.strip().split() or [""])[0])


def _hanabi_hands(text: str) -> list[list[str]]:
    """Return the hands in the text of a seat, its own first, whose cards it does not know."""
    hands = text.partition("Hands:")[2].partition("Deck size")[0].split("-----")
    return [
        ["" if card == "XX" else card for card in re.findall(r"^(\w\w) \|\|", hand, re.MULTILINE)] for hand in hands
    ]


def _hanabi_state(text: str) -> str:
    """Return the lives and hints that are left."""
    found = [re.search(rf"{name} tokens: (\d+)", text) for name in ("Life", "Info")]
    return " · ".join(f"{match[1]} {word}" for match, word in zip(found, ("lives", "hints"), strict=True) if match)


def _zoo_poker(common: str) -> CardTable:
    """Return a table of PettingZoo, with `common` as the name of the open cards."""
    return CardTable(
        lambda text: _suit_first(_field(text, "hand")),
        lambda text: len(_suit_first(_field(text, "hand"))),
        common=lambda text: _suit_first(_field(text, common)),
        pot=lambda text: str(sum(map(int, _field(text, "all chips").split()))),
        chips="all chips",
    )


HANABI: Final = CardTable(
    lambda text: [],
    lambda text: max(map(len, _hanabi_hands(text)), default=0),
    common=lambda text: re.findall(r"\b[RYGWB][1-5]\b", text.partition("Fireworks:")[2].partition("\n")[0]),
    pot=_hanabi_state,
    others=lambda text: _hanabi_hands(text)[1:],
)
TABLES: Final[Mapping[str, CardTable]] = {
    "hanabi": HANABI,
    "hanabi_v5": HANABI,
    "kuhn_poker": CardTable(_kuhn, lambda text: 1),
    "leduc_holdem_v4": _zoo_poker("public card"),
    "leduc_poker": CardTable(
        lambda text: _leduc_card(_field(text, "Private")),
        lambda text: 1,
        common=lambda text: _leduc_card(_field(text, "Public")),
    ),
    "liars_dice": CardTable(_dice, lambda text: len(_dice(text)), "token"),
    "texas_holdem_no_limit_v6": _zoo_poker("public cards"),
    "texas_holdem_v4": _zoo_poker("public cards"),
    "universal_poker": CardTable(
        lambda text: _texas(_field(text, "Private")),
        lambda text: len(_texas(_field(text, "Private"))),
        common=lambda text: _texas(_field(text, "Public")),
    ),
}
"""The games that are drawn as a table, by the library's names."""


def table_of_cards(
    table: CardTable,
    seats: Sequence[SeatId],
    seen: Mapping[SeatId, str],
    shown: frozenset[SeatId],
    acting: Sequence[SeatId],
    viewer: SeatId | None,
) -> Drawn:
    """Return the table as `viewer` sees it: `seen` is what each seat sees, the hands of the seats in `shown` are
    open."""
    any_text = seen[viewer or seats[0]]
    money = _field(any_text, table.chips).split()
    step = 160 / len(seats)
    places: list[Place] = []
    things: list[Thing] = []
    hands = {seat: table.held(seen[seat]) for seat in seats if seat in shown} | _seen_by(table, seats, seen, viewer)
    for number, seat in enumerate(seats):
        chips = f" · {money[number]}" if number < len(money) else ""
        label = f"{seat.replace('_', ' ')}{chips}"
        middle, wide = step * (number + 0.5), step * 0.9
        places.append(Place(f"hand {seat}", middle, 30, wide, 26, "none", label, owner=seat, holds="row"))
        for index, card in enumerate(hands.get(seat) or [""] * table.count(any_text)):
            things.append(_held(f"{seat} {index}", table.kind, f"hand {seat}", card, seat))
        if seat in acting:
            places.append(Place(f"turn {seat}", middle, 49, wide, 7, "none", "to move", owner=seat))
    return [*places, *_middle(table, any_text)], [*things, *_open(table, any_text)]


def _seen_by(
    table: CardTable, seats: Sequence[SeatId], seen: Mapping[SeatId, str], viewer: SeatId | None
) -> dict[SeatId, list[str]]:
    """Return the hands of others that a seat sees."""
    if table.others is None or viewer is None:
        return {}
    at = seats.index(viewer)
    return dict(zip([*seats[at + 1 :], *seats[:at]], table.others(seen[viewer]), strict=False))


def _middle(table: CardTable, text: str) -> list[Place]:
    """Return the place of the open cards, with what is in the pot."""
    pot, common = table.pot(text), table.common(text)
    words = pot if not pot or not pot.isdecimal() else f"pot {pot}"
    return [
        Place("table", 80, 76, 150, 40, "disc", "" if common else words, tone="table"),
        Place("common", 80, 76, 110, 26, "none", words if common else "", name="table", holds="row"),
    ]


def _open(table: CardTable, text: str) -> list[Thing]:
    return [Thing(f"common {index}", "card", "common", label=card) for index, card in enumerate(table.common(text))]


def _held(id: str, kind: Kind, place: str, card: str, owner: str) -> Thing:
    """Return a card or a die of a seat, face down where `card` is empty."""
    size = 1.0 if kind == "card" else 1.6
    if not card:
        return Thing(id, kind, place, name="face down", owner=owner, state="hidden", size=size)
    return Thing(id, kind, place, label=card, owner=owner, size=size)
