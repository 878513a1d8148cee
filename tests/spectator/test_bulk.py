"""A whole episode is recorded in short commits: known once all of it is there, and never half."""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from grandstand.models import Event
from grandstand.spectator import bulk
from grandstand.spectator.bulk import record_whole
from grandstand.spectator.errors import StorageError
from grandstand.spectator.record_rows import transaction
from grandstand.spectator.recorder import Recorder

CREATED = {"game": "chess", "title": "A title", "options": {}, "seats": [], "origin": "imported"}


def episode(name: str, count: int = 1000) -> list[Event]:
    """Return a whole episode of `count` events."""
    moved = [("Moved", {"text": "e4 " * 100})] * (count - 2)
    kinds: list[tuple[str, dict[str, Any]]] = [("EpisodeCreated", CREATED), *moved]
    return [
        Event(episode_id=name, epoch=1, seq=seq, at=1.0 + seq, type=kind, audience="public", data=data)
        for seq, (kind, data) in enumerate([*kinds, ("EpisodeEnded", {"status": "finished"})])
    ]


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[Recorder]:
    recorder = Recorder(tmp_path / "grandstand.db")
    yield recorder
    recorder.close()


def store_of(tmp_path: Path) -> Path:
    return tmp_path / "grandstand.db"


def rows(tmp_path: Path, table: str) -> int:
    with sqlite3.connect(store_of(tmp_path)) as db:
        (count,) = db.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(count)


def test_it_is_recorded_once_like_any_other(recorder: Recorder, tmp_path: Path) -> None:
    events = episode("whole-1")
    assert record_whole(store_of(tmp_path), events)
    assert list(recorder.events("whole-1")) == events
    other = Recorder(":memory:")
    other.on_events(events)
    assert recorder.summary("whole-1") == other.summary("whole-1")
    assert recorder.summaries()[1] == 1
    assert not record_whole(store_of(tmp_path), events)


def test_every_commit_is_short_and_the_last_makes_it_known(
    recorder: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commits: list[tuple[int, int]] = []

    def noted(_seconds: float) -> None:
        commits.append((rows(tmp_path, "events"), recorder.summaries()[1]))
        recorder.on_events(episode(f"live-{len(commits)}", 2))  # a server commits its own meanwhile
        recorder.delete([f"live-{len(commits)}"])

    monkeypatch.setattr("time.sleep", noted)
    record_whole(store_of(tmp_path), episode("whole-1", 2000))
    counts = [0, *(count for count, _ in commits)]
    assert max(later - before for before, later in pairwise(counts)) <= bulk.PART_EVENTS
    assert [known for _, known in commits] == [0] * (len(commits) - 1) + [1]


def killed_after(store: str, parts: int) -> None:
    """Record an episode; the process is killed after so many commits."""
    commits = []

    def rest(_seconds: float) -> None:
        commits.append(1)
        if len(commits) == parts:
            os.kill(os.getpid(), signal.SIGKILL)

    setattr(time, "sleep", rest)  # noqa: B010 - the types of the two differ
    record_whole(Path(store), episode("whole-1"))


@pytest.mark.parametrize("parts", [1, 3])
def test_an_import_that_is_killed_leaves_nothing_that_is_shown(recorder: Recorder, tmp_path: Path, parts: int) -> None:
    process = get_context("fork").Process(target=killed_after, args=(str(store_of(tmp_path)), parts))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert rows(tmp_path, "events") > 0, "it was not killed in the middle"
    assert (recorder.summaries(), recorder.episode_ids()) == (([], 0), [])
    assert record_whole(store_of(tmp_path), episode("other-1", 5))
    assert rows(tmp_path, "events") == 5, "the next import removes what the killed one left"
    assert record_whole(store_of(tmp_path), episode("whole-1"))
    assert list(recorder.events("whole-1")) == episode("whole-1")


def test_a_locked_file_is_waited_for_and_then_left_as_it_was(recorder: Recorder, tmp_path: Path) -> None:
    other = sqlite3.connect(store_of(tmp_path), isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageError):
        record_whole(store_of(tmp_path), episode("whole-1"), patience=0)
    timer = threading.Timer(0.2, lambda: other.execute("ROLLBACK"))
    timer.start()
    assert record_whole(store_of(tmp_path), episode("whole-1"))
    timer.join()
    other.close()
    assert list(recorder.events("whole-1")) == episode("whole-1")


def test_a_second_import_at_the_same_time_waits_for_the_first(recorder: Recorder, tmp_path: Path) -> None:
    with bulk._alone(store_of(tmp_path), 0), pytest.raises(StorageError, match="another import into this folder"):
        record_whole(store_of(tmp_path), episode("whole-1"), patience=0)
    results: list[bool] = []
    threads = [
        threading.Thread(target=lambda: results.append(record_whole(store_of(tmp_path), episode("whole-1"))))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [False, True]
    assert list(recorder.events("whole-1")) == episode("whole-1")


def test_a_disk_that_fills_leaves_nothing(recorder: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []

    def full(db: sqlite3.Connection) -> object:
        written.append(1)
        if len(written) == 3:
            raise StorageError("database or disk is full")
        return transaction(db)

    monkeypatch.setattr(bulk, "transaction", full)
    with pytest.raises(StorageError, match="full"):
        record_whole(store_of(tmp_path), episode("whole-1"), patience=0)
    assert (rows(tmp_path, "events"), recorder.episode_ids()) == (0, [])
