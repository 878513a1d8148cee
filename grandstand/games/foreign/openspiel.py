"""The games of OpenSpiel as one game, whose option `game` names the game of a match."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import pyspiel

from grandstand.games.base import Action, OptionError, SeatId
from grandstand.games.foreign.game import ChanceDrawn, MoveMade
from grandstand.games.foreign.openspiel_game import SpielGame, library_game, seats_of
from grandstand.games.foreign.openspiel_limits import LEFT_OUT, described
from grandstand.games.foreign.openspiel_story import SpielStory
from grandstand.games.foreign.pictures.draw import draw
from grandstand.games.picture import Pictures
from grandstand.games.spec import Bots, GameSpec, Rules, Storytelling

NAMES: Final = tuple(
    name
    for name in sorted(pyspiel.registered_names())
    if name not in LEFT_OUT and not name.startswith(("mfg_", "python_"))
)
"""The games that can be played. Mean field games have no seats."""
MOST, LEAST, MOVES = 400, 25, 30_000
"""Random playouts of a search for a move: the most, the least, and the approximate number of moves of all together."""
WORLDS: Final = 60
"""In games with secrets, the number of sampled worlds, with a playout for each move in each."""
EXPLORATION: Final = 2.0
MEGABYTES: Final = 100
EVENTS: Final = (MoveMade, ChanceDrawn)
OTHER_WORLDS: Final = frozenset(("leduc_poker", "liars_dice"))
"""Games with secrets in which the library can sample a world consistent with a player's information. In most it cannot,
and in some the attempt takes all memory."""


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
    """Search by random play, where possible, else move at random.

    What the seat does not know is sampled, if the library can; where all move at the same time, it moves at random.
    """
    if game.state.is_simultaneous_node() or game.hidden_chance:
        return game.random_action(seat, rng)
    if game.secrets:
        return _over_worlds(game, seat, rng) if game.name in OTHER_WORLDS else game.random_action(seat, rng)
    games = max(LEAST, min(MOST, MOVES // _finish(game.state.clone(), rng)))
    seed = rng.randrange(2**31)
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game.game, evaluator, EXPLORATION, games, MEGABYTES, True, seed, False)
    return game.worded(seat, bot.step(game.state.clone()))


def _over_worlds(game: SpielGame, seat: SeatId, rng: Random) -> Action:
    """Return the move that does best by random play in worlds consistent with the seat's information."""
    player = game.seats.index(seat)
    totals = dict.fromkeys(game.state.legal_actions(player), 0.0)
    for _ in range(WORLDS):
        world = game.state.resample_from_infostate(player, rng.random)
        for action in totals:
            state = world.child(action)
            _finish(state, rng)
            totals[action] += state.player_return(player)
    return game.worded(seat, max(totals, key=lambda action: totals[action]))


def _finish(state: Any, rng: Random) -> int:
    """Play `state` to its end at random, and return the number of moves."""
    moves = 1
    while not state.is_terminal() and not state.is_simultaneous_node() and moves < MOVES:
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
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
        events=EVENTS,
        option_words=_option_words,
        match_title=lambda options: library_game(options.text).get_type().long_name,
        public=lambda game: None if game.secrets or game.hidden_chance else game.clone(),
    ),
    bots=Bots(
        {"random": SpielGame.random_action, "mcts": mcts},
        lambda rng: ("mcts", "mcts"),
        slow=frozenset({"mcts"}),
    ),
    story=Storytelling(teller=lambda episode_id: SpielStory(episode_id, [kind.__name__ for kind in EVENTS])),
    picture=Pictures(draw),
)
