"""A run and some of its matches on a server: chosen by seed, paced, whole; what is private stays at home; no server
can hold training up."""

from __future__ import annotations

import itertools
import logging
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from grandstand.campaigns import run_publisher as watch_module
from grandstand.campaigns.run_publisher import AT_ONCE
from grandstand.models import (
    Event,
    flat,
)
from grandstand.play.commentator import DERIVED
from grandstand.spectator.errors import RecordError
from tests.support import http
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.trainer import training_run
from tests.support.trainer.published import OPERATOR, SECRET, TOKEN, Training, buffered, wait_for, watching
from tests.support.waiting import PATIENCE

ENV: dict[str, Any] = {"GRANDSTAND_PUBLISH_TOKEN": TOKEN, "GRANDSTAND_OPERATOR_TOKEN": OPERATOR}
SIGNED = {"Authorization": f"Bearer {OPERATOR}"}
NOWHERE = "http://127.0.0.1:1"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("watching"), **ENV) as running:
        yield running


def published(server: LiveServer, title: str) -> str:
    """The id of the newest episode of this title."""
    episodes = server.get("/api/episodes", limit=200)["episodes"]
    return str(next(episode["episode_id"] for episode in episodes if episode["title"] == title))


def ended(server: LiveServer, title: str) -> bool:
    """Return whether the server has the end of an episode of this title."""
    episodes = server.get("/api/episodes", limit=200)["episodes"]
    return any(episode["ended_at"] for episode in episodes if episode["title"] == title)


def there(server: LiveServer, title: str) -> list[Event]:
    """An episode as the server has it."""
    answer = http.get(
        f"{server.url}/api/episodes/{published(server, title)}/replay", params={"as": "operator"}, headers=SIGNED
    )
    return [Event.model_validate_json(line) for line in answer.raise_for_status().text.splitlines()[1:]]


def test_a_run_and_its_matches_are_shown_whole(server: LiveServer, tmp_path: Path) -> None:
    with watching(server.url, tmp_path / "watch.db") as watch:
        training = Training(watch)
        training.match("whole-1")
        training.run()
        training.match("whole-2")
        training.bus.publish("Nano.1", [training_run.ending()])
    assert (watch.shown, watch.lost, watch.trouble) == (2, 0, "")
    for title, name in (("whole-1", "whole-1"), ("whole-2", "whole-2"), ("Training nano-diplomacy", "Nano.1")):
        at_home, shown = untold(training.recorder.events(name)), untold(there(server, title))
        assert [(item.type, item.audience) for item in shown] == [(item.type, item.audience) for item in at_home]
        for here, far in zip(at_home, shown, strict=True):
            if here.type == "EpisodeCreated":
                assert far.data == here.data | {"origin": "publisher"}
            elif "TurnRecorded" not in [part.type for part in flat([here])]:
                assert far.data == here.data
    run = server.get(f"/api/episodes/{published(server, 'Training nano-diplomacy')}")
    assert (run["game"], run["status"], run["options"]["kl"]["beta"]) == ("training", "finished", 0.01)
    assert server.get("/api/players", game="training") == []


def untold(events: Iterable[Event]) -> list[Event]:
    """Return the events that are no story of the match: neither lines, nor batches of what single seats are told."""
    return [event for event in events if not {part.type for part in flat([event])} <= DERIVED]


def test_a_match_of_a_run_has_the_story_of_any_match_and_the_run_keeps_none(server: LiveServer, tmp_path: Path) -> None:
    with watching(server.url, tmp_path / "watch.db") as watch:
        training = Training(watch)
        training.match("with a story")
    shown = there(server, "with a story")
    assert {"FactNoted", "CommentAdded", "OutlookUpdated"} <= {event.type for event in shown}
    assert [event.seq for event in shown] == list(range(len(shown)))
    assert not {event.type for event in flat(training.recorder.events("with a story"))} & DERIVED
    episode = published(server, "with a story")
    assert server.get(f"/api/episodes/{episode}")["outlook"]["headline"]
    by_number = {event.seq: event for event in shown}
    for event in shown:
        if event.type == "FactNoted":
            assert all(by_number[number].seq <= event.seq for number in event.data["rests_on"])


