"""`grandstand tournament` as a program sees it: its plan, its report, its records, and the record of the whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grandstand.main import app
from grandstand.play.headless import play_match
from grandstand.spectator.record_file import read_episode
from tests.support.command import words

RUNNER = CliRunner()
BOTS = ("cricket", "--players", "neutral,random,fixed-plan", "--set", "overs=1", "--set", "win_probability=false")


def run(*arguments: str, code: int = 0, **options: Any) -> str:
    result = RUNNER.invoke(app, ["tournament", *arguments, "--jobs", "1"], **options)
    assert result.exit_code == code, result.output
    return words(result.output) if code == 2 else result.stdout


def test_a_report_for_programs(tmp_path: Path) -> None:
    out, records = tmp_path / "reports" / "report.json", tmp_path / "records"
    printed = json.loads(
        run(*BOTS, "--matches", "10", "--seed", "4", "--records", str(records), "--out", str(out), "--json")
    )
    report = json.loads(out.read_text())
    assert printed == {name: value for name, value in report.items() if name != "results"}
    assert (report["played"], report["planned"], report["failed"], report["complete"]) == (12, 12, 0, True)
    assert [row["counted"] for row in report["table"]] == [8, 8, 8]
    assert report["table"][0]["counted_matches"].count("-") >= 1
    assert sum(row["wins"] for row in report["table"]) <= 12
    assert len(report["cross"]) == 3
    assert len(report["seats"]) == 6
    assert report["estimate"]["rests_on"] == 4
    for match in report["results"]:
        assert read_episode(Path(match["record"])).events[-1].type == "EpisodeEnded"
    seeds = {match["opening"]: {other["seed"] for other in report["results"]} for match in report["results"]}
    assert all(len(of_opening) == 2 for of_opening in seeds.values())
    rated = json.loads(RUNNER.invoke(app, ["rate", str(records), "--json"]).stdout)
    means = {row["player"]: row["rating"]["mean"] for row in report["table"]}
    assert {row["player"]: round(row["mean"], 1) for row in rated["ratings"]} == means


def test_the_record_of_the_tournament_names_its_matches(tmp_path: Path) -> None:
    records = tmp_path / "records"
    run(*BOTS, "--matches", "6", "--records", str(records), "--title", "A cup", "--json")
    events = read_episode(records / "tournament.jsonl").events
    created, ended = events[0].data, events[-1].data
    assert (created["game"], created["title"], created["origin"]) == ("tournament", "A cup", "cli")
    assert ended["status"] == "finished"
    assert ended["outcome"]["scores"].keys() == {"neutral", "random", "fixed-plan"}
    played = [event.data["episode_id"] for event in events if event.type == "PairingPlayed"]
    assert {f"{episode}.jsonl" for episode in played} | {".lock", "plan.json", "tournament.jsonl"} == {
        file.name for file in records.iterdir()
    }
    once = RUNNER.invoke(app, ["rate", str(records / "tournament.jsonl"), "--json"])
    assert once.exit_code == 0, once.output
    every = RUNNER.invoke(app, ["rate", *map(str, sorted(records.glob("*.jsonl"))), "--json"])
    assert every.output == once.output, "a match that has a file of its own too counts once"


def test_a_tournament_and_single_matches_of_the_same_options_are_rated_together(tmp_path: Path) -> None:
    run(*BOTS, "--matches", "6", "--records", str(tmp_path / "cup"))
    run(*BOTS, "--matches", "6", "--records", str(tmp_path / "other"))
    (tmp_path / "other/tournament.jsonl").unlink()
    both = RUNNER.invoke(app, ["rate", str(tmp_path / "cup"), str(tmp_path / "other"), "--json"])
    assert both.exit_code == 0, both.output
    assert sum(rating["games"] for rating in json.loads(both.output)["ratings"]) == 2 * 12


def test_a_plan_from_a_file_and_changes_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        'game = "cricket"\ntitle = "Cup"\nplayers = ["neutral", "random"]\nmatches = 2\nformat = "fixed"\n'
        'pairings = [["neutral", "random"]]\n[options]\novers = 1\n'
    )
    report = json.loads(run(str(file), "--matches", "3", "--set", "win_probability=false", "--json"))
    assert (report["title"], report["format"], report["played"]) == ("Cup", "fixed", 3)
    assert report["options"] == {"overs": 1, "win_probability": False}


def test_tables_for_people() -> None:
    text = words(run(*BOTS, "--matches", "6", env={"COLUMNS": "160"}))
    for part in (
        "cricket: round-robin Undecided",
        "Played 6 of 6",
        "Head to head",
        "Score by seat",
        "What a seat is worth",
        "with a mean score of",
        "Matches of one opening share their luck",
    ):
        assert part in text
    assert "Match 1" not in text, "the schedule is too long for a terminal"


def test_a_swiss_tournament_of_bots(tmp_path: Path) -> None:
    records = ("--records", str(tmp_path / "records"))
    report = json.loads(run(*BOTS, "--format", "swiss", "--matches", "6", *records, "--json"))
    assert report["played"] == 6
    assert sorted(row["matches"] for row in report["table"]) == [4, 4, 4]
    again = json.loads(run(*BOTS, "--format", "swiss", "--matches", "6", *records, "--resume", "--json"))
    assert again["table"] == report["table"]


def test_processes_give_the_results_of_one(tmp_path: Path) -> None:
    one_process = json.loads(run(*BOTS, "--matches", "6", "--json"))
    result = RUNNER.invoke(app, ["tournament", *BOTS, "--matches", "6", "--json", "--jobs", "2"])
    assert json.loads(result.stdout)["table"] == one_process["table"]


def test_a_match_that_fails_is_listed_and_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def breaks(plan: Any, budget: Any = None) -> Any:
        if plan.episode_id.endswith("-00002"):
            raise RuntimeError("the pitch is on fire")
        return await play_match(plan, budget)

    monkeypatch.setattr("grandstand.campaigns.match_executor.play_match", breaks)
    records, out = tmp_path / "records", tmp_path / "report.json"
    arguments = (*BOTS, "--matches", "6", "--records", str(records), "--out", str(out), "--json")
    run(*arguments, code=1)
    report = json.loads(out.read_text())
    assert (report["played"], report["failed"], report["complete"]) == (6, 1, True)
    failed = report["results"][2]
    assert (failed["status"], failed["message"]) == ("error", "RuntimeError: the pitch is on fire")
    monkeypatch.undo()
    run(*arguments, "--resume")
    assert json.loads(out.read_text())["failed"] == 0, "only the failed match is played again"


def test_a_disk_that_is_full_ends_the_tournament_which_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fills_up(plan: Any, budget: Any = None) -> Any:
        if plan.episode_id.endswith("-00002"):
            raise OSError(28, "No space left on device")
        return await play_match(plan, budget)

    monkeypatch.setattr("grandstand.campaigns.match_executor.play_match", fills_up)
    arguments = (*BOTS, "--matches", "6", "--records", str(tmp_path / "records"), "--pilot", "0", "--json")
    ended = RUNNER.invoke(app, ["tournament", *arguments, "--jobs", "1"])
    assert ended.exit_code == 1
    assert "records: No space left on device; name another" in words(ended.output)
    monkeypatch.undo()
    report = json.loads(run(*arguments, "--resume"))
    assert (report["played"], report["failed"]) == (6, 0)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("cricket", "--matches", "2"), "players: is missing"),
        (("chess", "--players", "a,b", "--matches", "2"), "unknown game 'chess'"),
        (("nowhere.toml",), "nowhere.toml: cannot be read"),
        (("cricket", "--players", "neutral,nobody", "--matches", "2"), "no player 'nobody'"),
        (("cricket", "--players", "neutral,person", "--matches", "2"), "person is played from outside"),
        ((*BOTS,), "matches: set either the number of matches or `until`"),
        ((*BOTS, "--matches", "2", "--resume"), "resume: set --records"),
        ((*BOTS, "--matches", "2", "--max-tokens", "5"), "max_tokens: no player calls a provider"),
        ((*BOTS, "--matches", "2", "--watch", "http://127.0.0.1:1"), "watch: set GRANDSTAND_PUBLISH_TOKEN"),
        ((*BOTS, "--matches", "2", "--set", "weather=fine"), "options.weather: cricket has no such option"),
    ],
)
def test_bad_input_names_the_field(arguments: tuple[str, ...], complaint: str) -> None:
    assert complaint in run(*arguments, code=2, env={"GRANDSTAND_PUBLISH_TOKEN": "", "COLUMNS": "300"})


def test_a_file_that_is_not_toml(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text("game = cricket")
    assert "is not TOML" in run(str(file), code=2)


def test_a_folder_of_another_tournament_is_refused(tmp_path: Path) -> None:
    records = ("--matches", "2", "--records", str(tmp_path / "records"), "--json")
    pair = ("cricket", "--players", "neutral,random", "--set", "overs=1")
    run(*pair, *records)
    assert "contains this tournament already; continue it with --resume" in run(*pair, *records, code=2)
    other = run(*pair, *records, "--seed", "3", "--resume", code=2)
    assert "contains another tournament: seed is 0 there and 3 now" in other
    run(*pair, *records, "--title", "Another title", "--resume")
