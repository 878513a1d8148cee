"""A machine that loses its disk: what comes back from the bucket, what goes on, and what is left alone."""

from __future__ import annotations

import asyncio
import gzip
import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from grandstand.models import Event
from grandstand.server.bodies.matches import StartEpisode
from grandstand.server.bucket import Bucket, open_bucket
from grandstand.spectator.replay import from_lines, read
from grandstand.spectator.viewpoint import OPERATOR
from tests.support.live_server import LiveServer, live_server
from tests.support.server.match_services import MatchServices, until

SHORT = StartEpisode(game="diplomacy", seed=3, pace=0, options={"last_year": 1901})


def bucket_of(services: MatchServices, folder: Path, every: float = 0.01) -> Bucket:
    bucket = open_bucket(folder, services.recorder)
    assert bucket
    bucket._every = every
    services.bus.add(bucket)
    return bucket


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def records(services: MatchServices) -> dict[str, Sequence[Event]]:
    return {name: list(services.recorder.events(name)) for name in services.recorder.episode_ids()}


async def played(folder: Path, matches: int = 1) -> dict[str, Sequence[Event]]:
    """The records of matches that ended and were copied to `folder`."""
    services = MatchServices()
    bucket = bucket_of(services, folder)
    bucket.begin()
    ids = [(await services.driver.start(SHORT.model_copy(update={"seed": seed}))).episode_id for seed in range(matches)]
    await services.ended(*ids)
    await bucket.close()
    return records(services)


def test_an_ended_episode_comes_back_whole_to_an_empty_record(tmp_path: Path) -> None:
    async def scenario() -> None:
        before = await played(tmp_path, 2)
        assert names(tmp_path) == sorted(f"episodes/{name}.jsonl.gz" for name in before)
        services = MatchServices()
        bucket = bucket_of(services, tmp_path)
        bucket.begin()
        await until(lambda: len(services.recorder.episode_ids()) == 2)
        await bucket.close()
        assert records(services) == before
        for name in before:
            assert read(services.recorder, name).episode_id == name
            assert services.history.summary(name, OPERATOR).ended_at

    asyncio.run(scenario())


def test_a_file_is_a_download_that_can_be_read_without_a_server(tmp_path: Path) -> None:
    (name, events), *_ = asyncio.run(played(tmp_path)).items()
    with gzip.open(tmp_path / "episodes" / f"{name}.jsonl.gz", "rt") as file:
        assert list(from_lines(file).events) == list(events)


def test_a_running_match_goes_on_from_its_copy(tmp_path: Path) -> None:
    async def first() -> tuple[str, list[Event]]:
        services = MatchServices()
        bucket = bucket_of(services, tmp_path, every=60)
        bucket.begin()
        name = (await services.driver.start(SHORT.model_copy(update={"paused": True, "options": {}}))).episode_id
        await services.begun(name)
        await services.driver.close()
        await bucket.close()
        return name, list(services.recorder.events(name))

    async def second(name: str, before: list[Event]) -> None:
        services = MatchServices()
        bucket = bucket_of(services, tmp_path)
        bucket.restore_running()
        assert services.driver.resume_all() == [name]
        await services.driver.resumed()
        assert list(services.recorder.events(name, 0, len(before))) == before
        assert services.recorder.summary(name).status == "live"
        await services.driver.close()
        await bucket.close()

    name, before = asyncio.run(first())
    assert names(tmp_path) == [f"running/{name}.jsonl.gz"]
    asyncio.run(second(name, before))


def test_an_ended_match_is_no_longer_a_running_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        services = MatchServices()
        bucket = bucket_of(services, tmp_path)
        bucket.begin()
        name = (await services.driver.start(SHORT.model_copy(update={"pace": 0.05}))).episode_id
        await until(lambda: names(tmp_path / "running") == [f"{name}.jsonl.gz"])
        await services.ended(name)
        await bucket.close()
        assert names(tmp_path) == [f"episodes/{name}.jsonl.gz"]

    asyncio.run(scenario())


def test_what_is_deleted_from_the_record_is_deleted_from_the_bucket(tmp_path: Path) -> None:
    async def scenario() -> None:
        services = MatchServices()
        bucket = bucket_of(services, tmp_path)
        bucket.begin()
        ids = [(await services.driver.start(SHORT, origin="showcase")).episode_id for _ in range(2)]
        await services.ended(*ids)
        await until(lambda: len(names(tmp_path / "episodes")) == 2)
        (gone,) = services.recorder.prune("showcase", 1)
        bucket.changed(gone)
        await bucket.close()
        (kept,) = services.recorder.episode_ids()
        assert names(tmp_path) == [f"episodes/{kept}.jsonl.gz"]

    asyncio.run(scenario())


