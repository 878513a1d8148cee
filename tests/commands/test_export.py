"""`grandstand export`: an episode of the data folder as a file, also while a server writes to it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from grandstand.models import flat
from grandstand.play.verification import verify
from grandstand.spectator.record_file import read_events
from tests.support import http
from tests.support.command import grandstand, words
from tests.support.live_server import live_server
from tests.support.page.reports import over
from tests.support.page.reports import record as campaign


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a finished match of each game, in which a server has been stopped."""
    folder = tmp_path_factory.mktemp("data")
    with live_server(folder) as server:
        for game, options in (("diplomacy", {"last_year": 1901, "press": "none"}), ("cricket", {"overs": 1})):
            episode_id = server.start_match(game=game, options=options, pace=0, seed=1)
            server.wait_for(episode_id, status="finished", timeout=60)
            (folder / game).write_text(episode_id)
        server.stop()
    return folder


def test_the_whole_record_can_be_replayed(data: Path, tmp_path: Path) -> None:
    episode_id = (data / "diplomacy").read_text()
    done = grandstand("export", episode_id, "--data", str(data), cwd=tmp_path)
    file = tmp_path / f"{episode_id}.jsonl"
    assert done.stderr.startswith(f"{file.name}: ")
    assert not done.stdout
    events = read_events(file)
    assert {event.type for event in flat(events)} >= {"SeedSet", "ActionChosen"}, (
        "an operator's record, secrets included"
    )
    assert verify(events).over
    assert os.listdir(tmp_path) == [file.name], "no half-written file stays"


@pytest.mark.parametrize(("game", "format"), [("diplomacy", "saved-game"), ("cricket", "cricsheet")])
def test_a_format_of_the_game_is_what_play_writes(game: str, format: str, data: Path, tmp_path: Path) -> None:
    arguments = ("--format", format, "--data", str(data), "--out", "-")
    exported = json.loads(grandstand("export", (data / game).read_text(), *arguments).stdout)
    assert exported["phases" if game == "diplomacy" else "innings"]


@pytest.mark.long
def test_it_reads_beside_a_running_server_and_writes_nothing(tmp_path: Path) -> None:
    with live_server(tmp_path / "data") as server:
        episode_id = server.start_match(game="diplomacy", options={"last_year": 1901}, pace=0, seed=3)
        server.wait_for(episode_id, status="finished")
        live = server.start_match(game="diplomacy", seed=4, pace=30)
        arguments = ("--data", str(tmp_path / "data"), "--out", "-")
        lines = grandstand("export", episode_id, *arguments).stdout
        served = http.get(f"{server.url}/api/episodes/{episode_id}/replay", params={"as": "operator"}).text
        assert lines == served
        assert "EpisodeStarted" in grandstand("export", live, *arguments).stdout, (
            "a match that goes on, as far as it is"
        )
        again = server.start_match(game="cricket", options={"overs": 1}, pace=0, seed=5)
        server.wait_for(again, status="finished", timeout=60)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["EPISODE", "--clips"], "--clips: only a file of the format html has them"),
        (["EPISODE", "--format", "html", "--clips"], "clips: there are none of diplomacy-"),
        (["nosuch-1"], "no episode 'nosuch-1'; the newest of its 2 episodes: "),
        (
            ["EPISODE", "--format", "cricsheet"],
            "--format: diplomacy has no 'cricsheet'; there are jsonl, html, parquet, saved-game",
        ),
        (["EPISODE", "--data", "nowhere"], "nowhere/grandstand.db does not exist; name its folder with --data"),
        (["EPISODE", "--out", "nosuch/file"], "--out: nosuch/file: No such file or directory"),
    ],
)
def test_bad_input_is_refused_by_name(arguments: list[str], message: str, data: Path, tmp_path: Path) -> None:
    named = [(data / "diplomacy").read_text() if word == "EPISODE" else word for word in arguments]
    where = [] if "--data" in named else ["--data", str(data)]
    refused = grandstand("export", *named, *where, cwd=tmp_path, status=2)
    assert message in words(refused.stderr)
    assert "Traceback" not in refused.stderr
    assert not os.listdir(tmp_path)


