"""The options of a match of Werewolf, and the roles that they deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from grandstand.games.base import OptionError, SeatId

Role: TypeAlias = Literal["wolf", "seer", "doctor", "hunter", "villager"]

NAMES: Final[tuple[SeatId, ...]] = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo")
"""The seats of the largest table, whose names begin with different letters. A smaller one leaves out the last."""
SIZES: Final = (8, 9)
MOST_ROUNDS: Final = 3


@dataclass(frozen=True, slots=True)
class WerewolfOptions:
    """The options of a match. Raises OptionError, naming the option and the remedy, for a value that it cannot take."""

    seats: int = field(
        default=8, metadata={"help": "8 seats, or 9 with a hunter, who takes somebody along when leaving the game"}
    )
    specials: bool = field(
        default=True,
        metadata={"help": "whether there are a seer, a doctor and a hunter; else all but wolves are villagers"},
    )
    rounds: int = field(default=2, metadata={"help": f"rounds of speeches before each vote, 1 to {MOST_ROUNDS}"})

    def __post_init__(self) -> None:
        if type(self.seats) is not int or self.seats not in SIZES:
            raise OptionError(f"seats: must be {' or '.join(map(str, SIZES))}, not {self.seats!r}")
        if type(self.specials) is not bool:
            raise OptionError(f"specials: must be true or false, not {self.specials!r}")
        if type(self.rounds) is not int or not 1 <= self.rounds <= MOST_ROUNDS:
            raise OptionError(f"rounds: must be a whole number from 1 to {MOST_ROUNDS}, not {self.rounds!r}")


def seats(options: WerewolfOptions) -> tuple[SeatId, ...]:
    """Return the seats of a table of that size."""
    return NAMES[: options.seats]


def roles(options: WerewolfOptions) -> list[Role]:
    """Return the roles that are dealt."""
    special: list[Role] = ["seer", "doctor", "hunter"][: options.seats - 6] if options.specials else []  # type: ignore[assignment]
    dealt: list[Role] = ["wolf", "wolf", *special]
    return [*dealt, *(["villager"] * (options.seats - len(dealt)))]  # type: ignore[list-item]


def option_words(options: WerewolfOptions) -> Mapping[str, str]:
    """Return the options in a few words."""
    rounds = "1 round" if options.rounds == 1 else f"{options.rounds} rounds"
    return {
        "seats": f"{options.seats} seats",
        "specials": "" if options.specials else "no special roles",
        "rounds": "" if options.rounds == 2 else f"{rounds} of speeches",
    }