def test_a_match_names_its_run_and_step_and_the_run_finds_its_matches(server: LiveServer, tmp_path: Path) -> None:
    fed, other, measured, cloned = (
        "n-s000004-g000-f01",
        "n-s000005-g000-f01",
        "n-e-vs_base-g001-v000004-own",
        "n-clone-1",
    )
    with watching(server.url, tmp_path / "watch.db") as watch:
        training = Training(watch)
        training.match("n-s000001-g000-f00")
        wait_for(partial(ended, server, "n-s000001-g000-f00"))
        training.run("run-n-1")
        for name in (fed, other, measured, cloned):
            training.match(name)
            wait_for(partial(ended, server, name))
    run = published(server, "Training nano-diplomacy")
    places = {
        name: server.get(f"/api/episodes/{published(server, name)}")["training"]
        for name in (fed, other, measured, cloned, "n-s000001-g000-f00")
    }
    assert places == {
        fed: {"run": run, "stage": "training", "step": 4},
        other: {"run": run, "stage": "training", "step": 5},
        measured: {"run": run, "stage": "evaluation", "step": 4},
        cloned: None,
        "n-s000001-g000-f00": None,  # shown before the run's own episode
    }

    def titles(**query: Any) -> set[str]:
        return {episode["title"] for episode in server.get("/api/episodes", run=run, **query)["episodes"]}

    assert titles() == {fed, other, measured}
    assert titles(first_step=5, last_step=9) == {other}
    assert titles(last_step=4, player="random") == {fed, measured}
    assert titles(player="nobody") == set()
    assert server.get("/api/episodes", run="training-none")["total"] == 0


def test_the_decisions_of_a_match_that_were_recorded_are_listed(server: LiveServer, tmp_path: Path) -> None:
    name = "listed-s000002-g000-f00"
    with watching(server.url, tmp_path / "watch.db") as watch:
        training = Training(watch)
        training.run("run-listed-1")
        training.match(name)
        training.match("unlisted")
    decisions = server.get(f"/api/episodes/{published(server, name)}/decisions")
    recorded, shown = (
        [
            (event.seq, part.data["seat"], part.data["version"])
            for event in events
            for part in flat([event])
            if part.type == "TurnRecorded"
        ]
        for events in (training.recorder.events(name), there(server, name))
    )
    assert [(each["seq"], each["seat"], each["version"]) for each in decisions] == shown
    assert [decision[1:] for decision in shown] == [decision[1:] for decision in recorded]
    assert shown
    assert decisions[0]["turn"] == "S1901M"
    assert server.get(f"/api/episodes/{published(server, 'unlisted')}/decisions") == []


def test_no_viewer_receives_what_a_policy_is_trained_on(server: LiveServer, tmp_path: Path) -> None:
    with watching(server.url, tmp_path / "watch.db") as watch:
        training = Training(watch)
        training.match("private")
    at_home = list(training.recorder.events("private"))
    numbers = {event.seq for event in at_home if "TurnRecorded" in [part.type for part in flat([event])]}
    assert len(numbers) > 1
    assert {event.seq for event in at_home if str(SECRET) in event.model_dump_json()} == numbers
    episode = published(server, "private")
    for viewpoint in ("spectator", "seat:FRANCE", "seat:ITALY", "analyst", "operator"):
        observed = dict(_everything(server, episode, viewpoint))
        for path, text in observed.items():
            assert str(SECRET) not in text, (viewpoint, path)
        assert "TurnRecorded" not in observed["events"]
    store = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    store += b"".join(file.read_bytes() for file in server.log.parent.glob("grandstand.db*"))
    assert b"TurnRecorded" in store
    assert str(SECRET).encode() not in store


def _everything(server: LiveServer, episode: str, viewpoint: str) -> Iterator[tuple[str, str]]:
    """All that can be had of an ended episode from there, by the way it came."""
    base, look = f"{server.url}/api/episodes/{episode}", {"as": viewpoint}
    signed = SIGNED if viewpoint == "operator" else {}
    first = http.get(f"{base}/events", params=look, headers=signed).raise_for_status()
    yield "events", first.text
    page = first.json()
    recorded = [frame["seq"] for frame in page["frames"] if frame["frame"] == "withheld"]
    for seq in {*recorded[:40], *recorded[-40:], page["last_seq"]}:
        answer = http.get(f"{base}/snapshot", params=look | {"seq": seq}, headers=signed)
        yield f"snapshot {seq}", answer.raise_for_status().text
    yield "download", http.get(f"{base}/replay", params=look, headers=signed).raise_for_status().text
    yield "summary", http.get(base).raise_for_status().text
    position = f"{page['epoch']}.0"
    stream = http.get(f"{base}/stream", params=look | {"after": position}, headers=signed)
    assert f'"seq":{page["last_seq"]}' in stream.text
    yield "stream", stream.text
    ticket = http.post(f"{server.url}/api/tickets", headers=SIGNED).json()["ticket"] if signed else ""
    words = f"as={viewpoint}&after={position}" + (f"&ticket={ticket}" if ticket else "")
    with connect(f"{base.replace('http', 'ws')}/watch?{words}") as socket:
        frames: list[str] = []
        with suppress(ConnectionClosed):
            while True:
                frames.append(str(socket.recv(timeout=PATIENCE)))
    assert len(frames) == page["last_seq"]
    yield "socket", "".join(frames)


