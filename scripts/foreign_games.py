"""Play every game of OpenSpiel through a match of ours with its checks, and print a table.

python scripts/foreign_games.py [GAME ...] [--limit 60] [--markdown]
"""

from __future__ import annotations

import argparse
import signal
import time
from collections.abc import Iterator, Sequence
from random import Random
from types import FrameType
from typing import NamedTuple

from grandstand.games.checks import check_choices, check_defaults
from grandstand.games.foreign.openspiel import GAME, NAMES
from grandstand.games.foreign.openspiel_limits import LEFT_OUT
from grandstand.games.foreign.pictures.draw import recognized
from grandstand.games.match import Match


class TooLongError(Exception):
    """A game took longer than its limit."""


class Row(NamedTuple):
    """The result of one random match of a game."""

    game: str
    result: str
    seats: int = 0
    moves: int = 0
    events: int = 0
    seconds: float = 0.0
    picture: str = ""


def row(name: str, limit: int) -> Row:
    """Return the result of one random match, and of the checks that fit in the limit."""
    began, events, moves = time.perf_counter(), 0, 0
    try:
        match, rng = Match(GAME, {"game": name}, 0), Random(0)
        signal.alarm(limit)
        events += len(match.opening())
        while not match.over:
            seat = match.waiting[0]
            events += len(match.apply(seat, match.game.random_action(seat, rng)))
            moves += 1
        signal.alarm(0)
    except Exception as error:
        signal.alarm(0)
        return Row(name, f"{type(error).__name__}: {' '.join(str(error).split())[:100]}")
    seconds = time.perf_counter() - began
    picture = "drawn" if recognized(match.game) else "text"
    return Row(name, _checked(name, limit), len(match.seats), moves, events, seconds, picture)


def _checked(name: str, limit: int) -> str:
    """Return `works` with the result of the checks."""
    try:
        signal.alarm(limit)
        check_choices(GAME, {"game": name}, 0)
        check_defaults(GAME, {"game": name})
    except TooLongError:
        return f"works; its checks take more than {limit} s"
    except AssertionError as error:
        return f"plays, but {' '.join(str(error).split())[:100]}"
    finally:
        signal.alarm(0)
    return "works"


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
    yield f"Left out: {', '.join(f'{name} ({reason})' for name, reason in LEFT_OUT.items())}, and mean field games."


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=NAMES)
    parser.add_argument("--limit", type=int, default=60, help="seconds for a match, and again for its checks")
    parser.add_argument("--markdown", action="store_true")
    asked = parser.parse_args()
    signal.signal(signal.SIGALRM, _stop)
    rows = []
    for name in asked.games:
        rows.append(row(name, asked.limit))
    print("\n".join(lines(rows, asked.markdown)))


if __name__ == "__main__":
    main()
