"""The classic games of PettingZoo as one game, whose option `game` names the game of a match."""

from __future__ import annotations

from dataclasses import dataclass, field

from grandstand.games.base import OptionError
from grandstand.games.foreign.game import ChanceDrawn, MoveMade
from grandstand.games.foreign.pictures.draw import draw
from grandstand.games.foreign.zoo_game import ZooGame
from grandstand.games.foreign.zoo_words import CLASSIC
from grandstand.games.picture import Pictures
from grandstand.games.spec import Bots, GameSpec, Rules


@dataclass(frozen=True, slots=True)
class ZooOptions:
    """The game of a match. Raises OptionError."""

    game: str = field(
        default="connect_four_v3",
        metadata={"help": "the game, by the name that PettingZoo gives it", "choices": tuple(CLASSIC)},
    )

    def __post_init__(self) -> None:
        if self.game not in CLASSIC:
            raise OptionError(f"game: PettingZoo has no {self.game!r} to play; there are {', '.join(CLASSIC)}")


GAME: GameSpec[ZooGame] = GameSpec(
    name="pettingzoo",
    rules=Rules(
        "PettingZoo",
        lambda options: CLASSIC[options.game].seats,
        ZooOptions,
        lambda options, seed: ZooGame(options.game, seed),
        ZooGame.load,
        events=(MoveMade, ChanceDrawn),
        option_words=lambda options: {"game": CLASSIC[options.game].title},
        match_title=lambda options: CLASSIC[options.game].title,
        public=lambda game: None if game.secrets else game.clone(),
    ),
    bots=Bots({"random": ZooGame.random_action}, lambda rng: ("random", "random")),
    picture=Pictures(draw),
)
