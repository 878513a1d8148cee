"""The episode of a sweep: on a real server, in order, continued after a kill, and without a claim from too few runs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from grandstand.models import Event
from grandstand.spectator.recorder import Recorder
from grandstand.trainer.sweep.analysis import analyse
from grandstand.trainer.sweep.execution import Execution
from grandstand.trainer.sweep.expansion import Sweep, watched
from grandstand.trainer.sweep.publisher import (
    BUFFER,
    PARTS,
    RECORD,
    SweepPublisher,
    address,
    published,
    published_training,
)
from tests.support.command import grandstand, words
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.trainer import training_run
from tests.support.trainer.fake_sweep import fake_data, fake_sweep
from tests.support.trainer.fake_training import BREAKS_OFF, KILLED
from tests.support.trainer.published import Training, watching
from tests.support.trainer.tiny_sweep import written
from tests.support.waiting import until

TOKEN = "publish canary"
ENV: dict[str, Any] = {"GRANDSTAND_PUBLISH_TOKEN": TOKEN}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("server"), **ENV) as running:
        yield running


@dataclass
class Published:
    """The events of an experiment by type, in order."""

    events: list[Event]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event.data for event in self.events if event.type == kind]

    def states(self, run: str) -> list[tuple[str, str]]:
        """Return the states and stages that a run had, without repeated ones."""
        rows = [row for row in self.of("ExperimentRunChanged") if f"{row['arm']}-s{row['seed']}" == run]
        return list(dict.fromkeys((row["status"], row["stage"]) for row in rows))


def recorded(sweep: Sweep) -> list[Published]:
    """Return the episodes in a sweep's folder, the oldest first."""
    with closing(Recorder.reading(sweep.folder / RECORD)) as recorder:
        summaries, _ = recorder.summaries(limit=-1)
        return [Published(list(recorder.events(summary.episode_id))) for summary in reversed(summaries)]


def on_server(server: LiveServer, sweep: Sweep) -> list[dict[str, Any]]:
    """Return the summaries of a sweep's episodes, the newest first."""
    shown = server.get("/api/episodes", game="experiment", limit=200)["episodes"]
    return [episode for episode in shown if episode["options"]["name"] == sweep.file.metadata.name]


def events_of(server: LiveServer, episode_id: str) -> Published:
    frames = server.get(f"/api/episodes/{episode_id}/events", limit=5000)["frames"]
    return Published([Event.model_validate(frame["event"]) for frame in frames])


def run(sweep: Sweep, jobs: int = 2) -> None:
    """Execute a sweep as the command does."""
    with published(sweep, TOKEN) as (publisher, _):
        publisher.begin()
        Execution(sweep, jobs, publisher.change).execute(sweep.runs)
        publisher.finish(analyse(sweep))


def named(name: str) -> dict[str, Any]:
    return {"metadata": {"name": name, "hypothesis": f"{name} holds."}}


def test_the_plan_is_first_and_the_verdict_last(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.2})
    run(sweep, jobs=1)
    [episode] = recorded(sweep)
    assert [event.seq for event in episode.events] == list(range(len(episode.events)))
    assert [event.type for event in episode.events[:3]] == ["EpisodeCreated", "EpisodeStarted", "ExperimentPlanned"]
    [plan] = episode.of("ExperimentPlanned")
    assert plan["hypothesis"] == "A KL penalty of 0.5 keeps the policy nearer to its base."
    assert [(arm["arm"], [(c["key"], c["was"], c["now"]) for c in arm["changes"]]) for arm in plan["arms"]] == [
        ("A", []),
        ("B", [("kl.beta", "0.0", "0.2")]),
    ]
    assert plan["criteria"][0]["comparison"] == "B − A"
    assert plan["criteria"][0]["arms"] == ["B", "A"]
    assert plan["seeds"] == [1, 2, 3]
    assert plan["command"].endswith("tiny.yaml --run")
    assert episode.states("A-s1")[0] == ("running", "waiting")
    assert ("running", "preparing") in episode.states("A-s1"), "its base is cloned"
    assert episode.states("A-s1")[-1] == ("completed", "")
    last = episode.of("ExperimentAnalysed")[-1]
    assert (last["completed"], last["planned"]) == (6, 6)
    [verdict] = last["criteria"]
    assert (verdict["verdict"], verdict["missing"]) == ("supported", [])
    assert verdict["difference"]["low"] > 0
    assert verdict["power"] > 0.5
    result = next(row for row in last["arms"] if (row["arm"], row["metric"]) == ("B", "last/base/gain"))
    assert [value["seed"] for value in result["values"]] == [1, 2, 3]
    assert result["mean"]["low"] < result["mean"]["mean"] < result["mean"]["high"]
    assert [turn["turn"] for turn in episode.of("TurnStarted")] == [f"{number} of 6" for number in range(1, 7)]
    assert episode.of("EpisodeEnded") == [{"status": "finished", "outcome": None, "message": "1 supported"}]


