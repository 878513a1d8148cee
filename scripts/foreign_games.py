"""Play every game of a library through a match of ours with its checks, and print a table.

python scripts/foreign_games.py [--library pettingzoo|textarena] [GAME ...] [--limit 60] [--markdown]
"""

from __future__ import annotations

import argparse
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import fields
from importlib import import_module
from random import Random
from types import FrameType
from typing import Any, NamedTuple

from grandstand.games.catalog import OF_EXTRAS
from grandstand.games.checks import check_choices, check_defaults, check_players
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec

LEFT_OUT = {
    "openspiel": "grandstand.games.foreign.openspiel_limits",
    "textarena": "grandstand.games.foreign.arena_moves",
}
"""Library -> the module with the games that are left out, and why."""


class TooLongError(BaseException):
    """A game took longer than its limit. No `except Exception` of a game or its library catches it."""


class Row(NamedTuple):
    """The result of one random match of a game."""

    game: str
    result: str
    seats: int = 0
    moves: int = 0
    events: int = 0
    seconds: float = 0.0
    picture: str = ""


def row(spec: GameSpec[Any], name: str, limit: int) -> Row:
    """Return the result of one random match, and of the checks that fit in the limit."""
    began, events, moves = time.perf_counter(), 0, 0
    try:
        match, rng = Match(spec, {"game": name}, 0), Random(0)
        signal.alarm(limit)
        events += len(match.opening())
        while not match.over:
            seat = match.waiting[0]
            events += len(match.apply(seat, match.game.random_action(seat, rng)))
            moves += 1
        signal.alarm(0)
    except (Exception, TooLongError) as error:
        signal.alarm(0)
        return Row(name, f"{type(error).__name__}: {' '.join(str(error).split())[:100]}")
    seconds = time.perf_counter() - began
    return Row(name, _checked(spec, name, limit), len(match.seats), moves, events, seconds, _picture(spec, match))


def _checked(spec: GameSpec[Any], name: str, limit: int) -> str:
    """Return `works` with what the checks say."""
    try:
        signal.alarm(limit)
        check_choices(spec, {"game": name}, 0)
        check_defaults(spec, {"game": name})
        check_players(spec, {"game": name}, 0)
    except TooLongError:
        return f"works; its checks take more than {limit} s"
    except Exception as error:  # a fault that the checks tell, or one of the library
        return f"plays, but {' '.join(str(error).split())[:100]}"
    finally:
        signal.alarm(0)
    return "works"


def _picture(spec: GameSpec[Any], match: Match[Any]) -> str:
    """Return whether the position is drawn beyond its text."""
    if spec.picture.draw is None:
        return "text"
    drawn = spec.picture.draw(match.game, match.seats[0])
    return "text" if any(place.id.startswith("text ") for place in drawn.places) else "drawn"


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooLongError("takes too long")


def lines(rows: Sequence[Row], markdown: bool) -> Iterator[str]:
    """Yield the table."""
    head = ("game", "result", "seats", "moves", "events", "seconds", "picture")
    cells = [(*map(str, each[:5]), f"{each.seconds:.2f}", each.picture) for each in rows]
    if markdown:
        yield from (f"| {' | '.join(head)} |", f"|{'---|' * len(head)}")
        yield from (f"| {' | '.join(each)} |" for each in cells)
    else:
        widths = [max(len(each[at]) for each in [head, *cells]) for at in range(len(head))]
        yield from ("  ".join(map(str.ljust, each, widths)).rstrip() for each in [head, *cells])
    plays = [each for each in rows if each.moves]
    yield from ("", f"{len(plays)} of {len(rows)} play; {sum(each.picture == 'drawn' for each in rows)} are drawn.")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="games of the library; by default all")
    parser.add_argument("--library", choices=OF_EXTRAS, default="openspiel")
    parser.add_argument("--limit", type=int, default=60, help="seconds for a match, and again for its checks")
    parser.add_argument("--markdown", action="store_true")
    asked = parser.parse_args()
    signal.signal(signal.SIGALRM, _stop)
    spec = game_spec(asked.library)
    (option,) = (each for each in fields(spec.rules.options) if each.name == "game")
    rows = [row(spec, name, asked.limit) for name in asked.games or option.metadata["choices"]]
    print("\n".join(lines(rows, asked.markdown)))
    if asked.library in LEFT_OUT:
        reasons = import_module(LEFT_OUT[asked.library]).LEFT_OUT
        print(f"Left out: {', '.join(f'{name} ({reason})' for name, reason in reasons.items())}.")


if __name__ == "__main__":
    main()
