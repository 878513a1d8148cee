"""Complaints say what they were given: brackets stay, and no character is obeyed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from grandstand.games.base import OptionError
from grandstand.games.catalog import GAMES
from grandstand.main import app
from grandstand.terminal.console import (
    PUBLISH_TOKEN,
    complain,
    game_names,
    harmless,
    match_options,
    refuse,
)
from tests.support.command import grandstand, words
from tests.support.live_server import ROOT, live_server

REMEDY = "torch is not installed: pip install 'grandstand[train]'"


def test_the_extra_of_a_remedy_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    complain("play", REMEDY)
    assert capsys.readouterr().err == f"grandstand play: {REMEDY}\n"


def test_a_refusal_ends_the_program_with_its_status(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended:
        refuse("eval", "[bold]x", 1)
    assert ended.value.exit_code == 1
    assert capsys.readouterr().err == "grandstand eval: [bold]x\n"


def test_hidden_characters_are_shown_and_words_stay() -> None:
    assert harmless("a\u202eb\x1b[2J\x9b\ud800\u2028\t") == "a\\u202eb\\x1b[2J\\x9b\\ud800\\u2028\\t"
    assert harmless("Čáslavská, 東京, 🏏") == "Čáslavská, 東京, 🏏"


@pytest.mark.long
def test_a_remedy_survives_a_whole_run(tmp_path: Path) -> None:
    """`--data` is a file: the complaint has the brackets of its name."""
    (tmp_path / "[train]").write_text("")
    done = subprocess.run(
        [sys.executable, "-m", "grandstand", "serve", "--port", "0", "--data", str(tmp_path / "[train]" / "data")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert "[train]/data" in done.stderr


def test_a_match_option_may_be_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "start.json"
    file.write_text('{"phase": "S1901M"}')
    assert match_options([f"start=@{file}", "last_year=1905"]) == {"start": {"phase": "S1901M"}, "last_year": 1905}
    with pytest.raises(OptionError, match=r"set: start: .*none\.json cannot be read: No such file"):
        match_options([f"start=@{tmp_path / 'none.json'}"])
    for text in ("{", "[" * 100_000, "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")):
        file.write_text(text)
        with pytest.raises(OptionError, match=r"set: start: .*start\.json is not JSON"):
            match_options([f"start=@{file}"])


def test_helps_name_the_games_there_are() -> None:
    assert game_names() == ", ".join(sorted(GAMES))


@pytest.mark.parametrize("name", ["serve", "replay", "train/app", "export", "list"])
def test_no_complaint_is_printed_as_markup(name: str) -> None:
    """An f-string with markup in it that also holds a value must escape the value."""
    source = (ROOT / "grandstand" / "commands" / f"{name}.py").read_text()
    for line in source.splitlines():
        if re.search(r"\[/?(red|green|bold|dim)\]", line):
            assert all("escape(" in value or value in SAFE for value in re.findall(r"\{([^{}]+)\}", line)), line


SAFE = ("event.seq:>5", "kind", "escape(verdict)", "escape(text)")
"""Values that are numbers, or were escaped in the line before."""


MINE = '[[player]]\nname = "mine"\nkind = "bot"\noptions = {{ bot = "{bot}" }}\n'
VARIABLE = "GRANDSTAND_ROSTER"
COMMANDS = {
    "list players": ("list", "players", "cricket"),
    "play": ("play", "diplomacy", "--players", "mine"),
    "publish": ("publish", "diplomacy", "--players", "mine"),
    "eval": ("eval", "diplomacy", "--player", "mine", "--limit", "1"),
    "tournament": ("tournament", "diplomacy", "--players", "mine,hold", "--matches", "1"),
    "serve": ("serve", "--port", "0"),
}


def run(*arguments: str, **env: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "300", PUBLISH_TOKEN: "secret", **env})


@pytest.fixture
def mine(tmp_path: Path) -> str:
    file = tmp_path / "mine.toml"
    file.write_text(MINE.format(bot="dumbbot"))
    return str(file)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_reads_the_roster_that_the_environment_names(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = run(*COMMANDS[command], **{VARIABLE: "nowhere.toml"})
    assert refused.exit_code == 2
    assert f"grandstand {command}: nowhere.toml: cannot be read" in words(refused.stderr)


def test_the_option_comes_before_the_variable_and_an_empty_one_names_no_file(mine: str) -> None:
    def names(*arguments: str, **env: str) -> list[str]:
        done = run("list", "players", "diplomacy", "--json", *arguments, **env)
        assert done.exit_code == 0, done.output
        return [row["name"] for row in json.loads(done.stdout)]

    assert "mine" in names(**{VARIABLE: mine})
    assert "mine" in names("--roster", mine, **{VARIABLE: "nowhere.toml"})
    assert names(**{VARIABLE: ""}) == names()


@pytest.mark.long
def test_a_match_is_published_with_a_player_of_the_roster(tmp_path: Path, mine: str) -> None:
    with live_server(tmp_path / "data", GRANDSTAND_PUBLISH_TOKEN="secret", GRANDSTAND_ROSTER="") as server:
        for folder, named, chosen in (("option", "", ("--roster", mine)), ("variable", mine, ())):
            options = ("--set", "last_year=1901", "--pace", "0", "--url", server.url, "--players", "mine", *chosen)
            (tmp_path / folder).mkdir()
            done = grandstand(
                *("publish", "diplomacy", *options),
                cwd=tmp_path / folder,
                GRANDSTAND_PUBLISH_TOKEN="secret",
                GRANDSTAND_ROSTER=named,
            )
            summary = server.wait_for(done.stdout.strip().rpartition("/")[2], status="finished")
            assert {seat["player"] for seat in summary["seats"]} == {"mine"}