def test_a_store_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "grandstand.db").write_bytes(b"no database" * 100)
    refused = grandstand("export", "a-1", "--data", str(tmp_path), status=2)
    assert "cannot read" in words(refused.stderr)


def test_every_viewpoint_and_format_by_command(data: Path, tmp_path: Path) -> None:
    episode_id = (data / "diplomacy").read_text()
    arguments = (episode_id, "--data", str(data))
    grandstand("export", *arguments, "--format", "diplomacy", "--as", "analyst", cwd=tmp_path)
    assert json.loads((tmp_path / f"{episode_id}.json").read_text())["phases"]
    done = grandstand("export", *arguments, "--format", "parquet", "--as", "seat:FRANCE", cwd=tmp_path)
    assert "decisions" in done.stderr
    assert (tmp_path / f"{episode_id}-decisions" / "data" / f"{episode_id}.parquet").is_file()
    lines = grandstand("export", *arguments, "--as", "spectator", "--out", "-").stdout.split("\n")
    assert json.loads(lines[0])["viewpoint"] == "spectator"
    assert json.loads(lines[2]) == {"seq": 1}, "the seed is withheld"


def test_the_owner_gets_every_decision_and_may_write_them_again(data: Path, tmp_path: Path) -> None:
    episode_id, other = (data / "diplomacy").read_text(), (data / "cricket").read_text()
    arguments = ("--data", str(data), "--format", "parquet", "--out", "decisions")
    for _ in range(2):
        done = grandstand("export", episode_id, *arguments, cwd=tmp_path)
        assert re.fullmatch(r"decisions: [1-9]\d* decisions\n", done.stderr)
        assert os.listdir(tmp_path / "decisions" / "data") == [f"{episode_id}.parquet"]
    refused = grandstand("export", other, *arguments, cwd=tmp_path, status=2)
    assert f"--out: decisions has those of other episodes: {episode_id}; name them too" in words(refused.stderr)
    grandstand("export", other, episode_id, *arguments, cwd=tmp_path)
    assert len(os.listdir(tmp_path / "decisions" / "data")) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["EPISODE", "--as", "nobody"], "--as: viewpoint 'nobody': use spectator, analyst, operator or seat:NAME"),
        (["EPISODE", "--as", "seat:SPAIN"], "--as: EPISODE has no seat 'SPAIN'; there are AUSTRIA"),
        (["EPISODE", "--format", "parquet", "--out", "-"], "--out: parquet is a folder; name one"),
        (["EPISODE", "--format", "html", "--to", "hf:a/b"], "--format: --to pushes parquet, not html"),
        (["EPISODE", "--to", "a/b"], "--to: 'a/b' is not hf:OWNER/NAME"),
        (["EPISODE", "OTHER", "--out", "x"], "--out: several episodes are several files"),
        (
            ["EPISODE", "--to", "hf:a/b"],
            "--as: a spectator may know no decision of EPISODE, whose `reveal` is 'never'; "
            "--as analyst writes those of every seat",
        ),
    ],
)
def test_options_that_do_not_fit_are_named(arguments: list[str], message: str, data: Path, tmp_path: Path) -> None:
    names = {"EPISODE": (data / "diplomacy").read_text(), "OTHER": (data / "cricket").read_text()}
    named = [names.get(word, word) for word in arguments]
    refused = grandstand("export", *named, "--data", str(data), cwd=tmp_path, status=2)
    assert message.replace("EPISODE", names["EPISODE"]) in words(refused.stderr)
    assert not os.listdir(tmp_path)


def test_the_report_of_a_campaign(tmp_path: Path) -> None:
    campaign(tmp_path, [("cup-1", over())])
    printed = grandstand("export", "cup-1", "--format", "markdown", "--data", str(tmp_path), "--out", "-").stdout
    assert printed.startswith("# The autumn cup\n")
    done = grandstand("export", "cup-1", "--format", "report", "--data", str(tmp_path), cwd=tmp_path)
    assert "cup-1.json: the report after " in done.stderr
    assert json.loads((tmp_path / "cup-1.json").read_text())["headline"]
    refused = grandstand("export", "cup-1", "--format", "saved-game", "--data", str(tmp_path), status=2)
    assert "a tournament has no 'saved-game'; there are html, jsonl, markdown, report, rows" in words(refused.stderr)
