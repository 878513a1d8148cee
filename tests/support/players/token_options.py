"""Random options of random slots: sequences of token ids of which none begins another."""

from __future__ import annotations

from random import Random


def options(rng: Random, count: int, vocabulary: int, length: int = 4) -> list[list[int]]:
    """Return 1 to `count` options of ids from 1 to below `vocabulary`; many have a common prefix."""
    result: set[tuple[int, ...]] = set()
    for _ in range(rng.randint(1, count)):
        new = tuple(rng.randrange(1, vocabulary) for _ in range(rng.randint(1, length)))
        if not any(new[: len(old)] == old or old[: len(new)] == new for old in result):
            result.add(new)
    return [list(option) for option in sorted(result)]


def run_of_slots(rng: Random, slots: int = 4, options: int = 6, vocabulary: int = 12) -> list[list[list[int]]]:
    """Return the options of each of `slots` slots."""
    return [_options(rng, options, vocabulary) for _ in range(slots)]


_options = options
