"""The reference episodes are listed after the record's own, read from their files, and never written."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from grandstand.models import Event
from grandstand.server.reference.episodes import EPISODES, ReferencedRecorder, ReferenceEpisodes
from grandstand.spectator.errors import RecordError, UnknownEpisode
from tests.support.server.reference import named, reference_folder
from tests.support.spectator.logs import EPISODE, finished_log

OURS = ["own-2", "own-1"]
THEIRS = ["came-2", "came-1"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return reference_folder(tmp_path / "reference", [finished("came-1", 10.0), finished("came-2", 20.0)])


def finished(episode_id: str, at: float) -> list[Event]:
    return [event.model_copy(update={"at": at + event.seq}) for event in named(finished_log(), episode_id)]


def opened(folder: Path, path: Path | str = ":memory:") -> ReferencedRecorder:
    game = finished_log()[0].data["game"]
    recorder = ReferencedRecorder(path, ReferenceEpisodes((game,), folder))
    for number, name in enumerate(reversed(OURS)):
        recorder.on_events(finished(name, 1000.0 * (number + 1)))
    return recorder


def listed(recorder: ReferencedRecorder, limit: int, offset: int) -> list[str]:
    return [summary.episode_id for summary in recorder.summaries(limit=limit, offset=offset)[0]]


def test_pages_go_on_with_the_reference_after_the_own_episodes(folder: Path) -> None:
    recorder = opened(folder)
    whole = [*OURS, *THEIRS]
    assert recorder.summaries()[1] == len(whole)
    for limit in range(1, 6):
        assert [name for offset in range(0, 6, limit) for name in listed(recorder, limit, offset)] == whole
    assert [each.reference for each in recorder.summaries()[0]] == [False, False, True, True]


def test_those_of_each_game_and_origin_take_turns(tmp_path: Path) -> None:
    def of(name: str, at: float, **about: str) -> list[Event]:
        first, *others = finished(name, at)
        return [first.model_copy(update={"data": {**first.data, **about}}), *others]

    episodes = [of("a1", 1.0), of("a2", 2.0), of("a3", 3.0), of("b1", 1.5, origin="imported"), of("c1", 9.0, game="go")]
    game = episodes[0][0].data["game"]
    reference = ReferenceEpisodes((game, "go"), reference_folder(tmp_path / "reference", episodes))
    assert [*reference.summaries] == ["c1", "a3", "b1", "a2", "a1"]


@pytest.mark.parametrize("asked", [{"game": "other"}, {"player": "nobody"}, {"status": ("live",)}])
def test_what_is_asked_for_holds_for_the_reference_too(folder: Path, asked: dict[str, str]) -> None:
    assert opened(folder).summaries(**asked) == ([], 0)  # type: ignore[arg-type]


def test_origins_that_are_left_out_are_left_out_of_the_reference(folder: Path) -> None:
    origin = finished_log()[0].data["origin"]
    assert opened(folder).summaries(without=(origin,)) == ([], 0)


def test_its_events_are_those_of_the_file(folder: Path) -> None:
    recorder, log = opened(folder), finished("came-1", 10.0)
    assert list(recorder.events("came-1")) == log
    assert list(recorder.events("came-1", 2, 4)) == log[2:4]
    kind = log[1].type
    assert recorder.of_type("came-1", kind) == [event for event in log if event.type == kind]
    assert asyncio.run(recorder.load("came-1", (kind,))) == recorder.of_type("came-1", kind)
    assert list(recorder.events("own-1")) == finished("own-1", 1000.0)


def test_neither_retention_nor_deletion_touches_it(folder: Path) -> None:
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    recorder = opened(folder)
    origin = str(finished_log()[0].data["origin"])
    assert sorted(recorder.prune(origin, 0)) == sorted(OURS)
    recorder.delete(THEIRS)
    assert listed(recorder, 9, 0) == THEIRS
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == before


def test_it_is_no_part_of_the_store(folder: Path, tmp_path: Path) -> None:
    recorder = opened(folder, tmp_path / "grandstand.db")
    assert sorted(recorder.episode_ids()) == sorted(OURS)
    assert [each.episode_id for each in asyncio.run(recorder.finished(9))] == OURS
    recorder.close()


def test_without_the_folder_or_the_game_there_is_none(folder: Path, tmp_path: Path) -> None:
    assert not ReferenceEpisodes(("cricket",), tmp_path / "nowhere").summaries
    assert not ReferenceEpisodes(("another game",), folder).summaries
    with pytest.raises(UnknownEpisode):
        ReferenceEpisodes((), folder).events(EPISODE)


def test_a_damaged_file_is_named(folder: Path) -> None:
    file = folder / EPISODES / "came-1.gz"
    file.write_bytes(file.read_bytes()[:40])
    with pytest.raises(RecordError, match="reference episode came-1"):
        list(opened(folder).events("came-1"))
