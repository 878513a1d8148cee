"""`grandstand import`: files of games that were played elsewhere, into a data folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grandstand.spectator.recorder import Recorder
from tests.support.command import grandstand, words
from tests.support.cricket.documents import document_of, simulated
from tests.support.diplomacy.human_games import DECLARED, GAMES
from tests.support.live_server import live_server

[(DECLARED_ID, _)] = DECLARED
DIFFERING = next(game for game in GAMES if game["id"] == DECLARED_ID)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a match of each game, and a file that is none."""
    (tmp_path / "cricket.json").write_text(json.dumps(document_of(simulated(3))))
    (tmp_path / "diplomacy.json").write_text(json.dumps(DIFFERING))
    (tmp_path / "bad.json").write_text(json.dumps({**DIFFERING, "map": "modern"}))
    return tmp_path


def episodes(data: Path) -> list[str]:
    recorder = Recorder.reading(data / "grandstand.db")
    ids = recorder.episode_ids()
    recorder.close()
    return ids


@pytest.mark.long
def test_files_become_episodes_that_can_be_replayed_and_exported(files: Path) -> None:
    data = files / "data"
    done = grandstand("import", "cricket.json", "diplomacy.json", "--data", str(data), "--json", cwd=files)
    cricket, diplomacy = map(json.loads, done.stdout.splitlines())
    assert sorted(episodes(data)) == sorted([cricket["episode_id"], diplomacy["episode_id"]])
    assert (cricket["new"], cricket["differences"]) == (True, [])
    assert [text.partition(":")[0] for text in diplomacy["differences"]] == ["F1907M"]
    for result, form in ((cricket, "cricsheet"), (diplomacy, "saved-game")):
        replayed = grandstand("replay", result["episode_id"], "--data", str(data), "--json").stdout
        assert json.loads(replayed)["events"] == result["events"]
        arguments = (result["episode_id"], "--format", form, "--data", str(data), "--out", "-")
        exported = json.loads(grandstand("export", *arguments).stdout)
        assert exported == json.loads((files / result["file"]).read_text())


def test_the_same_file_is_imported_once(files: Path) -> None:
    data = files / "data"
    first = grandstand("import", str(files / "cricket.json"), "--data", str(data)).stdout
    again = grandstand("import", str(files / "cricket.json"), "--data", str(data)).stdout
    assert "is there already" in again
    assert again.partition(":")[0] == first.partition(":")[0]
    assert len(episodes(data)) == 1


def test_a_bad_file_is_named_and_the_others_are_imported(files: Path) -> None:
    data = files / "data"
    done = grandstand("import", "bad.json", "cricket.json", "none.json", "--data", str(data), cwd=files, status=1)
    output = words(done.stderr)
    assert "bad.json: map: 'modern' is not the standard map" in output
    assert "none.json: cannot be read: No such file or directory" in output
    assert "Traceback" not in output
    assert len(episodes(data)) == 1


def test_a_title_is_of_one_file(files: Path) -> None:
    done = grandstand("import", "a.json", "b.json", "--title", "Both", cwd=files, status=2)
    assert "--title: give one file with a title" in words(done.stderr)


def test_a_server_on_the_same_folder_shows_the_import(files: Path) -> None:
    data = files / "data"
    with live_server(data) as server:
        live = server.start_match(game="diplomacy", options={"last_year": 1902}, pace=0, seed=4)
        done = grandstand("import", str(files / "cricket.json"), "--data", str(data), "--json")
        episode_id = json.loads(done.stdout)["episode_id"]
        summary = server.get(f"/api/episodes/{episode_id}")
        assert (summary["origin"], summary["status"]) == ("imported", "finished")
        assert summary["source"].startswith("cricket.json (a match recorded by Cricsheet")
        page = server.get(f"/api/episodes/{episode_id}/events")
        assert page["last_seq"] == summary["last_seq"]
        server.wait_for(live, status="finished")
