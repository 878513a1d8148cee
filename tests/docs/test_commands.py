"""The commands in the docs exist, and those that are cheap to run are run."""

from __future__ import annotations

import argparse
import json
import re
import runpy
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import typer

from grandstand.main import app, load
from tests.support.docs.commands import PAGES, Command, commands, earlier_commands
from tests.support.docs.runs import NOT_RUN, RUN
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.requirements import package, program
from tests.support.waiting import until

COMMANDS = commands()
OURS = [command for command in COMMANDS if command.program == "grandstand"]
OTHERS = [command for command in COMMANDS if command.program != "grandstand"]
PROGRAMS_OF_PYTHON = [command for command in OTHERS if command.program == "python" and "pytest" not in command.words]

PLACES = ("", "grandstand/", "frontend/", "docs/")
TO_BE_WRITTEN = ("grandstand/games/kuhn/",)
"""Files that docs/add-a-game.md tells a reader to write."""
NOT_THERE = re.compile(r"[*<>{}$…]|^(data|runs|records|dist|/|~|\.)|[A-Z]{3,}|^https?:")
"""Names that stand for others, or are made by a run."""
FOLDERS = tuple(
    f"{path.name}/"
    for folder in (ROOT, ROOT / "grandstand")
    for path in folder.iterdir()
    if path.is_dir() and not path.name.startswith((".", "_"))
)


def arguments(command: Command) -> str:
    return " ".join(command.words[1:])


def options_of(command: Any) -> dict[str, int]:
    """Option -> how many values it takes."""
    taken = {
        name: 0 if param.is_flag else 1
        for param in command.params
        if param.param_type_name == "option"
        for name in (*param.opts, *param.secondary_opts)
    }
    return {**taken, "--help": 0}


def walk(words: Sequence[str], program: typer.Typer = app) -> list[str]:
    """Check verbs and options of a command line; answers the words that are neither."""
    command: Any = typer.main.get_command(program)
    options, rest, value = options_of(command), list[str](), False
    for word in words:
        if value:
            rest.append(word)
            value = False
        elif word == "--":  # the words of another program
            break
        elif word.startswith("-") and word != "-":
            name, separator, _ = word.partition("=")
            assert name in options, f"there is no option {name}; there are {', '.join(sorted(options))}"
            value = bool(options[name]) and not separator
        elif commands := getattr(command, "commands", None):
            assert word in commands, f"there is no verb {word!r}; there are {', '.join(commands)}"
            command = load(word) if command.name == "grandstand" else commands[word]
            options = options_of(command)
        else:
            rest.append(word)
    return rest


@pytest.mark.parametrize("command", OURS, ids=str)
def test_every_verb_and_option_exists(command: Command) -> None:
    walk(command.words[1:])


def test_every_whole_command_is_run_or_says_why_not() -> None:
    documented = {arguments(command) for command in OURS}
    whole = {arguments(command) for command in OURS if walk(command.words[1:])}
    assert whole - RUN.keys() - NOT_RUN.keys() == set(), "add them to RUN or NOT_RUN"
    assert (RUN.keys() | NOT_RUN.keys()) - documented == set(), "the docs no longer have these"


@pytest.mark.parametrize("command", OTHERS, ids=str)
def test_every_script_target_and_module_exists(command: Command) -> None:
    program, *rest = command.words
    if program == "make":
        assert re.search(rf"^{rest[0]}:", (ROOT / "Makefile").read_text(), re.MULTILINE), f"no target {rest[0]}"
        return
    if program == "openenv":
        walk(rest, package("openenv.cli.__main__").app)
        return
    if program.startswith(("scripts/", "deploy/")):
        file = ROOT / program
    elif command.program == "python" and rest[:2] == ["-m", "pytest"]:
        file = ROOT / rest[-1]
    elif command.program == "python" and rest[0] == "-m":
        file = ROOT / (rest[1].replace(".", "/") + ".py")
    elif command.program == "python":
        file = ROOT / rest[0]
    elif program == "node":
        file = ROOT / rest[0] if rest[0].startswith("examples/") else ROOT / "frontend" / rest[0]
    else:
        return
    assert file.exists() or file.with_suffix("").is_dir(), f"{command}: there is no {file.relative_to(ROOT)}"
    source = "".join(path.read_text() for path in ([file] if file.is_file() else file.with_suffix("").glob("*.py")))
    for option in (word.partition("=")[0] for word in rest if word.startswith("--")):
        assert option in source, f"{command}: {file.name} knows no {option}"


