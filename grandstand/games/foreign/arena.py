"""The games of TextArena as one game, whose option `game` names the game of a match."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from grandstand.games.base import OptionError, SeatId
from grandstand.games.foreign.arena_game import ArenaMatch, MoveRefused, TextShown, title
from grandstand.games.foreign.arena_library import environments
from grandstand.games.foreign.arena_moves import LEFT_OUT, PLAYED
from grandstand.games.foreign.arena_story import ArenaStory
from grandstand.games.foreign.game import MoveMade
from grandstand.games.foreign.pictures.text import as_text
from grandstand.games.picture import Picture, Pictures
from grandstand.games.spec import Bots, GameSpec, Rules, Storytelling

NAMES: Final = tuple(PLAYED)


@dataclass(frozen=True, slots=True)
class ArenaOptions:
    """The game of a match, its variant and the number of its seats. Raises OptionError."""

    game: str = field(
        default="TicTacToe",
        metadata={"help": "the game, by the name that TextArena gives it, without its version", "choices": NAMES},
    )
    variant: str = field(default="", metadata={"help": "its variant, if it has some: hardcore"})
    seats: int = field(default=0, metadata={"help": "the number of seats; 0 for the fewest"})

    def __post_init__(self) -> None:
        if self.game not in PLAYED:
            reason = f": {LEFT_OUT[self.game]}" if self.game in LEFT_OUT else f"; there are {', '.join(NAMES)}"
            raise OptionError(f"game: TextArena has no {self.game!r} to play{reason}")
        known = environments()
        if self.id not in known or self.variant.endswith(("raw", "train")):
            start = f"{self.game}-v0-"
            own = [name.removeprefix(start) for name in known if name.startswith(start)]
            there = ", ".join(name for name in own if not name.endswith(("raw", "train"))) or "none"
            raise OptionError(f"variant: {self.game} has no {self.variant!r}; there are {there}")
        game = PLAYED[self.game]
        if self.seats and not game.least <= self.seats <= game.most:
            raise OptionError(f"seats: {self.seats}; {self.game} has {game.least} to {game.most}")

    @property
    def id(self) -> str:
        """The library's name of the environment."""
        return f"{self.game}-v0{f'-{self.variant}' if self.variant else ''}"

    @property
    def count(self) -> int:
        """The number of seats."""
        return self.seats or PLAYED[self.game].least


def draw(game: ArenaMatch, seat: SeatId | None) -> Picture:
    """Return the last board that everybody was shown, and that of the seat if it was shown one of its own."""
    own = game.last(seat) if seat else ""
    return as_text(game, game.common(), (seat, own) if seat and own and own != game.common() else None)


def _seats(options: ArenaOptions) -> tuple[SeatId, ...]:
    return tuple(f"player_{number}" for number in range(options.count))


GAME: GameSpec[ArenaMatch] = GameSpec(
    name="textarena",
    rules=Rules(
        "TextArena",
        _seats,
        ArenaOptions,
        lambda options, seed: ArenaMatch(options.id, options.count, seed),
        ArenaMatch.load,
        events=(MoveMade, MoveRefused, TextShown),
        option_words=lambda options: {"game": title(options.id), "seats": f"{options.count} seats"},
        match_title=lambda options: title(options.id),
    ),
    bots=Bots({"random": ArenaMatch.random_action}, lambda rng: ("random", "random")),
    story=Storytelling(teller=ArenaStory),
    picture=Pictures(draw),
)
