"""Names, numbers and orders in words, as sentences of the story use them."""

from __future__ import annotations

from collections.abc import Sequence

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.rules.map import PROVINCE, PROVINCE_NAMES, PROVINCES, SEAS
from grandstand.games.diplomacy.rules.words import OrderError, OrderWords, order_words
from grandstand.games.story import Names

NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "twenty-one",
    "twenty-two", "twenty-three", "twenty-four", "twenty-five", "twenty-six", "twenty-seven", "twenty-eight",
    "twenty-nine", "thirty", "thirty-one", "thirty-two", "thirty-three", "thirty-four",
)  # fmt: skip
ORDINALS = (
    "", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
)  # fmt: skip
_WITH_ARTICLE = {PROVINCES[sea] for sea in SEAS} | {"RUH"}
PEOPLES = {
    "AUSTRIA": ("Austrian", "Austrians", "Austria-Hungary", "Austro-Hungarian"),
    "ENGLAND": ("English", "Britain", "British"),
    "FRANCE": ("French",),
    "GERMANY": ("German", "Germans"),
    "ITALY": ("Italian", "Italians"),
    "RUSSIA": ("Russian", "Russians"),
    "TURKEY": ("Turkish", "Turk", "Turks", "Ottoman", "Ottomans"),
}
"""Other words for a power."""
KINDS = {"A": "army", "F": "fleet", "": "unit"}
SEASONS = {"S": "spring", "F": "fall", "W": "winter"}


def power(seat: SeatId) -> str:
    """Return `Austria` for AUSTRIA."""
    return seat.capitalize()


def place(code: str) -> str:
    """Return `Trieste` for TRI, `the North Sea` for NTH; coasts are left out."""
    name = PROVINCE_NAMES[PROVINCE[code[:3]]]
    return f"the {name}" if code[:3] in _WITH_ARTICLE else name


def names() -> Names:
    """Return the names of powers and provinces."""
    return Names({power(seat): others for seat, others in PEOPLES.items()}, PROVINCE_NAMES)


def number(count: int) -> str:
    """Return the number in words up to thirty-four, in digits beyond."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def ordinal(count: int) -> str:
    """Return `third` for 3, in words up to twelfth."""
    if count < len(ORDINALS):
        return ORDINALS[count]
    last = {1: "st", 2: "nd", 3: "rd"}.get(count % 10 if count // 10 % 10 != 1 else 0, "th")
    return f"{count}{last}"


def listed(names: Sequence[str]) -> str:
    """Return `A`, `A and B`, or `A, B and C`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def season(phase: str) -> str:
    """Return `spring 1901` for S1901M."""
    return f"{SEASONS[phase[0]]} {phase[1:5]}"


def sentence(text: str) -> str:
    """Return the text with a capital at its start and after every full stop."""
    parts = text.split(". ")
    return ". ".join(part[:1].upper() + part[1:] for part in parts)


def promised(order: str) -> str | None:
    """Return a promised order in words, such as `the army in Venice stays where it is`; None where it is no order."""
    try:
        words = order_words(order)
    except OrderError:
        return None
    return _clause(words)


def _clause(words: OrderWords) -> str | None:
    if words.place[:3] not in PROVINCE:
        return None
    unit = f"the {KINDS[words.kind]} in {place(words.place)}"
    other = f"the {KINDS[words.other]} in {place(words.at)}" if words.at[:3] in PROVINCE else ""
    target = place(words.to) if words.to[:3] in PROVINCE else ""
    clauses = {
        "H": f"{unit} stays where it is",
        "-": f"{unit} goes to {target}",
        "R": f"{unit} retreats to {target}",
        "D": f"{unit} is disbanded",
        "B": f"a new {KINDS[words.kind]} appears in {place(words.place)}",
        "S": f"{unit} supports {other}" + (f" into {target}" if target else ""),
        "C": f"{unit} carries {other} to {target}",
    }
    return clauses.get(words.verb)
