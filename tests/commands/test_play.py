"""`grandstand play` and `grandstand replay`, run as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.play.played_match import grandstand, play
from tests.support.trainer.run_folder import RunFolder
from tests.support.trainer.tiny import tiny


def events_of(file: Path) -> list[Any]:
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return [{key: value for key, value in line.items() if key != "at"} for line in lines]


@pytest.mark.long
def test_each_match_writes_one_record_that_replays(tmp_path: Path) -> None:
    summary = play("--players", "random", "--matches", "3", "--seed", "40", "--out", str(tmp_path))
    files = sorted(tmp_path.glob("diplomacy*.json*"))
    assert [file.name for file in files] == [f"diplomacy-{seed}.jsonl" for seed in (40, 41, 42)]
    assert summary["matches"] == 3
    assert summary["players"]["random"]["seats"] == 21
    report = json.loads(grandstand("replay", str(files[0]), "--json").stdout)
    assert report["events"] == len(events_of(files[0])) - 1


@pytest.mark.long
def test_the_same_seed_writes_the_same_record(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        play("--players", "random", "--seed", "9", "--out", str(tmp_path / folder))
    assert events_of(tmp_path / "a" / "diplomacy-9.jsonl") == events_of(tmp_path / "b" / "diplomacy-9.jsonl")


@pytest.mark.long
def test_a_record_is_not_replaced_by_another(tmp_path: Path) -> None:
    play("--players", "random", "--seed", "9", "--out", str(tmp_path))
    record = (tmp_path / "diplomacy-9.jsonl").read_bytes()
    again = ("--players", "hold", "--seed", "8", "--matches", "2", "--out", str(tmp_path))
    refused = grandstand("play", "diplomacy", *again, check=False)
    assert refused.returncode == 2
    assert "diplomacy-9.jsonl exists already; go on with --resume, or name another folder" in " ".join(
        refused.stderr.split()
    )
    assert [file.name for file in tmp_path.glob("*.json*")] == ["diplomacy-9.jsonl"]
    assert (tmp_path / "diplomacy-9.jsonl").read_bytes() == record
    play(*again[:4], "--out", str(tmp_path))


@pytest.mark.long
def test_saved_games_are_written_on_request(tmp_path: Path) -> None:
    play("--players", "random", "--out", str(tmp_path), "--format", "saved-game")
    (file,) = tmp_path.glob("*.json*")
    game = json.loads(file.read_text())
    assert game["phases"][0]["name"] == "S1901M"


@pytest.mark.long
def test_a_trained_player_sits_by_the_roster(tmp_path: Path) -> None:
    run = RunFolder(tiny(), tmp_path / "run")
    run.publish(1)
    players = ",".join(["learner", *["random"] * 6])
    summary = play("--players", players, "--roster", str(run.roster()), "--matches", "2", "--jobs", "1")
    assert summary["players"]["learner"]["seats"] == 2
    assert {result["status"] for result in summary["results"]} == {"finished"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "game: unknown game 'chess'"),
        (["diplomacy", "--players", "random,hold"], "players: 2 named for 7 seats"),
        (["diplomacy", "--players", "nobody"], "has no player 'nobody'"),
        (["diplomacy", "--players", "remote"], "remote is played from outside"),
        (["diplomacy", "--roster", "nowhere.toml"], "nowhere.toml"),
        (["diplomacy", "--set", "last_year"], "set: 'last_year' is not name=value"),
        (["diplomacy", "--set", "year=1902"], "options.year: diplomacy has no such option"),
        (["diplomacy", "--format", "pgn"], "format: diplomacy has no 'pgn'"),
    ],
)
def test_bad_input_is_refused_by_name(arguments: list[str], message: str) -> None:
    refused = grandstand("play", *arguments, check=False)
    assert refused.returncode == 2
    assert message in " ".join(refused.stderr.split())


@pytest.mark.long
def test_messages_keep_what_stands_in_brackets() -> None:
    refused = grandstand("play", "diplomacy", "--players", "[train]", check=False)
    assert "has no player '[train]'" in " ".join(refused.stderr.split())
    for command in (("play", "diplomacy"), ("eval", "diplomacy", "--player", "[x]")):
        refused = grandstand(*command, "--set", "[train]", check=False)
        assert refused.returncode == 2
        assert "'[train]' is not name=value" in " ".join(refused.stderr.split())


def test_help_says_that_the_roster_can_be_seated() -> None:
    help_text = " ".join(grandstand("play", "--help").stdout.replace("│", " ").split())
    assert "between built-in players and those of the roster" in help_text


@pytest.mark.long
def test_a_damaged_record_is_refused_with_its_line(tmp_path: Path) -> None:
    play("--players", "random", "--out", str(tmp_path))
    (file,) = tmp_path.glob("*.json*")
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:5] + lines[6:]))
    refused = grandstand("replay", str(file), check=False)
    assert refused.returncode == 1
    assert "event 4 is missing" in " ".join(refused.stderr.split())


@pytest.mark.long
def test_a_forged_record_does_not_replay(tmp_path: Path) -> None:
    play("--players", "random", "--out", str(tmp_path))
    (file,) = tmp_path.glob("*.json*")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    forged = next(line for line in lines if line.get("type") == "OrdersResolved")
    forged["data"]["phase"] = "S1899M"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    refused = grandstand("replay", str(file), check=False)
    assert refused.returncode == 1
    assert f"event {forged['seq']} (OrdersResolved) differs" in " ".join(refused.stderr.split())