@pytest.mark.parametrize(("commit", "command"), earlier_commands(), ids=str)
def test_a_program_that_left_the_tree_is_in_its_commit(commit: str, command: Command) -> None:
    words = command.words[2:] if command.words[1] == "-m" else command.words[1:]
    file = words[0] if words[0].endswith(".py") else words[0].replace(".", "/") + ".py"
    assert not (ROOT / file).exists(), f"{file} is in the tree: leave the commit out"
    if subprocess.run(["git", "cat-file", "-e", commit], cwd=ROOT, capture_output=True).returncode:
        pytest.skip("the commit is not here: this is a shallow clone, or no checkout")
    done = subprocess.run(["git", "show", f"{commit}:{file}"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{commit} has no {file}"
    for option in (word.partition("=")[0] for word in words if word.startswith("--")):
        assert option in done.stdout or option[2:].replace("-", "_") in done.stdout, f"{file} knows no {option}"


class Parsed(Exception):
    """The program has read its arguments."""


@pytest.mark.parametrize("command", PROGRAMS_OF_PYTHON, ids=str)
def test_every_program_takes_its_arguments(command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run it up to the point at which it has read its arguments; what a benchmark measures takes minutes."""
    words = command.words[2:] if command.words[1] == "-m" else command.words[1:]
    file = ROOT / (words[0] if words[0].endswith(".py") else words[0].replace(".", "/") + ".py")
    text = file.read_text() if file.is_file() else (file.with_suffix("") / "__main__.py").read_text()
    if "argparse" not in text and "typer" not in text:
        assert not words[1:] or "sys.argv" in text, f"{words[0]} takes no arguments"
        return

    def parse(parser: argparse.ArgumentParser, *arguments: Any) -> Any:
        parse_args(parser, *arguments)
        raise Parsed

    def invoke(*_: object) -> None:
        raise Parsed

    parse_args = argparse.ArgumentParser.parse_args
    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse)
    monkeypatch.setattr(typer.core.TyperCommand, "invoke", invoke)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(file), *words[1:]])
    with pytest.raises(Parsed):
        runpy.run_path(str(file if file.is_file() else file.with_suffix("")), run_name="__main__")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text()
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text)]
    for link in (link for link in links if link and not link.startswith(("http", "mailto"))):
        assert (page.parent / link).exists(), f"a link to {link}"
    for code in re.findall(r"`([^`\s]+)`", text):
        if code.startswith(FOLDERS) and not code.startswith(TO_BE_WRITTEN) and not NOT_THERE.search(code):
            assert any((ROOT / place / code).exists() for place in PLACES), f"it names {code}"


def live_matches(server: LiveServer) -> list[Any]:
    """Wait until a match of each game is live and return them."""
    live: list[Any] = []

    def both() -> bool:
        live[:] = server.get("/api/episodes", status="live")["episodes"]
        return sorted(episode["game"] for episode in live) == ["cricket", "diplomacy"]

    assert until(both), f"there is no live match of each game: {live}"
    return live


@pytest.mark.long
def test_the_first_minute_of_the_readme(tmp_path: Path) -> None:
    """The README's first steps work without the page: the matches, the kill, and the request that starts one."""
    readme = (ROOT / "README.md").read_text()
    assert "play a match of each game" in readme
    (command,) = [item for item in OTHERS if item.program == "curl" and item.page.name == "README.md"]
    curl = program("curl", remedy="apt install curl")
    with live_server(tmp_path / "data", "--showcase", "diplomacy,cricket") as server:
        live = live_matches(server)
        assert server.get("/api/episodes")["episodes"][0]["status"] == "live", "the match on top is live"
        showcase = live[0]["episode_id"]
        server.wait_for(showcase, seq=5)
        words = [curl, "--silent", "--fail", *command.words[1:]]
        here = [word.replace("localhost:8000", server.url) for word in words]
        done = subprocess.run(here, capture_output=True, text=True, check=True)
        assert server.get(f"/api/episodes/{json.loads(done.stdout)['episode_id']}")
        assert server.get("/api/games")
        before = server.get(f"/api/episodes/{showcase}")["last_seq"]
        server.kill()
    with live_server(tmp_path / "data", "--showcase", "diplomacy,cricket") as server:
        assert server.wait_for(showcase, seq=before + 1)["status"] == "live"
        live_matches(server)