def test_matches_are_paced_and_the_run_is_not(tmp_path: Path) -> None:
    pace = 0.3
    watch = watching(NOWHERE, tmp_path / "watch.db", pace=pace)
    training = Training(watch)
    training.toy("slow", turns=4)
    training.run()
    wait_for(
        lambda: [event for event in buffered(tmp_path / "watch.db").get("slow", []) if event.type == "EpisodeEnded"]
    )
    watch.close(0)
    result = buffered(tmp_path / "watch.db")
    turns = [event.at for event in result["slow"] if event.type == "TurnStarted"]
    assert len(turns) == 4
    assert all(later - sooner >= pace - 0.01 for sooner, later in itertools.pairwise(turns))
    assert result["slow"][-1].at >= turns[-1] + pace - 0.01
    run = result["Training nano-diplomacy"]
    assert len(run) == 12
    assert run[-1].at - run[0].at < (len(run) - 1) * pace


def test_at_the_close_all_that_is_waiting_is_published_at_once(tmp_path: Path) -> None:
    watch = watching(NOWHERE, tmp_path / "watch.db", pace=3600)
    training = Training(watch)
    training.toy("ended", turns=5)
    training.toy("unended", turns=5, end=False)
    watch.close(0.2)
    watch.close()
    result = buffered(tmp_path / "watch.db")
    assert [event.type for event in result["ended"]] == [event.type for event in training.recorder.events("ended")]
    assert (result["unended"][-1].type, result["unended"][-1].data["status"]) == ("EpisodeEnded", "interrupted")


def test_the_share_is_drawn_by_seed_and_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_module, "AT_ONCE", 1000)

    def chosen(name: str, order: Sequence[int], **settings: Any) -> set[str]:
        watch = watching(NOWHERE, tmp_path / name, per_minute=1000, **settings)
        training = Training(watch)
        for number in order:
            training.toy(f"match {number}", turns=0)
        watch.close(0)
        assert watch.shown == len(buffered(tmp_path / name))
        return set(buffered(tmp_path / name))

    some = chosen("a", range(100), share=0.3, seed=4)
    assert 15 < len(some) < 45
    assert chosen("b", range(99, -1, -1), share=0.3, seed=4) == some
    assert chosen("c", range(100), share=0.3, seed=5) != some
    assert chosen("d", range(20), share=0.0) == set()


def test_only_so_many_begin_in_a_minute_and_are_shown_at_once(tmp_path: Path) -> None:
    now = 0.0
    watch = watching(NOWHERE, tmp_path / "watch.db", per_minute=2.5, pace=60, clock=lambda: now)
    training = Training(watch)
    for moment in (0, 1, 2, 3, 71, 72, 73):  # three within 72 seconds are 2.5 a minute
        now = moment
        training.toy(f"{moment}", turns=1, end=False)
    watch.close(0)
    assert set(buffered(tmp_path / "watch.db")) == {"0", "1", "2"}
    assert AT_ONCE == 3

    watch = watching(NOWHERE, tmp_path / "again.db", per_minute=2.5, clock=lambda: now)
    training = Training(watch)
    for moment in (0, 1, 2, 3, 71, 72, 73):
        now = moment
        training.toy(f"{moment}", turns=1)
        wait_for(lambda: not watch._matches)
    watch.close(0)
    assert set(buffered(tmp_path / "again.db")) == {"0", "1", "2", "72", "73"}


def test_matches_of_several_threads_keep_to_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_module, "AT_ONCE", 5)
    watch = watching(NOWHERE, tmp_path / "watch.db", pace=3600)

    def play(number: int) -> None:
        training = Training(watch)
        for match in range(5):
            training.toy(f"{number}/{match}")

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(play, range(8)))
    watch.close(0)
    result = buffered(tmp_path / "watch.db")
    assert (len(result), watch.shown) == (5, 5)
    assert {events[-1].type for events in result.values()} == {"EpisodeEnded"}