def test_an_episode_that_is_deleted_while_others_come_back_does_not_come_back(tmp_path: Path) -> None:
    async def scenario() -> None:
        (deleted, events), (other, _) = (await played(tmp_path, 2)).items()
        services = MatchServices()
        services.recorder.on_events(events)
        bucket = bucket_of(services, tmp_path)
        bucket.begin()
        services.recorder.delete([deleted])
        bucket.changed(deleted)
        await until(services.recorder.episode_ids)
        await bucket.close()
        assert services.recorder.episode_ids() == [other]
        assert names(tmp_path) == [f"episodes/{other}.jsonl.gz"]

    asyncio.run(scenario())


def test_episodes_of_before_the_bucket_are_copied_too(tmp_path: Path) -> None:
    async def scenario() -> None:
        services = MatchServices()
        name = (await services.driver.start(SHORT)).episode_id
        await services.ended(name)
        bucket = bucket_of(services, tmp_path)
        bucket.begin()
        await bucket.close()
        assert names(tmp_path) == [f"episodes/{name}.jsonl.gz"]

    asyncio.run(scenario())


def test_files_that_cannot_be_read_are_named_and_left_as_they_are(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        (name,) = await played(tmp_path)
        good = tmp_path / "episodes" / f"{name}.jsonl.gz"
        data = good.read_bytes()
        broken = {"torn": data[: len(data) // 2], "empty": b"", "plain": b"no gzip", "renamed": data}
        for other, content in broken.items():
            (tmp_path / "episodes" / f"{other}.jsonl.gz").write_bytes(content)
        services = MatchServices()
        bucket = bucket_of(services, tmp_path)
        bucket.begin()
        await until(lambda: all(f"{other}.jsonl.gz is left out" in caplog.text for other in broken))
        await until(lambda: services.recorder.episode_ids() != [])
        await bucket.close()
        assert services.recorder.episode_ids() == [name]
        for other, content in broken.items():
            assert (tmp_path / "episodes" / f"{other}.jsonl.gz").read_bytes() == content

    asyncio.run(scenario())


def test_a_folder_that_cannot_be_written_holds_up_nothing_and_is_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        services = MatchServices()
        bucket = bucket_of(services, tmp_path)
        bucket.begin()
        shutil.rmtree(tmp_path / "episodes")
        name = (await services.driver.start(SHORT)).episode_id
        await services.ended(name)
        await until(lambda: f"episode {name} is not up to date yet" in caplog.text)
        (tmp_path / "episodes").mkdir()
        await until(lambda: names(tmp_path) == [f"episodes/{name}.jsonl.gz"])
        await bucket.close()

    asyncio.run(scenario())


def test_without_the_folder_the_server_goes_on_and_says_what_is_lost(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    services = MatchServices()
    assert open_bucket(None, services.recorder) is None
    assert caplog.text == ""
    assert open_bucket(tmp_path / "none", services.recorder) is None
    assert f"no folder {tmp_path / 'none'}" in caplog.text


def test_a_server_wakes_on_an_empty_disk_with_its_matches(tmp_path: Path) -> None:
    bucket = tmp_path / "bucket"
    bucket.mkdir()

    def listed(server: LiveServer) -> dict[str, str]:
        return {item["episode_id"]: item["status"] for item in server.get("/api/episodes")["episodes"]}

    with live_server(tmp_path / "one", GRANDSTAND_BUCKET=os.fspath(bucket)) as server:
        ended = server.start_match(game="diplomacy", seed=1, pace=0, options={"last_year": 1901})
        running = server.start_match(game="diplomacy", seed=2, pace=30)
        server.wait_for(ended, status="finished")
        seq = server.wait_for(running, seq=5)["last_seq"]
        record = server.get(f"/api/episodes/{ended}/events")
        server.stop()
    with live_server(tmp_path / "two", GRANDSTAND_BUCKET=os.fspath(bucket)) as server:
        server.wait_for(running, status="live", seq=seq)
        while ended not in listed(server):
            time.sleep(0.02)
        assert listed(server) == {ended: "finished", running: "live"}
        assert server.get(f"/api/episodes/{ended}/events") == record
