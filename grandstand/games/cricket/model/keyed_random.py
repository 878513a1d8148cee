"""Random draws keyed by (seed, innings, ball, channel), never by the order of calls.

Two captains compared on one seed face the same draws at the same ball whatever either did before. A ball's place is
its legal number in the innings and its attempt (0, then one more for each wide or no-ball bowled in that place).
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from hashlib import blake2b
from random import Random
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

inverse_normal = NormalDist().inv_cdf


class DrawChannel(IntEnum):
    """The channels of a ball's draws, each one independent uniform."""

    OUTCOME = 0
    LENGTH = 1
    LINE = 2
    LENGTH_MISS = 3
    LINE_MISS = 4
    KIND = 5
    EXTRA = 6
    UMPIRE = 7
    EVIDENCE = 8
    BOWLER = 9
    MISHAP = 10
    CROSSED = 11
    ZONE = 12
    ANGLE = 13
    DISTANCE = 14
    FIELDER = 15
    SPEED = 16
    SHOT = 17
    VARIATION = 18
    SPARE = 19


Row = list[float]


def match_random(seed: int, purpose: str) -> Random:
    """Return the stream for draws once a match: sides, toss, pitch."""
    return Random(f"{seed}:{purpose}")


def picture_random(seed: int, innings: int, ball: int, attempt: int) -> Random:
    """Return the stream for the picture of a delivery, separate from the draws of its outcome, with the same key."""
    return Random(f"{seed}:{innings}:{ball}:{attempt}:picture")


CHUNK = 120


@lru_cache(maxsize=16)
def _chunk(seed: int, innings: int, attempt: int, chunk: int) -> NDArray[np.float64]:
    """Return [ball, channel]: the uniforms of so many deliveries."""
    name = f"{seed}:{innings}:{attempt}:{chunk}".encode()
    key = int.from_bytes(blake2b(name, digest_size=16).digest(), "little")
    words = np.random.Philox(key=key).random_raw(CHUNK * len(DrawChannel))
    uniforms: NDArray[np.float64] = ((words >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    return uniforms.reshape(CHUNK, len(DrawChannel))


def ball_draws(seed: int, innings: int, ball: int, attempt: int) -> Row:
    """Return a delivery's uniforms in (0, 1), indexed by DrawChannel. `ball` counts the innings' legal balls from 0."""
    row: Row = _chunk(seed, innings, attempt, ball // CHUNK)[ball % CHUNK].tolist()
    return row
