"""The games of OpenSpiel as one game, whose option `game` names the game of a match."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Final

import pyspiel

from grandstand.games.base import Action, OptionError, SeatId
from grandstand.games.foreign.game import ChanceDrawn, MoveMade
from grandstand.games.foreign.openspiel_game import SpielGame, library_game, seats_of
from grandstand.games.foreign.openspiel_limits import LEFT_OUT, described
from grandstand.games.foreign.pictures.draw import draw
from grandstand.games.picture import Pictures
from grandstand.games.spec import Bots, GameSpec, Rules

NAMES: Final = tuple(
    name
    for name in sorted(pyspiel.registered_names())
    if name not in LEFT_OUT and not name.startswith(("mfg_", "python_"))
)
"""The games that can be played. Mean field games have no seats."""
MOST, LEAST, MOVES = 400, 25, 30_000
"""Random games that a search plays for a move: the most, the least, and about how many moves they have together."""
WORLDS: Final = 40
"""Worlds, at most, in which it plays them where there are secrets."""
EXPLORATION: Final = 2.0
MEGABYTES: Final = 100


@dataclass(frozen=True, slots=True)
class SpielOptions:
    """The game of a match, and its parameters. Raises OptionError."""

    game: str = field(
        default="connect_four", metadata={"help": "the game, by the name that OpenSpiel gives it", "choices": NAMES}
    )
    parameters: str = field(default="", metadata={"help": "its parameters, if it has some: board_size=5"})

    def __post_init__(self) -> None:
        if self.game in LEFT_OUT:
            raise OptionError(f"game: {self.game} cannot be played: {LEFT_OUT[self.game]}")
        if self.game not in NAMES:
            raise OptionError(f"game: OpenSpiel has no {self.game!r} to play; there are {', '.join(NAMES)}")
        library_game(self.text)

    @property
    def text(self) -> str:
        """The game as OpenSpiel reads it."""
        return described(self.game, self.parameters)


def mcts(game: SpielGame, seat: SeatId, rng: Random) -> Action:
    """Search by random play: from the position, or from worlds that agree with what the seat knows, where the library
    can draw them. Elsewhere, and where all move at the same time, move at random."""
    seed = rng.randrange(2**31)
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    if game.state.is_simultaneous_node() or game.hidden_chance:
        return game.random_action(seat, rng)
    if not game.secrets:
        games = max(LEAST, min(MOST, MOVES // _length(game, rng)))
        bot = pyspiel.MCTSBot(game.game, evaluator, EXPLORATION, games, MEGABYTES, True, seed, False)
        return game.worded(seat, bot.step(game.state.clone()))
    final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    search = pyspiel.ISMCTSBot(seed, evaluator, EXPLORATION, MOST, WORLDS, final, False, False)
    try:
        return game.worded(seat, search.step(game.state.clone()))
    except Exception:  # most games with secrets cannot draw another world
        return game.random_action(seat, rng)


def _length(game: SpielGame, rng: Random) -> int:
    """Return the number of moves of a random game from here, where nothing is secret."""
    state, moves = game.state.clone(), 1
    while not state.is_terminal() and not state.is_simultaneous_node() and moves < MOVES:
        drawn = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(rng.choice(drawn))
        moves += 1
    return moves


def _option_words(options: SpielOptions) -> dict[str, str]:
    return {"game": options.game.replace("_", " "), "parameters": options.parameters}


GAME: GameSpec[SpielGame] = GameSpec(
    name="openspiel",
    rules=Rules(
        "OpenSpiel",
        lambda options: seats_of(options.text),
        SpielOptions,
        lambda options, seed: SpielGame(options.text, seed),
        SpielGame.load,
        events=(MoveMade, ChanceDrawn),
        option_words=_option_words,
        match_title=lambda options: library_game(options.text).get_type().long_name,
    ),
    bots=Bots(
        {"random": SpielGame.random_action, "mcts": mcts},
        lambda rng: ("mcts", "mcts"),
        slow=frozenset({"mcts"}),
    ),
    picture=Pictures(draw),
)
