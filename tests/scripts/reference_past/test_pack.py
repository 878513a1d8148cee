"""The package's folder is written from the kept matches: the most surprising records, all results, the experiments."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from grandstand.server.reference.episodes import ReferenceEpisodes
from grandstand.server.reference.results import ReferenceResults
from scripts.reference_past import pack as module
from scripts.reference_past.pack import pack
from scripts.reference_past.play import RECORDS, SERIES, Kept, play_one


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    (folder / RECORDS).mkdir()
    for number in range(3):
        play_one(folder, SERIES["werewolf"].plan(number, folder / RECORDS))
    return folder


@pytest.mark.long
def test_the_most_surprising_are_shipped_whole_and_the_others_as_results(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHOSEN", {"werewolf": 1})
    said = pack(played, tmp_path / "out")
    assert said.startswith("3 results, 1 records, 13 experiments: ")
    kept = [Kept.model_validate_json(file.read_bytes()) for file in (played / RECORDS).glob("*.json")]
    best = max(kept, key=lambda match: match.surprise).episode_id
    shipped = ReferenceEpisodes(("werewolf",), tmp_path / "out")
    assert [name for name in shipped.summaries if "werewolf" in name] == [best]
    assert shipped.events(best)[-1].type == "EpisodeEnded"
    found = asyncio.run(ReferenceResults(("werewolf",), tmp_path / "out").matches()).matches
    assert {match.episode_id: match.recorded for match in found} == {
        match.episode_id: match.episode_id == best for match in kept
    }
    assert [match.episode_id for match in found if match.moments] == [best]
    assert all(match.reference for match in found)


@pytest.mark.long
def test_the_same_matches_give_the_same_files(played: Path, tmp_path: Path) -> None:
    contents = []
    for name in ("one", "two"):
        pack(played, tmp_path / name)
        files = sorted(file for file in (tmp_path / name).rglob("*") if file.is_file())
        contents.append([(file.relative_to(tmp_path / name), file.read_bytes()) for file in files])
    assert contents[0] == contents[1]


def test_a_folder_that_is_too_large_is_refused(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 1000)
    with pytest.raises(SystemExit, match="more than 1,000: ship fewer records"):
        pack(played, tmp_path / "out")


def test_a_folder_without_matches_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/results.jsonl.gz").write_bytes(b"as it was")
    with pytest.raises(SystemExit, match="no matches yet: name a series"):
        pack(tmp_path / "work", tmp_path / "out")
    assert (tmp_path / "out/results.jsonl.gz").read_bytes() == b"as it was"
