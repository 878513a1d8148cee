"""The store of clips: by content, bounded, and deleted with the episodes that they speak."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from grandstand.events import SpokenWord
from grandstand.spectator.voice.clips import Clip, Clips
from grandstand.spectator.voice.plan import VoicePlan

WORDS = [SpokenWord(text="Wide", start=0.0), SpokenWord(text="ball.", start=0.4)]


def clip(text: str) -> Clip:
    return Clip(VoicePlan(kind="cartesia").clip(text, "voice"), "wav", 1.25, WORDS)


@pytest.fixture
def clips(tmp_path: Path) -> Clips:
    return Clips(tmp_path / "clips", 1000)


def files(clips: Clips, tmp_path: Path) -> set[str]:
    return {path.name for path in (tmp_path / "clips").glob("??/*")}


def test_a_clip_is_kept_with_its_words_over_a_restart(clips: Clips, tmp_path: Path) -> None:
    clips.add(clip("a"), b"audio", "match", 4)
    clips.close()
    again = Clips(tmp_path / "clips", 1000)
    assert again.get(clip("a").name) == clip("a")
    assert again.path(clip("a").name).read_bytes() == b"audio"
    assert again.of_episode("match") == [clip("a").ready(4)]
    assert again.get(clip("b").name) is None


def test_names_that_are_no_clips_are_unknown(clips: Clips) -> None:
    assert clips.get("../index.db") is None
    assert clips.get("a" * 63) is None


def test_the_same_words_in_two_matches_are_one_clip_until_both_are_deleted(clips: Clips, tmp_path: Path) -> None:
    clips.add(clip("a"), b"audio", "one", 4)
    clips.speaks("two", 9, clip("a").name)
    assert clips.lines_of(clip("a").name) == [("one", 4), ("two", 9)]
    clips.forget(["one"])
    assert clips.of_episode("one") == []
    assert clips.of_episode("two") == [clip("a").ready(9)]
    clips.forget(["two"])
    assert clips.get(clip("a").name) is None
    assert files(clips, tmp_path) == set()


def test_the_clips_unused_for_longest_go_first(clips: Clips, tmp_path: Path) -> None:
    for number, text in enumerate("abc"):
        clips.add(clip(text), bytes(300), "match", number)
    clips.speaks("match", 7, clip("a").name)
    clips.add(clip("d"), bytes(300), "match", 8)
    assert clips.size == 900
    assert files(clips, tmp_path) == {clip(text).name for text in "acd"}
    assert [ready.comment for ready in clips.of_episode("match")] == [0, 2, 7, 8]


def test_one_clip_larger_than_the_limit_is_kept_alone(clips: Clips) -> None:
    clips.add(clip("a"), bytes(300), "match", 0)
    clips.add(clip("b"), bytes(3000), "match", 1)
    assert clips.get(clip("a").name) is None
    assert clips.get(clip("b").name) is not None


def test_what_belongs_to_no_episode_is_deleted_at_the_start(clips: Clips, tmp_path: Path) -> None:
    clips.add(clip("a"), b"1", "kept", 0)
    clips.add(clip("b"), b"2", "gone", 0)
    stray = tmp_path / "clips" / "zz"
    stray.mkdir()
    (stray / "x.part").write_bytes(b"half")
    clips.keep_only(["kept"])
    assert files(clips, tmp_path) == {clip("a").name}


def test_a_lost_file_is_an_unknown_clip(clips: Clips) -> None:
    clips.add(clip("a"), b"1", "match", 0)
    clips.path(clip("a").name).unlink()
    assert clips.get(clip("a").name) is None


def test_a_store_that_cannot_be_used_says_so(clips: Clips, tmp_path: Path) -> None:
    clips.close()
    with pytest.raises(OSError, match=r"index\.db"):
        clips.get(clip("a").name)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "index.db").write_bytes(b"not a database" * 100)
    with pytest.raises(OSError, match=r"index\.db"):
        Clips(tmp_path / "other", 1000)
    assert sqlite3.sqlite_version
