"""The words of PettingZoo's classic games: their moves and positions, which the library has as numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from grandstand.games.base import SeatId

MARKS: Final = {0: ".", 1: "X", 2: "O", -1: "O"}
_TWO: Final = ("player_0", "player_1")


@dataclass(frozen=True, slots=True)
class ZooWords:
    """What one game is called, what it pays, and how its numbers are read."""

    title: str
    low: float
    high: float
    """The least and the most points of a seat."""
    total: float | None
    """The sum of all points, where it is always the same."""
    move: Callable[[Any, int], str]
    """(environment, action) -> its word."""
    position: Callable[[Any, int], str]
    """(environment, number of the seat) -> what the seat sees."""
    secrets: bool = False
    seats: tuple[SeatId, ...] = _TWO


def _rows(rows: Iterable[Iterable[Any]]) -> str:
    return "\n".join(" ".join(MARKS[int(each)] for each in row) for row in rows)


def _chess_move(env: Any, action: int) -> str:
    from pettingzoo.classic.chess import chess_utils

    return str(chess_utils.action_to_move(env.board, action, env.agents.index(env.agent_selection)).uci())


def _chess(env: Any, seat: int) -> str:
    return f"{env.board}\n\n{'White' if env.board.turn else 'Black'} moves.\n{env.board.fen()}"


def _go_move(env: Any, action: int) -> str:
    from pettingzoo.classic.go import coords

    return str(coords.to_gtp(coords.from_flat(action)))


def _card(env: Any, action: int) -> str:
    decoded = env.env._decode_action(action)
    return str(getattr(decoded, "name", decoded)).lower().replace("_", " ")


def _cards(env: Any, seat: int) -> str:
    """Return the parts of what the seat knows, without its legal actions."""
    raw = env.env.get_state(seat)["raw_obs"]
    parts = {name: value for name, value in raw.items() if name not in ("legal_actions", "current_player", "stage")}
    return "\n".join(f"{name.replace('_', ' ')}: {_words(value)}" for name, value in parts.items())


def _words(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)


def _hanabi_move(env: Any, action: int) -> str:
    state = env.hanabi_env.game_state
    return str(state.action_to_string(state.current_player(), action))


def _hanabi(env: Any, seat: int) -> str:
    return str(env.hanabi_env.game_state.observation_string(seat)).strip()


def _throws(env: Any, seat: int) -> str:
    names = [name.lower() for name in env._moves]
    last = ", ".join(f"{agent.replace('_', ' ')}: {names[env.state[agent]]}" for agent in env.possible_agents)
    return f"round {env.num_moves + 1} of {env.max_cycles}; the last round: {last}"


def _poker(title: str, most: float) -> ZooWords:
    return ZooWords(title, -most, most, 0.0, _card, _cards, secrets=True)


def _board(
    title: str,
    move: Callable[[Any, int], str],
    position: Callable[[Any, int], str],
    seats: tuple[SeatId, ...] = _TWO,
) -> ZooWords:
    return ZooWords(title, -1.0, 1.0, 0.0, move, position, seats=seats)


CLASSIC: Final[Mapping[str, ZooWords]] = {
    "chess_v6": _board("Chess", _chess_move, _chess),
    "connect_four_v3": _board(
        "Connect Four",
        lambda env, action: f"column {action + 1}",
        lambda env, seat: _rows(env.board[row * 7 : row * 7 + 7] for row in range(6)),
    ),
    "go_v5": _board("Go", _go_move, lambda env, seat: _rows(env._go.board), ("black_0", "white_0")),
    "hanabi_v5": ZooWords("Hanabi", 0.0, 25.0, None, _hanabi_move, _hanabi, secrets=True),
    "leduc_holdem_v4": _poker("Leduc Hold'em", 7.0),
    "rps_v2": ZooWords(
        "Rock Paper Scissors", -15.0, 15.0, 0.0, lambda env, action: env._moves[action].lower(), _throws
    ),
    "texas_holdem_no_limit_v6": _poker("No Limit Texas Hold'em", 100.0),
    "texas_holdem_v4": _poker("Limit Texas Hold'em", 24.0),
    "tictactoe_v3": _board(
        "Tic-Tac-Toe",
        lambda env, action: f"row {action % 3 + 1}, column {action // 3 + 1}",
        lambda env, seat: _rows(env.board.squares[row::3] for row in range(3)),
        ("player_1", "player_2"),
    ),
}
"""PettingZoo's classic games by their names. A new one takes a line here."""
