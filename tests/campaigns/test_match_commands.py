"""Matches that are played by commands of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grandstand.campaigns.campaign import CampaignObserver
from grandstand.campaigns.match_commands import MatchCommands, read_match, runner_of, write_match
from grandstand.campaigns.processes import Runner
from grandstand.games.base import OptionError
from grandstand.play.headless import MatchPlan, MatchResult
from tests.support.command import grandstand, words
from tests.support.live_server import ROOT
from tests.support.waiting import until

pytestmark = pytest.mark.long

TEMPLATE = f"{sys.executable} -m grandstand {{arguments}}"
PLAY = ("play", "cricket", "--players", "random", "--set", "overs=1")


class Results(CampaignObserver[MatchPlan, MatchResult]):
    def __init__(self) -> None:
        self.ended_with: list[MatchResult] = []

    def ended(self, unit: MatchPlan, outcome: MatchResult) -> None:
        self.ended_with.append(outcome)


def match(folder: Path, name: str = "cricket-1") -> MatchPlan:
    return MatchPlan(name, "cricket", ("random", "random"), {"overs": 1}, seed=1, folder=folder)


def played(runner: Runner, folder: Path) -> MatchResult:
    results = Results()
    assert MatchCommands(runner, 1).execute([match(folder)], results) is None
    [result] = results.ended_with
    return result


def results(summary: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in row.items() if name not in ("file", "seconds", "ended_at")}
        for row in summary["results"]
    ]


def test_commands_have_the_results_of_one_process(tmp_path: Path) -> None:
    more = ("--matches", "3", "--json")
    here = json.loads(grandstand(*PLAY, *more, "--jobs", "1").stdout)
    out = tmp_path / "out"
    there = json.loads(grandstand(*PLAY, *more, "--jobs", "2", "--command", TEMPLATE, "--out", str(out)).stdout)
    assert results(there) == results(here)
    assert sorted(file.name for file in out.glob("*.jsonl")) == [f"cricket-{seed}.jsonl" for seed in range(3)]
    assert [file.name for file in (out / "commands").iterdir()] == [".lock"], "what is over leaves nothing behind"


def test_a_description_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    write_match(match(tmp_path), file)
    assert read_match(file) == match(tmp_path)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "is not JSON"),
        ('{"episode_id": "a", "game": "cricket", "players": 3, "options": {}, "seed": 1}', "players: "),
        ("[]", "match.json: content: "),
    ],
)
def test_a_description_that_is_wrong_is_refused(content: str, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(content)
    assert complaint in words(grandstand("play", str(file), status=2).stderr)
    assert "cannot be read" in words(grandstand("play", str(tmp_path / "none.json"), status=2).stderr)


def test_what_a_description_says_already_is_refused_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    write_match(match(tmp_path), file)
    for option, value in (("--players", "heuristic"), ("--out", str(tmp_path)), ("--matches", "3"), ("--seed", "4")):
        refused = grandstand("play", str(file), option, value, status=2)
        name = option.removeprefix("--")
        assert f"{name}: {file} describes the whole match; leave it out" in words(refused.stderr)


def test_a_person_does_not_play_by_a_command(tmp_path: Path) -> None:
    seats = ("--players", "person,random", "--out", str(tmp_path), "--command", TEMPLATE)
    refused = grandstand("play", "cricket", *seats, status=2)
    assert "command: a person plays at this terminal; leave it out" in words(refused.stderr)


def test_a_command_that_fails_is_a_result_with_its_last_words(tmp_path: Path) -> None:
    script = tmp_path / "breaks.py"
    script.write_text("import sys; sys.exit('the node is on fire')")
    result = played(Runner(command=f"{sys.executable} {script} {{arguments}}"), tmp_path)
    assert (result.status, result.message) == ("error", "the command failed: the node is on fire")
    result = played(Runner(command="no-such-program {arguments}"), tmp_path)
    assert result.message == "no-such-program: No such file or directory; check --command"


@pytest.mark.parametrize(
    ("command", "folder", "limit", "complaint"),
    [
        (TEMPLATE, None, None, "command: matches that are played elsewhere need a folder"),
        (TEMPLATE, Path(), 5, "command: a budget holds for matches of one process"),
        ("grandstand", Path(), None, "it lacks {arguments}"),
        ("grandstand {arguments} {host}", Path(), None, "there is no placeholder 'host'"),
    ],
)
def test_what_cannot_be_is_refused(command: str, folder: Path | None, limit: int | None, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        runner_of(command, "", folder, limit)


@pytest.mark.long
def test_nobody_plays_the_matches_of_commands_that_a_killed_process_left(tmp_path: Path) -> None:
    hold, waiting = tmp_path / "hold", tmp_path / "waiting"
    hold.touch()
    script = tmp_path / "waits.py"
    script.write_text(
        "import pathlib, subprocess, sys, time\n"
        f"pathlib.Path({str(waiting)!r}).touch()\n"
        f"while pathlib.Path({str(hold)!r}).exists(): time.sleep(0.02)\n"
        "sys.exit(subprocess.call([sys.executable, '-m', 'grandstand', *sys.argv[1:]]))\n"
    )
    out = tmp_path / "out"
    command = [*PLAY, "--out", str(out), "--command", f"{sys.executable} {script} {{arguments}}"]
    process = subprocess.Popen([sys.executable, "-m", "grandstand", *command], cwd=ROOT, stdout=subprocess.DEVNULL)
    # A log without a process is nobody's match, and would be played again.
    assert until(waiting.exists)
    process.kill()
    process.wait()
    refused = grandstand(*command, "--resume", status=2)
    assert "another process plays the matches" in words(refused.stderr)
    hold.unlink()
    assert until(lambda: (out / "cricket-0.jsonl").exists())
    before = (out / "cricket-0.jsonl").stat().st_mtime_ns
    assert json.loads(grandstand(*command, "--resume", "--json").stdout)["matches"] == 1
    assert (out / "cricket-0.jsonl").stat().st_mtime_ns == before
