"""`grandstand new-game`: what it writes is installed, listed, tested and played as its reader would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grandstand.commands.new_game.template import GAME
from grandstand.games.checks import check
from grandstand.games.match import Match
from grandstand.main import app
from tests.support.command import words
from tests.support.live_server import ROOT


def test_the_game_keeps_what_every_game_must_keep() -> None:
    check(GAME, seeds=range(12))
    check(GAME, {"free": False})


def test_a_line_wins_and_a_full_board_is_a_draw() -> None:
    match = Match(GAME, {}, 1)
    for square in ("a1", "b1", "b2", "c1", "c3"):
        match.apply(match.waiting[0], {"square": square})
    outcome = match.game.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.text) == (["crosses"], "crosses have a line")
    match = Match(GAME, {}, 1)
    for square in ("a1", "b2", "c3", "b1", "b3", "a3", "c1", "c2", "a2"):
        match.apply(match.waiting[0], {"square": square})
    outcome = match.game.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == ([], {"crosses": 0.5, "noughts": 0.5})


def test_the_thoughtful_player_completes_a_line() -> None:
    match = Match(GAME, {}, 1)
    for square in ("a1", "b2", "a2"):
        match.apply(match.waiting[0], {"square": square})
    action = GAME.bots.players["thoughtful"](match.game, "noughts", match.rng("noughts"))
    assert action == {"square": "a3"}


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("Chess", "'Chess' is no name: it takes 2 to 31 lowercase letters"),
        ("../x", "'../x' is no name"),
        ("class", "'class' is a word or a module of Python"),
        ("json", "'json' is a word or a module of Python"),
        ("cricket", "'cricket' is a game already; there are cricket, diplomacy"),
    ],
)
def test_a_name_that_no_game_can_have_is_refused(name: str, complaint: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["new-game", name, "--in", str(tmp_path)])
    assert done.exit_code == 2
    assert complaint in words(done.output)
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "rows").mkdir()
    done = CliRunner().invoke(app, ["new-game", "rows", "--in", str(tmp_path)])
    assert (done.exit_code, "exists; choose another name" in words(done.output)) == (2, True)
    assert list((tmp_path / "rows").iterdir()) == []
    done = CliRunner().invoke(app, ["new-game", "rows", "--in", str(tmp_path / "none")])
    assert (done.exit_code, "cannot be written: No such file" in words(done.output)) == (1, True)


@pytest.mark.long
def test_what_it_writes_is_installed_tested_and_played(tmp_path: Path) -> None:
    site = tmp_path / "site-packages"
    environment = {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{ROOT}"}

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", *command], env=environment, capture_output=True, text=True, cwd=tmp_path, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert "pip install -e rows" in run("grandstand", "new-game", "rows")
    run("pip", "install", "--no-deps", "--no-build-isolation", "--target", str(site), "./rows")
    assert "rows: Three in a row" in run("grandstand", "list", "games")
    assert "1 passed" in run("pytest", "-q", "rows")
    played = json.loads(run("grandstand", "play", "rows", "--matches", "4", "--json"))
    assert [result["status"] for result in played["results"]] == ["finished"] * 4
