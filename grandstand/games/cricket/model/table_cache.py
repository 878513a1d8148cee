"""A cache of large tables that are slow to build, shared by all matches of the process and bounded in bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Final, Protocol, TypeVar, cast


class Sized(Protocol):
    @property
    def nbytes(self) -> int: ...


T = TypeVar("T", bound=Sized)


class BoundedCache:
    """A cache bounded by bytes: the least recently used entry goes first.

    Several threads may use it: each step is atomic. If two build the same entry, one of the results is kept.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._entries: OrderedDict[Hashable, Sized] = OrderedDict()

    @property
    def nbytes(self) -> int:
        return sum(entry.nbytes for entry in tuple(self._entries.values()))

    def get(self, key: Hashable, build: Callable[[], T]) -> T:
        """Return the entry of `key`, which is built if it is missing."""
        entry = self._find(key)
        if entry is None:
            entry = self._entries.setdefault(key, build())
            self._give_up()
        return cast("T", entry)

    def has(self, key: Hashable) -> bool:
        """Return whether the entry is there; it then counts as used."""
        return self._find(key) is not None

    def clear(self) -> None:
        self._entries.clear()

    def _find(self, key: Hashable) -> Sized | None:
        entry = self._entries.get(key)
        if entry is not None:
            with suppress(KeyError):  # another thread has just removed it
                self._entries.move_to_end(key)
        return entry

    def _give_up(self) -> None:
        with suppress(KeyError):
            while len(self._entries) > 1 and self.nbytes > self.most:
                self._entries.popitem(last=False)


TABLES: Final = BoundedCache(13 * 2**20)
"""What the chances of winning are computed from, once for all matches of a length. A match of 20 overs uses 2 MiB, and
one of 50 overs 10."""
BLOCKS: Final = BoundedCache(4 * 2**20)
"""The chances of winning after each ball of some overs, of which a match reads those of the present ones: 1 MiB in a
match of 20 overs, and 2 in one of 50. They are quicker to compute than `TABLES`, and never make room for themselves
there."""
