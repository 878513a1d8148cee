"""Decide which versions of a policy are in its league, which stay for ever, and which one is the best. No tensors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grandstand.play.ratings.intervals import LEVEL
from grandstand.play.ratings.table import RatingTable


def is_recent(version: int, now: int, every: int, recent: int) -> bool:
    """Return whether `version` is in the league when the policy is at `now`; a checkpoint is made every `every` steps.

    The newest `recent` checkpoints are, and of the older ones those whose number is divisible by a power of two that
    grows with their age: the gaps double, and a version that has left never returns.

    >>> [version for version in range(1, 25) if is_recent(version, 24, 1, 4)]
    [8, 12, 16, 18, 20, 21, 22, 23, 24]
    """
    if version < every or version % every or version > now:
        return False
    number = version // every
    spacing = number & -number
    return now // every - number < recent * spacing


def is_landmark(version: int, every: int) -> bool:
    """Return whether a version stays for ever; `every` is 0 if none does."""
    return bool(every and version and version % every == 0)


def members(now: int, every: int, recent: int, landmark_every: int, elites: Iterable[int] = ()) -> list[int]:
    """Return the versions that are in the league when the policy is at `now`, ascending."""
    return sorted(
        {version for version in range(every, now + 1, every) if is_recent(version, now, every, recent)}
        | {version for version in range(every, now + 1, every) if is_landmark(version, landmark_every)}
        | {version for version in elites if 0 < version <= now}
    )


def elite(table: RatingTable, versions: Mapping[str, int], last: str) -> int | None:
    """Return the version that becomes the best one, or None if none is better than `last` beyond chance.

    `versions` are the candidates by their names in the table. The probability that a candidate is the stronger must be
    above that of a two-sided 95 % interval, divided by the number of candidates that are compared at a time.
    """
    compared = [pair for pair in table.pairs if last in (pair.a, pair.b) and {pair.a, pair.b} & versions.keys()]
    limit = 1 - (1 - LEVEL) / 2 / max(len(compared), 1)
    better = {pair.a for pair in compared if pair.b == last and pair.probability > limit}
    better |= {pair.b for pair in compared if pair.a == last and 1 - pair.probability > limit}
    ranked = [rating.player for rating in table.ratings if rating.player in better and rating.player in versions]
    return versions[ranked[0]] if ranked else None
