"""A tournament of models over real sockets: every fault, a budget, an end in the middle, and the continuation."""

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
from grandstand.spectator.record_file import read_episode
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.players.chat_server import FAULTS, ChatServer, Request, hangs, says
from tests.support.players.models import HOLD, by_model, first, roster
from tests.support.waiting import PATIENCE, until

ROOT = Path(__file__).parents[3]
GAME = ("diplomacy", "--set", "last_year=1901", "--set", "press=none")
CLOCKS = ("seconds", "seconds_per_answer", "record", "spent", "estimate")
"""Fields that differ between two runs of the same tournament."""


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(says(HOLD)) as running:
        yield running


def arguments(server: ChatServer, folder: Path, players: str, *more: str) -> list[str]:
    models = [name for name in players.split(",") if name != "hold"]
    file = roster(folder, server, *models, impatient=("faulty",))
    return ["tournament", *GAME, "--players", players, "--roster", str(file), "--json", *more]


def play(server: ChatServer, folder: Path, players: str, *more: str, code: int = 0) -> Any:
    """Return the whole report, or the complaint."""
    out = folder / "report.json"
    out.unlink(missing_ok=True)
    result = CliRunner().invoke(app, arguments(server, folder, players, "--out", str(out), *more))
    assert result.exit_code == code, result.output
    return json.loads(out.read_text()) if out.exists() else " ".join(result.output.split())


def lasting(report: Any) -> Any:
    """Return the report without clocks and paths."""
    if isinstance(report, dict):
        return {name: lasting(value) for name, value in report.items() if name not in CLOCKS}
    return [lasting(value) for value in report] if isinstance(report, list) else report


def row(report: Any, player: str) -> Any:
    return next(row for row in report["table"] if row["player"] == player)


class EveryFault:
    """Answers that are each fault once, and then right; the one that stops all further calls comes last."""

    def __init__(self) -> None:
        last = "rate limit for an hour"
        self.left = [name for name in FAULTS if name != last] + [last]

    async def __call__(self, request: Request) -> None:
        if self.left:
            await FAULTS[self.left.pop(0)](request)
        else:
            await says(HOLD)(request)