def test_nothing_is_claimed_while_runs_are_missing(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.2})
    run(sweep, jobs=1)
    [episode] = recorded(sweep)
    early = [row for row in episode.of("ExperimentAnalysed") if row["completed"] < 6]
    assert len(early) == 6
    for row in early:
        [verdict] = row["criteria"]
        assert verdict["verdict"] == "undecided"
        assert len(verdict["missing"]) == 6 - row["completed"]
    assert early[2]["criteria"][0]["difference"]["low"] is None, "two runs have one difference and no interval"


def test_a_failure_has_its_cause_and_the_next_run_is_an_episode_of_its_own(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": BREAKS_OFF, "C": KILLED})
    run(sweep)
    [first] = recorded(sweep)
    failed = {row["arm"]: row for row in first.of("ExperimentRunChanged") if row["status"] == "failed"}
    assert (failed["B"]["cause"], failed["B"]["message"]) == (
        "training",
        "grandstand train: the run broke off: the loss is not finite",
    )
    assert (failed["C"]["cause"], failed["C"]["message"]) == ("killed", "by SIGKILL")
    assert first.of("EpisodeEnded")[0]["status"] == "stopped"
    assert first.of("EpisodeEnded")[0]["message"] == "6 runs failed; the same command tries again"
    (tmp_path / "mercy").touch()
    run(sweep)
    again = recorded(sweep)[1]
    assert again.states("A-s1") == [("completed", "")]
    assert again.states("C-s1")[-1] == ("completed", "")


def test_steps_are_published_in_a_few_parts(tmp_path: Path) -> None:
    data = fake_data({"A": 0.0, "B": 0.1})
    data["defaults"]["run"]["steps"] = 1000
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.1}, defaults=data["defaults"])
    one_run = sweep.runs[0]
    one_run.train_folder.mkdir(parents=True)
    with closing(SweepPublisher(sweep)) as publisher:
        publisher.begin()
        with (one_run.train_folder / "metrics.jsonl").open("a") as file:
            for step in range(1, 1001):
                file.write(json.dumps({"step": step}) + "\n")
                file.flush()
                if step % 10 == 0:
                    publisher.change(one_run, "training")
    rows = recorded(sweep)[0].of("ExperimentRunChanged")
    assert [row["step"] for row in rows][:3] == [10, 60, 110]
    assert (rows[-1]["step"], rows[-1]["steps"]) == (1000, 1000)
    assert len(rows) <= PARTS + 2


