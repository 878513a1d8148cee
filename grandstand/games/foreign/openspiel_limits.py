"""The parameters of OpenSpiel's games that a match may set. With others, some games crash the process, use all
memory, or read files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from grandstand.games.base import OptionError

LEFT_OUT: Final = {
    "add_noise": "changes the payoffs of another game",
    "crossword": "the library does not list its legal moves",
    "efg_game": "reads a file",
    "morpion_solitaire": "the library's words for a move change from call to call",
    "nfg_game": "reads a file",
    "restricted_nash_response": "is a tool for computing strategies",
}
"""Games of the library that are not offered -> the reason."""
POKER: Final = (
    "betting=nolimit,numPlayers=2,numRounds=4,blind=100 50,firstPlayer=2 1 1 1,numSuits=4,numRanks=13,numHoleCards=2,"
    "numBoardCards=0 3 1 1,stack=2000 2000,bettingAbstraction=fcpa"
)
"""No-limit Texas hold'em for two, with pot and all-in bets only."""
USUAL: Final = {
    "cached_tree": "game=kuhn_poker()",
    "misere": "game=tic_tac_toe()",
    "normal_form_extensive_game": "game=matrix_rps()",
    "repeated_game": "stage_game=matrix_pd(),num_repetitions=10",
    "repeated_poker": "max_num_hands=10,reset_stacks=False,rotate_dealer=True,"
    f"universal_poker_game_string=universal_poker({POKER})",
    "start_at": "game=tic_tac_toe(),history=4;0",
    "turn_based_simultaneous_game": "game=goofspiel()",
    "universal_poker": POKER,
    "zerosum": "game=matrix_pd()",
}
"""Parameters for games that require some, or whose defaults are trivial."""

LIMITS: Final[Mapping[str, Mapping[str, tuple[int, int]]]] = {
    "amazons": {"board_size": (6, 10)},
    "blotto": {"players": (2, 4), "coins": (2, 10), "fields": (2, 3)},
    "breakthrough": {"rows": (6, 8), "columns": (4, 8)},
    "chinese_checkers": {"players": (2, 6)},
    "clobber": {"rows": (2, 8), "columns": (2, 8)},
    "connect_four": {"rows": (4, 10), "columns": (4, 10)},
    "crazy_eights": {"players": (2, 8)},
    "dark_hex": {"board_size": (2, 9)},
    "dots_and_boxes": {"num_rows": (1, 8), "num_cols": (1, 8)},
    "first_sealed_auction": {"players": (2, 6), "max_value": (2, 20)},
    "go": {"board_size": (5, 19)},
    "go_fish": {"players": (2, 5)},
    "gomoku": {"size": (5, 19)},
    "goofspiel": {"players": (2, 5), "num_cards": (2, 13)},
    "hanabi": {"players": (2, 5)},
    "havannah": {"board_size": (3, 10)},
    "hex": {"board_size": (2, 19)},
    "kuhn_poker": {"players": (2, 8)},
    "leduc_poker": {"players": (2, 8)},
    "liars_dice": {"numdice": (1, 3)},
    "maedn": {"players": (2, 4)},
    "mnk": {"m": (3, 19), "n": (3, 19), "k": (3, 6)},
    "oh_hell": {"players": (3, 5)},
    "oshi_zumo": {"coins": (4, 50), "size": (1, 5)},
    "phantom_go": {"board_size": (5, 9)},
    "pig": {"players": (2, 8), "winscore": (20, 200)},
    "quoridor": {"board_size": (5, 9)},
    "snake": {"players": (2, 4), "rows": (5, 12), "columns": (5, 12)},
    "social_deduction": {"players": (4, 8)},
    "twixt": {"board_size": (5, 16)},
    "universal_poker": {"players": (2, 6)},
    "y": {"board_size": (3, 19)},
    "yacht": {"players": (2, 6)},
}
"""Game -> its parameters that can be set, each with the least and the greatest value."""
SEVERAL: Final = (
    "betting=nolimit,numPlayers={players},numRounds=4,blind=50 100{blinds},firstPlayer=3 1 1 1,numSuits=4,numRanks=13,"
    "numHoleCards=2,numBoardCards=0 3 1 1,stack=2000 2000{stacks},bettingAbstraction=fchpa"
)
"""No-limit Texas hold'em for more than two, with bets of half the pot too."""
WHOLE: Final = re.compile(r"\d{1,4}")


def described(game: str, parameters: str) -> str:
    """Return a game as OpenSpiel reads it: `hex(board_size=5)`. Raise OptionError for a parameter that may not be."""
    limits = LIMITS.get(game, {})
    parts = [part for part in re.sub(r"\s", "", parameters).split(",") if part]
    for part in parts:
        name, _, value = part.partition("=")
        if name not in limits:
            raise OptionError(f"parameters: {game} has no {name[:40]!r} to set; it has {', '.join(limits) or 'none'}")
        low, high = limits[name]
        if not WHOLE.fullmatch(value) or not low <= int(value) <= high:
            raise OptionError(f"parameters: {name} is {value[:40]!r}; give a whole number from {low} to {high}")
    if game == "universal_poker":
        return f"{game}({_poker(int(parts[-1].partition('=')[2]) if parts else 2)})"
    usual = [USUAL[game]] if game in USUAL else []
    return f"{game}({','.join([*usual, *parts])})"


def _poker(players: int) -> str:
    """Return the parameters of no-limit Texas hold'em for so many players."""
    if players == 2:
        return POKER
    return SEVERAL.format(players=players, blinds=" 0" * (players - 2), stacks=" 2000" * (players - 2))
