"""The programs of examples/bots run as they stand, each in a seat of a short match, to its end."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.support import http
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.requirements import program
from tests.support.server.private_batches import visible_events
from tests.support.server.seats import BOTS, OPERATOR, TOKEN, Seat, until
from tests.support.waiting import PATIENCE

EXAMPLES = ROOT / "examples/bots"
COMMANDS = {"bot.py": sys.executable, "bot.mjs": "node", "bot.sh": "sh", "bot.rs": ""}
DIPLOMACY = {
    "game": "diplomacy",
    "players": BOTS | {"FRANCE": "remote", "ITALY": "random"},
    "options": {"press": "full", "negotiation_rounds": 1, "last_year": 1902},
}
CRICKET = {"game": "cricket", "players": {"home": "remote", "away": "random"}, "options": {"overs": 1}}
WEREWOLF = {"game": "werewolf", "players": {"Ada": "remote"}}


def start(server: LiveServer, match: dict[str, Any], seat: str) -> Seat:
    """Start a match as an operator, and return the seat with its token."""
    started = server.post("/api/episodes", {"seed": 3, "pace": 0, **match}, **OPERATOR).raise_for_status().json()
    path = f"/api/episodes/{started['episode_id']}"
    token = server.post(f"{path}/seats/{seat}/token", None, **OPERATOR).raise_for_status().json()["token"]
    return Seat(server, started["episode_id"], seat, Authorization=f"Bearer {token}")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example in Rust as a program."""
    path = tmp_path_factory.mktemp("rust") / "bot"
    compiler = program("rustc", remedy="install Rust by https://rustup.rs")
    subprocess.run([compiler, "-D", "warnings", "-o", str(path), str(EXAMPLES / "bot.rs")], check=True)
    return path


@pytest.fixture
def words(request: pytest.FixtureRequest) -> list[str]:
    """The command of the example whose name is the parameter."""
    if request.param == "bot.rs":
        return [str(request.getfixturevalue("built"))]
    return [program(COMMANDS[request.param], remedy="install it"), str(EXAMPLES / request.param)]


def started(words: list[str], seat: Seat) -> subprocess.Popen[str]:
    """Start the program in the seat."""
    token = seat.headers["Authorization"].removeprefix("Bearer ")
    command = [*words, seat.server.url, seat.episode, seat.seat, token]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def shell(command: str, names: Mapping[str, str]) -> str:
    """Run a command of the guide with `names` filled in, and return what it prints."""
    for name, value in names.items():
        command = command.replace(name, value)
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def chosen(seat: Seat) -> set[str]:
    """The sources of the seat's decisions."""
    frames = http.get(
        f"{seat.server.url}/api/episodes/{seat.episode}/events", params={"as": "operator"}, headers=OPERATOR
    ).json()["frames"]
    own = [event["data"] for event in visible_events(frames) if event["type"] == "ActionChosen"]
    return {data["source"] for data in own if data["seat"] == seat.seat}


@pytest.mark.long
@pytest.mark.parametrize("words", COMMANDS, indirect=True)
@pytest.mark.parametrize(("match", "seat"), [(DIPLOMACY, "FRANCE"), (CRICKET, "home"), (WEREWOLF, "Ada")])
def test_an_example_plays_a_seat_to_the_end_of_its_match(
    tmp_path: Path, words: list[str], match: dict[str, Any], seat: str
) -> None:
    with live_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        taken = start(server, match, seat)
        with started(words, taken) as process:
            out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err
        assert "has ended" in out
        server.wait_for(taken.episode, status="finished")
        assert chosen(taken) == {"remote"}


@pytest.mark.long
def test_the_commands_of_the_guide_start_a_match_for_a_program(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "bots-of-your-own.md").read_text()
    blocks = "\n".join(re.findall(r"```sh\n(.*?)```", guide, re.DOTALL))
    start, token, bot, *_ = [line for line in blocks.replace("\\\n", "").splitlines() if line]
    with live_server(tmp_path) as server:
        names = {"http://127.0.0.1:8000": server.url}
        for command, name, field in ((start, "EPISODE", "episode_id"), (token, "TOKEN", "token")):
            names[name] = json.loads(shell(command, names))[field]
        assert "has ended" in shell(bot.replace("python ", f"{sys.executable} ", 1), names)
        server.wait_for(names["EPISODE"], status="finished")


class BreaksOff(BaseHTTPRequestHandler):
    """A server whose first answer breaks off, as that of a server that is killed; then the match is over."""

    broken = False

    def do_GET(self) -> None:
        """Answer the question of a seat."""
        first, BreaksOff.broken = not BreaksOff.broken, True
        body = b'{"field":"episode","detail":"the match is over"}'
        self.send_response(200 if first else 410)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if not first:
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@pytest.mark.long
@pytest.mark.parametrize("words", COMMANDS, indirect=True)
def test_an_example_asks_again_after_an_answer_that_breaks_off(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BreaksOff, "broken", False)
    with ThreadingHTTPServer(("127.0.0.1", 0), BreaksOff) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        done = subprocess.run(
            [*words, f"http://127.0.0.1:{server.server_port}", "e", "home", "token"],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        server.shutdown()
    assert (done.returncode, done.stdout.strip()) == (0, "the match is over"), done.stderr


@pytest.mark.long
@pytest.mark.parametrize("words", COMMANDS, indirect=True)
def test_an_example_goes_on_when_the_server_comes_back(tmp_path: Path, words: list[str]) -> None:
    with live_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        taken = start(server, {**CRICKET, "pace": 0.05}, "home")
        port = int(server.url.rpartition(":")[2])
        process = started(words, taken)
        until(lambda: server.get(f"/api/episodes/{taken.episode}")["last_seq"] > 60)
        server.kill()
    with process, live_server(tmp_path, port=port, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err
        assert "has ended" in out
        assert server.get(f"/api/episodes/{taken.episode}")["status"] == "finished"
        assert chosen(Seat(server, taken.episode, "home")) == {"remote"}
