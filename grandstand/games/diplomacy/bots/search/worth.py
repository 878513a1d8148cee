"""The worth of positions after a fall: the expected final score of every power, by a logit over a few counts.

The weights are fitted to the final scores of games between bots: `scripts/diplomacy/fit_worth.py`.
"""

from __future__ import annotations

import numpy as np

from grandstand.games.diplomacy.bots.search.boards import SEATS, Boards, Floats
from grandstand.games.diplomacy.bots.search.field import centers_in_reach, most_of_others
from grandstand.games.diplomacy.rules.state import SOLO_CENTERS

WEIGHTS = (3.73, 0.27, -0.85, 0.14)
"""The weight of each feature."""


def features(boards: Boards) -> Floats:
    """Return [positions, powers, 4]: tenths of the centres owned, the square of that, fifths of the owned centres that
    another power has in reach, and of the foreign ones where the power has more units in reach than any other."""
    present = centers_in_reach(boards.presence())
    others = most_of_others(present)
    owned = boards.owner[:, None, :] == np.arange(SEATS)[:, None]
    count = owned.sum(axis=2) / 10
    exposed = (owned & (others > 0)).sum(axis=2) / 5
    open_to = (~owned & (present > others)).sum(axis=2) / 5
    return np.stack([count, count * count, exposed, open_to], axis=2)


def worth(boards: Boards) -> Floats:
    """Return [positions, powers]: the mean of the expected final scores and of the scores if the game ended here.

    Each sums to 1, which a solo takes alone. The second gives a reason to extend a lead that is almost a
    win.
    """
    counted = features(boards)
    logits = counted @ np.array(WEIGHTS)
    expected = np.exp(logits - logits.max(axis=1, keepdims=True))
    expected /= expected.sum(axis=1, keepdims=True)
    squares = counted[:, :, 1]
    now = squares / squares.sum(axis=1, keepdims=True)
    solo = boards.counts()[:, :SEATS] >= SOLO_CENTERS
    result: Floats = np.where(solo.any(axis=1, keepdims=True), solo, (expected + now) / 2)
    return result
