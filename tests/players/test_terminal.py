"""A person's seat at the terminal: `grandstand play` asks for the choices one by one."""

from __future__ import annotations

import asyncio
import io
import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from grandstand.games.match import Match
from grandstand.games.picture import Picture, Pictures
from grandstand.games.spec import GameSpec
from grandstand.players.base import Choice
from grandstand.players.terminal import InputLines, TerminalPlayer
from tests.support.games.ring import GAME as RING
from tests.support.live_server import ROOT


def play(game: str, players: str, typed: str, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grandstand", "play", game, "--players", players, "--json", *more]
    return subprocess.run(command, input=typed, capture_output=True, text=True, cwd=ROOT, timeout=300)


def test_a_person_plays_a_seat_of_diplomacy() -> None:
    typed = "\n".join(["F BRE - MAO", "a par→bur", "A MAR - PIC", "- spa", *[""] * 400])
    options = ("--set", "last_year=1901", "--set", "press=none", "--set", "draw_votes=false")
    done = play("diplomacy", "hold,hold,person,hold,hold,hold,hold", typed, *options)
    assert done.returncode == 0, done.stderr
    assert "FRANCE, F BRE (Enter: F BRE H):" in done.stderr
    assert "A MAR: 'A MAR - PIC' is not possible; give one of" in done.stderr
    report = json.loads(done.stdout)
    assert report["results"][0]["status"] == "finished"
    france = next(seat for seat in report["results"][0]["seats"] if seat["seat"] == "FRANCE")
    assert (france["player"], france["faults"]) == ("person", 0)


@pytest.mark.long
def test_what_is_typed_when_the_input_ends_is_a_fault_of_the_person() -> None:
    done = play("diplomacy", "hold,hold,person,hold,hold,hold,hold", "", "--set", "last_year=1901", "--max-faults", "1")
    assert json.loads(done.stdout)["players"]["person"]["faults"] > 0, done.stderr


@pytest.mark.long
def test_a_person_plays_one_match_at_a_time() -> None:
    done = play("diplomacy", "person", "", "--jobs", "2")
    assert done.returncode == 2
    assert "a person here plays one match after the other" in done.stderr


def test_a_person_sees_the_picture_of_the_seat() -> None:
    spec: GameSpec[Any] = replace(
        RING, picture=Pictures(draw=lambda game, seat: Picture([], [], f"This is what {seat} sees."))
    )
    screen = io.StringIO()

    async def choose() -> Choice:
        lines = InputLines(io.StringIO("7\n"), asyncio.get_running_loop())
        choice = await TerminalPlayer("person", lines, Console(file=screen)).choose(Match(spec, {}, 1), "north")
        assert await lines.next() is None  # the thread that reads has ended
        return choice

    assert asyncio.run(choose()).action == {"number": 7}
    assert "This is what north sees." in screen.getvalue().splitlines()
