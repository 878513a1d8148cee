"""The roster of every command: `--roster`, or the file that GRANDSTAND_ROSTER names; an empty variable names none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from grandstand.commands.console import PUBLISH_TOKEN
from grandstand.main import app
from tests.support.command import grandstand, words
from tests.support.live_server import live_server

MINE = '[[player]]\nname = "mine"\nkind = "bot"\noptions = {{ bot = "{bot}" }}\n'
VARIABLE = "GRANDSTAND_ROSTER"
COMMANDS = {
    "players": ("players", "cricket"),
    "roster check": ("roster", "check"),
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
        done = run("players", "diplomacy", "--json", *arguments, **env)
        assert done.exit_code == 0, done.output
        return [row["name"] for row in json.loads(done.stdout)]

    assert "mine" in names(**{VARIABLE: mine})
    assert "mine" in names("--roster", mine, **{VARIABLE: "nowhere.toml"})
    assert names(**{VARIABLE: ""}) == names()


def test_a_match_is_published_with_a_player_of_the_roster(tmp_path: Path, mine: str) -> None:
    with live_server(tmp_path / "data", GRANDSTAND_PUBLISH_TOKEN="secret", GRANDSTAND_ROSTER="") as server:
        for folder, chosen in (("option", ("--roster", mine)), ("variable", ())):
            env = {} if chosen else {VARIABLE: mine}
            options = ("--set", "last_year=1901", "--pace", "0", "--url", server.url, "--players", "mine", *chosen)
            (tmp_path / folder).mkdir()
            done = grandstand(
                "publish", "diplomacy", *options, cwd=tmp_path / folder, **{PUBLISH_TOKEN: "secret", **env}
            )
            summary = server.wait_for(done.stdout.strip().rpartition("/")[2], status="finished")
            assert {seat["player"] for seat in summary["seats"]} == {"mine"}
