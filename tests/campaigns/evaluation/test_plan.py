"""An evaluation of models: its records, its budget, its end in the middle, and its continuation."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grandstand.main import app
from tests.support.command import words
from tests.support.players.chat_server import ChatServer, hangs, refuses, says
from tests.support.players.models import HOLD, SHORT, by_model, first, roster
from tests.support.waiting import PATIENCE

ROOT = Path(__file__).parents[3]
CLOCKS = ("seconds", "seconds_per_answer", "seconds_per_match", "record", "spent")
"""Fields that differ between two runs of the same evaluation."""


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(says(HOLD)) as running:
        yield running


def arguments(server: ChatServer, folder: Path, *more: str) -> list[str]:
    seats = ["--player", "model", "--against", "hold", "--reference", "random"]
    return ["eval", "diplomacy", *seats, *SHORT, "--roster", str(roster(folder, server, "model")), "--json", *more]


def evaluate(server: ChatServer, folder: Path, *more: str, code: int = 0) -> Any:
    """The whole report, or the complaint."""
    out = folder / "report.json"
    result = CliRunner().invoke(app, arguments(server, folder, "--out", str(out), *more))
    assert result.exit_code == code, result.output
    return " ".join(result.output.split()) if code == 2 else json.loads(out.read_text())


def lasting(report: Any) -> Any:
    """The report without clocks and paths."""
    if isinstance(report, dict):
        return {name: lasting(value) for name, value in report.items() if name not in CLOCKS}
    return [lasting(value) for value in report] if isinstance(report, list) else report


def test_every_match_leaves_its_record_and_what_it_took(server: ChatServer, tmp_path: Path) -> None:
    output = evaluate(server, tmp_path, "--records", str(tmp_path / "records"))
    files = sorted((tmp_path / "records").glob("*-*.jsonl"))
    assert len(files) == 14
    assert {trial[side]["record"] for trial in output["trials"] for side in ("player", "reference")} == set(
        map(str, files)
    )
    played = output["played"]["player"]
    calls = len(server.requests)
    assert (played["matches"], played["calls"], played["tokens_in"], played["tokens_out"]) == (
        7,
        calls,
        100 * calls,
        20 * calls,
    )
    assert played["dollars"] == pytest.approx(calls * (100 * 1.0 + 20 * 10.0) / 1e6)
    assert played["tokens_per_match"] == pytest.approx(120 * calls / 7, abs=0.1)
    assert played["seconds_per_match"] > 0
    assert played["seconds_per_answer"] > 0
    assert output["spent"] == {"tokens": 120 * calls, "dollars": pytest.approx(played["dollars"])}
    replayed = CliRunner().invoke(app, ["replay", str(files[0]), "--json"])
    assert replayed.exit_code == 0, replayed.output


@pytest.mark.long
def test_a_killed_evaluation_goes_on_to_the_report_of_one_that_was_not(server: ChatServer, tmp_path: Path) -> None:
    whole = evaluate(server, tmp_path, "--records", str(tmp_path / "whole"))
    calls = len(server.requests)
    server.requests.clear()
    server.answer = first(7, says(HOLD), hangs)
    kept = tmp_path / "kept"
    command = [sys.executable, "-m", "grandstand", *arguments(server, tmp_path, "--records", str(kept))]
    process = subprocess.Popen([*command, "--concurrency", "2"], cwd=ROOT, stdout=subprocess.DEVNULL)
    server.wait_for(9)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(PATIENCE)
    done = len(list(kept.glob("*-*.jsonl")))
    assert 0 < done < 14
    server.answer = says(HOLD)
    server.requests.clear()
    resumed = evaluate(server, tmp_path, "--records", str(kept), "--resume")
    assert lasting(resumed) == lasting(whole)
    assert 0 < len(server.requests) < calls, "only what was missing is played"
    assert resumed["spent"]["tokens"] >= whole["spent"]["tokens"], "what the lost matches took is counted too"
    assert not list(kept.glob("*.part"))
    server.requests.clear()
    assert lasting(evaluate(server, tmp_path, "--records", str(kept), "--resume")) == lasting(whole)
    assert not server.requests


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ((), "contains this evaluation already; continue it with --resume"),
        (("--resume", "--seed", "8"), "contains another evaluation: seed is 0 there and 8 now; name another folder"),
        (("--resume", "--on-fault", "stop"), 'on_fault is "fallback" there and "stop" now'),
    ],
)
def test_a_folder_of_another_evaluation_is_refused(
    more: tuple[str, ...], complaint: str, server: ChatServer, tmp_path: Path
) -> None:
    records = ("--records", str(tmp_path / "records"))
    evaluate(server, tmp_path, *records)
    assert complaint in evaluate(server, tmp_path, *records, *more, code=2)


def test_a_roster_that_has_changed_is_another_evaluation(server: ChatServer, tmp_path: Path) -> None:
    records = ("--records", str(tmp_path / "records"), "--resume")
    evaluate(server, tmp_path, *records)
    other = tmp_path / "other"
    other.mkdir()
    changed = ("--roster", str(roster(other, server, "model", more="temperature = 0.5\n")))
    assert "the roster's settings of model have changed" in evaluate(server, tmp_path, *records, *changed, code=2)


def test_a_damaged_record_is_refused_by_name(server: ChatServer, tmp_path: Path) -> None:
    records = tmp_path / "records"
    evaluate(server, tmp_path, "--records", str(records))
    file = sorted(records.glob("*-*.jsonl"))[0]
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:-2]))
    output = evaluate(server, tmp_path, "--records", str(records), "--resume", code=2)
    assert file.name in output.replace(" ", "")
    assert "delete the file to play the match again" in output


@pytest.mark.few(1)
@pytest.mark.parametrize(("limit", "concurrency"), [("--max-tokens=2000", "1"), ("--max-dollars=0.01", "3")])
def test_a_budget_ends_the_evaluation(limit: str, concurrency: str, server: ChatServer, tmp_path: Path) -> None:
    """Dear answers: the limit is never passed, no stand-in plays on, and the report says what there is."""
    server.answer = says(HOLD, usage=(100, 100))
    records = ("--records", str(tmp_path / "records"))
    output = evaluate(server, tmp_path, limit, "--yes", "--concurrency", concurrency, *records, code=1)
    assert (output["complete"], output["stopped"]) == (False, "the budget is spent")
    spent = output["spent"]
    assert 0 < spent["tokens"] <= 2000 if "tokens" in limit else 0 < spent["dollars"] <= 0.01
    played = output["played"]["player"]
    assert (played["faults"], played["fallbacks"]) == (0, 0)
    assert 0 < played["matches"] < 7
    assert any(trial["player"] is None for trial in output["trials"])
    rest = evaluate(server, tmp_path, "--resume", *records)
    assert rest["complete"] is True
    assert rest["played"]["player"]["matches"] == 7


def test_a_limit_in_dollars_needs_prices(server: ChatServer, tmp_path: Path) -> None:
    file = roster(tmp_path, server, "free")
    file.write_text("".join(line for line in file.read_text().splitlines(keepends=True) if "price" not in line))
    command = ["eval", "diplomacy", "--player", "free", "--roster", str(file), "--max-dollars", "1"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 2
    assert "max_dollars: free has no price; set price_in and price_out" in " ".join(result.output.split())


# --- faults -----------------------------------------------------------------------------------------------------------


def two_models(server: ChatServer, folder: Path, *more: str, code: int) -> Any:
    """`play` between a model that answers and one that is refused every call."""
    server.answer = by_model(sound=says(HOLD), broken=refuses("401 Unauthorized", "bad key"))
    players = ",".join(["sound", "broken", *["hold"] * 5])
    file = roster(folder, server, "sound", "broken")
    command = ["play", "diplomacy", "--players", players, "--roster", str(file), *SHORT, "--matches", "3", "--json"]
    result = CliRunner().invoke(app, [*command, *more])
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


def test_a_player_that_never_answered_has_no_score(server: ChatServer, tmp_path: Path) -> None:
    players = two_models(server, tmp_path, code=1)["players"]
    broken, sound = players["broken"], players["sound"]
    assert (broken["scored"], broken["mean_score"], broken["ci95"], broken["wins"]) == (0, None, None, 0)
    assert broken["faults"] > broken["fallbacks"] == broken["decisions"] > 0, "it failed to speak, too"
    assert (sound["scored"], sound["fallbacks"]) == (3, 0)
    assert sound["mean_score"] is not None
    assert (sound["tokens_in"], sound["dollars"]) == (100 * sound["calls"], pytest.approx(0.0003 * sound["calls"]))


def test_faults_up_to_a_share_are_forgiven(server: ChatServer, tmp_path: Path) -> None:
    two_models(server, tmp_path, "--max-faults", "1", code=0)


def test_a_player_that_fails_forfeits_on_request(server: ChatServer, tmp_path: Path) -> None:
    summary = two_models(server, tmp_path, "--on-fault", "forfeit", code=1)
    broken = summary["players"]["broken"]
    assert (broken["scored"], broken["forfeits"], broken["mean_score"], broken["wins"]) == (3, 3, 0.0, 0)
    assert summary["on_fault"] == "forfeit"
    assert summary["players"]["sound"]["forfeits"] == 0


def test_a_match_ends_at_the_first_fault_on_request(server: ChatServer, tmp_path: Path) -> None:
    summary = two_models(server, tmp_path, "--on-fault", "stop", code=1)
    assert {result["status"] for result in summary["results"]} == {"stopped"}
    message = summary["results"][0]["message"]
    assert message == "broken failed in seat ENGLAND (provider): the model's endpoint failed"
    assert {row["mean_score"] for row in summary["players"].values()} == {None}
    assert {row["fallbacks"] for row in summary["players"].values()} == {0}


def test_an_evaluation_does_not_count_what_a_stand_in_did(server: ChatServer, tmp_path: Path) -> None:
    server.answer = refuses("401 Unauthorized", "bad key")
    output = evaluate(server, tmp_path, code=1)
    played = output["played"]["player"]
    assert (played["matches"], played["scored"]) == (7, 0)
    assert played["fallbacks"] == played["decisions"] > 0
    assert output["measures"]["score"]["player"] == {"mean": None, "ci95": None, "n": 0}
    assert output["measures"]["score"]["difference"]["mean"] is None
    assert output["measures"]["score"]["reference"]["n"] == 7


def test_seats_rotate_on_request(server: ChatServer, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    players = ("--players", ",".join(["random", *["hold"] * 6]), "--rotate", "--matches", "8", "--jobs", "1")
    result = CliRunner().invoke(app, ["play", "diplomacy", *players, *SHORT, "--out", str(folder), "--json"])
    assert result.exit_code == 0, result.output
    seats = []
    for file in sorted(folder.glob("*-*.jsonl")):
        created = json.loads(file.read_text().splitlines()[1])["data"]
        seats.append(next(info["seat"] for info in created["seats"] if info["player"] == "random"))
    assert len(set(seats[:7])) == 7
    assert seats[7] == seats[0]


def test_variants_of_a_model_are_compared(server: ChatServer, tmp_path: Path) -> None:
    plain = roster(tmp_path, server, "plain").read_text()
    keeper = roster(tmp_path, server, "keeper", more="memory = true\nintentions = true\n")
    keeper.write_text(plain + keeper.read_text())
    out = tmp_path / "report.json"
    seats = ["--player", "keeper", "--reference", "plain", "--against", "hold", "--pack", "tactics", "--limit", "2"]
    command = ["eval", "diplomacy", *seats, "--roster", str(keeper), "--out", str(out)]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    models = json.loads(out.read_text())["models"]
    prompts = {name: model.pop("prompt") for name, model in models.items()}
    assert models == {
        "keeper": {"model": "keeper", "memory": True, "intentions": True},
        "plain": {"model": "plain", "memory": False, "intentions": False},
    }
    assert len(set(prompts.values())) == 2
    assert f"keeper: keeper, notes on, intentions on, prompt {prompts['keeper']}" in words(result.output)
    noted = {request.body["model"] for request in server.requests if "Your notes:" in request.prompt}
    assert noted == {"keeper"}