@pytest.mark.long
def test_through_every_fault_and_a_kill_to_the_end(server: ChatServer, tmp_path: Path) -> None:
    """Two models and a bot; the process is killed in the middle, and a finished match is never played again."""
    faults = EveryFault()
    server.answer = by_model(sound=says(HOLD), faulty=faults)
    records = tmp_path / "records"
    more = ("--matches", "27", "--records", str(records), "--concurrency", "3")
    command = [sys.executable, "-m", "grandstand", *arguments(server, tmp_path, "sound,faulty,hold", *more)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert until(lambda: len(list(records.glob("*[0-9].jsonl"))) >= 5, 120)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(PATIENCE)
    kept = {file: file.stat().st_mtime_ns for file in records.glob("*[0-9].jsonl")}
    assert 5 <= len(kept) < 27
    assert (records / "tournament.jsonl.part").exists()
    report = play(server, tmp_path, "sound,faulty,hold", *more, "--resume", "--max-faults", "1")
    assert {file: file.stat().st_mtime_ns for file in kept} == kept, "a finished match was played again"
    assert (report["played"], report["failed"], report["complete"]) == (27, 0, True)
    assert len(faults.left) == 0, f"faults that never came: {faults.left}"
    sound, faulty = row(report, "sound"), row(report, "faulty")
    assert (sound["faults"], sound["fallbacks"], sound["counted"]) == (0, 0, 27)
    assert faulty["faults"] >= 20
    assert faulty["counted"] < faulty["matches"] == 27
    assert sound["tokens"] == 120 * sound["answers"]
    assert not list(records.glob("*.part"))
    events = read_episode(records / "tournament.jsonl").events
    assert sum(event.type == "PairingPlayed" for event in events) == 27


@pytest.mark.long
def test_a_killed_tournament_goes_on_to_the_report_of_one_that_was_not(server: ChatServer, tmp_path: Path) -> None:
    players = "first,second,hold"
    whole = play(server, tmp_path, players, "--matches", "9", "--records", str(tmp_path / "whole"))
    calls = len(server.requests)
    server.requests.clear()
    server.answer = first(20, says(HOLD), hangs)
    kept = tmp_path / "kept"
    more = ("--matches", "9", "--records", str(kept), "--concurrency", "1")
    command = [sys.executable, "-m", "grandstand", *arguments(server, tmp_path, players, *more)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server.wait_for(21)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(PATIENCE)
    server.answer = says(HOLD)
    server.requests.clear()
    resumed = play(server, tmp_path, players, *more, "--resume")
    assert lasting(resumed) == lasting(whole)
    assert 0 < len(server.requests) < calls, "only what was missing is played"
    abandoned = [json.loads(line) for line in (kept / "abandoned.jsonl").read_text().splitlines()]
    lost = sum(line["tokens_in"] + line["tokens_out"] for line in abandoned)
    assert resumed["spent"]["tokens"] == whole["spent"]["tokens"] + lost, "what the lost matches took is counted too"
    server.requests.clear()
    assert lasting(play(server, tmp_path, players, *more, "--resume")) == lasting(whole)
    assert not server.requests


@pytest.mark.long
@pytest.mark.parametrize("concurrency", ["1", "4"])
def test_a_budget_is_kept_to_the_token(concurrency: str, server: ChatServer, tmp_path: Path) -> None:
    """The limit is never passed, every answered call is counted, and no fallback plays on."""
    server.answer = says(HOLD, usage=(100, 100))
    records = tmp_path / "records"
    more = ("--matches", "12", "--records", str(records), "--concurrency", concurrency, "--pilot", "0", "--yes")
    report = play(server, tmp_path, "first,second,hold", *more, "--max-tokens", "10000", code=1)
    assert (report["complete"], report["stopped"]) == (False, "the budget is spent")
    spent = report["spent"]["tokens"]
    assert spent == 200 * (len(server.requests) - server.cut_off), "every answer is counted, and nothing else"
    assert 7_000 < spent <= 10_000
    assert {row["faults"] for row in report["table"]} == {0}
    assert 0 < report["played"] < 12
    end = read_episode(records / "tournament.jsonl").events[-1].data
    assert (end["status"], end["message"].partition(";")[0]) == ("stopped", "the budget is spent")
    again = play(server, tmp_path, "first,second,hold", *more, "--max-tokens", "10000", "--resume", code=1)
    assert again["spent"]["tokens"] <= 10_000
    rest = play(server, tmp_path, "first,second,hold", *more, "--resume")
    assert (rest["complete"], rest["played"]) == (True, 12)


def test_a_pilot_that_foresees_too_much_is_refused_and_counts_later(server: ChatServer, tmp_path: Path) -> None:
    server.answer = says(HOLD, usage=(100, 100))
    more = ("--matches", "12", "--records", str(tmp_path / "records"), "--max-tokens", "16000", "--pilot", "3")
    refused = play(server, tmp_path, "first,second,hold", *more, code=1)
    assert "the estimate exceeds the budget: about" in refused
    assert "--resume --yes" in refused
    calls = len(server.requests)
    assert len(list((tmp_path / "records").glob("*[0-9].jsonl"))) == 3
    report = play(server, tmp_path, "first,second,hold", *more, "--resume", "--yes", code=1)
    assert report["stopped"] == "the budget is spent"
    assert report["estimate"]["rests_on"] == 3
    assert report["estimate"]["tokens"] == pytest.approx(200 * calls / 3 * 9, rel=0.15)
    assert report["estimate"]["dollars"] == pytest.approx(report["estimate"]["tokens"] / 200 * 0.0011, rel=0.01)
    assert report["spent"]["tokens"] <= 16_000


@pytest.mark.long
def test_an_interrupt_stops_at_once_and_reports_what_there_is(server: ChatServer, tmp_path: Path) -> None:
    server.answer = first(20, says(HOLD), hangs)
    out = tmp_path / "report.json"
    more = ("--matches", "9", "--records", str(tmp_path / "records"), "--out", str(out), "--concurrency", "1")
    command = [sys.executable, "-m", "grandstand", *arguments(server, tmp_path, "first,second,hold", *more)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    server.wait_for(21)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, error
    assert "Traceback" not in error
    report = json.loads(out.read_text())
    assert (report["complete"], report["stopped"]) == (False, "interrupted by SIGINT")
    assert 0 < report["played"] < 9
    assert report["table"][0]["counted_matches"]


def test_cost_and_score_per_dollar(server: ChatServer, tmp_path: Path) -> None:
    report = play(server, tmp_path, "first,hold", "--matches", "4")
    paid, free = row(report, "first"), row(report, "hold")
    calls = len(server.requests)
    assert (paid["tokens"], paid["answers"]) == (120 * calls, calls)
    assert paid["dollars"] == pytest.approx(0.0003 * calls)
    assert paid["dollars_per_match"] == pytest.approx(0.0003 * calls / 4)
    assert paid["score_per_dollar"] == pytest.approx(paid["score"]["mean"] / paid["dollars_per_match"], rel=1e-3)
    assert paid["seconds_per_answer"] > 0
    assert (free["dollars"], free["score_per_dollar"], free["tokens"]) == (None, None, 0)


@pytest.mark.long
def test_a_tournament_is_shown_live_and_one_that_was_killed_is_ended(server: ChatServer, tmp_path: Path) -> None:
    server.answer = first(20, says(HOLD), hangs)
    with live_server(tmp_path / "data", GRANDSTAND_PUBLISH_TOKEN="publish-secret") as grandstand:
        records = tmp_path / "records"
        more = ("--matches", "9", "--records", str(records), "--concurrency", "1", "--watch", grandstand.url)
        command = arguments(server, tmp_path, "first,second,hold", *more)
        env = {**os.environ, "GRANDSTAND_PUBLISH_TOKEN": "publish-secret"}
        process = subprocess.Popen(
            [sys.executable, "-m", "grandstand", *command], cwd=ROOT, stdout=subprocess.DEVNULL, env=env
        )
        server.wait_for(21)
        assert until(lambda: "PairingPlayed" in shown(grandstand)), "nothing was shown"
        os.kill(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)
        assert [episode["status"] for episode in tournaments(grandstand)] == ["live"]
        server.answer = says(HOLD)
        result = CliRunner().invoke(app, [*command, "--resume"], env=env)
        assert result.exit_code == 0, result.output
        assert sorted(episode["status"] for episode in tournaments(grandstand)) == ["finished", "interrupted"]
        whole = next(episode for episode in tournaments(grandstand) if episode["status"] == "finished")
        assert whole["turn"] == "9 of 9"
        assert whole["scores"].keys() == {"first", "second", "hold"}
        text = shown(grandstand, whole["episode_id"])
        assert text.count('"PairingPlayed"') == 9
        seeds = {json.loads(file.read_text().splitlines()[2])["data"]["seed"] for file in records.glob("*[0-9].jsonl")}
        assert not [seed for seed in seeds if str(seed) in text], "a seed is public"
    assert not (records / "watch.db-wal").exists()


def tournaments(server: LiveServer) -> list[Any]:
    return [episode for episode in server.get("/api/episodes")["episodes"] if episode["game"] == "tournament"]


def shown(server: LiveServer, episode_id: str = "") -> str:
    """Return the public record of a tournament, by default of the newest."""
    episodes = tournaments(server)
    if not episodes:
        return ""
    return http.text(f"{server.url}/api/episodes/{episode_id or episodes[0]['episode_id']}/replay")