def test_a_match_that_falls_silent_gives_up_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_module, "SILENT", 0.05)
    watch = watching(NOWHERE, tmp_path / "watch.db")
    training = Training(watch)
    training.toy("silent", end=False)
    wait_for(lambda: not watch._matches)
    watch.close(0)
    assert buffered(tmp_path / "watch.db")["silent"][-1].data["status"] == "interrupted"


def test_a_refused_token_is_told_once_and_training_goes_on(
    server: LiveServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    watch = watching(server.url, tmp_path / "watch.db", token="guess")
    training = Training(watch)
    training.run(count=1)
    wait_for(lambda: watch._publisher._sender is not None and watch._publisher._sender.done())
    for number in range(5):
        training.toy(f"refused {number}")
    wait_for(lambda: watch.trouble)
    training.run("Nano.2", count=20)
    watch.close(PATIENCE)
    assert "403" in watch.trouble
    assert watch.lost >= 22
    assert len([record for record in caplog.records if record.name == "grandstand.campaigns.run_publisher"]) == 1
    assert TOKEN not in caplog.text
    assert "guess" not in caplog.text


def test_a_server_that_is_away_costs_nothing_and_gets_all_when_it_is_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    with live_server(tmp_path / "data", **ENV) as server:
        url, port = server.url, int(server.url.rpartition(":")[2])
        server.kill()
    buffer = tmp_path / "watch.db"
    watch = watching(url, buffer)
    training = Training(watch)
    training.toy("away")
    training.run()
    watch.close(0.3)
    assert [record.name for record in caplog.records] == [
        "grandstand.spectator.publisher",
        "grandstand.campaigns.run_publisher",
    ]
    with live_server(tmp_path / "data", port=port, **ENV) as server:
        with watching(url, buffer) as again:
            pass
        assert again.trouble == ""
        assert [event.type for event in there(server, "away")][-1] == "EpisodeEnded"
        assert len(there(server, "Training nano-diplomacy")) == 12


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.support.trainer import training_run
from tests.support.trainer.published import Training, buffered, wait_for, watching

url, buffer = sys.argv[1], Path(sys.argv[2])
training = Training(watching(url, buffer))
training.open("killed", [*training_run.opening("A killed run"), *list(training_run.turns(8))[:4]])
training.toy("left over", end=False)
wait_for(lambda: [len(events) for events in buffered(buffer).values()] == [6, 6])
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.long
def test_a_run_that_is_killed_goes_on_where_it_was(server: LiveServer, tmp_path: Path) -> None:
    buffer = tmp_path / "watch.db"
    process = subprocess.run([sys.executable, "-c", KILLED, server.url, str(buffer)], cwd=ROOT, check=False)
    assert process.returncode == -signal.SIGKILL

    training, all_steps = Training(), list(training_run.turns(8))
    training.open("killed", [*training_run.opening("A killed run"), *all_steps[:4]])
    second = watching(server.url, buffer)
    training.bus.add(second)
    second.on_events(list(training.recorder.events("killed")))  # from its beginning
    training.open("killed", all_steps[4:6], first=6)
    assert second.lost == 0
    second.on_events(list(training.recorder.events("killed")))  # once more
    training.open("killed", [all_steps[7]], first=9)  # and one is missing
    second.close()
    assert second.lost == 1
    shown = there(server, "A killed run")
    assert [event.seq for event in shown] == list(range(8))
    assert [event.data["index"] for event in shown[2:]] == [1, 2, 3, 4, 5, 6]
    assert len({event.episode_id for event in shown}) == 1
    assert there(server, "left over")[-1].data["status"] == "interrupted"


def test_two_runs_of_one_name_do_not_meet(server: LiveServer, tmp_path: Path) -> None:
    for number in (1, 2):
        with watching(server.url, tmp_path / f"{number}.db") as watch:
            training = Training(watch)
            training.run("the same", count=number)
            training.toy("the same match", turns=number)
        assert watch.trouble == ""
        assert len(there(server, "Training nano-diplomacy")) == 2 + number
    assert len({e["episode_id"] for e in server.get("/api/episodes", game="toy", limit=200)["episodes"]}) >= 2


def test_a_buffer_that_cannot_be_used_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match="cannot use"):
        watching(NOWHERE, tmp_path / "file" / "watch.db")
