"""The command goes on from what ships: neither results nor records of today's rules are played again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scripts.reference_past import pack as module
from scripts.reference_past import shipped
from scripts.reference_past.pack import pack
from scripts.reference_past.play import RECORDS, SERIES, kept_match, kept_record, play_one
from scripts.reference_past.shipped import keep_shipped


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with two results and the record of one of the two matches."""
    monkeypatch.setattr(module, "CHOSEN", {"werewolf": 1})
    played = tmp_path / "played"
    (played / RECORDS).mkdir(parents=True)
    for number in range(2):
        play_one(played, SERIES["werewolf"].plan(number, played / RECORDS))
    pack(played, tmp_path / "out")
    return tmp_path / "out"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.long
def test_what_ships_is_kept_and_packed_again_as_it_was(out: Path, tmp_path: Path) -> None:
    before, work = contents(out), tmp_path / "work"
    keep_shipped(work, out)
    ids = [f"reference-werewolf-{number:04}" for number in range(2)]
    assert all(kept_match(work, name).is_file() for name in ids)
    assert sum(kept_record(work, name).is_file() for name in ids) == 1
    pack(work, out)
    assert contents(out) == before


@pytest.mark.long
def test_matches_of_older_rules_are_played_again(out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "is_current", lambda *match: False)
    keep_shipped(tmp_path / "work", out)
    assert not (tmp_path / "work").exists()


@pytest.mark.long
def test_matches_with_other_options_than_their_series_has_now_are_played_again(
    out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    series = replace(SERIES["werewolf"], options={"chat": "none"})
    monkeypatch.setattr(shipped, "SERIES", {**SERIES, "werewolf": series})
    keep_shipped(tmp_path / "work", out)
    assert not (tmp_path / "work").exists()
