"""The order of a list in which groups take turns, so that a large one does not fill its beginning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T")


def in_turn(items: Iterable[T], group: Callable[[T], Hashable]) -> list[T]:
    """Return the first item of each group, then the second of each, and so on; those of a round keep their order."""
    seen: Counter[Hashable] = Counter()
    ranked: list[tuple[int, T]] = []
    for item in items:
        seen[group(item)] += 1
        ranked.append((seen[group(item)], item))
    return [item for _, item in sorted(ranked, key=lambda pair: pair[0])]
