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

from grandstand.campaigns.campaign import Campaign
from grandstand.models import Event
from grandstand.report import Notes, Report, ReportUpdated, Section, Table, Value, after
from grandstand.spectator.recorder import Recorder
from grandstand.trainer.sweep.analysis import analyse
from grandstand.trainer.sweep.execution import Execution
from grandstand.trainer.sweep.expansion import Sweep, watched
from grandstand.trainer.sweep.layout import BUFFER, published_training
from grandstand.trainer.sweep.plan import SweepPlan
from grandstand.trainer.sweep.publisher import (
    PARTS,
    RECORD,
    SweepPublisher,
    address,
    published,
)
from tests.support.command import grandstand, words
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.trainer import training_run
from tests.support.trainer.fake_sweep import fake_data, fake_sweep
from tests.support.trainer.fake_training import BREAKS_OFF, KILLED
from tests.support.trainer.published import Training, watching
from tests.support.trainer.tiny_sweep import written
from tests.support.waiting import until

pytestmark = pytest.mark.long

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

    @property
    def reports(self) -> list[Report]:
        """Return the report after each change of it."""
        shown: list[Report] = []
        for data in self.of("ReportUpdated"):
            shown.append(after(shown[-1] if shown else None, ReportUpdated.model_validate(data)))
        return shown

    @property
    def texts(self) -> list[str]:
        """Return what the log says."""
        return [data["text"] for data in self.of("ReportUpdated") if data["text"]]

    def states(self, run: str) -> list[str]:
        """Return the states and stages that a run had, without repeated ones."""
        return list(dict.fromkeys(str(cell(report, run).value) for report in self.reports))


def section(report: Report, name: str) -> Section:
    return next(item for item in report.sections if item.id == name)


def cell(report: Report, run: str) -> Value:
    """Return the cell of a run in the grid of all runs."""
    arm, _, seed = run.partition("-s")
    body = section(report, "runs").body
    assert isinstance(body, Table)
    [row] = [row for row in body.rows if row.id == arm]
    return row.cells[[column.id for column in body.columns].index(f"s{seed}")]


def verdicts(report: Report) -> list[str]:
    body = section(report, "verdicts").body
    assert isinstance(body, Notes)
    return [note.title for note in body.notes]


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
        Campaign(SweepPlan(sweep), Execution(sweep, jobs), (publisher,)).run()
        publisher.finish(analyse(sweep))


def named(name: str) -> dict[str, Any]:
    return {"metadata": {"name": name, "hypothesis": f"{name} holds."}}


def test_the_plan_is_first_and_the_verdict_last(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.2})
    run(sweep, jobs=1)
    [episode] = recorded(sweep)
    assert [event.seq for event in episode.events] == list(range(len(episode.events)))
    assert [event.type for event in episode.events[:3]] == ["EpisodeCreated", "EpisodeStarted", "ReportUpdated"]
    first, last = episode.reports[0], episode.reports[-1]
    assert (first.headline, last.headline) == ("Planned", "Supported")
    assert first.summary == "A KL penalty of 0.5 keeps the policy nearer to its base."
    assert episode.states("A-s1") == ["planned", "waiting", "preparing", "training", "measuring", "completed"]
    assert episode.texts[0] == "The plan: 2 arms with 3 seeds each"
    assert episode.texts[1:4] == [
        "A-s1: waiting, step 0 of 4",
        "A-s1: preparing, step 0 of 4",
        "A-s1: training, step 0 of 4",
    ]
    assert episode.texts[-1] == "B-s3: completed. B gains more: supported"
    marks = [data["text"] for data in episode.of("ReportUpdated") if data["mark"]]
    assert marks == ["B-s3: completed. B gains more: supported"]
    assert last.progress is not None
    assert (last.progress.done, last.progress.total, last.progress.failed) == (6, 6, 0)
    assert [turn["turn"] for turn in episode.of("TurnStarted")] == [f"{number} of 6" for number in range(1, 7)]
    assert [turn["index"] for turn in episode.of("TurnStarted")] == list(range(6))
    assert episode.of("EpisodeEnded") == [{"status": "finished", "outcome": None, "message": "supported"}]


def test_nothing_is_claimed_while_runs_are_missing(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.2})
    run(sweep, jobs=1)
    [episode] = recorded(sweep)
    early = [report for report in episode.reports if report.progress and report.progress.done < 6]
    assert {report.progress.done for report in early if report.progress} == set(range(6))
    assert {word for report in early for word in verdicts(report)} == {"Not decided yet"}


