"""A cache folder bounded in bytes: the least recently used files are deleted first."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from pathlib import Path

from grandstand.atomic import replace_file


class FileCache:
    """Files by name, at most `limit` bytes of them. Another server must not use the folder."""

    def __init__(self, folder: Path, limit: int) -> None:
        self.folder = folder
        self.limit = limit
        self._lock = threading.Lock()
        self._sizes: OrderedDict[str, int] | None = None
        """Name -> bytes, the least recently used first; None until the folder has been read."""

    def get(self, name: str) -> Path | None:
        """Return the file called `name`, which is now the most recently used; None if there is none."""
        path = self.folder / name
        with self._lock:
            sizes = self._read()
            if name not in sizes:
                return None
            sizes.move_to_end(name)
            try:
                # The time of its creation is kept, since responses have it in their headers.
                os.utime(path, (time.time(), path.stat().st_mtime))
            except OSError:
                del sizes[name]
                return None
        return path

    def put(self, name: str, content: bytes) -> Path:
        """Write a file, then delete old ones until the folder is within the limit; the new file stays.

        Raise OSError.
        """
        path = self.folder / name
        with self._lock:
            sizes = self._read()
            self.folder.mkdir(parents=True, exist_ok=True)
            with replace_file(path) as part:
                part.write_bytes(content)
            sizes[name] = len(content)
            sizes.move_to_end(name)
            while len(sizes) > 1 and sum(sizes.values()) > self.limit:
                oldest, _ = sizes.popitem(last=False)
                (self.folder / oldest).unlink(missing_ok=True)
        return path

    def _read(self) -> OrderedDict[str, int]:
        """Read what an earlier server left; its unfinished files are deleted."""
        if self._sizes is None:
            entries: list[tuple[float, str, int]] = []
            for path in self.folder.glob("*") if self.folder.is_dir() else ():
                if path.suffix == ".part":
                    path.unlink(missing_ok=True)
                else:
                    state = path.stat()
                    entries.append((state.st_atime, path.name, state.st_size))
            self._sizes = OrderedDict((name, size) for _, name, size in sorted(entries))
        return self._sizes