def test_a_server_shows_it_and_a_killed_one_gets_the_rest(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with live_server(data, **ENV) as first:
        url, port = first.url, int(first.url.rpartition(":")[2])
        sweep = watched(fake_sweep(tmp_path, {"A": 0.0, "B": 0.2}, **named("killed-server")), url)
        assert address(sweep) == url
        with published(sweep, TOKEN) as (publisher, viewer):
            publisher.begin()
            Execution(sweep, 2, publisher.change).execute(sweep.until_look(3)[:2])
            assert until(lambda: bool(on_server(first, sweep)))
            first.kill()
            Execution(sweep, 2, publisher.change).execute(sweep.runs)
            publisher.finish(analyse(sweep))
            with live_server(data, port=port, **ENV) as second:
                assert until(lambda: on_server(second, sweep)[0]["status"] == "finished")
                [summary] = on_server(second, sweep)
                shown, [home] = events_of(second, summary["episode_id"]), recorded(sweep)
    assert viewer is not None
    assert viewer.trouble == ""
    assert (summary["turn"], summary["options"]["hypothesis"]) == ("6 of 6", "killed-server holds.")
    assert [(event.seq, event.type, event.data) for event in shown.events[1:]] == [
        (event.seq, event.type, event.data) for event in home.events[1:]
    ]


@pytest.mark.long
def test_a_killed_sweep_goes_on_in_the_same_episode(server: LiveServer, tmp_path: Path) -> None:
    data = fake_data({"A": 0.0, "B": 0.2}, **named("killed-sweep"))
    path = written(tmp_path, data)
    (tmp_path / "hold").touch()
    command = ["sweep", str(path), "--run", "--no-pilot", "--out", str(tmp_path / "results"), "--watch", server.url]
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "grandstand", *command], env={**os.environ, **ENV, "PYTHONPATH": str(ROOT)}
    )
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.2}, **named("killed-sweep"))

    def running() -> bool:
        summaries = on_server(server, sweep)
        episodes = [events_of(server, summary["episode_id"]) for summary in summaries]
        return any(("running", "training") in episode.states("A-s1") for episode in episodes)

    assert until(running)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (tmp_path / "hold").unlink()
    grandstand(*command, **ENV)
    [summary] = on_server(server, sweep)
    assert until(lambda: on_server(server, sweep)[0]["status"] == "finished")
    shown = events_of(server, summary["episode_id"])
    assert len(shown.of("EpisodeCreated")) == 1
    assert len(shown.of("EpisodeResumed")) == 1
    assert shown.of("ExperimentAnalysed")[-1]["criteria"][0]["verdict"] == "supported"
    grandstand(*command, **ENV)
    assert len(on_server(server, sweep)) == 1, "nothing has changed since"


def test_a_run_leads_to_its_training_run_on_the_server(server: LiveServer, tmp_path: Path) -> None:
    sweep = watched(fake_sweep(tmp_path, {"A": 0.0, "B": 0.2}, **named("linked")), server.url)
    one_run = sweep.runs[0]
    assert published_training(one_run.train_folder) == ""
    one_run.train_folder.mkdir(parents=True)
    (one_run.train_folder / BUFFER).write_text("")
    assert published_training(one_run.train_folder) == "", "the file is there before what it holds"
    (one_run.train_folder / BUFFER).unlink()
    with watching(server.url, one_run.train_folder / BUFFER) as watch:
        training = Training(watch)
        training.open("run-linked-1", training_run.opening("Linked"))
    with published(sweep, TOKEN) as (publisher, _):
        publisher.begin()
        publisher.change(one_run, "training")
    row = recorded(sweep)[0].of("ExperimentRunChanged")[-1]
    assert server.get(f"/api/episodes/{row['episode_id']}")["title"] == "Linked"


def test_a_watched_sweep_needs_a_token(tmp_path: Path) -> None:
    path = written(tmp_path, fake_data({"A": 0.0, "B": 0.2}))
    command = ["sweep", str(path), "--run", "--out", str(tmp_path / "out"), "--watch", "http://127.0.0.1:1"]
    refused = grandstand(*command, status=2, GRANDSTAND_PUBLISH_TOKEN="")
    assert "set the environment variable GRANDSTAND_PUBLISH_TOKEN" in words(refused.stderr)
    assert not (tmp_path / "out").exists()
    refused = grandstand(*command[:-1], "nowhere", status=2, **ENV)
    assert "watch.url" in words(refused.stderr)