def test_a_failure_has_its_cause_and_the_next_run_is_an_episode_of_its_own(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": BREAKS_OFF, "C": KILLED})
    run(sweep)
    [first] = recorded(sweep)
    broken = "training: grandstand train: the run broke off: the loss is not finite"
    assert f"B-s1: failed, step 1 of 4, {broken}" in first.texts
    assert "C-s1: failed, step 1 of 4, killed: by SIGKILL" in first.texts
    assert sum(data["mark"] for data in first.of("ReportUpdated")) == 6
    assert first.of("EpisodeEnded")[0]["status"] == "stopped"
    assert first.of("EpisodeEnded")[0]["message"] == "6 runs failed; the same command tries again"
    (tmp_path / "mercy").touch()
    run(sweep)
    again = recorded(sweep)[1]
    assert again.states("A-s1") == ["completed"]
    assert again.states("C-s1")[-1] == "completed"
    assert [turn["turn"] for turn in again.of("TurnStarted")] == ["3 of 9", "4 of 9", "5 of 9", "6 of 9"]


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
                file.write(json.dumps({"step": step, "kl/mean": 0.1}) + "\n")
                file.flush()
                if step % 10 == 0:
                    publisher.changed(one_run, "training")
    [episode] = recorded(sweep)
    notes = [cell(report, one_run.id).note for report in episode.reports[1:]]
    assert notes[:3] == ["step 10 of 1000", "step 60 of 1000", "step 110 of 1000"]
    assert notes[-1] == "step 1000 of 1000"
    assert len(notes) <= PARTS + 2
    assert episode.texts[1:] == [f"{one_run.id}: training, step 10 of 1000"], "steps are no news"
    points = [sum(len(part["points"]) for part in data["added"]) for data in episode.of("ReportUpdated")]
    assert sum(points[2:]) + 1 == 40, "of a curve only new points are sent"


def test_a_sweep_that_is_over_has_one_episode_until_something_changes(tmp_path: Path) -> None:
    sweep = fake_sweep(tmp_path, {"A": 0.0, "B": 0.2})
    run(sweep)
    run(sweep)
    assert len(recorded(sweep)) == 1
    file = next((sweep.runs[0].folder / "measures").glob("*-base-*.json"))
    for path in file.parent.iterdir():
        path.write_text(json.dumps({**json.loads(path.read_text()), "gain": 0.5}))
    run(sweep)
    assert len(recorded(sweep)) == 2, "a measurement has changed"


def test_a_server_shows_it_and_a_killed_one_gets_the_rest(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with live_server(data, **ENV) as first:
        url, port = first.url, int(first.url.rpartition(":")[2])
        sweep = watched(fake_sweep(tmp_path, {"A": 0.0, "B": 0.2}, **named("killed-server")), url)
        assert address(sweep) == url
        with published(sweep, TOKEN) as (publisher, viewer):
            publisher.begin()
            Execution(sweep, 2).execute(sweep.until_look(3)[:2], publisher)
            assert until(lambda: bool(on_server(first, sweep)))
            first.kill()
            Campaign(SweepPlan(sweep), Execution(sweep, 2), (publisher,)).run()
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
        return any("training" in episode.states("A-s1") for episode in episodes)

    assert until(running)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (tmp_path / "hold").unlink()
    grandstand(*command, **ENV)
    [summary] = on_server(server, sweep)
    assert until(lambda: on_server(server, sweep)[0]["status"] == "finished")
    shown = events_of(server, summary["episode_id"])
    assert len(shown.of("EpisodeCreated")) == 1
    assert len(shown.of("EpisodeStarted")) == 2
    assert verdicts(shown.reports[-1]) == ["Supported"]
    assert shown.texts.count("The plan: 2 arms with 3 seeds each") == 1
    assert [turn["turn"] for turn in shown.of("TurnStarted")][-1] == "6 of 6"
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
        publisher.changed(one_run, "training")
    link = cell(recorded(sweep)[0].reports[-1], one_run.id).link
    assert link is not None
    assert server.get(f"/api/episodes/{link.episode_id}")["title"] == "Linked"


def test_a_watched_sweep_needs_a_token(tmp_path: Path) -> None:
    path = written(tmp_path, fake_data({"A": 0.0, "B": 0.2}))
    command = ["sweep", str(path), "--run", "--out", str(tmp_path / "out"), "--watch", "http://127.0.0.1:1"]
    refused = grandstand(*command, status=2, GRANDSTAND_PUBLISH_TOKEN="")
    assert "set the environment variable GRANDSTAND_PUBLISH_TOKEN" in words(refused.stderr)
    assert not (tmp_path / "out").exists()
    refused = grandstand(*command[:-1], "nowhere", status=2, **ENV)
    assert "watch.url" in words(refused.stderr)
