"""The folder of drawn pictures is bounded, and outlives the server."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from grandstand.server.cards.cache import FileCache


def test_what_was_used_last_stays(tmp_path: Path) -> None:
    cache = FileCache(tmp_path / "cards", 250)
    for name in ("a", "b"):
        cache.put(name, b"x" * 100)
    assert cache.get("a")
    cache.put("c", b"x" * 100)
    assert sorted(path.name for path in cache.folder.iterdir()) == ["a", "c"]
    assert cache.get("b") is None


def test_a_file_larger_than_the_limit_stays_alone(tmp_path: Path) -> None:
    cache = FileCache(tmp_path, 10)
    cache.put("a", b"x" * 5)
    assert cache.put("b", b"x" * 100).read_bytes() == b"x" * 100
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, content: bytes) -> int:
        with path.open("wb") as file:
            file.write(content[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    cache = FileCache(tmp_path, 250)
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        cache.put("a", b"x" * 100)
    assert list(tmp_path.iterdir()) == []
    assert cache.get("a") is None


def test_a_new_server_knows_the_files_and_their_order(tmp_path: Path) -> None:
    for age, name in enumerate(("new", "middle", "old")):
        (tmp_path / name).write_bytes(b"x" * 100)
        os.utime(tmp_path / name, (1000 - age, 5))
    (tmp_path / "broken.part").write_bytes(b"x")
    cache = FileCache(tmp_path, 250)
    cache.put("newest", b"x" * 100)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "newest"]


def test_a_file_that_was_deleted_is_made_again(tmp_path: Path) -> None:
    cache = FileCache(tmp_path, 250)
    cache.put("a", b"x").unlink()
    assert cache.get("a") is None
    assert cache.put("a", b"y").read_bytes() == b"y"


def test_use_does_not_change_when_a_file_was_made(tmp_path: Path) -> None:
    cache = FileCache(tmp_path, 250)
    os.utime(cache.put("a", b"x"), (5, 5))
    path = cache.get("a")
    assert path
    assert (path.stat().st_mtime, path.stat().st_atime > 5) == (5, True)
