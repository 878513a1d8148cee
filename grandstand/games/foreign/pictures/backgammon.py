"""The board of backgammon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from grandstand.games.foreign.game import Drawn
from grandstand.games.picture import Place, Thing, Tone

SIZE: Final = (150.0, 116.0)
STEP: Final = 10.6
PIECE: Final = 9.0
MOST: Final = 5
"""The most pieces drawn on a point; with more, the last one shows the number."""


def backgammon(state: Any, seats: Sequence[str]) -> Drawn:
    """Return the board of `state`, with the first player's home at the bottom right, as in the library's text
    it too."""
    places = [Place("board", SIZE[0] / 2, SIZE[1] / 2, SIZE[0] - 4, SIZE[1] - 4, tone="table", name="board")]
    places.append(Place("bar", SIZE[0] / 2, SIZE[1] / 2, 8, SIZE[1] - 4, tone="muted", name="bar"))
    things: list[Thing] = []
    for point in range(24):
        x, top = _middle(point), point >= 12
        base, tip = (3.0, 48.0) if top else (SIZE[1] - 3, SIZE[1] - 48)
        path = f"M{x - STEP / 2:.1f} {base}L{x + STEP / 2:.1f} {base}L{x:.1f} {tip}Z"
        tone: Tone = "light" if point % 2 else "dark"
        places.append(
            Place(f"point {point}", x, (base + tip) / 2, STEP, 45, path, name=f"point {point + 1}", tone=tone)
        )
        for player, owner in enumerate(seats):
            things += _pieces(point, state.board(player, point), x, top, owner)
    return places, things


def _middle(point: int) -> float:
    """Return the middle of a point, from left to right."""
    column = 11 - point if point < 12 else point - 12
    return 6 + STEP / 2 + column * STEP + (10.8 if column >= 6 else 0)


def _pieces(point: int, count: int, x: float, top: bool, owner: str) -> list[Thing]:
    """Return the pieces of a player at a point."""
    pieces = []
    for number in range(min(count, MOST)):
        y = 8 + number * PIECE if top else SIZE[1] - 8 - number * PIECE
        label = str(count) if number == MOST - 1 and count > MOST else ""
        name = f"{owner.replace('_', ' ')} at point {point + 1}"
        pieces.append(Thing(f"{owner} {point} {number}", "piece", (x, y), label=label, name=name, owner=owner))
    return pieces
