"""What is slow to work out and large: kept for all matches of the process, up to a number of bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import RLock
from typing import Final, Protocol, TypeVar, cast


class Sized(Protocol):
    @property
    def nbytes(self) -> int: ...


T = TypeVar("T", bound=Sized)


class Kept:
    """A cache bounded by bytes: what was used longest ago is given up first. Safe to use from several threads."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.nbytes = 0
        self._entries: OrderedDict[Hashable, Sized] = OrderedDict()
        self._lock = RLock()
        self._building = RLock()

    def get(self, key: Hashable, build: Callable[[], T]) -> T:
        """Return the entry of `key`, built where it is not there. One entry is built at a time."""
        entry = self._find(key)
        if entry is None:
            with self._building:
                entry = self._find(key)
                if entry is None:
                    entry = build()
                    self._keep(key, entry)
        return cast("T", entry)

    def has(self, key: Hashable) -> bool:
        """Return whether the entry is there; it then counts as used."""
        return self._find(key) is not None

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self.nbytes = 0

    def _find(self, key: Hashable) -> Sized | None:
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                self._entries.move_to_end(key)
            return entry

    def _keep(self, key: Hashable, entry: Sized) -> None:
        with self._lock:
            self._entries[key] = entry
            self.nbytes += entry.nbytes
            while self.nbytes > self.most and len(self._entries) > 1:
                _, oldest = self._entries.popitem(last=False)
                self.nbytes -= oldest.nbytes


TABLES: Final = Kept(192 * 2**20)
"""Tables of the chances of winning. A match of 50 overs needs 25 MB of them at most, one of 20 overs 5 MB."""
