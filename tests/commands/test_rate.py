"""`grandstand rate`: results of files, records of matches and data folders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import grandstand, words

LINE: dict[str, Any] = {"players": {"FRANCE": "a", "ITALY": "b"}, "scores": {"FRANCE": 1.0, "ITALY": 0.0}}


def written(folder: Path, *lines: object) -> str:
    """Write JSON lines and return the path."""
    file = folder / "results.jsonl"
    file.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
    return str(file)


def test_json_lines_are_rated(tmp_path: Path) -> None:
    draw = {**LINE, "scores": {"FRANCE": 0.5, "ITALY": 0.5}}
    report = json.loads(grandstand("rate", written(tmp_path, LINE, LINE, draw), "--json").stdout)
    assert [(rating["player"], rating["games"]) for rating in report["ratings"]] == [("a", 3), ("b", 3)]
    for rating in report["ratings"]:
        assert rating["low"] < rating["mean"] < rating["high"]
    (pair,) = report["pairs"]
    assert (pair["a"], pair["b"]) == ("a", "b")
    assert 0.5 < pair["probability"] < 1


def test_the_table_names_what_is_not_significant(tmp_path: Path) -> None:
    text = words(grandstand("rate", written(tmp_path, LINE), "--anchor", "b=1000").stdout)
    assert "Ratings from 1 match," in text
    assert "1000" in text
    assert "not significant" in text


def test_another_model_rates_the_same_results(tmp_path: Path) -> None:
    lines = written(tmp_path, LINE, LINE)
    tables = [json.loads(grandstand("rate", lines, "--model", name, "--json").stdout) for name in ("pairs", "online")]
    assert all(table["ratings"][0]["player"] == "a" for table in tables)
    assert tables[0]["seats"]
    assert not tables[1]["seats"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ({**LINE, "scores": {"SPAIN": 1.0}}, "line 2: scores: seat 'SPAIN' has no player; name it in `players`"),
        ({"players": LINE["players"]}, "line 2: scores: Field required"),
        ('{"players": {"A": "a"}, "scores": {"A": NaN}}\n', "line 2: scores.A: Input should be a finite number"),
        ("nonsense\n", "line 2: Invalid JSON"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(line: object, complaint: str, tmp_path: Path) -> None:
    error = words(grandstand("rate", written(tmp_path, LINE, line), status=2).stderr)
    assert complaint in error


def test_other_files_and_anchors_are_refused(tmp_path: Path) -> None:
    results = written(tmp_path, LINE)
    assert "No such file" in grandstand("rate", str(tmp_path / "none"), status=2).stderr
    assert "'a' is not PLAYER=POINTS" in grandstand("rate", results, "--anchor", "a", status=2).stderr
    assert "--model: there is no 'elo'; there are plackett-luce" in words(
        grandstand("rate", results, "--model", "elo", status=2).stderr
    )
    assert "no match with two scored seats" in grandstand("rate", results, "--game", "cricket", status=2).stderr
    (tmp_path / "other").write_text("[]")
    assert "not a Grandstand episode" in words(grandstand("rate", str(tmp_path / "other"), status=2).stderr)


def test_recorded_matches_are_rated_and_kinds_are_not_mixed(tmp_path: Path) -> None:
    for overs, players in ((1, "heuristic,random"), (1, "random,heuristic"), (2, "heuristic,random")):
        out = str(tmp_path / f"{overs}-{players[0]}")
        grandstand("play", "cricket", "--players", players, "--set", f"overs={overs}", "--out", out, "--seed", "1")
    records = sorted(str(file) for file in tmp_path.rglob("*.jsonl"))
    assert len(records) == 3
    report = json.loads(grandstand("rate", *(file for file in records if "/1-" in file), "--json").stdout)
    assert {rating["player"]: rating["games"] for rating in report["ratings"]} == {"heuristic": 2, "random": 2}
    error = words(grandstand("rate", *records, status=2).stderr)
    assert "these matches are not of one kind: 2 of cricket" in error


def test_one_seed_with_the_same_players_counts_once(tmp_path: Path) -> None:
    for seed, out in (("1", "a"), ("1", "b"), ("2", "c")):
        play = ("play", "cricket", "--players", "heuristic,random", "--set", "overs=1", "--seed", seed)
        grandstand(*play, "--out", str(tmp_path / out))
    records = sorted(str(file) for file in tmp_path.rglob("*.jsonl"))
    report = json.loads(grandstand("rate", *records, "--json").stdout)
    assert (report["repeats"], {rating["games"] for rating in report["ratings"]}) == (1, {2})
    shown = words(grandstand("rate", *records).stdout)
    assert "Ratings from 2 matches" in shown
    assert "1 match left out: it has the seed, options and players of another" in shown


def prompted(file: Path, prompt: str, folder: Path) -> str:
    """Copy a record in which its first player is a model with this prompt."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    created = next(line for line in lines if line.get("type") == "EpisodeCreated")
    created["data"]["seats"][0] |= {"player": "model", "kind": "llm", "prompt": prompt}
    out = folder / f"{prompt or 'none'}.jsonl"
    out.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(out)


def test_a_player_with_several_prompts_is_rated_as_several(tmp_path: Path) -> None:
    players = ("--players", "heuristic,random")
    grandstand("play", "cricket", *players, "--set", "overs=1", "--out", str(tmp_path), "--seed", "1")
    (record,) = tmp_path.glob("*.jsonl")
    first, second, unknown = (prompted(record, prompt, tmp_path) for prompt in ("1a2b3c4d5e6f", "9f8e7d6c5b4a", ""))
    report = json.loads(grandstand("rate", first, first, "--json").stdout)
    assert {rating["player"] for rating in report["ratings"]} == {"model", "random"}
    report = json.loads(grandstand("rate", first, second, unknown, "--json").stdout)
    assert {rating["player"]: rating["games"] for rating in report["ratings"]} == {
        "model (prompt 1a2b…)": 1,
        "model (prompt 9f8e…)": 1,
        "model (prompt not recorded)": 1,
        "random": 3,
    }
