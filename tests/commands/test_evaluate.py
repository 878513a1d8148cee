"""`grandstand eval` as a program sees it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grandstand.main import app
from tests.support.trainer.run_folder import RunFolder
from tests.support.trainer.training_setup import cricket

ROOT = Path(__file__).parents[2]
RUNNER = CliRunner()


def run(*arguments: str, code: int = 0) -> str:
    result = RUNNER.invoke(app, ["eval", *arguments, "--jobs", "1"])
    assert result.exit_code == code, result.output
    return result.output if code else result.stdout


@pytest.mark.long
def test_a_report_for_programs(tmp_path: Path) -> None:
    out = tmp_path / "reports" / "report.json"
    reported = json.loads(
        run("cricket", "--player", "heuristic", "--pack", "chase-30", "--limit", "3", "--json", "--out", str(out))
    )
    report = json.loads(out.read_text())
    assert reported == {name: value for name, value in report.items() if name != "trials"}
    assert report["pack"]["name"] == "chase-30"
    assert report["pack"]["version"] == 1
    assert len(report["pack"]["digest"]) == 16
    assert (report["units"], report["matches"], len(report["trials"])) == (3, 6, 6)
    for measure in ("score", "decisions", "runs"):
        row = report["measures"][measure]
        mean = sum(trial["player"]["measures"][measure] for trial in report["trials"]) / 6
        assert row["player"]["mean"] == pytest.approx(mean, abs=1e-4)
        assert row["difference"]["mean"] == pytest.approx(row["player"]["mean"] - row["reference"]["mean"], abs=1e-4)
        assert row["difference"]["n"] == 3
    assert report["measures"]["decisions"]["difference"]["ci95"] is None, "three situations are too few"
    low, high = report["measures"]["score"]["player"]["ci95"]
    assert 0 <= low <= report["measures"]["score"]["player"]["mean"] <= high <= 1
    assert low < high
    assert report["complete"] is True
    for side in ("player", "reference"):
        played = report["played"][side]
        assert (played["matches"], played["scored"], played["fallbacks"], played["faults"]) == (6, 6, 0, 0)
        assert played["decisions"] > 0


def test_a_table_for_people() -> None:
    table = run("cricket", "--player", "random", "--pack", "five-over", "--limit", "2")
    for words in (
        "random on cricket/five-over v1",
        "random draws.",
        "decisions",
        "score less luck",
        "2 situations",
    ):
        assert words in table


def test_a_reference_and_opponents_of_ones_own() -> None:
    seats = ("--player", "heuristic", "--against", "random", "--reference", "heuristic")
    report = json.loads(run("cricket", *seats, "--pack", "chase-30", "--limit", "1", "--json"))
    assert (report["against"], report["reference"]) == ("random", "heuristic")
    assert {row["difference"]["mean"] for row in report["measures"].values()} == {0.0}


@pytest.mark.long
def test_a_player_that_is_its_own_reference_plays_once(tmp_path: Path) -> None:
    seats = ("cricket", "--player", "heuristic", "--reference", "heuristic", "--pack", "five-over", "--limit", "2")
    run(*seats, "--records", str(tmp_path / "records"), "--json")
    assert len(list((tmp_path / "records").glob("*-*.jsonl"))) == 4


@pytest.mark.long
def test_the_same_seed_gives_the_same_report() -> None:
    def measures(seed: int) -> Any:
        arguments = ("--player", "heuristic", "--pack", "chase-30", "--limit", "2", "--seed", str(seed), "--json")
        return json.loads(run("cricket", *arguments))["measures"]

    first = measures(5)
    assert first == measures(5)
    assert first != measures(6)


@pytest.mark.long
def test_the_reference_faces_the_same_luck(tmp_path: Path) -> None:
    """The same captain under another name: with one luck, its matches in that seat are the same."""
    roster = tmp_path / "players.toml"
    roster.write_text('[[player]]\nname = "twin"\nkind = "bot"\noptions = { bot = "neutral" }\n')
    arguments = ("--pack", "small-totals", "--limit", "3", "--roster", str(roster), "--json")
    report = json.loads(run("cricket", "--player", "twin", "--reference", "neutral", *arguments))
    assert {row["difference"]["mean"] for row in report["measures"].values()} == {0.0}


@pytest.mark.long
def test_diplomacy_sits_in_every_seat() -> None:
    report = json.loads(
        run("diplomacy", "--player", "random", "--against", "hold", "--set", "last_year=1902", "--json")
    )
    assert report["pack"] == {"name": "start"}
    assert report["matches"] == 7
    assert set(report["measures"]) == {"score", "win"}


@pytest.mark.long
def test_a_trained_player_is_loaded_by_every_process_that_plays(tmp_path: Path) -> None:
    learner = RunFolder(cricket(), tmp_path / "run")
    learner.publish(3)
    seats = ("cricket", "--player", "learner", "--against", "random", "--roster", str(learner.roster(version=3)))
    command = (sys.executable, "-m", "grandstand", "eval", *seats, "--pack", "chase-30", "--limit", "1", "--jobs", "2")
    report = json.loads(subprocess.run([*command, "--json"], cwd=ROOT, capture_output=True, check=True).stdout)
    assert report["matches"] == 2
    assert report["played"]["player"]["decisions"] > 0
    assert report["played"]["player"]["faults"] == 0
    (learner.versions.path(3) / "adapter_model.safetensors").unlink()
    assert "adapter_model.safetensors: cannot be read" in " ".join(run(*seats, code=2).split())


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("cricket", "--player", "heuristic", "--pack", "nope"), "there are default"),
        (("cricket", "--player", "nobody"), "no player 'nobody'"),
        (("chess", "--player", "x"), "chess"),
        (("cricket", "--player", "neutral", "--set", "weather=fine"), "no such option"),
        (("cricket", "--player", "person"), "person is played from outside"),
        (("cricket", "--player", "neutral", "--resume"), "resume: set --records"),
        (("cricket", "--player", "neutral", "--max-tokens", "5"), "max_tokens: no player calls a provider"),
        (("cricket", "--player", "neutral", "--concurrency", "5"), "concurrency: no player calls a provider"),
    ],
)
def test_bad_input_names_the_field(arguments: tuple[str, ...], complaint: str) -> None:
    assert complaint in " ".join(run(*arguments, code=2).split())


def test_a_report_that_cannot_be_written_is_refused_before_a_match_is_played(tmp_path: Path) -> None:
    records = tmp_path / "records"
    arguments = ("cricket", "--player", "heuristic", "--pack", "chase-30", "--limit", "1", "--records", str(records))
    error = run(*arguments, "--out", str(tmp_path), code=2)
    assert f"out: {tmp_path}: Is a directory; name another" in " ".join(error.split())
    assert not list(records.glob("*-*.jsonl"))


def test_a_disk_that_is_full_ends_the_evaluation_which_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    records = str(tmp_path / "records")
    arguments = (
        "cricket",
        "--player",
        "heuristic",
        "--pack",
        "chase-30",
        "--limit",
        "1",
        "--records",
        records,
        "--json",
    )
    monkeypatch.setattr("grandstand.campaigns.match_executor.play_match", full)
    assert "records: No space left on device; name another" in run(*arguments, code=1)
    monkeypatch.undo()
    assert json.loads(run(*arguments, "--resume"))["complete"] is True
